/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_INSPECT_OUT_H
#define BARN_TESTS_INSPECT_OUT_H

/* Binary messages for tests, written with their lengths: the numbers are in network order. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Bytes put together from the outside in: open() leaves room for a length, close() fills it. */
struct out {
	uint8_t b[70000];
	size_t len;
};

static inline void
put(struct out *o, uint32_t value, unsigned bytes)
{
	while (bytes-- > 0)
		o->b[o->len++] = (uint8_t)(value >> (8 * bytes));
}

static inline void
put_text(struct out *o, const char *text)
{
	memcpy(o->b + o->len, text, strlen(text));
	o->len += strlen(text);
}

static inline size_t
open_length(struct out *o, unsigned bytes)
{
	put(o, 0, bytes);
	return o->len;
}

static inline void
close_length(struct out *o, size_t start, unsigned bytes)
{
	size_t end = o->len, len = end - start;

	o->len = start - bytes;
	put(o, (uint32_t)len, bytes);
	o->len = end;
}

#endif
