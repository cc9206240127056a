/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/show_common.h"
#include <inttypes.h>
#include <stdio.h>

/* The daemon's protocols. `barn pdlm list` shows those of files. */

static void
print_text(const struct barn_stats_protocol *p)
{
	char id[16] = "-", index[16] = "-";

	if (p->id)
		snprintf(id, sizeof(id), "%u:%u", p->id >> 24, p->id & 0xffffff);
	if (p->index)
		snprintf(index, sizeof(index), "%u", p->index);
	printf("%-32s %5s  %-10s %-20.20s %s\n", p->name, index, id,
	       *p->attributes[BARN_STATS_CATEGORY] ? p->attributes[BARN_STATS_CATEGORY] : "-",
	       p->title);
}

static const char *const attributes[BARN_STATS_ATTRIBUTES] = {
	[BARN_STATS_CATEGORY] = "category",
	[BARN_STATS_SUB_CATEGORY] = "sub-category",
	[BARN_STATS_APPLICATION_GROUP] = "application-group",
	[BARN_STATS_APPLICATION_FAMILY] = "application-family",
	[BARN_STATS_APPLICATION_SET] = "application-set",
	[BARN_STATS_ENCRYPTED] = "encrypted",
	[BARN_STATS_TUNNEL] = "tunnel",
	[BARN_STATS_P2P_TECHNOLOGY] = "p2p-technology",
	[BARN_STATS_BUSINESS_RELEVANCE] = "business-relevance",
	[BARN_STATS_TRAFFIC_CLASS] = "traffic-class",
};

static struct json_object *
json_of(const struct barn_stats_protocol *p)
{
	struct json_object *object = json_object_new_object();
	struct json_object *given = json_object_new_object();

	json_out_string(object, "name", p->name);
	json_out_string(object, "title", p->title);
	json_out_number(object, "index", p->index);
	json_out_number(object, "id_engine", p->id >> 24);
	json_out_number(object, "id_selector", p->id & 0xffffff);
	for (unsigned i = 0; i < BARN_STATS_ATTRIBUTES; i++)
		if (*p->attributes[i])
			json_out_string(given, attributes[i], p->attributes[i]);
	json_object_object_add(object, "attributes", given);
	return object;
}

static int
print(const struct barn_stats *stats, bool json)
{
	struct json_object *object = json ? json_object_new_object() : NULL;
	struct json_object *list = json ? json_out_list(object, "protocols") : NULL;
	struct barn_stats_protocol p;

	if (!json)
		printf("%-32s %5s  %-10s %-20s %s\n", "NAME", "INDEX", "ID", "CATEGORY",
		       "TITLE");
	/* 0 is what has no protocol. */
	for (uint32_t n = 1; !barn_stats_protocol(stats, n, &p); n++) {
		if (!p.loaded)
			continue;
		if (json)
			json_object_array_add(list, json_of(&p));
		else
			print_text(&p);
	}
	if (json)
		json_out_print(object);
	return 0;
}

static int
run(const struct command *self, int argc, char **argv)
{
	return show_common_run(self, argc, argv, print);
}

const struct command command_show_pdlm = {
	.name = "show pdlm",
	.arguments = "[options]",
	.summary = "The protocols that the daemon knows",
	.options = show_common_rows,
	.run = run,
};
