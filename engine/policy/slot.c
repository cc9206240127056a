/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/decide_impl.h"

#include <stdlib.h>

/* Policies that were in force. */
struct list_of_policies {
	struct list_of_policies *next;
	struct policy *policy;
};

enum barn_err
slot_new(struct policy_slot **slot)
{
	*slot = calloc(1, sizeof(**slot));
	if (!*slot)
		return BARN_ERR_MEMORY;
	pthread_mutex_init(&(*slot)->lock, NULL);
	return BARN_OK;
}

void
slot_free(struct policy_slot *slot)
{
	if (!slot)
		return;
	slot_collect(slot);
	policy_free(slot->current);
	free(slot->gone);
	pthread_mutex_destroy(&slot->lock);
	free(slot);
}

struct keyed {
	uint64_t key;
	uint32_t counter;
};

static int
by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	return (x->key > y->key) - (x->key < y->key);
}

/* For each counter of `to` the one of `from` that it goes on with; UINT32_MAX: none. */
static uint32_t *
pair(const struct policy *from, const struct policy *to)
{
	uint32_t count = from ? from->counter_keys.count : 0;
	struct keyed *sorted = calloc(count + 1U, sizeof(*sorted));
	uint32_t *pairs = calloc(to->counter_keys.count + 1U, sizeof(*pairs));
	const uint64_t *keys = to->counter_keys.items;

	if (!sorted || !pairs) {
		free(sorted);
		free(pairs);
		return NULL;
	}
	for (uint32_t i = 0; i < count; i++)
		sorted[i] =
			(struct keyed){ ((const uint64_t *)from->counter_keys.items)[i], i };
	qsort(sorted, count, sizeof(*sorted), by_key);
	for (uint32_t i = 0; i < to->counter_keys.count; i++) {
		struct keyed wanted = { keys[i], 0 },
			     *found = bsearch(&wanted, sorted, count, sizeof(*sorted), by_key);

		pairs[i] = found ? found->counter : UINT32_MAX;
	}
	free(sorted);
	return pairs;
}

static void
add(struct policy_count *to, const struct decide_count *from)
{
	to->packets += atomic_load_explicit(&from->packets, memory_order_relaxed);
	to->bytes += atomic_load_explicit(&from->bytes, memory_order_relaxed);
}

enum barn_err
slot_publish(struct policy_slot *slot, struct policy *policy)
{
	struct list_of_policies *old = calloc(1, sizeof(*old));
	struct policy_count *gone = NULL;
	uint32_t *pairs = NULL;

	if (policy) {
		pairs = pair(slot->current, policy);
		gone = calloc(policy->counter_keys.count + 1U, sizeof(*gone));
	}
	if (!old || (policy && (!pairs || !gone))) {
		free(old);
		free(pairs);
		free(gone);
		return BARN_ERR_MEMORY;
	}
	pthread_mutex_lock(&slot->lock);
	for (uint32_t i = 0; policy && i < policy->counter_keys.count; i++)
		if (pairs[i] != UINT32_MAX)
			gone[i] = slot->gone[pairs[i]];
	free(slot->gone);
	slot->gone = gone;
	*old = (struct list_of_policies){ slot->old, slot->current };
	slot->old = old;
	slot->current = policy;
	atomic_store_explicit(&slot->policy, policy, memory_order_release);
	pthread_mutex_unlock(&slot->lock);
	free(pairs);
	return BARN_OK;
}

static bool
is_used(const struct policy_slot *slot, const struct policy *policy)
{
	for (const struct decide *d = slot->workers; d; d = d->next)
		if (d->policy == policy)
			return true;
	return false;
}

unsigned
slot_collect(struct policy_slot *slot)
{
	struct list_of_policies **at, *out = NULL, *next;
	unsigned left = 0;

	pthread_mutex_lock(&slot->lock);
	for (at = &slot->old; *at;) {
		struct list_of_policies *o = *at;

		if (o->policy && is_used(slot, o->policy)) {
			at = &o->next;
			left++;
			continue;
		}
		*at = o->next;
		o->next = out;
		out = o;
	}
	left += slot->current != NULL;
	pthread_mutex_unlock(&slot->lock);
	for (; out; out = next) {
		next = out->next;
		policy_free(out->policy);
		free(out);
	}
	return left;
}

const struct policy *
slot_policy(const struct policy_slot *slot)
{
	return slot->current;
}

