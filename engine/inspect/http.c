/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * HTTP/1.0 and 1.1 (RFC 9110, 9112). A first line is sure evidence: the method
 * or the status and "HTTP/1.x" are 80 bits and more that nothing else sends.
 * Then the messages are followed one after another, bodies skipped where their
 * length is told, so that each transaction is seen and nothing in a body is
 * taken for one. Behind a gap the next first line is searched for.
 */
#include "inspect/http.h"

enum {
	TAIL_KEEP = 16,     /* of an overlong request line: " HTTP/1.x" CR */
	EMPTY_MAX = 4,      /* empty lines in front of the first (RFC 9112 section 2.2) */
	SEARCH_MAX = 65536, /* bytes of a stream without its start that are searched */
};

static void
raise(struct http *h, enum inspect_answer answer)
{
	if (h->answer < answer)
		h->answer = (uint8_t)answer;
}

static bool
has_role(const struct http *h, enum http_role role)
{
	return h->side[INSPECT_CLIENT].role == role || h->side[INSPECT_SERVER].role == role;
}

static void
push(struct http *h, uint8_t method)
{
	if (h->count == HTTP_PENDING || h->excess > 0) {
		h->excess++;
		return;
	}
	h->pending[(h->first + h->count++) % HTTP_PENDING] = method;
}

static uint8_t
pop(struct http *h)
{
	uint8_t method = HTTP_METHOD_UNKNOWN;

	if (h->count > 0) {
		method = h->pending[h->first];
		h->first = (uint8_t)((h->first + 1) % HTTP_PENDING);
		h->count--;
	} else if (h->excess > 0) {
		h->excess--;
	}
	return method;
}

/* Not HTTP here: the whole flow, unless the other side has proven the contrary. */
static enum http_step
refuse(struct http *h, struct http_side *side)
{
	if (h->answer < INSPECT_SURE)
		h->refused = true;
	side->phase = HTTP_IGNORE;
	return HTTP_AGAIN;
}

static enum http_step
search(struct http_side *side)
{
	side->phase = HTTP_SEARCH;
	return HTTP_AGAIN;
}

static void
tell_version(uint8_t minor, const struct inspect_sink *sink)
{
	char version[] = "1.x";

	version[2] = (char)('0' + minor);
	sink->field(sink->self, HTTP_VERSION, bytes_of(version, 3));
}

static void
start_request(struct http *h, struct http_side *side, const struct http_request *request,
	      const struct inspect_sink *sink)
{
	struct bytes host, path;

	side->role = HTTP_REQUESTS;
	side->message = (struct http_message){ .method = request->kind };
	push(h, request->kind);
	http_line_target(request, &host, &path);
	sink->field(sink->self, HTTP_METHOD, request->method);
	if (bytes_left(&host) > 0) {
		side->message.has_host = true;
		sink->field(sink->self, HTTP_HOST, host);
	}
	sink->field(sink->self, HTTP_URL, path);
}

static void
start_response(struct http *h, struct http_side *side, const struct http_status *status,
	       const struct inspect_sink *sink)
{
	side->role = HTTP_RESPONSES;
	side->message = (struct http_message){ .status = status->code };
	/* An interim response is not the answer yet, but 101 is (RFC 9110 section 15.2). */
	if (status->code >= 200 || status->code == 101)
		side->message.method = pop(h);
	if (!has_role(h, HTTP_REQUESTS))
		tell_version(status->minor, sink);
}

/*
 * Takes a first line off the data, if one stands there. A side keeps to the
 * role of its first line; which side asks is not tied to who opened the
 * connection, as the start of a stream that was joined late is not known.
 */
