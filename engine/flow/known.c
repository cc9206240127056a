/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/known.h"

#include "base/hash.h"
#include "flow/chain.h"

#include <stdlib.h>

enum { NONE = UINT32_MAX, BOUND_MAX = 1 << 24 };

/*
 * Entry n has its end in ends[n], its age in ages (head: bound), and the next one of its hash
 * in next[n]; a free entry uses next[n] for the list of the free.
 */
struct known {
	struct hash_key seed;
	uint32_t bound, mask, count, fresh, free;
	size_t entry_size;
	uint32_t *first; /* [mask + 1], by hash */
	uint32_t *next;
	struct chain *ages;
	struct known_end *ends;
	uint8_t *entries;
};

enum barn_err
known_new(uint32_t bound, size_t entry_size, const uint64_t seed[2], struct known **known)
{
	uint32_t chains = 1;
	struct known *k;

	if (bound == 0 || bound > BOUND_MAX || entry_size == 0)
		return BARN_ERR_ARGUMENT;
	while (chains < bound)
		chains *= 2;
	k = calloc(1, sizeof(*k));
	if (!k)
		return BARN_ERR_MEMORY;
	k->seed = (struct hash_key){ { seed[0], seed[1] } };
	k->bound = bound;
	k->mask = chains - 1;
	k->free = NONE;
	k->entry_size = entry_size;
	k->first = malloc(chains * sizeof(*k->first));
	k->next = malloc(bound * sizeof(*k->next));
	k->ages = malloc((bound + 1) * sizeof(*k->ages));
	k->ends = malloc(bound * sizeof(*k->ends));
	k->entries = malloc(bound * entry_size);
	if (!k->first || !k->next || !k->ages || !k->ends || !k->entries) {
		known_free(k);
		return BARN_ERR_MEMORY;
	}
	memset(k->first, 0xff, chains * sizeof(*k->first));
	chain_alone(k->ages, bound);
	*known = k;
	return BARN_OK;
}

void
known_free(struct known *known)
{
	if (!known)
		return;
	free(known->first);
	free(known->next);
	free(known->ages);
	free(known->ends);
	free(known->entries);
	free(known);
}

static uint32_t *
chain_of(const struct known *known, const struct known_end *end)
{
	uint64_t words[4];

	_Static_assert(sizeof(words) == sizeof(*end), "an end is four words");
	memcpy(words, end, sizeof(words));
	return &known->first[hash_words(&known->seed, words, 4) & known->mask];
}

/* Where the number of this end's entry stands, or the NONE that ends its chain. */
static uint32_t *
place_of(const struct known *known, const struct known_end *end)
{
	uint32_t *at = chain_of(known, end);

	while (*at != NONE && memcmp(&known->ends[*at], end, sizeof(*end)) != 0)
		at = &known->next[*at];
	return at;
}

static void *
entry_of(const struct known *known, uint32_t n)
{
	return known->entries + n * known->entry_size;
}

void *
known_get(const struct known *known, const struct known_end *end)
{
	uint32_t n = *place_of(known, end);

	return n == NONE ? NULL : entry_of(known, n);
}

void
known_drop(struct known *known, const struct known_end *end)
{
	uint32_t *at = place_of(known, end), n = *at;

	if (n == NONE)
		return;
	*at = known->next[n];
	chain_leave(known->ages, n);
	known->next[n] = known->free;
	known->free = n;
	known->count--;
}

static uint32_t
take(struct known *known)
{
	uint32_t n = known->free;

	if (n == NONE)
		return known->fresh++;
	known->free = known->next[n];
	return n;
}

void *
known_put(struct known *known, const struct known_end *end, bool *fresh, bool *evicted)
{
	uint32_t *at = place_of(known, end), n = *at;

	*fresh = n == NONE;
	*evicted = *fresh && known->count == known->bound;
	if (!*fresh) {
		chain_leave(known->ages, n);
		chain_join(known->ages, known->bound, n);
		return entry_of(known, n);
	}
	if (*evicted) {
		uint32_t oldest = known->ages[known->bound].next;
		struct known_end gone = known->ends[oldest];

		known_drop(known, &gone);
		at = place_of(known, end);
	}
	n = take(known);
	known->ends[n] = *end;
	known->next[n] = NONE;
	*at = n;
	chain_join(known->ages, known->bound, n);
	known->count++;
	return memset(entry_of(known, n), 0, known->entry_size);
}

const void *
known_walk(const struct known *known, uint32_t *at)
{
	uint32_t n = known->ages[*at ? *at - 1 : known->bound].next;

	if (n == known->bound)
		return NULL;
	*at = n + 1;
	return entry_of(known, n);
}

uint32_t
known_count(const struct known *known)
{
	return known->count;
}
