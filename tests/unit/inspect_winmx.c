/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_winmx;

static struct feed f;

enum { BLOCK = 16 };

/* Makes a block of a kind, as clients do: the sums over noise, then 105 steps of stirring. */
static void
make_block(uint64_t *seed, uint8_t kind, uint8_t b[BLOCK])
{
	feed_noise(seed, b, BLOCK);
	b[4] = b[2] ^ b[5] ^ b[13] ^ b[15];
	b[9] = (uint8_t)((b[1] ^ b[8] ^ b[14]) + kind);
	b[11] = (uint8_t)((b[0] ^ b[3] ^ b[6] ^ b[7] ^ b[10] ^ b[12]) + (kind >> 7));
	for (unsigned i = 0; i < 105; i++) {
		uint8_t before = i ? b[(i - 1) % BLOCK] : 0x57;

		b[i % BLOCK] = i % 5 ? (uint8_t)(b[i % BLOCK] + before) : b[i % BLOCK] ^ before;
	}
}

static enum inspect_answer
converse(const char *greeting, uint8_t client, uint8_t server)
{
	static uint64_t seed = 6699;
	uint8_t block[BLOCK];

	feed_init(&f, &inspect_winmx, INSPECT_TCP);
	feed_text(&f, INSPECT_SERVER, greeting);
	make_block(&seed, client, block);
	feed_stream(&f, INSPECT_CLIENT, block, sizeof(block));
	make_block(&seed, server, block);
	feed_stream(&f, INSPECT_SERVER, block, sizeof(block));
	feed_fini(&f);
	return f.answer;
}

TEST(blocks_of_both_sides_are_sure_and_name_the_link)
{
	CHECK_EQ(converse("1", 0x50, 0x51), INSPECT_DONE);
	CHECK_STR(f.log, "link=primary\n");
	CHECK_EQ(converse("1", 0x52, 0x53), INSPECT_DONE);
	CHECK_STR(f.log, "link=secondary\n");
	CHECK_EQ(converse("8", 0x52, 0x54), INSPECT_DONE);
	CHECK_STR(f.log, "link=secondary\n");
	CHECK_EQ(converse("1", 0x57, 0x58), INSPECT_DONE);
	CHECK_STR(f.log, "link=chat\n");
}

TEST(other_kinds_and_greetings_are_not_ours)
{
	static const uint8_t kinds[] = { 0, 0x4f, 0x55, 0x56, 0x59, 0xd0 };

	for (size_t i = 0; i < sizeof(kinds); i++) {
		CHECK_EQ(converse("1", kinds[i], 0x51), INSPECT_NO);
		CHECK_EQ(converse("1", 0x50, kinds[i]), INSPECT_NO);
	}
	CHECK_EQ(converse("2", 0x50, 0x51), INSPECT_NO);
	CHECK_STR(f.log, "");
}

TEST(nearly_each_bit_that_is_wrong_is_seen)
{
	uint64_t seed = 6257;
	uint8_t block[BLOCK];
	unsigned seen = 0;

	make_block(&seed, 0x50, block);
	for (unsigned bit = 0; bit < 8 * BLOCK; bit++) {
		block[bit / 8] ^= (uint8_t)(1u << bit % 8);
		feed_init(&f, &inspect_winmx, INSPECT_TCP);
		feed_text(&f, INSPECT_SERVER, "1");
		feed_stream(&f, INSPECT_CLIENT, block, sizeof(block));
		seen += f.answer == INSPECT_NO;
		feed_fini(&f);
		block[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	CHECK(seen >= 8 * BLOCK - 4);
}

TEST(one_block_is_likely_and_without_greeting_nothing)
{
	uint64_t seed = 7950;
	uint8_t block[BLOCK];

	make_block(&seed, 0x50, block);
	feed_init(&f, &inspect_winmx, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, block, sizeof(block));
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
	feed_init(&f, &inspect_winmx, INSPECT_TCP);
	feed_text(&f, INSPECT_SERVER, "1");
	feed_stream(&f, INSPECT_CLIENT, block, sizeof(block));
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_text(&f, INSPECT_SERVER, "not a block of keys");
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(no_cut_changes_what_is_told)
{
	static const struct feed_step steps[] = {
		{ INSPECT_SERVER, "1", 1 },
		{ INSPECT_CLIENT,
		  "\x93"
		  "\x9c"
		  "\xd4"
		  "\x81"
		  "\x00"
		  "\x0e"
		  "\x98"
		  "\x89"
		  "\x26"
		  "\x12"
		  "\xde"
		  "\x53"
		  "\xae"
		  "\x62"
		  "\x79"
		  "\xed",
		  BLOCK },
		{ INSPECT_SERVER,
		  "\x8e"
		  "\xab"
		  "\xe5"
		  "\xf8"
		  "\xc5"
		  "\xd6"
		  "\x71"
		  "\xe4"
		  "\xff"
		  "\x72"
		  "\x13"
		  "\x08"
		  "\x48"
		  "\xcb"
		  "\x3b"
		  "\xc0",
		  BLOCK },
		{ INSPECT_CLIENT, "hidden", 6 },
	};

	feed_splits(&inspect_winmx, steps, sizeof(steps) / sizeof(steps[0]), INSPECT_DONE,
		    "link=primary\n");
}

TEST(noise_is_hardly_ever_a_block)
{
	uint64_t seed = 1;
	uint8_t noise[BLOCK];
	unsigned blocks = 0;

	for (unsigned i = 0; i < 300000; i++) {
		feed_init(&f, &inspect_winmx, INSPECT_TCP);
		feed_text(&f, INSPECT_SERVER, "1");
		feed_noise(&seed, noise, sizeof(noise));
		feed_stream(&f, INSPECT_CLIENT, noise, sizeof(noise));
		blocks += f.answer != INSPECT_NO;
		feed_fini(&f);
	}
	CHECK(blocks < 3);
}
