/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_BYTESET_H
#define MATCH_BYTESET_H

/* A set of byte values, as 256 bits. Plain values: copied, compared, owned by nobody. */

#include <stdbool.h>
#include <stdint.h>

struct byteset {
	uint64_t bits[4];
};

static const struct byteset BYTESET_ALL = { { ~0ULL, ~0ULL, ~0ULL, ~0ULL } };

static inline bool
byteset_has(const struct byteset *set, uint8_t byte)
{
	return set->bits[byte >> 6] >> (byte & 63) & 1;
}

static inline void
byteset_add(struct byteset *set, uint8_t byte)
{
	set->bits[byte >> 6] |= 1ULL << (byte & 63);
}

static inline void
byteset_add_range(struct byteset *set, uint8_t low, uint8_t high)
{
	for (unsigned byte = low; byte <= high; byte++)
		byteset_add(set, (uint8_t)byte);
}

/* Adds the byte and, for an ASCII letter, its other case. */
static inline void
byteset_add_caseless(struct byteset *set, uint8_t byte)
{
	uint8_t folded = byte | 0x20;

	byteset_add(set, byte);
	if (folded >= 'a' && folded <= 'z')
		byteset_add(set, byte ^ 0x20);
}

static inline struct byteset
byteset_and(struct byteset a, struct byteset b)
{
	for (unsigned i = 0; i < 4; i++)
		a.bits[i] &= b.bits[i];
	return a;
}

static inline struct byteset
byteset_or(struct byteset a, struct byteset b)
{
	for (unsigned i = 0; i < 4; i++)
		a.bits[i] |= b.bits[i];
	return a;
}

static inline bool
byteset_empty(const struct byteset *set)
{
	return !(set->bits[0] | set->bits[1] | set->bits[2] | set->bits[3]);
}

static inline unsigned
byteset_count(const struct byteset *set)
{
	unsigned n = 0;

	for (unsigned i = 0; i < 4; i++)
		n += (unsigned)__builtin_popcountll(set->bits[i]);
	return n;
}

/* The least member that is not below `from`; 256: none. */
static inline unsigned
byteset_next(const struct byteset *set, unsigned from)
{
	while (from < 256) {
		uint64_t left = set->bits[from >> 6] >> (from & 63);

		if (left)
			return from + (unsigned)__builtin_ctzll(left);
		from = (from | 63) + 1;
	}
	return 256;
}

#endif
