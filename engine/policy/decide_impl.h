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

/* What is done with such packets, as far as it is the same for all of them. */
struct decision {
	uint64_t kinds;              /* header_kinds */
	uint64_t where;              /* 0: free; profile, direction, place */
	struct policy_verdict ready; /* but for log lines and policers */
	uint32_t hold;               /* packets of a flow that are held; 0: none */
	uint32_t undecided;          /* counter; UINT32_MAX: some class took them */
	uint8_t dropped_at;          /* depth at which `ready` drops them */
	bool limited;                /* a policer or a limited log is on the way */
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
	uint16_t *recent; /* by profile and direction: the decision that was found last */
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

enum barn_err decide_profile_init(struct decide *d);
void decide_profile_fini(struct decide *d);
/* The flow's is not true any more, or it has none. */
uint32_t decide_profile_make(struct decide *d, struct flow *flow, uint64_t key);

/* What of a verdict decides statements. */
static inline uint64_t
decide_profile_key(const struct decide *d, const struct flow *flow)
{
	const struct flow_verdict *v = &flow->verdict;
	bool known = v->final || !flow->work;

	if (!d->policy->asks_protocol)
		return DECIDE_KNOWN;
	return (uint64_t)v->protocol << 32 | (uint64_t)v->carrier << 16 |
	       (known ? DECIDE_KNOWN : 0);
}

static inline bool
decide_profile_is_current(const struct decide *d, const struct flow *flow)
{
	return flow->policy >> 16 == d->epoch;
}

/* The flow's; made if it has none that is still true. */
static inline uint32_t
decide_profile_of(struct decide *d, struct flow *flow)
{
	uint64_t key = decide_profile_key(d, flow);

	if (decide_profile_is_current(d, flow) && d->keys[flow->policy & 0xffff] == key)
		return flow->policy & 0xffff;
	return decide_profile_make(d, flow, key);
}

/* All flows' become invalid, and the decisions with them. */
void decide_profile_reset(struct decide *d);

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
