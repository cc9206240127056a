/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_BUCKET_H
#define FLOW_BUCKET_H

/*
 * One cache line of the table: the tags of up to eight flows, and where these flows are. A tag
 * is 16 bits of the hash, never 0; 0 marks a free place. `away` counts the flows that have this
 * bucket for their first choice and lie in their second: while it is 0, and mostly it is, a
 * look into one line answers. Private to place.c and evict.c.
 */

#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { BUCKET_PLACES = 8 };

struct bucket {
	uint16_t tag[BUCKET_PLACES];
	uint32_t index[BUCKET_PLACES];
	uint32_t away;
	uint32_t unused[3];
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct bucket) == 64, "a bucket is a cache line");

/* The places whose tag is this one: bit 2n stands for place n. */
static inline unsigned
bucket_match_plain(const struct bucket *bucket, uint16_t tag)
{
	unsigned places = 0;

	for (unsigned i = 0; i < BUCKET_PLACES; i++)
		places |= (unsigned)(bucket->tag[i] == tag) << (2 * i);
	return places;
}

static inline unsigned
bucket_match(const struct bucket *bucket, uint16_t tag)
{
#ifdef __SSE2__
	__m128i tags = _mm_load_si128((const __m128i *)(const void *)bucket->tag);
	__m128i same = _mm_cmpeq_epi16(tags, _mm_set1_epi16((short)tag));

	return (unsigned)_mm_movemask_epi8(same) & 0x5555;
#else
	return bucket_match_plain(bucket, tag);
#endif
}

/* The lowest of these places; there must be one. */
static inline unsigned
bucket_first(unsigned places)
{
	return (unsigned)__builtin_ctz(places) / 2;
}

/* How many of these places there are. */
static inline unsigned
bucket_count(unsigned places)
{
	return (unsigned)__builtin_popcount(places);
}

#endif
