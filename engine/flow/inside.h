/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_INSIDE_H
#define FLOW_INSIDE_H

/*
 * The inside of a table, shared by table.c (the way of a packet), place.c (the buckets),
 * way.c (tunnels of one direction), state.c (the transport's state), wheel.c (ageing) and
 * evict.c (who goes at the bound). A flow is named by its number in flows[]; a number is free,
 * or in one bucket, in one slot of the wheel, and perhaps among the loose ones.
 *
 *	block   │ buckets │ flows │ wheel: flows, slots │ loose: flows, head │ syn │ way │ spare
 *│
 */

#include "base/hash.h"
#include "flow/bucket.h"
#include "flow/chain.h"
#include "flow/table.h"

enum { INSIDE_NONE = UINT32_MAX };

/* In key.ip_version: this flow has left. No packet's key has it. */
enum { INSIDE_LEFT = 255 };

/* The wheel: slots of 2^30 ns, a little more than a second each. */
enum { WHEEL_SLOTS = 1024, WHEEL_SHIFT = 30 };

/* Packets that table_prefetch has announced, and by how many a flow is sent for earlier. */
enum { AHEAD = 64, AHEAD_FLOWS = 8 };

/*
 * `where` has the sender in its lowest bit; above it first the hash, whose lowest bit nobody
 * needs, and, once the bucket was read, the number of the flow that is likely the packet's.
 */
struct ahead {
	struct flow_key key;
	uint64_t serial;
	uint64_t where;
};

_Static_assert(sizeof(struct ahead) == 64, "a cache line");

/* Who sent the SYN of the flow's connection, and with which number. */
struct syn {
	uint32_t seq;
	uint8_t known, from;
};

struct way; /* way.h */

struct table {
	struct hash_key seed;
	uint64_t mask; /* buckets - 1 */
	struct bucket *buckets;
	struct flow *flows;
	uint64_t idle_ns[FLOW_STATES];
	uint32_t head, staged,
		tail; /* of ahead[]: the next packet, hash, free one; they grow */
	uint32_t bound;
	struct chain *wheel; /* [bound + WHEEL_SLOTS + 1]; the last gathers what is examined */
	struct chain *loose; /* [bound + 1]: half-open or closed, in order of becoming so */
	struct syn *syn;
	struct way
		*way; /* of flows whose packets have a path_way; of others it is not touched */
	uint32_t *spare;   /* numbers that were given back */
	uint32_t n_spare;  /* of them */
	uint32_t fresh;    /* numbers from here on were never used */
	uint32_t hand;     /* where the next sample of evict.c begins */
	uint64_t position; /* slots of the wheel before this one are done */
	void (*ended)(void *self, struct flow *flow, enum flow_end end);
	void *self;
	struct table_stats stats;
	void *block;
	struct ahead ahead[AHEAD] __attribute__((aligned(64)));
};

/* Whether the flow's idle time is over. Time that goes backwards makes nobody older. */
static inline bool
inside_over(const struct table *table, const struct flow *flow, uint64_t now_ns)
{
	return now_ns > flow->last_ns && now_ns - flow->last_ns > table->idle_ns[flow->state];
}

/* table.c: the flow leaves, with the reason that its state gives, or this one. */
void table_leave(struct table *table, uint32_t n, enum flow_end end);

/* place.c: the flow with this key, or INSIDE_NONE. */
uint32_t place_find(const struct table *table, const struct flow_key *key, uint64_t hash);

/* place.c: all flows with this key, in no order; returns how many. */
unsigned place_all(const struct table *table, const struct flow_key *key, uint64_t hash,
		   uint32_t found[2 * BUCKET_PLACES]);

/*
 * place.c: number n into a bucket of this hash. False: both are full, and *victim is who should
 * go first. `serial` is the packet's at hand.
 */
bool place_put(struct table *table, uint64_t hash, uint32_t n, uint64_t serial,
	       uint32_t *victim);
void place_remove(struct table *table, uint32_t n);

/* place.c: fetches the bucket; then, without a look at any flow, whose tag fits, or 0: the
 * caller holds it against the key anyway. */
void place_prefetch(const struct table *table, uint64_t hash);
uint32_t place_guess(const struct table *table, uint64_t hash);

/* state.c: after the packet has been counted: client, state, and what follows from them. */
void state_advance(struct table *table, uint32_t n, const struct packet *packet, unsigned from);

/* state.c: whether this packet opens a new connection between the ends of the flow. */
bool state_reopens(const struct table *table, uint32_t n, const struct packet *packet,
		   unsigned from);

/* wheel.c: where the flow's idle time puts it; it may be in the wheel already. */
void wheel_place(struct table *table, uint32_t n);
void wheel_leave(struct table *table, uint32_t n);
void wheel_turn(struct table *table, uint64_t now_ns);

/* evict.c: whom to end so that a number, or a place in one of two buckets, gets free. */
uint32_t evict_any(struct table *table, uint64_t serial);
uint32_t evict_of(const struct table *table, const struct bucket *first,
		  const struct bucket *second, uint64_t serial);

#endif
