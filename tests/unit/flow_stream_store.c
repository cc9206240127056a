/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/stream_store.h"
#include "unit.h"

static struct stream_store *store;

static void
begin(uint32_t bytes, uint32_t window)
{
	struct stream_store_options options = { .bytes = bytes, .window = window };

	CHECK_EQ(stream_store_new(&options, &store), BARN_OK);
}

static uint64_t
next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

TEST(a_small_block_takes_little)
{
	uint32_t capacity = 0;

	begin(1 << 20, 0);
	CHECK(stream_store_get(store, 300, &capacity) != NULL);
	CHECK_EQ(capacity, 512);
	CHECK_EQ(stream_store_stats(store)->used, 512);
	CHECK(stream_store_get(store, 1, &capacity) != NULL);
	CHECK_EQ(capacity, 256);
	stream_store_free(store);
}

TEST(the_bound_is_kept_and_all_of_it_can_be_used)
{
	unsigned n = 0;
	uint32_t capacity;

	begin(1 << 20, 0);
	while (stream_store_get(store, 256, &capacity))
		n++;
	CHECK_EQ(n, 4096);
	CHECK_EQ(stream_store_stats(store)->used, 1 << 20);
	CHECK_EQ(stream_store_stats(store)->peak, 1 << 20);
	stream_store_free(store);
}

TEST(what_one_stream_may_hold_for_a_moment_fits_a_block)
{
	uint32_t capacity;

	begin(0, 0);
	CHECK(stream_store_get(store, 2 * (16384 + 65535), &capacity) != NULL);
	CHECK(stream_store_get(store, 1 << 30, &capacity) == NULL);
	stream_store_free(store);
}

TEST(a_store_smaller_than_a_window_works)
{
	uint32_t capacity;

	begin(1000, 0);
	CHECK(stream_store_get(store, 513, &capacity) == NULL);
	CHECK(stream_store_get(store, 512, &capacity) != NULL);
	CHECK(stream_store_get(store, 1, &capacity) == NULL);
	stream_store_free(store);
}

TEST(blocks_do_not_overlap_and_come_together_again)
{
	enum { BLOCKS = 300, ROUNDS = 60000, BYTES = 1 << 20 };
	static uint8_t *block[BLOCKS];
	static uint32_t len[BLOCKS];
	uint64_t random = 7;
	uint32_t capacity;

	begin(BYTES, 0);
	memset(block, 0, sizeof(block));
	for (int round = 0; round < ROUNDS; round++) {
		unsigned i = (unsigned)(next(&random) % BLOCKS);

		if (block[i]) {
			for (uint32_t k = 0; k < len[i]; k += 97)
				CHECK_EQ(block[i][k], i % 251);
			stream_store_put(store, block[i]);
			block[i] = NULL;
			continue;
		}
		len[i] = 1 + (uint32_t)(next(&random) % (1u << (4 + next(&random) % 12)));
		block[i] = stream_store_get(store, len[i], &capacity);
		if (block[i]) {
			CHECK(capacity >= len[i]);
			memset(block[i], (int)(i % 251), capacity);
		}
	}
	CHECK(stream_store_stats(store)->peak > BYTES / 2);
	for (int i = 0; i < BLOCKS; i++)
		stream_store_put(store, block[i]);
	CHECK_EQ(stream_store_stats(store)->used, 0);
	/* Not a splinter: all of the largest blocks can be had. */
	for (int i = 0; i < BYTES / (256 << 10); i++)
		CHECK(stream_store_get(store, 256 << 10, &capacity) != NULL);
	stream_store_free(store);
}

TEST(wrong_options_are_refused)
{
	struct stream_store_options options = { .bytes = 100 };

	CHECK_EQ(stream_store_new(&options, &store), BARN_ERR_ARGUMENT);
	options = (struct stream_store_options){ .window = 2 << 20 };
	CHECK_EQ(stream_store_new(&options, &store), BARN_ERR_ARGUMENT);
	options = (struct stream_store_options){ .segments = 70000 };
	CHECK_EQ(stream_store_new(&options, &store), BARN_ERR_ARGUMENT);
	stream_store_free(NULL);
}
