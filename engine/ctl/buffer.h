/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CTL_BUFFER_H
#define CTL_BUFFER_H

/*
 * Bytes on their way through a socket: added at one end, taken at the other, never more than
 * the bound. All zero but the bound is an empty one. The memory grows with what it holds, and
 * is given back when it has run empty after having held much.
 */

#include "base/bytes.h"

#include <barn/err.h>

struct buffer {
	uint8_t *data;
	size_t start, end, room, bound;
};

void buffer_free(struct buffer *buffer);

static inline size_t
buffer_size(const struct buffer *buffer)
{
	return buffer->end - buffer->start;
}

struct bytes buffer_bytes(const struct buffer *buffer);

/* BARN_ERR_MEMORY: it would be more than the bound, or there is none; nothing was added. */
enum barn_err buffer_add(struct buffer *buffer, const void *data, size_t size);
void buffer_drop(struct buffer *buffer, size_t size);

/*
 * By a socket that does not block. *moved bytes went, 0 if it would block. BARN_ERR_END: the
 * other end is gone. Reading takes as much as there is, up to the bound.
 */
enum barn_err buffer_read(struct buffer *buffer, int fd, size_t *moved);
enum barn_err buffer_write(struct buffer *buffer, int fd, size_t *moved);

#endif