/* Under the lock: a worker's counts, as counters of this policy. */
static enum barn_err
sum(const struct decide *d, const struct policy *policy, struct policy_count *counts)
{
	uint32_t *pairs;

	if (!d->policy)
		return BARN_OK;
	if (d->policy == policy) {
		for (uint32_t i = 0; i < policy->counter_keys.count; i++)
			add(&counts[i], &d->counts[i]);
		return BARN_OK;
	}
	pairs = pair(d->policy, policy);
	if (!pairs)
		return BARN_ERR_MEMORY;
	for (uint32_t i = 0; i < policy->counter_keys.count; i++)
		if (pairs[i] != UINT32_MAX)
			add(&counts[i], &d->counts[pairs[i]]);
	free(pairs);
	return BARN_OK;
}

/* A worker counts what passed and what was dropped; so what was offered is their sum. */
static void
offer(struct policy_count *node)
{
	node[POLICY_OFFERED].packets =
		node[POLICY_PASSED].packets + node[POLICY_DROPPED].packets;
	node[POLICY_OFFERED].bytes = node[POLICY_PASSED].bytes + node[POLICY_DROPPED].bytes;
}

enum barn_err
slot_read(struct policy_slot *slot, const struct policy *policy, struct policy_count *counts)
{
	enum barn_err err = BARN_OK;

	pthread_mutex_lock(&slot->lock);
	if (policy != slot->current || !policy)
		err = BARN_ERR_MISSING;
	else
		memcpy(counts, slot->gone, policy->counter_keys.count * sizeof(*counts));
	for (const struct decide *d = slot->workers; d && !err; d = d->next)
		err = sum(d, policy, counts);
	for (unsigned i = 0; !err && i < policy->nodes.count; i++)
		offer(counts + ((struct policy_node *const *)policy->nodes.items)[i]->counter);
	pthread_mutex_unlock(&slot->lock);
	return err;
}

enum barn_err
decide_new(struct policy_slot *slot, struct decide **decide)
{
	struct decide *d = calloc(1, sizeof(*d));

	if (!d)
		return BARN_ERR_MEMORY;
	d->slot = slot;
	d->decisions = calloc(DECIDE_DECISIONS, sizeof(*d->decisions));
	if (!d->decisions) {
		free(d);
		return BARN_ERR_MEMORY;
	}
	pthread_mutex_lock(&slot->lock);
	d->next = slot->workers;
	slot->workers = d;
	pthread_mutex_unlock(&slot->lock);
	decide_refresh(d);
	*decide = d;
	return BARN_OK;
}

static void
free_parts(struct decide *d)
{
	decide_profile_fini(d);
	rule_scratch_free(d->scratch);
	free(d->counts);
}

void
decide_free(struct decide *decide)
{
	struct decide **at;
	struct policy_slot *slot;

	if (!decide)
		return;
	slot = decide->slot;
	pthread_mutex_lock(&slot->lock);
	for (at = &slot->workers; *at != decide;)
		at = &(*at)->next;
	*at = decide->next;
	if (slot->current)
		sum(decide, slot->current, slot->gone);
	pthread_mutex_unlock(&slot->lock);
	free_parts(decide);
	free(decide->decisions);
	free(decide);
}

/* All that depends on the policy; the old counts come over. */
static enum barn_err
take_up(struct decide *d, const struct policy *policy)
{
	struct decide fresh = *d;
	uint32_t *pairs = policy ? pair(d->policy, policy) : NULL;
	enum barn_err err = BARN_OK;

	fresh.policy = policy;
	fresh.counts = NULL;
	fresh.scratch = NULL;
	fresh.keys = fresh.bits = fresh.row = NULL;
	fresh.names = fresh.recent = NULL;
	if (policy) {
		err = pairs ? decide_profile_init(&fresh) : BARN_ERR_MEMORY;
		fresh.counts = calloc(policy->counter_keys.count + 1U, sizeof(*fresh.counts));
		if (!err)
			err = fresh.counts ? match_set_scratch(policy->matches, &fresh.scratch)
					   : BARN_ERR_MEMORY;
	}
	for (uint32_t i = 0; policy && !err && i < policy->counter_keys.count; i++)
		if (pairs[i] != UINT32_MAX) {
			struct policy_count sum_of = { 0, 0 };

			add(&sum_of, &d->counts[pairs[i]]);
			atomic_init(&fresh.counts[i].packets, sum_of.packets);
			atomic_init(&fresh.counts[i].bytes, sum_of.bytes);
		}
	free(pairs);
	if (err) {
		free_parts(&fresh);
		return err;
	}
	free_parts(d);
	*d = fresh;
	if (policy)
		decide_profile_reset(d);
	return BARN_OK;
}

void
decide_refresh(struct decide *decide)
{
	struct policy_slot *slot = decide->slot;

	if (atomic_load_explicit(&slot->policy, memory_order_relaxed) == decide->policy)
		return;
	if (pthread_mutex_trylock(&slot->lock) != 0)
		return;
	take_up(decide, slot->current);
	pthread_mutex_unlock(&slot->lock);
}
