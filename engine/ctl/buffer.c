/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "ctl/buffer.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { FIRST = 4096, KEPT = 65536, PIECE = 16384 };

void
buffer_free(struct buffer *buffer)
{
	free(buffer->data);
	*buffer = (struct buffer){ .bound = buffer->bound };
}

struct bytes
buffer_bytes(const struct buffer *buffer)
{
	return bytes_of(buffer->data ? buffer->data + buffer->start : NULL,
			buffer_size(buffer));
}

static bool
make_room(struct buffer *b, size_t size)
{
	size_t held = buffer_size(b), room = b->room ? b->room : FIRST;
	uint8_t *data;

	if (size > b->bound || held > b->bound - size)
		return false;
	if (b->room - b->end >= size)
		return true;
	if (b->start) {
		memmove(b->data, b->data + b->start, held);
		b->start = 0;
		b->end = held;
	}
	while (room < held + size)
		room *= 2;
	if (room == b->room)
		return true;
	data = realloc(b->data, room);
	if (!data)
		return false;
	b->data = data;
	b->room = room;
	return true;
}

enum barn_err
buffer_add(struct buffer *buffer, const void *data, size_t size)
{
	if (!size)
		return BARN_OK;
	if (!make_room(buffer, size))
		return BARN_ERR_MEMORY;
	memcpy(buffer->data + buffer->end, data, size);
	buffer->end += size;
	return BARN_OK;
}

void
buffer_drop(struct buffer *buffer, size_t size)
{
	buffer->start += size;
	if (buffer->start < buffer->end)
		return;
	if (buffer->room > KEPT)
		buffer_free(buffer);
	buffer->start = buffer->end = 0;
}

static enum barn_err
why(void)
{
	return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? BARN_OK
									 : BARN_ERR_END;
}

enum barn_err
buffer_read(struct buffer *buffer, int fd, size_t *moved)
{
	size_t piece = PIECE;

	*moved = 0;
	if (piece > buffer->bound - buffer_size(buffer))
		piece = buffer->bound - buffer_size(buffer);
	while (piece) {
		ssize_t got;

		if (!make_room(buffer, piece))
			return BARN_ERR_MEMORY;
		got = recv(fd, buffer->data + buffer->end, piece, MSG_DONTWAIT);
		if (got == 0)
			return BARN_ERR_END;
		if (got < 0)
			return why();
		buffer->end += (size_t)got;
		*moved += (size_t)got;
		if ((size_t)got < piece)
			break;
		if (piece > buffer->bound - buffer_size(buffer))
			piece = buffer->bound - buffer_size(buffer);
	}
	return BARN_OK;
}

enum barn_err
buffer_write(struct buffer *buffer, int fd, size_t *moved)
{
	*moved = 0;
	while (buffer_size(buffer)) {
		ssize_t went = send(fd, buffer->data + buffer->start, buffer_size(buffer),
				    MSG_DONTWAIT | MSG_NOSIGNAL);

		if (went < 0)
			return why();
		buffer_drop(buffer, (size_t)went);
		*moved += (size_t)went;
	}
	return BARN_OK;
}
