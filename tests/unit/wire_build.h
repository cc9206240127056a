/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_WIRE_BUILD_H
#define BARN_TESTS_WIRE_BUILD_H

/* Frames from a text (tests/lib/words.h); what it ends with is put behind the last header. */

#include "../lib/words.h"
#include "unit.h"

#include <stdlib.h>

static inline void
rig_push(struct frame *f, const char *word, bool *inner)
{
	if (!words_push(f, word, *inner ? WORDS_INNER : WORDS_OUTER))
		CHECK_STR(word, "a word");
	if (strncmp(word, "ip", 2) == 0)
		*inner = false;
}

/* Builds the frame of a text around a payload. */
static inline void
rig_build(struct frame *f, const char *text, const void *payload, size_t len)
{
	frame_init(f, payload, len);
	if (!words_text(f, text, WORDS_OUTER, true))
		CHECK_STR(text, "words");
}

static inline struct frame *
rig_text(const char *text)
{
	static struct frame f;

	rig_build(&f, text, "hello", 5);
	return &f;
}

#endif
