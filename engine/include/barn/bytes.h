/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_BYTES_H
#define BARN_BYTES_H

/*
 * The one door to hostile bytes. A reader is a window [p, end) that shrinks as it is read. A
 * read past the end yields 0 (or an empty window) and sets `bad`; `bad` never goes away, so a
 * header is read whole and tested once:
 *
 *	struct barn_bytes b = view->data;
 *	uint16_t type = barn_bytes_be16(&b), length = barn_bytes_be16(&b);
 *	if (b.bad)
 *		return BARN_INSPECTOR_MORE;
 *
 * A reader owns no memory. All of it is inline: who uses it needs no library.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct barn_bytes {
	const uint8_t *p;
	const uint8_t *end;
	bool bad;
};

/* Of NULL, whose length is 0: an empty window that is not NULL, as C11 leaves NULL + 0
 * undefined. */
static inline struct barn_bytes
barn_bytes_of(const void *data, size_t len)
{
	const uint8_t *p = data ? data : "";

	return (struct barn_bytes){ .p = p, .end = p + len };
}

static inline size_t
barn_bytes_left(const struct barn_bytes *b)
{
	return (size_t)(b->end - b->p);
}

/* The next n bytes, or NULL (and bad) if there are fewer. */
static inline const uint8_t *
barn_bytes_next(struct barn_bytes *b, size_t n)
{
	const uint8_t *at = b->p;

	if (b->bad || barn_bytes_left(b) < n) {
		b->bad = true;
		return NULL;
	}
	b->p += n;
	return at;
}

static inline void
barn_bytes_skip(struct barn_bytes *b, size_t n)
{
	(void)barn_bytes_next(b, n);
}

/* The next n bytes as a window of their own; empty and bad if there are fewer. */
static inline struct barn_bytes
barn_bytes_take(struct barn_bytes *b, size_t n)
{
	const uint8_t *at = barn_bytes_next(b, n);

	return at ? barn_bytes_of(at, n)
		  : (struct barn_bytes){ .p = b->end, .end = b->end, .bad = true };
}

/* Goes to the next such byte; false, and nowhere, if there is none. */
static inline bool
barn_bytes_seek(struct barn_bytes *b, uint8_t byte)
{
	const uint8_t *at = b->bad ? NULL : memchr(b->p, byte, barn_bytes_left(b));

	if (at)
		b->p = at;
	return at != NULL;
}

static inline uint8_t
barn_bytes_u8(struct barn_bytes *b)
{
	const uint8_t *at = barn_bytes_next(b, 1);

	return at ? at[0] : 0;
}

static inline uint16_t
barn_bytes_be16(struct barn_bytes *b)
{
	const uint8_t *at = barn_bytes_next(b, 2);

	if (!at)
		return 0;
	return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t
barn_bytes_be24(struct barn_bytes *b)
{
	const uint8_t *at = barn_bytes_next(b, 3);

	return at ? (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2] : 0;
}

static inline uint32_t
barn_bytes_be32(struct barn_bytes *b)
{
	const uint8_t *at = barn_bytes_next(b, 4);

	return at ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
		  : 0;
}

static inline uint64_t
barn_bytes_be64(struct barn_bytes *b)
{
	struct barn_bytes word = barn_bytes_take(b, 8);
	uint64_t high = barn_bytes_be32(&word);

	return high << 32 | barn_bytes_be32(&word);
}

static inline uint16_t
barn_bytes_le16(struct barn_bytes *b)
{
	const uint8_t *at = barn_bytes_next(b, 2);

	if (!at)
		return 0;
	return (uint16_t)(at[1] << 8 | at[0]);
}

static inline uint32_t
barn_bytes_le32(struct barn_bytes *b)
{
	const uint8_t *at = barn_bytes_next(b, 4);

	return at ? (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0]
		  : 0;
}

static inline uint64_t
barn_bytes_le64(struct barn_bytes *b)
{
	struct barn_bytes word = barn_bytes_take(b, 8);
	uint64_t low = barn_bytes_le32(&word);

	return (uint64_t)barn_bytes_le32(&word) << 32 | low;
}

/* Whether the window begins with the text; nothing is consumed. */
static inline bool
barn_bytes_starts(const struct barn_bytes *b, const char *text)
{
	size_t n = strlen(text);

	return barn_bytes_left(b) >= n && memcmp(b->p, text, n) == 0;
}

#endif
