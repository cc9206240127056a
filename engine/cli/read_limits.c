/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_limits.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>

static const struct {
	const char *member, *words;
} limits[READ_LIMITS] = {
	[LIMIT_FLOWS] = { "evicted_flows", "flows evicted" },
	[LIMIT_INSPECTIONS] = { "given_up_inspections", "inspections given up" },
	[LIMIT_STREAM] = { "refused_stream_blocks", "blocks of streams refused" },
	[LIMIT_VALUES] = { "refused_values", "values of fields refused" },
	[LIMIT_DATAGRAMS] = { "incomplete_datagrams", "fragmented datagrams incomplete" },
	[LIMIT_ANNOUNCEMENTS] = { "evicted_announcements", "announcements evicted" },
	[LIMIT_LEARNED] = { "evicted_learned", "learned servers evicted" },
};

struct read_limits
read_limits_of(const struct read_workers *workers, const struct wire *wire,
	       struct shared *shared)
{
	struct worker_limits sum = read_workers_limits(workers);
	struct expect_stats announced = shared_announced(shared);

	return (struct read_limits){
		.count = { [LIMIT_FLOWS] = sum.flows_evicted,
			   [LIMIT_INSPECTIONS] = sum.given_up,
			   [LIMIT_STREAM] = sum.blocks,
			   [LIMIT_VALUES] = sum.values,
			   [LIMIT_DATAGRAMS] = wire_stats(wire)->datagrams_evicted,
			   [LIMIT_ANNOUNCEMENTS] = announced.evicted,
			   [LIMIT_LEARNED] = shared_forgotten(shared) },
		.announced = announced.announced,
		.unused = announced.announced > announced.met
				  ? announced.announced - announced.met
				  : 0,
	};
}

void
read_limits_print(const struct read_limits *l)
{
	const char *before = " Limits: ";

	for (unsigned i = 0; i < READ_LIMITS; i++) {
		if (!l->count[i])
			continue;
		printf("%s%" PRIu64 " %s", before, l->count[i], limits[i].words);
		before = ", ";
	}
	if (before[0] == ',')
		putchar('\n');
	if (l->announced)
		printf(" Announced: %" PRIu64 " flows, of which %" PRIu64 " never came\n",
		       l->announced, l->unused);
}

struct json_object *
read_limits_json(const struct read_limits *l)
{
	struct json_object *object = json_object_new_object();

	json_object_object_add(object, "announced_flows", json_object_new_uint64(l->announced));
	json_object_object_add(object, "unused_announcements",
			       json_object_new_uint64(l->unused));
	for (unsigned i = 0; i < READ_LIMITS; i++)
		json_object_object_add(object, limits[i].member,
				       json_object_new_uint64(l->count[i]));
	return object;
}
