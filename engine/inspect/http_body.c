/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Where a message ends (RFC 9112 sections 6.3 and 7.1). Bodies are consumed as they come and
 * never looked at.
 */
#include "inspect/http.h"

static enum http_step
lost_track(struct http_side *side)
{
	side->phase = HTTP_SEARCH;
	return HTTP_AGAIN;
}

/* A request ends, or its header and no body is due. */
static void
end_request(struct http_side *side)
{
	if (side->message.method == HTTP_METHOD_CONNECT)
		side->phase = HTTP_HOLD_CONNECT;
	else
		side->phase = side->message.upgrade ? HTTP_HOLD_UPGRADE : HTTP_START;
}

/* How long is a request's body (RFC 9112 section 6.3)? */
void
http_body_request(struct http_side *side)
{
	struct http_message *m = &side->message;

	side->left = m->has_length ? m->length : 0;
	if (m->chunked)
		side->phase = HTTP_CHUNK;
	else if (m->has_coding)
		side->phase = HTTP_SEARCH;
	else if (side->left > 0)
		side->phase = HTTP_LENGTH;
	else
		end_request(side);
}

/* The same for a response's, where its request and its status say that there is one. */
void
http_body_response(struct http_side *side)
{
	struct http_message *m = &side->message;
	bool none = m->method == HTTP_METHOD_HEAD || m->status < 200 || m->status == 204 ||
		    m->status == 304;

	side->left = m->has_length ? m->length : 0;
	if (none)
		side->phase = HTTP_START;
	else if (m->chunked)
		side->phase = HTTP_CHUNK;
	else if (m->has_coding || !m->has_length)
		side->phase = HTTP_CLOSE;
	else
		side->phase = side->left > 0 ? HTTP_LENGTH : HTTP_START;
}

/* Consumes what is there of `left` bytes; true when they are all through. */
static bool
skip_body(struct http_side *side, struct bytes *data)
{
	size_t n = bytes_left(data);

	if (n > side->left)
		n = (size_t)side->left;
	bytes_skip(data, n);
	side->left -= n;
	return side->left == 0;
}

static enum http_step
step_length(struct http_side *side, struct bytes *data)
{
	const struct http_message *m = &side->message;

	/* The answer to a HEAD that was not seen has a length, but no body. */
	if (side->role == HTTP_RESPONSES && m->method == HTTP_METHOD_UNKNOWN &&
	    side->left == m->length) {
		struct http_status next;
		struct bytes peek = *data;
		enum http_line line = http_line_status(&peek, &next);

		if (line == HTTP_LINE_MORE)
			return HTTP_WAIT;
		if (line != HTTP_LINE_NO) {
			side->phase = HTTP_START;
			return HTTP_AGAIN;
		}
	}
	if (!skip_body(side, data))
		return HTTP_WAIT;
	if (side->role == HTTP_REQUESTS)
		end_request(side);
	else
		side->phase = HTTP_START;
	return HTTP_AGAIN;
}

/* The size in front of a chunk (RFC 9112 section 7.1), hexadecimal; false if it is none. */
static bool
chunk_size(struct bytes line, uint64_t *size)
{
	unsigned digits = 0;

	for (*size = 0; line.p < line.end; digits++) {
		uint8_t c = bytes_u8(&line);
		unsigned lower = c | 0x20u, value;

		if (c >= '0' && c <= '9')
			value = c - '0';
		else if (lower >= 'a' && lower <= 'f')
			value = lower - 'a' + 10;
		else
			return digits > 0 && (c == ';' || c == ' ' || c == '\t');
		if (digits == 15)
			return false;
		*size = *size << 4 | value;
	}
	return digits > 0;
}

static enum http_step
step_chunk(struct http_side *side, struct bytes *data)
{
	struct bytes line;

	if (!bytes_line(data, &line))
		return bytes_left(data) < HTTP_LINE_SEEN ? HTTP_WAIT : lost_track(side);
	if (side->after_chunk) {
		side->after_chunk = false;
		return bytes_left(&line) == 0 ? HTTP_AGAIN : lost_track(side);
	}
	if (!chunk_size(line, &side->left))
		return lost_track(side);
	side->phase = side->left > 0 ? HTTP_CHUNK_DATA : HTTP_TRAILER;
	return HTTP_AGAIN;
}

static enum http_step
step_trailer(struct http_side *side, struct bytes *data)
{
	struct bytes line;

	if (!bytes_line(data, &line))
		return bytes_left(data) < HTTP_LINE_SEEN ? HTTP_WAIT : lost_track(side);
	if (bytes_left(&line) > 0)
		return HTTP_AGAIN;
	if (side->role == HTTP_REQUESTS)
		end_request(side);
	else
		side->phase = HTTP_START;
	return HTTP_AGAIN;
}

enum http_step
http_body_step(struct http_side *side, struct bytes *data)
{
	switch ((enum http_phase)side->phase) {
	case HTTP_LENGTH: return step_length(side, data);
	case HTTP_CHUNK: return step_chunk(side, data);
	case HTTP_TRAILER: return step_trailer(side, data);
	case HTTP_CHUNK_DATA:
		if (!skip_body(side, data))
			return HTTP_WAIT;
		side->after_chunk = true;
		side->phase = HTTP_CHUNK;
		return HTTP_AGAIN;
	default: bytes_skip(data, bytes_left(data)); return HTTP_WAIT;
	}
}
