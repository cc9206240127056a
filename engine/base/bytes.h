/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

/*
 * The one door to hostile bytes. A reader is a window [p, end) that shrinks as
 * it is read. A read past the end yields 0 (or an empty window) and sets `bad`;
 * `bad` never goes away, so a header is read whole and tested once:
 *
 *	struct bytes b = payload;
 *	uint16_t type = bytes_be16(&b), length = bytes_be16(&b);
 *	if (b.bad)
 *		return INSPECT_MORE;
 *
 * Nothing else in barn indexes a payload. A reader owns no memory.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
	const uint8_t *p;
	const uint8_t *end;
	bool bad;
};

/* Of NULL, whose length is 0: an empty window that is not NULL, as C11 leaves NULL + 0
 * undefined. */
static inline struct bytes
bytes_of(const void *data, size_t len)
{
	const uint8_t *p = data ? data : "";

	return (struct bytes){ .p = p, .end = p + len };
}

static inline size_t
bytes_left(const struct bytes *b)
{
	return (size_t)(b->end - b->p);
}

/* The next n bytes, or NULL (and bad) if there are fewer. */
static inline const uint8_t *
bytes_next(struct bytes *b, size_t n)
{
	const uint8_t *at = b->p;

	if (b->bad || bytes_left(b) < n) {
		b->bad = true;
		return NULL;
	}
	b->p += n;
	return at;
}

static inline void
bytes_skip(struct bytes *b, size_t n)
{
	(void)bytes_next(b, n);
}

/* The next n bytes as a window of their own; empty and bad if there are fewer. */
static inline struct bytes
bytes_take(struct bytes *b, size_t n)
{
	const uint8_t *at = bytes_next(b, n);

	return at ? bytes_of(at, n) : (struct bytes){ .p = b->end, .end = b->end, .bad = true };
}

/* Goes to the next such byte; false, and nowhere, if there is none. */
static inline bool
bytes_seek(struct bytes *b, uint8_t byte)
{
	const uint8_t *at = b->bad ? NULL : memchr(b->p, byte, bytes_left(b));

	if (at)
		b->p = at;
	return at != NULL;
}

static inline uint8_t
bytes_u8(struct bytes *b)
{
	const uint8_t *at = bytes_next(b, 1);

	return at ? at[0] : 0;
}

static inline uint16_t
bytes_be16(struct bytes *b)
{
	const uint8_t *at = bytes_next(b, 2);

	if (!at)
		return 0;
	return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t
bytes_be24(struct bytes *b)
{
	const uint8_t *at = bytes_next(b, 3);

	return at ? (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2] : 0;
}

static inline uint32_t
bytes_be32(struct bytes *b)
{
	const uint8_t *at = bytes_next(b, 4);

	return at ? (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3]
		  : 0;
}

static inline uint64_t
bytes_be64(struct bytes *b)
{
	struct bytes word = bytes_take(b, 8);
	uint64_t high = bytes_be32(&word);

	return high << 32 | bytes_be32(&word);
}

static inline uint16_t
bytes_le16(struct bytes *b)
{
	const uint8_t *at = bytes_next(b, 2);

	if (!at)
		return 0;
	return (uint16_t)(at[1] << 8 | at[0]);
}

static inline uint32_t
bytes_le32(struct bytes *b)
{
	const uint8_t *at = bytes_next(b, 4);

	return at ? (uint32_t)at[3] << 24 | (uint32_t)at[2] << 16 | (uint32_t)at[1] << 8 | at[0]
		  : 0;
}

static inline uint64_t
bytes_le64(struct bytes *b)
{
	struct bytes word = bytes_take(b, 8);
	uint64_t low = bytes_le32(&word);

	return (uint64_t)bytes_le32(&word) << 32 | low;
}

/* Whether the window begins with the text; nothing is consumed. */
static inline bool
bytes_starts(const struct bytes *b, const char *text)
{
	size_t n = strlen(text);

	return bytes_left(b) >= n && memcmp(b->p, text, n) == 0;
}

/*
 * A line without its end (LF or CR LF), which is consumed with it. Returns
 * false, and consumes nothing, while no LF is in the window.
 */
bool bytes_line(struct bytes *b, struct bytes *line);

/* Equal to the text, in ASCII without regard to case. */
bool bytes_is(const struct bytes *b, const char *text);

/* The window without blanks and tabs at both ends. */
struct bytes bytes_trim(struct bytes b);

#endif
