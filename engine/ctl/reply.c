/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "ctl/session.h"

#include <stdarg.h>
#include <stdio.h>

size_t
reply_room(const struct reply *reply)
{
	size_t left = SESSION_OUTPUT - SESSION_ROUND / 2 - buffer_size(&reply->session->out);

	return left > SESSION_OUTPUT ? 0 : left - left / MESSAGE_BODY * MESSAGE_HEAD;
}

/* Room is kept for the end of the answer. */
void
reply_add(struct reply *reply, const void *data, size_t size)
{
	struct buffer *out = &reply->session->out;
	uint8_t head[MESSAGE_HEAD];
	const uint8_t *from = data;

	if (size > reply_room(reply)) {
		reply_fail(reply, BARN_ERR_MEMORY, "the answer is too long");
		return;
	}
	while (size && !reply->err) {
		size_t piece = size < MESSAGE_BODY ? size : MESSAGE_BODY;

		message_write_head(head, MESSAGE_DATA, reply->session->id, piece);
		if (buffer_add(out, head, sizeof(head)) || buffer_add(out, from, piece)) {
			/* A head without its body: nothing can follow. */
			reply->session->phase = SESSION_OVER;
			reply_fail(reply, BARN_ERR_MEMORY, "out of memory");
			return;
		}
		from += piece;
		size -= piece;
	}
}

void
reply_printf(struct reply *reply, const char *format, ...)
{
	char line[1024];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (length >= (int)sizeof(line))
		length = sizeof(line) - 1;
	if (length > 0)
		reply_add(reply, line, (size_t)length);
}

void
reply_fail(struct reply *reply, enum barn_err err, const char *format, ...)
{
	va_list args;

	reply->err = err;
	va_start(args, format);
	vsnprintf(reply->text, sizeof(reply->text), format, args);
	va_end(args);
}
