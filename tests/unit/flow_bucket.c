/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/bucket.h"
#include "flow/chain.h"
#include "unit.h"

static uint64_t
next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

TEST(both_ways_of_comparing_tags_agree)
{
	uint64_t random = 1;
	struct bucket b = { .away = 0 };

	for (int round = 0; round < 20000; round++) {
		/* Few values, also 0, 0x8000 and 0xffff, so that many places fit. */
		static const uint16_t values[] = { 0, 1, 0x7fff, 0x8000, 0xffff, 0x00ff };
		uint16_t tag = values[next(&random) % 6];
		unsigned want = 0;

		for (unsigned i = 0; i < BUCKET_PLACES; i++) {
			b.tag[i] = values[next(&random) % 6];
			want |= (unsigned)(b.tag[i] == tag) << (2 * i);
		}
		CHECK_EQ(bucket_match(&b, tag), want);
		CHECK_EQ(bucket_match_plain(&b, tag), want);
	}
}

TEST(places_are_counted_and_the_first_is_found)
{
	struct bucket b = { .tag = { 5, 0, 7, 0, 0, 7, 5, 7 } };

	CHECK_EQ(bucket_count(bucket_match(&b, 7)), 3);
	CHECK_EQ(bucket_first(bucket_match(&b, 7)), 2);
	CHECK_EQ(bucket_first(bucket_match(&b, 0)), 1);
	CHECK_EQ(bucket_match(&b, 9), 0);
}

static void
check_list(const struct chain *chain, uint32_t head, const uint32_t *want, size_t n)
{
	uint32_t at = chain[head].next;

	for (size_t i = 0; i < n; i++, at = chain[at].next) {
		CHECK_EQ(at, want[i]);
		CHECK_EQ(chain[chain[at].prev].next, at);
	}
	CHECK_EQ(at, head);
	CHECK_EQ(chain[head].prev, n ? want[n - 1] : head);
}

TEST(a_chain_keeps_the_order_of_joining)
{
	struct chain chain[8];

	for (uint32_t i = 0; i < 8; i++)
		chain_alone(chain, i);
	for (uint32_t i = 0; i < 4; i++)
		chain_join(chain, 6, i);
	check_list(chain, 6, (uint32_t[]){ 0, 1, 2, 3 }, 4);
	chain_leave(chain, 1);
	CHECK(!chain_linked(chain, 1));
	chain_join(chain, 6, 1);
	chain_leave(chain, 0);
	check_list(chain, 6, (uint32_t[]){ 2, 3, 1 }, 3);
}

TEST(a_whole_chain_moves_to_another_head)
{
	struct chain chain[8];

	for (uint32_t i = 0; i < 8; i++)
		chain_alone(chain, i);
	chain_move(chain, 6, 7);
	check_list(chain, 7, NULL, 0);
	chain_join(chain, 6, 3);
	chain_join(chain, 6, 2);
	chain_move(chain, 6, 7);
	check_list(chain, 6, NULL, 0);
	check_list(chain, 7, (uint32_t[]){ 3, 2 }, 2);
}
