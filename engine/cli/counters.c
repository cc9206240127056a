/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/counters.h"
#include "program/say.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { OLD_MS = 3000 }; /* it publishes each second at least */

const char *
counters_path(void)
{
	const char *path = getenv("BARN_STATS");

	return path && *path ? path : BARN_STATS_PATH;
}

static void
tell(const char *path, enum barn_err err)
{
	if (err == BARN_ERR_MISSING)
		say_error("%s: no counters there: is barnd running?", path);
	else if (err == BARN_ERR_FORMAT)
		say_error("%s: no counters of this version of barn", path);
	else if (err == BARN_ERR_SYSTEM && errno == EACCES)
		say_error("%s: this user may not read it", path);
	else
		say_error("%s: %s", path,
			  err == BARN_ERR_SYSTEM ? strerror(errno) : barn_strerror(err));
}

struct barn_stats *
counters_open(const char *path)
{
	struct barn_stats *stats;
	enum barn_err err;
	uint64_t age;
	bool changed;

	if (!path)
		path = counters_path();
	err = barn_stats_open(path, &stats);
	if (err) {
		tell(path, err);
		return NULL;
	}
	err = barn_stats_refresh(stats, &changed);
	if (err) {
		tell(path, err);
		barn_stats_close(stats);
		return NULL;
	}
	age = barn_stats_age_ms(stats);
	if (age > OLD_MS)
		fprintf(stderr, "barn: barnd does not count any more: these are %ju s old\n",
			(uintmax_t)age / 1000);
	return stats;
}

uint32_t
counters_protocol(const struct barn_stats *stats, const char *name)
{
	struct barn_stats_protocol protocol;

	for (uint32_t i = 0; !barn_stats_protocol(stats, i, &protocol); i++)
		if (strcmp(protocol.name, name) == 0)
			return i;
	return UINT32_MAX;
}

uint32_t
counters_interface(const struct barn_stats *stats, const char *name)
{
	struct barn_stats_interface interface;
	char list[512] = "";

	for (uint32_t i = 0; !barn_stats_interface(stats, i, &interface); i++) {
		if (strcmp(interface.name, name) == 0)
			return i;
		strncat(list, " ", sizeof(list) - strlen(list) - 1);
		strncat(list, interface.name, sizeof(list) - strlen(list) - 1);
	}
	say_error("no such interface: %s; barnd has%s", name, *list ? list : " none");
	return UINT32_MAX;
}

uint64_t
counters_since(uint64_t time_ns)
{
	uint64_t now = (uint64_t)time(NULL), then = time_ns / 1000000000;

	return time_ns && now > then ? now - then : 0;
}
