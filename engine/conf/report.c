/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/report.h"

#include "conf/policy.h"

#include <inttypes.h>

/* Values with the numbers that they stand for, as "ef (46)". */
static void
add_dscps(struct text *text, const struct list *ranges)
{
	const struct policy_range *r = ranges->items;

	for (unsigned i = 0; i < ranges->count; i++) {
		text_char(text, ' ');
		policy_dscp_print(text, r[i].low);
		text_printf(text, " (%" PRIu32 ")", r[i].low);
	}
}

static void
add_statement(struct text *text, const struct policy_statement *s)
{
	const char *rest = s->text;

	if (s->test == POLICY_DSCP) {
		text_printf(text, "   Match %s%s dscp", s->not ? "not " : "",
			    s->ip_only ? "ip" : " ");
		add_dscps(text, &s->ranges);
		text_char(text, '\n');
		return;
	}
	if (s->test == POLICY_COS && !s->not &&strncmp(rest, "cos ", 4) == 0) {
		text_printf(text, "   Match cos  %s\n", rest + 4);
		return;
	}
	/* Routers have a blank behind `any`. */
	text_printf(text, "   Match %s%s\n", rest, s->test == POLICY_ANY ? " " : "");
}

void
report_class(struct text *text, const struct policy_class *class_map, unsigned id)
{
	const struct policy_statement *s = class_map->statements.items;

	text_printf(text, " Class Map %s %s (id %u)\n",
		    class_map->all ? "match-all" : "match-any", class_map->name, id);
	if (class_map->description)
		text_printf(text, "   Description: %s\n", class_map->description);
	if (!class_map->statements.count)
		text_add(text, "   Match none\n");
	for (unsigned i = 0; i < class_map->statements.count; i++)
		add_statement(text, &s[i]);
	text_char(text, '\n');
}

static void
add_police(struct text *text, const struct policy_police *police)
{
	struct text lines = { 0 };
	const char *line, *end;

	police_print(&lines, police);
	for (line = text_str(&lines); *line; line = end + 1) {
		end = strchr(line, '\n');
		text_printf(text, "    %.*s\n", (int)(end - line), line);
	}
	text_fini(&lines);
}

static void
add_queue(struct text *text, const struct policy_queue *q)
{
	static const char *const units[] = {
		[POLICY_KBPS] = "(kb/s)", [POLICY_PERCENT] = "(%)", [POLICY_REMAINING] = "(%)"
	};

	text_add(text, "      ");
	switch ((enum policy_queueing)q->kind) {
	case POLICY_BANDWIDTH:
		text_printf(text, "bandwidth %s",
			    q->unit == POLICY_REMAINING ? "remaining " : "");
		break;
	case POLICY_PRIORITY:
		text_add(text, "priority");
		if (q->level)
			text_printf(text, " level %u", q->level);
		if (q->rate)
			text_char(text, ' ');
		break;
	case POLICY_SHAPE:
		text_printf(text, "Average Rate Traffic Shaping\n      cir %" PRIu64 " %s\n",
			    q->rate, q->unit == POLICY_PERCENT ? "(%)" : "(bps)");
		return;
	case POLICY_NO_QUEUE: break;
	}
	if (q->rate)
		text_printf(text, "%" PRIu64 " %s", q->rate, units[q->unit]);
	text_char(text, '\n');
}

static void
add_entry(struct text *text, const struct policy_entry *entry)
{
	const struct policy_action *actions = entry->actions.items;
	const struct policy_queue *queues = entry->queues.items;

	text_printf(text, "    Class %s\n", entry->class_name);
	for (unsigned i = 0; i < entry->queues.count; i++)
		add_queue(text, &queues[i]);
	for (unsigned i = 0; i < entry->actions.count; i++) {
		text_add(text, "      ");
		policy_action_print(text, &actions[i], false);
		text_char(text, '\n');
	}
	if (entry->police)
		add_police(text, entry->police);
	if (entry->child)
		text_printf(text, "      service-policy %s\n", entry->child);
}

void
report_map(struct text *text, const struct policy_map *map)
{
	const struct policy_entry *entries = map->entries.items;

	text_printf(text, "  Policy Map %s\n", map->name);
	if (map->description)
		text_printf(text, "    Description: %s\n", map->description);
	for (unsigned i = 0; i < map->entries.count; i++)
		add_entry(text, &entries[i]);
	text_char(text, '\n');
}
