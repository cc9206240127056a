/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/compile.h"
#include "policy/queue.h"

#include <inttypes.h>

/*
 * HTB's classes. A class is sure of its rate, and lends what it does not need to the others of
 * its stage, up to their ceilings; who is served first is the priority classes.
 */

enum { LEAST_BPS = 8000, LEAST_QUANTUM = 1514, MOST_QUANTUM = 60000, HTB_PRIORITY = 2 };

/* What a stage's classes share: the rate of their parent. */
struct share {
	uint64_t rate, promised; /* bit/s */
	uint64_t percent;        /* of the rest, together */
	uint64_t ratio;          /* of what is then left, together */
};

struct writer {
	struct text *text;
	const char *interface;
	struct barn_faults *faults;
	const struct policy_place *place; /* of the attachment */
	bool good;
};

static const struct policy_queue *
queue_of(const struct policy_node *node, unsigned kind)
{
	const struct policy_queue *q = node->entry ? node->entry->queues.items : NULL;

	for (unsigned i = 0; q && i < node->entry->queues.count; i++)
		if (q[i].kind == kind)
			return &q[i];
	return NULL;
}

static uint64_t
amount(const struct policy_queue *q, uint64_t of)
{
	if (q->unit == POLICY_PERCENT)
		return of / 100 * q->rate;
	return q->kind == POLICY_SHAPE ? q->rate : q->rate * 1000;
}

/* A bandwidth or a priority that is an amount; 0: none. */
static uint64_t
promise(const struct policy_node *node, uint64_t of)
{
	const struct policy_queue *bandwidth = queue_of(node, POLICY_BANDWIDTH);
	const struct policy_queue *priority = queue_of(node, POLICY_PRIORITY);

	if (priority && priority->rate)
		return amount(priority, of);
	if (bandwidth && (bandwidth->unit == POLICY_KBPS || bandwidth->unit == POLICY_PERCENT))
		return amount(bandwidth, of);
	return 0;
}

/* Of the rest, by per cent; by ratio, which is 1 where nothing is said, as on routers. */
static uint64_t
part(const struct policy_node *node, unsigned unit)
{
	const struct policy_queue *q = queue_of(node, POLICY_BANDWIDTH);

	if (q && q->unit == unit)
		return q->rate;
	return unit == POLICY_RATIO && !(q && q->unit == POLICY_REMAINING) ? 1 : 0;
}

static const struct policy_place *
place_of(const struct writer *w, const struct policy_stage *stage)
{
	const struct policy_entry *entry = stage->nodes[0].entry;

	return entry ? &entry->place : w->place;
}

static void
fault(struct writer *w, const struct policy_place *place, const char *text)
{
	struct compile c = { .faults = w->faults };

	compile_fault(&c, place, "%s: %s", w->interface, text);
	w->good = false;
}

static struct share
survey(struct writer *w, const struct policy_stage *stage, uint64_t rate)
{
	struct share s = { .rate = rate };

	for (unsigned i = 0; i < stage->count; i++) {
		const struct policy_node *node = &stage->nodes[i];
		uint64_t sure = node->queue ? promise(node, rate) : 0;

		if (!node->queue)
			continue;
		s.promised += sure;
		if (sure)
			continue;
		s.percent += part(node, POLICY_REMAINING);
		s.ratio += part(node, POLICY_RATIO);
	}
	if (s.promised > rate)
		fault(w, place_of(w, stage),
		      "the classes are promised more than there is to share");
	if (s.percent > 100)
		fault(w, place_of(w, stage),
		      "the classes are promised more than 100 per cent of the rest");
	return s;
}

static uint64_t
rate_of(const struct policy_node *node, const struct share *s)
{
	uint64_t sure = promise(node, s->rate), least = s->rate / 100, rest, by_percent;

	if (sure)
		return sure;
	rest = s->rate > s->promised ? s->rate - s->promised : 0;
	by_percent = rest / 100 * part(node, POLICY_REMAINING);
	if (!by_percent && s->percent < 100 && s->ratio)
		by_percent =
			rest / 100 * (100 - s->percent) * part(node, POLICY_RATIO) / s->ratio;
	least = least > LEAST_BPS ? least : LEAST_BPS;
	return by_percent > least ? by_percent : least;
}

static uint64_t
ceiling_of(const struct policy_node *node, uint64_t rate)
{
	const struct policy_queue *shape = queue_of(node, POLICY_SHAPE);
	const struct policy_queue *priority = queue_of(node, POLICY_PRIORITY);
	uint64_t most = shape ? amount(shape, rate) : rate;

	if (priority && priority->rate && amount(priority, rate) < most)
		most = amount(priority, rate);
	return most < rate ? most : rate;
}

/* A name as one word of the shell. */
static void
put_name(struct text *text, const char *name)
{
	text_char(text, '\'');
	for (; *name; name++)
		text_add_n(text, *name == '\'' ? "'\\''" : name, *name == '\'' ? 4 : 1);
	text_char(text, '\'');
}

static void __attribute__((format(printf, 3, 4)))
put(const struct writer *w, const char *what, const char *format, ...)
{
	va_list args;

	text_printf(w->text, "tc %s dev ", what);
	put_name(w->text, w->interface);
	text_char(w->text, ' ');
	va_start(args, format);
	text_vprintf(w->text, format, args);
	va_end(args);
	text_char(w->text, '\n');
}

