/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/decide_impl.h"

#include "base/hash.h"
#include "policy/queue.h"

#include <stdlib.h>

/* Whether a test holds, or cannot be said yet. */
enum answer { NO, YES, LATER };

/* What is asked, where the table of decisions has no answer. */
struct question {
	struct decide *d;
	const struct packet *packet;
	uint64_t key; /* the profile's */
	const uint64_t *holds, *flows;
};

const struct decide_work *
decide_work(const struct decide *decide)
{
	return &decide->work;
}

static bool
access_holds(const struct question *q, const struct access *access)
{
	const struct policy *p = q->d->policy;
	const struct header_test *tests = p->headers.items;

	if (access->whole)
		return decide_bit(q->flows, access->flow);
	for (unsigned i = 0; i < access->count; i++) {
		const struct access_rule *rule = &access->rules[i];
		bool holds = decide_bit(q->flows, rule->flow);

		for (unsigned k = 0; k < rule->part_count && holds; k++)
			holds = header_holds(&p->tables, &tests[rule->parts[k]], q->packet);
		if (holds)
			return rule->permit;
	}
	return false;
}

static enum answer ask_formula(const struct question *q, const struct formula *f,
			       uint16_t *line);

static enum answer
ask(const struct question *q, const struct condition *c)
{
	const struct header_test *tests = q->d->policy->headers.items;
	enum answer answer;
	uint16_t line;

	switch ((enum policy_test)c->test) {
	case POLICY_ANY: answer = YES; break;
	case POLICY_PROTOCOL:
	case POLICY_ATTRIBUTE:
		answer = !(q->key & DECIDE_KNOWN) ? LATER : decide_bit(q->holds, c->number);
		break;
	case POLICY_ACCESS: answer = access_holds(q, c->access); break;
	case POLICY_CLASS: answer = ask_formula(q, c->formula, &line); break;
	default: answer = header_holds(&q->d->policy->tables, &tests[c->number], q->packet);
	}
	return answer == LATER ? LATER : (answer == YES) != c->not ;
}

static enum answer
ask_formula(const struct question *q, const struct formula *f, uint16_t *line)
{
	enum answer all = f->all && f->count ? YES : NO;

	*line = POLICY_LINE_ALL;
	for (unsigned i = 0; i < f->count; i++) {
		enum answer answer = ask(q, &f->conditions[i]);

		if (f->all && answer == NO)
			return NO;
		if (!f->all && answer == YES) {
			*line = (uint16_t)i;
			return YES;
		}
		if (answer == LATER)
			all = LATER;
	}
	return all;
}

/*
 * The first class that holds. One that cannot be told yet is passed over, as routers do, which
 * have not yet recognised it either; only where none holds, that is what first-packet is about.
 */
static const struct policy_node *
ask_stage(const struct question *q, const struct policy_stage *stage, uint16_t *line)
{
	const struct formula *const *formulas = ((const struct stage *)stage)->formulas;
	bool later = false;

	for (unsigned i = 0; i + 1 < stage->count; i++) {
		enum answer answer = ask_formula(q, formulas[i], line);

		q->d->work.classes++;
		if (answer == YES)
			return &stage->nodes[i];
		later = later || answer == LATER;
	}
	*line = POLICY_LINE_NONE;
	return later && stage->map->first != POLICY_FIRST_DEFAULT
		       ? NULL
		       : &stage->nodes[stage->count - 1];
}

static void
set_mark(struct policy_verdict *v, uint32_t value, uint32_t mask)
{
	v->mark = (v->mark & ~mask) | (value & mask);
	v->mark_mask |= mask;
}

static void
act(const struct policy_action *a, struct policy_verdict *v)
{
	switch ((enum policy_act)a->act) {
	case POLICY_DROP: v->fate = POLICY_FATE_DROP; break;
	case POLICY_REJECT: v->fate = POLICY_FATE_REJECT; break;
	case POLICY_SET_DSCP:
		v->tos = (uint8_t)((v->tos & 3) | a->value << 2);
		v->tos_mask |= 0xfc;
		break;
	case POLICY_SET_PRECEDENCE:
		v->tos = (uint8_t)((v->tos & 0x1f) | a->value << 5);
		v->tos_mask |= 0xe0;
		break;
	case POLICY_SET_COS:
		v->cos = (uint8_t)a->value;
		v->has |= POLICY_HAS_COS;
		break;
	case POLICY_SET_QOS_GROUP:
		v->qos_group = a->value;
		v->has |= POLICY_HAS_QOS_GROUP;
		break;
	case POLICY_SET_MARK:
		set_mark(v, a->value,
			 v->has & POLICY_HAS_QUEUE ? a->mask & ~QUEUE_MASK : a->mask);
		break;
	case POLICY_MIRROR: v->mirror = a->name; break;
	case POLICY_TRANSMIT:
	case POLICY_LOG:
	case POLICY_ACTS: break;
	}
}

