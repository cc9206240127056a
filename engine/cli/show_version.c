/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/show_common.h"
#include <barn/barn.h>
#include <inttypes.h>
#include <stdio.h>

static uint32_t
count_loaded(const struct barn_stats *stats)
{
	struct barn_stats_protocol p;
	uint32_t count = 0;

	for (uint32_t n = 1; !barn_stats_protocol(stats, n, &p); n++)
		count += p.loaded != 0;
	return count;
}

static void
print_text(const struct barn_stats *stats, const struct barn_stats_engine *engine)
{
	struct barn_stats_pack pack;
	char text[32];

	printf("barn software version:  %s\n", engine->version);
	printf("barn console version:  %s\n", BARN_VERSION);
	printf("barn process:  %" PRIu32 "\n", engine->pid);
	printf("barn uptime:  %s\n",
	       show_common_time(counters_since(engine->started_ns), text));
	printf("barn protocols:  %" PRIu32 "\n", count_loaded(stats));
	if (barn_stats_count(stats, BARN_STATS_PACKS))
		printf("\nLoaded Protocol Pack(s):\n");
	for (uint32_t n = 0; !barn_stats_read(stats, BARN_STATS_PACKS, n, &pack, sizeof(pack));
	     n++) {
		printf("%s  %-30s %s\n", n ? "\n" : "", "Name:", pack.name);
		printf("  %-30s %s\n", "Version:", pack.version);
		printf("  %-30s %s\n", "Publisher:", pack.publisher);
		printf("  %-30s %" PRIu32 "\n", "Protocols:", pack.modules);
		printf("  %-30s %s\n", "Signature checked:", pack.trusted ? "yes" : "no");
		printf("  %-30s %s\n", "State:", "Active");
	}
}

static void
print_json(const struct barn_stats *stats, const struct barn_stats_engine *engine)
{
	struct json_object *object = json_object_new_object(), *list;
	struct barn_stats_pack pack;

	json_out_string(object, "version", engine->version);
	json_out_string(object, "console", BARN_VERSION);
	json_out_number(object, "pid", engine->pid);
	json_out_number(object, "uptime", counters_since(engine->started_ns));
	json_out_number(object, "protocols", count_loaded(stats));
	list = json_out_list(object, "packs");
	for (uint32_t n = 0; !barn_stats_read(stats, BARN_STATS_PACKS, n, &pack, sizeof(pack));
	     n++) {
		struct json_object *one = json_object_new_object();

		json_out_string(one, "name", pack.name);
		json_out_string(one, "version", pack.version);
		json_out_string(one, "publisher", pack.publisher);
		json_out_number(one, "protocols", pack.modules);
		json_out_bool(one, "trusted", pack.trusted);
		json_object_array_add(list, one);
	}
	json_out_print(object);
}

static int
print(const struct barn_stats *stats, bool json)
{
	struct barn_stats_engine engine = show_common_engine(stats);

	if (json)
		print_json(stats, &engine);
	else
		print_text(stats, &engine);
	return 0;
}

static int
run(const struct command *self, int argc, char **argv)
{
	return show_common_run(self, argc, argv, print);
}

const struct command command_show_version = {
	.name = "show version",
	.arguments = "[options]",
	.summary = "The daemon's version, and its protocol packs",
	.options = show_common_rows,
	.run = run,
};
