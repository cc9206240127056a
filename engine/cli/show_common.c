/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/show_common.h"
#include "program/say.h"
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

enum row { STATS, JSON, ROWS };

const struct option_row show_common_rows[] = {
	[STATS] = { COUNTERS_ROW },
	[JSON] = { "json", 0, NULL, "Print a JSON object" },
	{ 0 },
};

int
show_common_run(const struct command *self, int argc, char **argv,
		int (*print)(const struct barn_stats *stats, bool json))
{
	const char *path = NULL, *value;
	struct barn_stats *stats;
	bool json = false;
	int row, status;

	while ((row = options_next(self, argc, argv, &value)) >= 0) {
		json |= row == JSON;
		if (row == STATS)
			path = value;
	}
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (optind != argc)
		return say_usage(self->name, "'%s' is too much", argv[optind]);
	stats = counters_open(path);
	if (!stats)
		return EXIT_FAILED;
	status = print(stats, json);
	barn_stats_close(stats);
	return status;
}

const char *
show_common_time(uint64_t seconds, char text[32])
{
	uint64_t days = seconds / 86400;
	int at = days ? snprintf(text, 32, "%" PRIu64 "d ", days) : 0;

	snprintf(text + at, 32 - (size_t)at, "%02u:%02u:%02u", (unsigned)(seconds / 3600 % 24),
		 (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
	return text;
}

struct barn_stats_engine
show_common_engine(const struct barn_stats *stats)
{
	struct barn_stats_engine engine;

	(void)barn_stats_read(stats, BARN_STATS_ENGINE, 0, &engine, sizeof(engine));
	return engine;
}
