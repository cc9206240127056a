/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_CHAIN_H
#define FLOW_CHAIN_H

/*
 * Rings of numbers: doubly linked lists in an array, in which some numbers are things and some
 * are heads of lists. A thing is in one list at most; alone, it is linked to itself. Everything
 * takes constant time and nothing is allocated. Owner of the array: the caller.
 */

#include <stdbool.h>
#include <stdint.h>

struct chain {
	uint32_t next, prev;
};

static inline void
chain_alone(struct chain *chain, uint32_t n)
{
	chain[n] = (struct chain){ .next = n, .prev = n };
}

/* In a list; or, for a head: its list is not empty. */
static inline bool
chain_linked(const struct chain *chain, uint32_t n)
{
	return chain[n].next != n;
}

static inline void
chain_leave(struct chain *chain, uint32_t n)
{
	chain[chain[n].prev].next = chain[n].next;
	chain[chain[n].next].prev = chain[n].prev;
	chain_alone(chain, n);
}

/* At the end of the list; n must be alone. */
static inline void
chain_join(struct chain *chain, uint32_t head, uint32_t n)
{
	uint32_t last = chain[head].prev;

	chain[n] = (struct chain){ .next = head, .prev = last };
	chain[last].next = n;
	chain[head].prev = n;
}

/* The whole list of one head to another, whose list is empty. */
static inline void
chain_move(struct chain *chain, uint32_t from, uint32_t to)
{
	if (!chain_linked(chain, from))
		return;
	chain[to] = chain[from];
	chain[chain[to].next].prev = to;
	chain[chain[to].prev].next = to;
	chain_alone(chain, from);
}

#endif
