/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_DECIDE_IMPL_H
#define POLICY_DECIDE_IMPL_H

/*
 * A worker's part from the inside: decide.c (decisions, actions, counts), decide_profile.c
 * (profiles), slot.c (who is there, sums).
 */

#include "policy/compile.h"
#include "policy/decide.h"

#include <pthread.h>
#include <stdatomic.h>

/* Written by one worker, read by anyone. */
struct decide_count {
	_Atomic uint64_t packets, bytes;
};

enum {
	DECIDE_PROFILES = 65535,
	DECIDE_PROFILE_BYTES = 16 << 20, /* bound of what profiles hold */
	DECIDE_DECISIONS = 16384,        /* places of the table, three in four used at most */
};

/* Which class took such packets, from the outermost policy to the innermost. */
struct decision {
	uint64_t kinds; /* header_kinds */
	uint64_t where; /* 0: free; profile, direction, place */
	uint8_t depth;
	const struct policy_stage *undecided; /* where the way ends so; NULL: it does not */
	struct {
		const struct policy_node *node;
		uint16_t line;
	} way[POLICY_DEPTH];
};

struct decide {
	struct policy_slot *slot;
	struct decide *next;         /* the slot's list */
	const struct policy *policy; /* written under the slot's lock */
	struct decide_count *counts;
	struct rule_scratch *scratch;
	struct decide_work work;
	uint16_t epoch; /* never 0 */

	/* Profiles, from 1: key and words of each; `names` finds them by hash. */
	uint32_t profile_count, profile_bound;
	uint32_t proto_words, flow_words, words;
	uint64_t *keys;
	uint64_t *bits;
	uint16_t *names; /* DECIDE_PROFILES + 1, twice */
	uint64_t *row;   /* one that is made */

	struct decision *decisions;
	uint32_t decision_count;
};

/* A profile's words: what fitted, which protocol tests hold, which tests of the five-tuple hold
 * for packets of FLOW_A, of FLOW_B. */
static inline const uint64_t *
decide_row(const struct decide *d, uint32_t profile)
{
	return d->bits + (size_t)profile * d->words;
}

static inline bool
decide_bit(const uint64_t *words, uint32_t bit)
{
	return words[bit / 64] >> bit % 64 & 1;
}

enum { DECIDE_KNOWN = 1 }; /* of a profile's key: the protocol is known */

enum barn_err profile_init(struct decide *d);
void profile_fini(struct decide *d);
/* The flow's; made if it has none that is still true. */
uint32_t profile_of(struct decide *d, struct flow *flow);
/* All flows' become invalid, and the decisions with them. */
void profile_reset(struct decide *d);

struct list_of_policies;

struct policy_slot {
	_Atomic(const struct policy *) policy; /* in force */
	pthread_mutex_t lock;
	struct policy *current;
	struct list_of_policies *old;
	struct decide *workers;
	struct policy_count *gone; /* of workers that are gone, by counter of `current` */
};

#endif
