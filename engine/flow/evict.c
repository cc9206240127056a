/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/inside.h"

enum { SAMPLE = 16 };

/* Whom we can spare: the lower the sooner. */
static unsigned
worth(const struct flow *flow)
{
	if (flow->state == FLOW_CLOSED)
		return 0;
	if (flow->verdict.final)
		return 3;
	return flow->state == FLOW_NEW || flow->state == FLOW_SYN ? 1 : 2;
}

static uint32_t
lesser(const struct table *table, uint32_t one, uint32_t other)
{
	const struct flow *a, *b;

	if (one == INSIDE_NONE)
		return other;
	a = &table->flows[one];
	b = &table->flows[other];
	if (worth(a) != worth(b))
		return worth(a) < worth(b) ? one : other;
	return a->last_ns <= b->last_ns ? one : other;
}

/*
 * The loose ones first, the longest in that state before the others: in a flood this costs the
 * same for each packet. A flow that never had an answer and yet was recognised (a one-way
 * stream) is not loose any more.
 */
static uint32_t
evict_loose(struct table *table)
{
	while (chain_linked(table->loose, table->bound)) {
		uint32_t n = table->loose[table->bound].next;

		if (worth(&table->flows[n]) < 2)
			return n;
		chain_leave(table->loose, n);
	}
	return INSIDE_NONE;
}

/* Called when every number is in use. */
uint32_t
evict_any(struct table *table)
{
	uint32_t n = evict_loose(table);

	if (n != INSIDE_NONE)
		return n;
	for (unsigned i = 0; i < SAMPLE; i++) {
		n = lesser(table, n, table->hand);
		table->hand = table->hand + 1 < table->bound ? table->hand + 1 : 0;
	}
	return n;
}

uint32_t
evict_of(const struct table *table, const struct bucket *first, const struct bucket *second)
{
	uint32_t n = INSIDE_NONE;

	for (unsigned i = 0; i < BUCKET_PLACES; i++) {
		n = lesser(table, n, first->index[i]);
		n = lesser(table, n, second->index[i]);
	}
	return n;
}
