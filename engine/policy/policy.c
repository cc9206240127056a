/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/policy.h"

#include "policy/compile.h"

#include <stdlib.h>

void
policy_free(struct policy *policy)
{
	const struct proto_test *tests;
	struct policy_node *const *nodes;

	if (!policy)
		return;
	tests = policy->protos.items;
	nodes = policy->nodes.items;
	for (unsigned i = 0; i < policy->protos.count; i++)
		match_free(tests[i].match);
	for (unsigned i = 0; i < policy->nodes.count; i++) {
		police_drop(nodes[i]->police);
		police_drop(nodes[i]->log);
	}
	match_set_free(policy->matches);
	registry_drop(policy->registry);
	arena_free(policy->arena);
	arena_free(policy->owned);
	free(policy);
}

void
policy_own(struct policy *policy, struct arena *arena)
{
	policy->owned = arena;
}

static bool
same_police(const struct police *a, const struct police *b)
{
	const struct police_rates *x, *y;

	if (!a || !b)
		return false;
	x = police_rates_of(a);
	y = police_rates_of(b);
	return x->packets == y->packets && x->two_rates == y->two_rates &&
	       x->three_colours == y->three_colours && x->cir == y->cir && x->pir == y->pir &&
	       x->bc == y->bc && x->be == y->be;
}

static int
by_key(const void *a, const void *b)
{
	const struct policy_node *const *x = a, *const *y = b;

	return ((*x)->key > (*y)->key) - ((*x)->key < (*y)->key);
}

void
policy_carry(const struct policy *old, struct policy *fresh)
{
	unsigned count = old ? old->nodes.count : 0;
	struct policy_node **sorted = calloc(count + 1U, sizeof(struct policy_node *));
	struct policy_node *const *nodes = fresh->nodes.items;

	if (!sorted)
		return; /* the buckets begin afresh */
	if (count)
		memcpy(sorted, old->nodes.items, count * sizeof(struct policy_node *));
	qsort(sorted, count, sizeof(struct policy_node *), by_key);
	for (unsigned i = 0; i < fresh->nodes.count; i++) {
		struct policy_node *node = nodes[i];
		struct policy_node **found =
			bsearch(&node, sorted, count, sizeof(struct policy_node *), by_key);

		if (!found)
			continue;
		if (same_police(node->police, (*found)->police)) {
			police_drop(node->police);
			node->police = police_hold((*found)->police);
		}
		if (same_police(node->log, (*found)->log)) {
			police_drop(node->log);
			node->log = police_hold((*found)->log);
		}
	}
	free(sorted);
}

const struct policy_place_at *
policy_places(const struct policy *policy, unsigned *count)
{
	*count = policy->places.count;
	return policy->places.items;
}

uint32_t
policy_counter_count(const struct policy *policy)
{
	return policy->counter_keys.count;
}

const struct policy_stage *
policy_stage_at(const struct policy *policy, uint16_t iface, bool output)
{
	return iface < policy->interfaces ? policy->at[iface * 2 + output] : NULL;
}