static void
act_all(const struct list *actions, struct policy_verdict *v)
{
	const struct policy_action *a = actions->items;

	for (unsigned i = 0; i < actions->count && v->fate == POLICY_FATE_FORWARD; i++)
		act(&a[i], v);
}

/* Marks from the outermost class to the innermost, which has the last word. */
static void
prepare(struct decision *decision)
{
	struct policy_verdict *v = &decision->ready;

	for (unsigned i = 0; i < v->depth; i++) {
		const struct policy_node *node = v->path[i].node;

		if (!node->queue_mark)
			continue;
		set_mark(v, node->queue_mark, QUEUE_MASK);
		v->has |= POLICY_HAS_QUEUE;
	}
	for (unsigned i = 0; i < v->depth; i++) {
		const struct policy_node *node = v->path[i].node;

		decision->limited = decision->limited || node->police || node->log;
		if (v->fate != POLICY_FATE_FORWARD)
			continue;
		decision->dropped_at = (uint8_t)i;
		if (node->entry)
			act_all(&node->entry->actions, v);
	}
}

static void
evaluate(const struct question *q, const struct policy_stage *stage, struct decision *decision)
{
	struct policy_verdict *v = &decision->ready;

	q->d->work.decisions++;
	while (stage && !v->undecided) {
		uint16_t line;
		const struct policy_node *node = ask_stage(q, stage, &line);

		if (node) {
			v->path[v->depth++] =
				(struct policy_step){ node, line, POLICY_COLOURS };
			stage = node->child;
			continue;
		}
		v->undecided = true;
		decision->undecided = stage->undecided;
		if (stage->map->first == POLICY_FIRST_HOLD)
			decision->hold = stage->map->first_hold;
	}
	prepare(decision);
}

static struct decision *
find(struct decide *d, uint64_t where, uint64_t kinds)
{
	uint32_t at = (uint32_t)hash_mix(where ^ hash_mix(kinds)) % DECIDE_DECISIONS;

	while (d->decisions[at].where &&
	       (d->decisions[at].where != where || d->decisions[at].kinds != kinds))
		at = (at + 1) % DECIDE_DECISIONS;
	return &d->decisions[at];
}

static const struct decision *
decision_of(struct decide *d, const struct policy_stage *stage, struct flow *flow,
	    unsigned from, const struct packet *packet, const struct decide_ask *a)
{
	uint32_t profile = decide_profile_of(d, flow);
	uint64_t kinds =
		d->policy->tables.wanted ? header_kinds(&d->policy->tables, packet) : 0;
	uint64_t where = profile | (uint64_t)from << 16 | (uint64_t)a->output << 17 |
			 (uint64_t)a->iface << 18;
	uint16_t *recent = &d->recent[profile * 4 + from * 2 + a->output];
	struct decision *found = &d->decisions[*recent];
	struct question q;

	if (found->where == where && found->kinds == kinds)
		return found;
	found = find(d, where, kinds);
	*recent = (uint16_t)(found - d->decisions);
	if (found->where)
		return found;
	if (d->decision_count >= DECIDE_DECISIONS / 4 * 3) {
		memset(d->decisions, 0, DECIDE_DECISIONS * sizeof(*d->decisions));
		d->decision_count = 0;
		d->work.resets++;
		found = find(d, where, kinds);
		*recent = (uint16_t)(found - d->decisions);
	}
	d->decision_count++;
	q = (struct question){ d, packet, d->keys[profile], NULL, NULL };
	q.holds = decide_row(d, profile) + d->proto_words;
	q.flows = q.holds + d->proto_words + from * (size_t)d->flow_words;
	*found = (struct decision){ .kinds = kinds, .where = where, .undecided = UINT32_MAX };
	evaluate(&q, stage, found);
	return found;
}

