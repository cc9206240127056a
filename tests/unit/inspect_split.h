/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_INSPECT_SPLIT_H
#define BARN_TESTS_INSPECT_SPLIT_H

/*
 * Conversations cut at every place, and noise: what an inspector says must not depend on how a
 * stream's bytes were cut into segments.
 */

#include "inspect_feed.h"

/* One step of a conversation, for the tests that cut it at every place. */
struct feed_step {
	enum inspect_dir dir;
	const void *data;
	size_t len;
};

#define FEED_STEP(dir, text)                  \
	{                                     \
		(dir), (text), strlen((text)) \
	}

/* All steps, one after another, each in pieces of `piece` bytes and cut once more at `cut`. */
static inline void
feed_run(struct feed *f, const struct feed_step *steps, size_t count, size_t piece, size_t cut)
{
	size_t total = 0;

	for (size_t i = 0; i < count; i++) {
		const uint8_t *data = steps[i].data;

		for (size_t at = 0, n; at < steps[i].len; at += n, total += n) {
			n = steps[i].len - at < piece ? steps[i].len - at : piece;
			if (total < cut && total + n > cut)
				n = cut - total;
			feed_stream(f, steps[i].dir, data + at, n);
		}
	}
}

/*
 * Whether a conversation gives the same answer and the same log whole, byte by byte, in threes,
 * and cut in two at each of its bytes.
 */
static inline void
feed_splits(const struct inspector *inspector, const struct feed_step *steps, size_t count,
	    enum inspect_answer answer, const char *log)
{
	static struct feed f;
	size_t total = 0;

	for (size_t i = 0; i < count; i++)
		total += steps[i].len;
	for (size_t i = 0; i < total + 3; i++) {
		size_t piece = i == total ? SIZE_MAX : i == total + 1 ? 1 : 3;

		feed_init(&f, inspector, INSPECT_TCP);
		feed_run(&f, steps, count, i < total ? SIZE_MAX : piece, i < total ? i : 0);
		if (f.answer != answer || strcmp(f.log, log) != 0)
			printf("split %zu of %zu\n", i, total);
		CHECK_STR(f.log, log);
		CHECK_EQ(f.answer, answer);
		feed_fini(&f);
	}
}

/* Reproducible noise (xorshift64*); never seeded by time. */
static inline uint64_t
feed_random(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1du;
}

static inline void
feed_noise(uint64_t *seed, uint8_t *to, size_t len)
{
	for (size_t i = 0; i < len; i++)
		to[i] = (uint8_t)(feed_random(seed) >> 56);
}

#endif
