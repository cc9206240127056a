/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/pieces.h"
#include "inspect_split.h"

static uint8_t message[PIECES_MAX];
static bool have[PIECES_MAX];
static struct pieces pieces;

static size_t
model_ready(void)
{
	size_t n = 0;

	while (n < PIECES_MAX && have[n])
		n++;
	return n;
}

TEST(what_is_ready_is_all_up_to_the_first_hole)
{
	uint64_t seed = 47;

	feed_noise(&seed, message, sizeof(message));
	for (int round = 0; round < 200; round++) {
		memset(&pieces, 0, sizeof(pieces));
		memset(have, 0, sizeof(have));
		for (int i = 0; i < 200; i++) {
			size_t at = feed_random(&seed) % PIECES_MAX;
			size_t len = feed_random(&seed) % (i % 5 == 0 ? 600 : 70);

			len = len < PIECES_MAX - at ? len : PIECES_MAX - at;
			if (i == 100)
				at = 0;
			pieces_put(&pieces, at, bytes_of(message + at, len));
			memset(have + at, 1, len);
			struct bytes ready = pieces_ready(&pieces);

			CHECK_EQ(bytes_left(&ready), model_ready());
			CHECK_MEM(ready.p, message, bytes_left(&ready));
		}
	}
}

TEST(what_lies_behind_the_room_is_left_out)
{
	struct bytes ready;

	memset(&pieces, 0, sizeof(pieces));
	pieces_put(&pieces, PIECES_MAX, bytes_of(message, 10));
	pieces_put(&pieces, UINT64_MAX, bytes_of(message, 10));
	pieces_put(&pieces, PIECES_MAX - 5, bytes_of(message + PIECES_MAX - 5, 5));
	pieces_put(&pieces, 0, bytes_of(message, PIECES_MAX - 5));
	ready = pieces_ready(&pieces);
	CHECK_EQ(bytes_left(&ready), PIECES_MAX);
	CHECK_MEM(ready.p, message, PIECES_MAX);
	pieces_put(&pieces, 0, bytes_of(NULL, 0));
	CHECK_EQ(pieces.ready, PIECES_MAX);
}
