/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/policy.h"
#include "conf/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* One place that is printed. Each child policy stands four columns further in. */
struct printing {
	struct text *text;
	const struct report *report;
	int margin;
};

static void line_of(const struct printing *p, int indent, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void
line_of(const struct printing *p, int indent, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	text_printf(p->text, "%*s%s\n", p->margin + indent, "", line);
}

const char *
report_place_colour(enum policy_colour colour)
{
	static const char *const colours[] = { [POLICY_CONFORM] = "conformed",
					       [POLICY_EXCEED] = "exceeded",
					       [POLICY_VIOLATE] = "violated" };

	return colours[colour];
}

static struct policy_count
count_of(const struct printing *p, uint32_t counter)
{
	return p->report->counts[counter];
}

static uint64_t
rate_of(const struct printing *p, uint32_t counter)
{
	return p->report->tally ? tally_bps(p->report->tally, counter) : 0;
}

/* "5 minute", "30 second": of the interface's load interval. */
static void
interval(const struct printing *p, char *out, size_t size)
{
	uint32_t s = p->report->interval_s;

	if (s % 60 == 0)
		snprintf(out, size, "%" PRIu32 " minute", s / 60);
	else
		snprintf(out, size, "%" PRIu32 " second", s);
}

/* Of a match-any class each line has counters, of a match-all class they would be the class's.
 */
static void
add_line(const struct printing *p, bool all, const struct policy_line *line)
{
	struct policy_count c = count_of(p, line->counter);
	char over[32];

	line_of(p, 6, "Match: %s%s", line->statement->text,
		line->statement->test == POLICY_ANY ? " " : "");
	if (all)
		return;
	interval(p, over, sizeof(over));
	line_of(p, 8, "%" PRIu64 " packets, %" PRIu64 " bytes", c.packets, c.bytes);
	line_of(p, 8, "%s rate %04" PRIu64 " bps", over, rate_of(p, line->counter));
}

static bool
is_set(const struct policy_action *a)
{
	return a->act >= POLICY_SET_DSCP && a->act <= POLICY_SET_MARK;
}

/* Marks come before the policer, and after a `drop` there are none. */
static void
add_actions(const struct printing *p, const struct policy_node *node)
{
	const struct list *list = &node->entry->actions;
	const struct policy_action *a = list->items;
	uint64_t marked = count_of(p, node->counter + POLICY_OFFERED).packets;
	bool sets = false;

	for (unsigned i = 0; i < list->count; i++) {
		struct text words = { 0 };

		policy_action_print(&words, &a[i], false);
		if (is_set(&a[i]) && !sets) {
			line_of(p, 6, "QoS Set");
			sets = true;
		}
		/* Behind "set " */
		if (is_set(&a[i])) {
			line_of(p, 8, "%s", text_str(&words) + 4);
			line_of(p, 10, "Packets marked %" PRIu64, marked);
		} else {
			line_of(p, 6, "%s", text_str(&words));
		}
		if (a[i].act == POLICY_DROP || a[i].act == POLICY_REJECT)
			marked = 0;
		text_fini(&words);
	}
}

static void
add_queues(const struct printing *p, const struct policy_node *node)
{
	const struct policy_queue *queues = node->entry->queues.items;

	for (unsigned i = 0; i < node->entry->queues.count; i++) {
		struct text words = { 0 };

		policy_queue_print(&words, &queues[i]);
		line_of(p, 6, "%s", text_str(&words));
		text_fini(&words);
	}
}

static void
add_colour_actions(const struct printing *p, const struct list *list, enum policy_colour colour)
{
	const struct policy_action *a = list->items;

	/* What is done where nothing was said: decide.c. */
	if (!list->count)
		line_of(p, 10, colour == POLICY_CONFORM ? "transmit" : "drop");
	for (unsigned i = 0; i < list->count; i++) {
		struct text words = { 0 };

		policy_action_print(&words, &a[i], true);
		line_of(p, 10, "%s", text_str(&words));
		text_fini(&words);
	}
}

static void
add_rates(const struct printing *p, const struct police_rates *r)
{
	const char *rate = r->packets ? "pps" : "bps",
		   *burst = r->packets ? "packets" : "bytes";

	line_of(p, 10,
		r->packets ? "rate %" PRIu64 " %s, burst %" PRIu64 " %s"
			   : "cir %" PRIu64 " %s, bc %" PRIu64 " %s",
		r->cir, rate, r->bc, burst);
	if (r->two_rates)
		line_of(p, 10,
			r->packets ? "peak-rate %" PRIu64 " %s, peak-burst %" PRIu64 " %s"
				   : "pir %" PRIu64 " %s, be %" PRIu64 " %s",
			r->pir, rate, r->be, burst);
	else if (r->three_colours)
		line_of(p, 10, "be %" PRIu64 " %s", r->be, burst);
}

static void
add_police(const struct printing *p, const struct policy_node *node)
{
	const struct police_rates *r = police_rates_of(node->police);
	unsigned colours = r->two_rates || r->three_colours ? POLICY_COLOURS : POLICY_VIOLATE;
	uint32_t first = node->counter + POLICY_COLOURED;
	struct text rates = { 0 };

	line_of(p, 6, "police:");
	add_rates(p, r);
	for (unsigned c = 0; c < colours; c++) {
		struct policy_count n = count_of(p, first + c);

		line_of(p, 8, "%s %" PRIu64 " packets, %" PRIu64 " bytes; actions:",
			report_place_colour(c), n.packets, n.bytes);
		add_colour_actions(p, &node->entry->police->actions[c], c);
		text_printf(&rates, "%s%s %04" PRIu64 " bps", c ? ", " : "",
			    report_place_colour(c), rate_of(p, first + c));
	}
	line_of(p, 8, "%s", text_str(&rates));
	text_fini(&rates);
}

static void add_stage(const struct printing *p, const struct policy_stage *stage);

static void
add_node(const struct printing *p, const struct policy_node *node)
{
	struct policy_count offered = count_of(p, node->counter + POLICY_OFFERED);
	bool all = node->class_map && node->class_map->all;
	char over[32];

	interval(p, over, sizeof(over));
	text_char(p->text, '\n');
	line_of(p, 4, "Class-map: %s (%s)", node->name, all ? "match-all" : "match-any");
	line_of(p, 6, "%" PRIu64 " packets, %" PRIu64 " bytes", offered.packets, offered.bytes);
	line_of(p, 6, "%s offered rate %04" PRIu64 " bps, drop rate %04" PRIu64 " bps", over,
		rate_of(p, node->counter + POLICY_OFFERED),
		rate_of(p, node->counter + POLICY_DROPPED));
	for (unsigned i = 0; i < node->line_count; i++)
		add_line(p, all, &node->lines[i]);
	if (!node->class_map)
		line_of(p, 6, "Match: any ");
	if (!node->entry)
		return;
	add_queues(p, node);
	add_actions(p, node);
	if (node->police)
		add_police(p, node);
	if (node->child) {
		struct printing inner = { p->text, p->report, p->margin + 4 };

		text_char(p->text, '\n');
		line_of(p, 6, "Service-policy : %s", node->child->map->name);
		add_stage(&inner, node->child);
	}
}

static void
add_stage(const struct printing *p, const struct policy_stage *stage)
{
	for (unsigned i = 0; i < stage->count; i++)
		add_node(p, &stage->nodes[i]);
}

void
report_place(struct text *text, const struct report *report,
	     const struct policy_place_at *place)
{
	struct printing p = { text, report, 0 };

	text_char(text, '\n');
	line_of(&p, 2, "Service-policy %s: %s", place->output ? "output" : "input",
		place->stage->map->name);
	add_stage(&p, place->stage);
}
