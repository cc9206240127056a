/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/explain_step.h"
#include "conf/policy.h"
#include "conf/report.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct step {
	uint64_t frame; /* of the first packet */
	uint64_t packets;
	bool output;
	struct policy_verdict verdict;
};

struct flow_steps {
	uint64_t flow;
	uint64_t more; /* packets of steps that found no room */
	unsigned count;
	struct step *steps;
};

struct explain_steps {
	struct flow_steps *flows; /* by number */
	unsigned count, room;
	bool failed;
};

enum barn_err
explain_step_new(struct explain_steps **steps)
{
	*steps = calloc(1, sizeof(**steps));
	return *steps ? BARN_OK : BARN_ERR_MEMORY;
}

void
explain_step_free(struct explain_steps *s)
{
	for (unsigned i = 0; s && i < s->count; i++)
		free(s->flows[i].steps);
	if (s)
		free(s->flows);
	free(s);
}

/* The first whose number is not less. */
static unsigned
place_of(const struct explain_steps *s, uint64_t flow)
{
	unsigned low = 0, high = s->count;

	while (low < high) {
		unsigned middle = low + (high - low) / 2;

		if (s->flows[middle].flow < flow)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct flow_steps *
flow_of(struct explain_steps *s, uint64_t flow)
{
	unsigned at = place_of(s, flow);
	struct flow_steps *flows = s->flows;

	if (at < s->count && flows[at].flow == flow)
		return &flows[at];
	if (s->count == EXPLAIN_FLOWS)
		return NULL;
	if (s->count == s->room) {
		unsigned room = s->room ? 2 * s->room : 64;

		flows = realloc(flows, room * sizeof(*flows));
		if (!flows) {
			s->failed = true;
			return NULL;
		}
		s->flows = flows;
		s->room = room;
	}
	memmove(&flows[at + 1], &flows[at], (s->count - at) * sizeof(*flows));
	s->count++;
	flows[at] = (struct flow_steps){ .flow = flow };
	flows[at].steps = calloc(EXPLAIN_STEPS, sizeof(*flows[at].steps));
	s->failed = s->failed || !flows[at].steps;
	return &flows[at];
}

static bool
is_alike(const struct policy_verdict *a, const struct policy_verdict *b)
{
	if (a->fate != b->fate || a->undecided != b->undecided || a->depth != b->depth)
		return false;
	for (unsigned i = 0; i < a->depth; i++)
		if (a->path[i].node != b->path[i].node || a->path[i].line != b->path[i].line ||
		    a->path[i].colour != b->path[i].colour)
			return false;
	return true;
}

void
explain_step_add(void *self, const struct packet *packet, uint64_t flow, bool output,
		 const struct policy_verdict *verdict)
{
	struct flow_steps *f = flow_of(self, flow);

	if (!f || !f->steps)
		return;
	for (unsigned i = 0; i < f->count; i++)
		if (f->steps[i].output == output && is_alike(&f->steps[i].verdict, verdict)) {
			f->steps[i].packets++;
			return;
		}
	if (f->count == EXPLAIN_STEPS)
		f->more++;
	else
		f->steps[f->count++] = (struct step){ packet->serial, 1, output, *verdict };
}

static void
add_place(struct text *text, const struct policy_place *place)
{
	if (place->file && *place->file)
		text_printf(text, " (%s:%" PRIu32 ")", place->file, place->line);
}

static void
add_lines(struct text *text, const struct policy_step *step)
{
	const struct policy_node *node = step->node;

	if (!node->class_map) {
		text_add(text, "        no other class holds\n");
		return;
	}
	for (unsigned i = 0; i < node->line_count; i++) {
		const struct policy_statement *s = node->lines[i].statement;

		if (step->line != POLICY_LINE_ALL && step->line != i)
			continue;
		text_printf(text, "        match %s", s->text);
		add_place(text, &s->place);
		text_char(text, '\n');
	}
}

static void
add_actions(struct text *text, const struct list *actions, bool colour)
{
	const struct policy_action *a = actions->items;

	for (unsigned i = 0; i < actions->count; i++) {
		text_add(text, i ? ", " : ": ");
		policy_action_print(text, &a[i], colour);
	}
	text_char(text, '\n');
}

/* A class, how it came to the packet, and what it says. */
static void
add_class(struct text *text, const struct policy_step *step)
{
	const struct policy_node *node = step->node;

	text_printf(text, "      policy map %s, class %s", node->stage->map->name, node->name);
	if (node->entry)
		add_place(text, &node->entry->place);
	text_char(text, '\n');
	add_lines(text, step);
	if (!node->entry)
		return;
	if (node->entry->actions.count) {
		text_add(text, "        actions");
		add_actions(text, &node->entry->actions, false);
	}
	if (step->colour < POLICY_COLOURS) {
		text_printf(text, "        policer, %s", report_place_colour(step->colour));
		add_place(text, &node->entry->police->place);
		add_actions(text, &node->entry->police->actions[step->colour], true);
	}
}

static void
add_marks(struct text *text, const struct policy_verdict *v)
{
	if (v->tos_mask >= 0xfc) {
		text_add(text, ", with dscp ");
		policy_dscp_print(text, v->tos >> 2);
	} else if (v->tos_mask) {
		text_printf(text, ", with precedence %u", v->tos >> 5);
	}
	if (v->has & POLICY_HAS_COS)
		text_printf(text, ", with cos %u where there is a tag", v->cos);
	if (v->has & POLICY_HAS_QOS_GROUP)
		text_printf(text, ", in qos-group %" PRIu32, v->qos_group);
	if (v->mark_mask)
		text_printf(text, ", with mark 0x%" PRIx32 "/0x%" PRIx32, v->mark,
			    v->mark_mask);
	if (v->mirror)
		text_printf(text, ", mirrored to %s", v->mirror);
}

static void
add_step(struct text *text, const struct step *step)
{
	static const char *const fates[] = { [POLICY_FATE_FORWARD] = "passed",
					     [POLICY_FATE_DROP] = "dropped",
					     [POLICY_FATE_REJECT] = "rejected",
					     [POLICY_FATE_HOLD] = "held" };
	const struct policy_verdict *v = &step->verdict;

	text_printf(text, "    %" PRIu64 " packet%s of %s, from frame %" PRIu64 " on: %s",
		    step->packets, step->packets == 1 ? "" : "s",
		    step->output ? "output" : "input", step->frame, fates[v->fate]);
	if (v->fate == POLICY_FATE_FORWARD)
		add_marks(text, v);
	text_char(text, '\n');
	for (unsigned i = 0; i < v->depth; i++)
		add_class(text, &v->path[i]);
	if (v->undecided)
		text_add(text, "      no class yet: the protocol was not known\n");
}

bool
explain_step_print(const struct explain_steps *s, uint64_t flow, struct text *text)
{
	unsigned at = place_of(s, flow);
	const struct flow_steps *f;

	if (at == s->count || s->flows[at].flow != flow) {
		text_add(text, "  policy: none was asked about it\n");
		return !s->failed;
	}
	f = &s->flows[at];
	text_add(text, "  policy:\n");
	for (unsigned i = 0; i < f->count; i++)
		add_step(text, &f->steps[i]);
	if (f->more)
		text_printf(text, "    %" PRIu64 " packets otherwise\n", f->more);
	return !s->failed;
}