static inline void
count(struct decide *d, uint32_t counter, const struct packet *packet)
{
	struct decide_count *c = &d->counts[counter];

	atomic_store_explicit(&c->packets,
			      atomic_load_explicit(&c->packets, memory_order_relaxed) + 1,
			      memory_order_relaxed);
	atomic_store_explicit(&c->bytes,
			      atomic_load_explicit(&c->bytes, memory_order_relaxed) +
				      packet->wire_len,
			      memory_order_relaxed);
}

static void
count_lines(struct decide *d, const struct policy_node *node, uint16_t line,
	    const struct packet *packet)
{
	if (line < node->line_count)
		count(d, node->lines[line].counter, packet);
	else if (line == POLICY_LINE_ALL)
		for (unsigned i = 0; i < node->line_count; i++)
			count(d, node->lines[i].counter, packet);
}

static void
act_police(struct decide *d, struct policy_step *step, const struct packet *packet,
	   struct policy_verdict *v)
{
	const struct policy_node *node = step->node;
	const struct list *actions;

	step->colour = (uint8_t)police_packet(node->police, packet->time_ns, packet->wire_len);
	count(d, node->counter + POLICY_COLOURED + step->colour, packet);
	actions = &node->entry->police->actions[step->colour];
	if (actions->count)
		act_all(actions, v);
	else if (step->colour != POLICY_CONFORM)
		v->fate = POLICY_FATE_DROP;
}

/*
 * Policers from the innermost to the outermost, which get what is left: so Cisco has it (10000
 * Series QoS Configuration Guide, OL-7433, "Defining QoS for Multiple Policy Levels": the child
 * is executed first, and what it drops the parent does not see). Returns the depth at which the
 * packet was dropped, if it was.
 */
static __attribute__((noinline)) unsigned
limit(struct decide *d, const struct packet *packet, struct policy_verdict *v)
{
	unsigned at = v->depth;

	for (unsigned i = 0; i < v->depth; i++) {
		const struct policy_node *node = v->path[i].node;

		if (node->log && police_packet(node->log, packet->time_ns, 0) == POLICY_CONFORM)
			v->log = true;
	}
	while (at-- > 0 && v->fate == POLICY_FATE_FORWARD) {
		if (v->path[at].node->police)
			act_police(d, &v->path[at], packet, v);
		if (v->fate != POLICY_FATE_FORWARD)
			return at;
	}
	return 0;
}

/* All of it but the part of the path that there is not. */
static inline void
copy(const struct policy_verdict *from, struct policy_verdict *to)
{
	to->fate = from->fate;
	to->has = from->has;
	to->tos = from->tos;
	to->tos_mask = from->tos_mask;
	to->cos = from->cos;
	to->log = from->log;
	to->undecided = from->undecided;
	to->qos_group = from->qos_group;
	to->mark = from->mark;
	to->mark_mask = from->mark_mask;
	to->mirror = from->mirror;
	to->depth = from->depth;
	for (unsigned i = 0; i < from->depth; i++)
		to->path[i] = from->path[i];
}

void
decide_nothing(struct policy_verdict *verdict)
{
	static const struct policy_verdict nothing = { .fate = POLICY_FATE_FORWARD };

	copy(&nothing, verdict);
}

void
decide_packet(struct decide *d, struct flow *flow, unsigned from, const struct packet *packet,
	      const struct decide_ask *a, struct policy_verdict *verdict)
{
	const struct policy_stage *stage;
	const struct decision *decision;
	unsigned dropped_at;

	stage = d->policy ? policy_stage_at(d->policy, a->iface, a->output) : NULL;
	if (!stage) {
		decide_nothing(verdict);
		return;
	}
	decision = decision_of(d, stage, flow, from, packet, a);
	copy(&decision->ready, verdict);
	if (decision->hold && !a->last && flow_packets(flow) <= decision->hold) {
		verdict->fate = POLICY_FATE_HOLD;
		return;
	}
	if (decision->undecided != UINT32_MAX)
		count(d, decision->undecided, packet);
	dropped_at = decision->dropped_at;
	if (decision->limited) {
		unsigned at = limit(d, packet, verdict);

		if (decision->ready.fate == POLICY_FATE_FORWARD)
			dropped_at = at;
	}
	for (unsigned i = 0; i < verdict->depth; i++) {
		const struct policy_node *node = verdict->path[i].node;
		bool passed = verdict->fate == POLICY_FATE_FORWARD || i > dropped_at;

		count(d, node->counter + (passed ? POLICY_PASSED : POLICY_DROPPED), packet);
		count_lines(d, node, verdict->path[i].line, packet);
	}
}