static uint64_t
quantum(uint64_t rate)
{
	uint64_t bytes = rate / 80;

	return bytes < LEAST_QUANTUM ? LEAST_QUANTUM
				     : (bytes < MOST_QUANTUM ? bytes : MOST_QUANTUM);
}

static void
put_bursts(struct text *text, const struct policy_node *node)
{
	const struct policy_queue *q = queue_of(node, POLICY_SHAPE);

	q = q ? q : queue_of(node, POLICY_PRIORITY);
	if (q && q->burst)
		text_printf(text, " burst %" PRIu64 "b cburst %" PRIu64 "b", q->burst,
			    q->burst);
}

/* Returns its ceiling, which its child's classes share. */
static uint64_t
put_class(const struct writer *w, const struct policy_node *node, unsigned parent,
	  const struct share *s)
{
	const struct policy_queue *priority = queue_of(node, POLICY_PRIORITY);
	uint64_t ceiling = ceiling_of(node, s->rate), rate = rate_of(node, s);
	struct text bursts = { 0 };

	rate = rate < ceiling ? rate : ceiling;
	put_bursts(&bursts, node);
	put(w, "class add",
	    "parent 1:%x classid 1:%x htb rate %" PRIu64 "bit ceil %" PRIu64
	    "bit prio %u quantum %" PRIu64 "%s",
	    parent, node->queue, rate, ceiling,
	    !priority             ? HTB_PRIORITY
	    : priority->level > 1 ? 1
				  : 0,
	    quantum(rate), text_str(&bursts));
	text_fini(&bursts);
	return ceiling;
}

/* Voice waits for nobody, and so is a plain queue; flows of the others get turns. */
static void
put_leaf(const struct writer *w, const struct policy_node *node)
{
	put(w, "qdisc add", "parent 1:%x %s", node->queue,
	    queue_of(node, POLICY_PRIORITY) ? "pfifo limit 128" : "fq_codel");
	put(w, "filter add",
	    "parent 1: protocol all pref 1 handle 0x%" PRIx32 "/0x%" PRIx32 " fw classid 1:%x",
	    node->queue_mark, QUEUE_MASK, node->queue);
}

static void
put_stage(struct writer *w, const struct policy_stage *stage, unsigned parent, uint64_t rate)
{
	struct share s = survey(w, stage, rate);

	for (unsigned i = 0; i < stage->count && w->good; i++) {
		const struct policy_node *node = &stage->nodes[i];
		uint64_t ceiling;

		if (!node->queue) {
			text_printf(w->text, "# %s, class %s: as class-default\n",
				    stage->map->name, node->name);
			continue;
		}
		text_printf(w->text, "# %s, class %s", stage->map->name, node->name);
		if (node->queue_mark)
			text_printf(w->text, ": mark 0x%" PRIx32 "/0x%" PRIx32,
				    node->queue_mark, QUEUE_MASK);
		text_char(w->text, '\n');
		ceiling = put_class(w, node, parent, &s);
		if (node->queue_mark)
			put_leaf(w, node);
		else
			put_stage(w, node->child, node->queue, ceiling);
	}
}

/* Where an interface's speed is not known, a shape of everything says how much there is. */
static uint64_t
whole(const struct policy_stage *stage, uint64_t speed_bps)
{
	const struct policy_queue *shape = queue_of(&stage->nodes[0], POLICY_SHAPE);

	if (!speed_bps && stage->count == 1 && shape && shape->unit == POLICY_KBPS)
		return shape->rate;
	return speed_bps;
}

static unsigned
rest_of(const struct policy_stage *stage)
{
	const struct policy_node *node = &stage->nodes[stage->count - 1];

	while (!node->queue_mark)
		node = &node->child->nodes[node->child->count - 1];
	return node->queue;
}

enum barn_err
queue_commands(const struct policy_place_at *place, uint64_t speed_bps, struct text *commands,
	       struct barn_faults *faults)
{
	const struct policy_stage *stage = place->stage;
	struct writer w = { commands, place->interface, faults, &stage->map->place, true };
	uint64_t rate = whole(stage, speed_bps);

	if (!place->output || !queue_asks(stage))
		return BARN_OK;
	if (!rate) {
		fault(&w, w.place,
		      "its speed is not known, of which classes get their parts: 'bandwidth "
		      "KBPS' on the interface says it");
		return BARN_ERR_TEXT;
	}
	text_printf(commands, "# %s: policy map %s\n", place->interface, stage->map->name);
	text_add(commands, "tc qdisc del dev ");
	put_name(commands, place->interface);
	text_add(commands, " root 2>/dev/null || :\n");
	put(&w, "qdisc add", "root handle 1: htb default %x", rest_of(stage));
	put(&w, "class add",
	    "parent 1: classid 1:1 htb rate %" PRIu64 "bit ceil %" PRIu64
	    "bit quantum %" PRIu64,
	    rate, rate, quantum(rate));
	put_stage(&w, stage, 1, rate);
	return !w.good ? BARN_ERR_TEXT : commands->failed ? BARN_ERR_MEMORY : BARN_OK;
}