static enum http_line
first_line(struct http *h, struct http_side *side, struct bytes *data,
	   const struct inspect_sink *sink)
{
	enum http_line line = HTTP_LINE_NO, other = HTTP_LINE_NO;
	struct http_request request;
	struct http_status status;

	if (side->role != HTTP_RESPONSES) {
		line = http_line_request(data, &request);
		if (line == HTTP_LINE_WHOLE) {
			start_request(h, side, &request, sink);
			tell_version(request.minor, sink);
			side->phase = HTTP_HEADER;
			return line;
		}
	}
	if (side->role != HTTP_REQUESTS) {
		other = http_line_status(data, &status);
		if (other == HTTP_LINE_WHOLE) {
			start_response(h, side, &status, sink);
			side->phase = HTTP_HEADER;
			return other;
		}
	}
	if (line == HTTP_LINE_LIKELY && bytes_left(data) >= HTTP_LINE_SEEN) {
		start_request(h, side, &request, sink);
		bytes_skip(data, bytes_left(data) - TAIL_KEEP);
		side->phase = HTTP_TAIL;
	}
	return line > other ? line : other;
}

static void
believe(struct http *h, enum http_line line)
{
	if (line == HTTP_LINE_LIKELY)
		raise(h, INSPECT_LIKELY);
	else if (line >= HTTP_LINE_SURE)
		raise(h, INSPECT_SURE);
}

static enum http_step
step_start(struct http *h, struct http_side *side, struct bytes *data,
	   const struct inspect_sink *sink)
{
	while (bytes_starts(data, "\n") || bytes_starts(data, "\r\n")) {
		bytes_skip(data, bytes_starts(data, "\n") ? 1 : 2);
		if (side->role == HTTP_NOTHING && ++side->empty_lines > EMPTY_MAX)
			return refuse(h, side);
	}
	if (bytes_left(data) == 0 || (bytes_left(data) == 1 && bytes_starts(data, "\r")))
		return HTTP_WAIT;
	enum http_line line = first_line(h, side, data, sink);

	believe(h, line);
	if (line == HTTP_LINE_NO)
		return side->role == HTTP_NOTHING ? refuse(h, side) : search(side);
	return side->phase == HTTP_START ? HTTP_WAIT : HTTP_AGAIN;
}

/*
 * The end of an overlong request line. That it is one was likely only.
 */
static enum http_step
step_tail(struct http *h, struct http_side *side, struct bytes *data,
	  const struct inspect_sink *sink)
{
	struct bytes line;
	uint8_t minor;

	if (!bytes_line(data, &line)) {
		if (bytes_left(data) > TAIL_KEEP)
			bytes_skip(data, bytes_left(data) - TAIL_KEEP);
		return HTTP_WAIT;
	}
	if (!http_line_version(line, &minor))
		return refuse(h, side);
	tell_version(minor, sink);
	raise(h, INSPECT_SURE);
	side->phase = HTTP_HEADER;
	return HTTP_AGAIN;
}

/* A final response frees a request side that waits for it. */
static void
release(struct http_side *asking, uint16_t status)
{
	struct http_message *m = &asking->message;

	if (asking->phase == HTTP_HOLD_CONNECT || asking->phase == HTTP_HOLD_UPGRADE)
		asking->phase = HTTP_START;
	/* RFC 9110 section 10.1.1: refused before it was sent, the body may be left out. */
	if (status >= 400 && asking->phase == HTTP_LENGTH && m->expect &&
	    asking->left == m->length)
		asking->phase = HTTP_START;
}

static enum http_step
end_response_header(struct http *h, struct http_side *side, const struct inspect_sink *sink)
{
	struct http_message *m = &side->message;
	bool tunnel = m->method == HTTP_METHOD_CONNECT && m->status / 100 == 2;

	/* RFC 9110 sections 7.8 and 9.3.6: all that follows belongs to another protocol. */
	if (tunnel || m->status == 101) {
		h->inner = true;
		sink->inner(sink->self, m->websocket && !tunnel ? "websocket" : NULL);
		raise(h, INSPECT_DONE);
		return HTTP_WAIT;
	}
	if (m->status >= 200)
		release(&h->side[side == &h->side[0] ? 1 : 0], m->status);
	if (!has_role(h, HTTP_REQUESTS))
		raise(h, INSPECT_NAMED); /* only this direction is seen: no name will come */
	http_body_response(side);
	return HTTP_AGAIN;
}

