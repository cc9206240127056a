/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_NEEDLES_H
#define MATCH_NEEDLES_H

/*
 * Words of which a text must hold at least one, without regard to case, or a pattern cannot
 * match it: what a scan looks for before the pattern itself is asked. None: nothing is known.
 * Plain values: copied, owned by nobody.
 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
	NEEDLES_MOST = 8,
	NEEDLES_LETTERS = 8, /* a longer word is known by its first letters */
	NEEDLES_LEAST = 3,   /* a shorter one is found everywhere */
};

struct needle {
	uint8_t len;
	uint8_t text[NEEDLES_LETTERS]; /* ASCII letters in lower case */
};

struct needles {
	uint8_t count;
	struct needle word[NEEDLES_MOST];
};

/* Length of the shortest; 0: there is none. */
static inline unsigned
needles_least(const struct needles *words)
{
	unsigned least = words->count ? NEEDLES_LETTERS : 0;

	for (unsigned i = 0; i < words->count; i++)
		if (words->word[i].len < least)
			least = words->word[i].len;
	return least;
}

static inline void
needles_add_byte(struct needle *word, uint8_t byte)
{
	if (word->len < NEEDLES_LETTERS)
		word->text[word->len++] = byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
}

/* Where both must hold: keeps the one that says more. */
static inline void
needles_and(struct needles *words, const struct needles *other)
{
	if (needles_least(other) > needles_least(words))
		*words = *other;
}

static inline void
needles_and_one(struct needles *words, struct needle word)
{
	if (word.len > needles_least(words))
		*words = (struct needles){ .count = 1, .word = { word } };
}

/* Where one of both must hold; nothing is known if one says nothing, or they are too many. */
static inline void
needles_or(struct needles *words, const struct needles *other)
{
	if (words->count == 0 || other->count == 0 ||
	    words->count + other->count > NEEDLES_MOST) {
		words->count = 0;
		return;
	}
	memcpy(words->word + words->count, other->word, other->count * sizeof(struct needle));
	words->count = (uint8_t)(words->count + other->count);
}

/* Shorter needles are found everywhere: rather none. */
static inline void
needles_trim(struct needles *needles)
{
	if (needles_least(needles) < NEEDLES_LEAST)
		needles->count = 0;
}

#endif
