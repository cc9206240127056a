/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/show_common.h"
#include <inttypes.h>
#include <stdio.h>

/* What the workers' tables hold, and of what the counters have room for. */

struct resource {
	const char *title, *name; /* for people, and in JSON */
	uint64_t count;
};

enum { FLOWS, CAPACITY, PEAK, CREATED, EVICTED, UNDECIDED, RESTARTS, UNINDEXED, RESOURCES };

static void
collect(const struct barn_stats *stats, struct resource r[RESOURCES])
{
	struct barn_stats_worker w;

	r[FLOWS] = (struct resource){ "Flows in the table", "flows", 0 };
	r[CAPACITY] = (struct resource){ "Flows that there is room for", "capacity", 0 };
	r[PEAK] = (struct resource){ "Flows at most at once", "peak", 0 };
	r[CREATED] = (struct resource){ "Flows since the start", "created", 0 };
	r[EVICTED] = (struct resource){ "Flows that had to make room", "evicted", 0 };
	r[UNDECIDED] = (struct resource){ "Flows under inspection", "undecided", 0 };
	r[RESTARTS] = (struct resource){ "Restarts of workers", "restarts", 0 };
	r[UNINDEXED] = (struct resource){ "Protocols without an SNMP index", "unindexed", 0 };
	for (uint32_t n = 0; !barn_stats_read(stats, BARN_STATS_WORKERS, n, &w, sizeof(w));
	     n++) {
		r[FLOWS].count += w.flows;
		r[CAPACITY].count += w.capacity;
		r[PEAK].count += w.peak;
		r[CREATED].count += w.created;
		r[EVICTED].count += w.evicted;
		r[UNDECIDED].count += w.undecided;
		r[RESTARTS].count += w.restarts;
	}
	r[UNINDEXED].count = show_common_engine(stats).unindexed;
}

static int
print(const struct barn_stats *stats, bool json)
{
	struct json_object *object = json ? json_object_new_object() : NULL;
	struct resource r[RESOURCES];

	collect(stats, r);
	if (!json)
		printf("NBAR resources of %u workers\n",
		       barn_stats_count(stats, BARN_STATS_WORKERS));
	for (unsigned i = 0; i < RESOURCES; i++)
		if (json)
			json_out_number(object, r[i].name, r[i].count);
		else
			printf("%-32s : %" PRIu64 "\n", r[i].title, r[i].count);
	if (json)
		json_out_print(object);
	return 0;
}

static int
run(const struct command *self, int argc, char **argv)
{
	return show_common_run(self, argc, argv, print);
}

const struct command command_show_resources = {
	.name = "show resources",
	.arguments = "[options]",
	.summary = "What the daemon's tables hold, and have room for",
	.options = show_common_rows,
	.run = run,
};