static enum http_step
step_header(struct http *h, struct http_side *side, struct bytes *data,
	    const struct inspect_sink *sink)
{
	struct bytes line;

	if (!bytes_line(data, &line)) {
		if (bytes_left(data) < HTTP_LINE_SEEN)
			return HTTP_WAIT;
		if (!side->midline)
			http_header_line(side, *data, true, sink);
		side->midline = true;
		bytes_skip(data, bytes_left(data));
		return HTTP_WAIT;
	}
	if (side->midline) {
		side->midline = false;
		return HTTP_AGAIN;
	}
	if (bytes_left(&line) > 0) {
		http_header_line(side, line, false, sink);
		return HTTP_AGAIN;
	}
	if (side->role == HTTP_RESPONSES)
		return end_response_header(h, side, sink);
	raise(h, INSPECT_NAMED);
	http_body_request(side);
	return HTTP_AGAIN;
}

/*
 * Looks at the start of each line for a first line. What is skipped counts only
 * while nothing has proven that this is HTTP.
 */
static enum http_step
step_search(struct http *h, struct http_side *side, struct bytes *data,
	    const struct inspect_sink *sink)
{
	struct bytes line;
	size_t before = bytes_left(data);

	if (!side->midline && before > 0) {
		enum http_line found = first_line(h, side, data, sink);

		believe(h, found);
		if (side->phase != HTTP_SEARCH)
			return HTTP_AGAIN;
		if (found != HTTP_LINE_NO)
			return HTTP_WAIT;
	}
	side->midline = !bytes_line(data, &line);
	if (side->midline)
		bytes_skip(data, bytes_left(data));
	side->searched += (uint32_t)(before - bytes_left(data));
	if (h->answer >= INSPECT_SURE)
		side->searched = 0;
	if (side->searched > SEARCH_MAX)
		return refuse(h, side);
	return bytes_left(data) > 0 ? HTTP_AGAIN : HTTP_WAIT;
}

/* Behind an Upgrade the next request may come if the server has not taken it up. */
static enum http_step
step_hold(struct http_side *side, struct bytes *data)
{
	struct http_request request;
	struct bytes peek = *data;

	if (side->phase == HTTP_HOLD_CONNECT ||
	    http_line_request(&peek, &request) < HTTP_LINE_LIKELY)
		return HTTP_WAIT;
	side->phase = HTTP_START;
	return HTTP_AGAIN;
}

static enum http_step
step(struct http *h, struct http_side *side, struct bytes *data,
     const struct inspect_sink *sink)
{
	switch ((enum http_phase)side->phase) {
	case HTTP_START: return step_start(h, side, data, sink);
	case HTTP_TAIL: return step_tail(h, side, data, sink);
	case HTTP_HEADER: return step_header(h, side, data, sink);
	case HTTP_SEARCH: return step_search(h, side, data, sink);
	case HTTP_HOLD_CONNECT:
	case HTTP_HOLD_UPGRADE: return step_hold(side, data);
	default: return http_body_step(side, data);
	}
}

/* Behind a gap nobody knows how many messages were in it, so no request awaits an answer. */
static void
lose(struct http *h, struct http_side *side)
{
	h->count = 0;
	h->excess = 0;
	side->after_chunk = false;
	side->midline = false;
	if (side->phase != HTTP_CLOSE && side->phase != HTTP_IGNORE)
		side->phase = HTTP_SEARCH;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct http *h = state;
	struct http_side *side = &h->side[view->dir];

	if (h->inner)
		return INSPECT_DONE;
	if (view->lost)
		lose(h, side);
	while (step(h, side, &view->data, sink) == HTTP_AGAIN)
		if (bytes_left(&view->data) == 0 && side->phase != HTTP_HEADER)
			break;
	if (h->refused)
		return INSPECT_NO;
	return h->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)h->answer;
}

/* A token, or the empty lines before one. */
static const struct inspect_start starts[] = {
	{ .count = 2, .bytes = { { 'A', 'Z' }, { '\t', '~' } } },
	{ .count = 2, .bytes = { { 'a', 'z' }, { '\t', '~' } } },
	{ .count = 1, .bytes = { { '\n', '\r' } } },
};

const struct inspector inspect_http = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "http",
	.state_size = sizeof(struct http),
	.transports = INSPECT_TCP,
	.fields = http_fields,
	.field_count = HTTP_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
	.transactions = true,
};
