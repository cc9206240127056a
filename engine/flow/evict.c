/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/inside.h"

/*
 * Flows that came together have numbers that follow each other, so that a sample is taken in
 * several places: by steps of a number that is prime to every bound that has no such factor.
 */
enum { SAMPLES = 4, SAMPLE = 4, STRIDE = 40503 };

enum { STREAM = 8 }; /* packets of a stream that needs no answer */

/* Nobody has answered, or it is over. */
static bool
is_loose(const struct flow *flow)
{
	return flow->state == FLOW_NEW || flow->state == FLOW_SYN || flow->state == FLOW_CLOSED;
}

/* Time enough to be answered, in packets: a quarter of those that fill the table. */
static bool
has_waited(const struct table *table, const struct flow *flow, uint64_t serial)
{
	return flow->id >= serial || serial - flow->id >= table->bound / 4;
}

/*
 * Whom we can spare: the lower the sooner. A few packets that nobody has answered are worth
 * little, though they were recognised: that is what a flood looks like.
 */
static unsigned
worth(const struct table *table, const struct flow *flow, uint64_t serial)
{
	bool known = flow->verdict.final && flow->verdict.protocol;

	if (flow->state == FLOW_CLOSED)
		return 0;
	if (is_loose(flow) && has_waited(table, flow, serial) &&
	    !(known && flow_packets(flow) >= STREAM))
		return known ? 2 : 1;
	return known ? 4 : 3;
}

static uint32_t
lesser(const struct table *table, uint32_t one, uint32_t other, uint64_t serial)
{
	const struct flow *a, *b;
	unsigned x, y;

	if (one == INSIDE_NONE)
		return other;
	a = &table->flows[one];
	b = &table->flows[other];
	x = worth(table, a, serial);
	y = worth(table, b, serial);
	if (x != y)
		return x < y ? one : other;
	return a->last_ns <= b->last_ns ? one : other;
}

/*
 * The loose ones first, the longest in that state before the others, unless it is as young as
 * one that will be answered: in a flood this costs the same for each packet. A flow that never
 * had an answer and yet was recognised (a one-way stream) is not loose any more.
 */
static uint32_t
evict_loose(struct table *table, uint64_t serial)
{
	while (chain_linked(table->loose, table->bound)) {
		uint32_t n = table->loose[table->bound].next;
		unsigned w = worth(table, &table->flows[n], serial);

		if (w < 2)
			return n;
		if (w == 3)
			return INSIDE_NONE;
		chain_leave(table->loose, n);
	}
	return INSIDE_NONE;
}

/* Called when every number is in use. */
uint32_t
evict_any(struct table *table, uint64_t serial)
{
	uint32_t n = evict_loose(table, serial);

	if (n != INSIDE_NONE)
		return n;
	for (unsigned i = 0; i < SAMPLES; i++) {
		for (uint32_t k = 0; k < SAMPLE; k++)
			n = lesser(table, n,
				   (uint32_t)(((uint64_t)table->hand + k) % table->bound),
				   serial);
		table->hand = (uint32_t)(((uint64_t)table->hand + STRIDE) % table->bound);
	}
	return n;
}

uint32_t
evict_of(const struct table *table, const struct bucket *first, const struct bucket *second,
	 uint64_t serial)
{
	uint32_t n = INSIDE_NONE;

	for (unsigned i = 0; i < BUCKET_PLACES; i++) {
		n = lesser(table, n, first->index[i], serial);
		n = lesser(table, n, second->index[i], serial);
	}
	return n;
}
