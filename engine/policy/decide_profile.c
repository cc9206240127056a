/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/decide_impl.h"

#include "base/hash.h"
#include "classify/notes.h"

#include <stdlib.h>

enum { NAMES = 2 * (DECIDE_PROFILES + 1) };

enum barn_err
decide_profile_init(struct decide *d)
{
	uint32_t bound;

	d->proto_words = (d->policy->protos.count + 63) / 64;
	d->flow_words = (d->policy->flows.count + 63) / 64;
	d->words = 2 * d->proto_words + 2 * d->flow_words;
	bound = DECIDE_PROFILE_BYTES / ((d->words + 1) * (uint32_t)sizeof(uint64_t));
	d->profile_bound = bound < DECIDE_PROFILES ? bound : DECIDE_PROFILES;
	if (d->profile_bound < 64)
		d->profile_bound = 64;
	d->keys = calloc(d->profile_bound + 1U, sizeof(uint64_t));
	d->bits = calloc((d->profile_bound + 1U) * (size_t)d->words + 1, sizeof(uint64_t));
	d->names = calloc(NAMES, sizeof(*d->names));
	d->row = calloc(d->words + 1U, sizeof(uint64_t));
	d->recent = calloc((d->profile_bound + 1U) * 4, sizeof(*d->recent));
	d->profile_count = 0;
	return d->keys && d->bits && d->names && d->row && d->recent ? BARN_OK
								     : BARN_ERR_MEMORY;
}

void
decide_profile_fini(struct decide *d)
{
	free(d->keys);
	free(d->bits);
	free(d->names);
	free(d->row);
	free(d->recent);
}

void
decide_profile_reset(struct decide *d)
{
	d->epoch++;
	if (!d->epoch)
		d->epoch = 1;
	d->profile_count = 0;
	memset(d->names, 0, NAMES * sizeof(*d->names));
	memset(d->decisions, 0, DECIDE_DECISIONS * sizeof(*d->decisions));
	d->decision_count = 0;
}

/* The profile with d->row and this key: there is one, or it is made. */
static uint32_t
intern(struct decide *d, uint64_t key)
{
	uint64_t hash = hash_mix(key);
	uint32_t at;

	for (uint32_t i = 0; i < d->words; i++)
		hash = hash_mix(hash ^ d->row[i]);
	if (d->profile_count == d->profile_bound) {
		d->work.resets++;
		decide_profile_reset(d);
	}
	for (at = hash % NAMES; d->names[at]; at = (at + 1) % NAMES) {
		uint32_t p = d->names[at];

		if (d->keys[p] == key &&
		    memcmp(decide_row(d, p), d->row, d->words * sizeof(uint64_t)) == 0)
			return p;
	}
	d->profile_count++;
	d->names[at] = (uint16_t)d->profile_count;
	d->keys[d->profile_count] = key;
	memcpy(d->bits + (size_t)d->profile_count * d->words, d->row,
	       d->words * sizeof(uint64_t));
	return d->profile_count;
}

static void
set(uint64_t *words, uint32_t bit)
{
	words[bit / 64] |= UINT64_C(1) << bit % 64;
}

static void
fits(void *self, uint32_t number)
{
	set(((struct decide *)self)->row, number);
}

/*
 * A new value begins a new transaction: what fitted the one before does not fit this one. A
 * line of a module takes the place of the line before; what begins an inspector's transactions
 * takes the place of all of that inspector's. Other fields may have several values at once.
 */
static void
forget_before(struct decide *d, uint16_t field)
{
	const struct registry *r = d->policy->registry;
	const struct proto_test *tests = d->policy->protos.items;
	const struct protocol *p;
	const struct field *told;
	bool begins, line;

	if (field >= registry_field_count(r)) /* loaded after the policy was made */
		return;
	told = registry_field(r, field);
	p = registry_protocol(r, told->protocol);
	begins = p->inspector && p->inspector->transactions && p->fields[0] == field;
	line = !p->inspector && !told->bulk;
	for (uint32_t i = 0; (begins || line) && i < d->policy->protos.count; i++)
		if (decide_bit(d->row, i) &&
		    (tests[i].field == field ||
		     (begins && registry_field(r, tests[i].field)->protocol == p->number)))
			d->row[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/* The values that the flow has kept, where the policy is new to it. */
static void
fit_notes(struct decide *d, const struct flow *flow)
{
	uint32_t at = 0;
	uint16_t field;
	struct bytes value;

	if (!d->policy->asks_protocol)
		return;
	while (notes_next(flow->notes, &at, &field, &value)) {
		forget_before(d, field);
		match_set_value(d->policy->matches, field, value, d->scratch, fits, d);
	}
}

static void
ask_five_tuple(struct decide *d, const struct flow *flow)
{
	const struct flow_test *tests = d->policy->flows.items;
	uint64_t *words = d->row + 2 * (size_t)d->proto_words;

	for (unsigned from = 0; from < 2; from++)
		for (uint32_t i = 0; i < d->policy->flows.count; i++)
			if (access_flow_holds(&tests[i], &flow->key, from))
				set(words + from * (size_t)d->flow_words, i);
}

static bool
has_attribute(const struct registry *registry, uint16_t protocol, const struct proto_test *test)
{
	const struct pdl_protocol *m;

	if (protocol >= registry_count(registry))
		return false; /* loaded after the policy was made */
	m = registry_protocol(registry, protocol)->module;
	for (unsigned i = 0; m && i < m->attribute_count; i++)
		if (strcmp(m->attributes[i].key, test->key) == 0)
			return strcmp(m->attributes[i].value, test->value) == 0;
	return false;
}

/* Into d->row, whose fitted tests are set. */
static void
ask_protocol(struct decide *d, const struct flow *flow)
{
	const struct proto_test *tests = d->policy->protos.items;
	uint64_t *holds = d->row + d->proto_words;

	d->work.profiles++;
	memset(holds, 0, d->proto_words * sizeof(uint64_t));
	for (uint32_t i = 0; i < d->policy->protos.count; i++)
		if (tests[i].match ? match_holds(tests[i].match, flow, decide_bit(d->row, i))
				   : has_attribute(d->policy->registry, flow->verdict.protocol,
						   &tests[i]))
			set(holds, i);
}

static uint32_t
keep(struct decide *d, struct flow *flow, uint64_t key)
{
	uint32_t profile = intern(d, key);

	flow->policy = (uint32_t)d->epoch << 16 | profile;
	return profile;
}

/* d->row becomes the flow's, as far as it is still true. */
static void
load(struct decide *d, const struct flow *flow)
{
	if (decide_profile_is_current(d, flow)) {
		memcpy(d->row, decide_row(d, flow->policy & 0xffff),
		       d->words * sizeof(uint64_t));
		return;
	}
	memset(d->row, 0, d->words * sizeof(uint64_t));
	fit_notes(d, flow);
	ask_five_tuple(d, flow);
}

uint32_t
decide_profile_make(struct decide *d, struct flow *flow, uint64_t key)
{
	load(d, flow);
	ask_protocol(d, flow);
	return keep(d, flow, key);
}

void
decide_value(struct decide *d, struct flow *flow, uint16_t field, struct bytes value)
{
	if (!d->policy || !d->policy->protos.count)
		return;
	load(d, flow);
	forget_before(d, field);
	match_set_value(d->policy->matches, field, value, d->scratch, fits, d);
	ask_protocol(d, flow);
	keep(d, flow, decide_profile_key(d, flow));
}
