/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * What HAProxy and others put in front of a connection that they pass on, so that the server
 * learns who has opened it ("The PROXY protocol", versions 1 and 2, sections 2.1 and 2.2). All
 * that follows is another protocol's, which is recognised afresh; the server says nothing in
 *it.
 *
 *	1  │ PROXY TCP4 192.0.2.1 192.0.2.2 40000 443 CR LF │
 *	2  │ signature, 12 │ version 4, command 4 │ family 4, transport 4 │ length 2 │
 *	   │ source, destination, ports │ type 1, length 2, value ...
 */
#include "inspect/inspector.h"

#include <arpa/inet.h>

enum { VERSION, COMMAND, SOURCE, DESTINATION, AUTHORITY };

static const struct inspect_field fields[] = {
	[VERSION] = { "version", INSPECT_NUMBER },
	[COMMAND] = { "command", INSPECT_TEXT },
	[SOURCE] = { "source", INSPECT_TEXT },
	[DESTINATION] = { "destination", INSPECT_TEXT },
	[AUTHORITY] = { "authority", INSPECT_TEXT },
};

enum {
	LINE_MOST = 107, /* with its end */
	SIGNATURE = 12,
	LENGTH_AT = 14,
	HEADER = 16,
	SEEN_MOST = 4096, /* a longer header is passed over behind its addresses */
	ADDRESSES_MOST = 36,
	LOCAL = 0,
	PROXIED = 1,
	INTERNET = 1,
	INTERNET_6 = 2,
	UNIX = 3,
	TYPE_AUTHORITY = 2,
};

static const uint8_t signature[SIGNATURE] = { '\r', '\n', '\r', '\n', 0,   '\r',
					      '\n', 'Q',  'U',  'I',  'T', '\n' };

struct proxy {
	uint16_t rest; /* of a header that is passed over */
	bool within;
	bool begun, sure;
};

static void
tell(const struct inspect_sink *sink, unsigned field, const char *text)
{
	sink->field(sink->self, field, bytes_of(text, strlen(text)));
}

/* The next word of a line, in front of a blank or the end. */
static struct bytes
word(struct bytes *line)
{
	struct bytes w = *line;
	const uint8_t *blank =
		bytes_left(line) > 0 ? memchr(line->p, ' ', bytes_left(line)) : NULL;

	if (blank)
		w.end = blank;
	line->p = blank ? blank + 1 : line->end;
	return w;
}

static bool
is_address(struct bytes text, int family)
{
	char copy[INET6_ADDRSTRLEN];
	uint8_t address[16];
	size_t len = bytes_left(&text);

	if (len == 0 || len >= sizeof(copy))
		return false;
	memcpy(copy, text.p, len);
	copy[len] = '\0';
	return inet_pton(family, copy, address) == 1;
}

static bool
is_port(struct bytes text)
{
	size_t len = bytes_left(&text);
	uint32_t value = 0;

	while (bytes_left(&text) > 0) {
		uint8_t c = bytes_u8(&text);

		if (c < '0' || c > '9')
			return false;
		value = value * 10 + (uint32_t)(c - '0');
	}
	return len > 0 && len <= 5 && value <= UINT16_MAX;
}

/* Of UNKNOWN what follows is to be ignored. */
static bool
read_line(struct bytes line, const struct inspect_sink *sink)
{
	struct bytes name = word(&line), family = word(&line), source, destination, port[2];
	bool four = bytes_is(&family, "TCP4");

	if (!bytes_is(&name, "PROXY"))
		return false;
	if (!four && !bytes_is(&family, "TCP6") && !bytes_is(&family, "UNKNOWN"))
		return false;
	source = word(&line);
	destination = word(&line);
	port[0] = word(&line);
	port[1] = word(&line);
	bool known = !bytes_is(&family, "UNKNOWN");

	if (known && (!is_address(source, four ? AF_INET : AF_INET6) ||
		      !is_address(destination, four ? AF_INET : AF_INET6) ||
		      !is_port(port[0]) || !is_port(port[1]) || bytes_left(&line) > 0))
		return false;
	sink->number(sink->self, VERSION, 1);
	if (known) {
		sink->field(sink->self, SOURCE, source);
		sink->field(sink->self, DESTINATION, destination);
	}
	return true;
}

/* As far as the bytes go. */
static bool
begins(struct bytes data, const void *with, size_t most)
{
	size_t len = bytes_left(&data) < most ? bytes_left(&data) : most;

	return memcmp(data.p, with, len) == 0;
}

static enum inspect_answer
read_text(struct bytes *data, const struct inspect_sink *sink)
{
	struct bytes b = *data, line;

	if (!begins(b, "PROXY ", 6))
		return INSPECT_NO;
	if (!bytes_line(&b, &line))
		return bytes_left(data) < LINE_MOST ? INSPECT_MORE : INSPECT_NO;
	/* The end is CR and LF, as bytes_line() takes them off. */
	if (b.p - line.p > LINE_MOST || b.p - line.end != 2 || !read_line(line, sink))
		return INSPECT_NO;
	*data = b;
	return INSPECT_DONE;
}

static void
tell_address(struct bytes *b, unsigned family, const struct inspect_sink *sink, unsigned field)
{
	char text[INET6_ADDRSTRLEN];
	struct bytes address = bytes_take(b, family == INTERNET ? 4 : 16);

	if (!b->bad &&
	    inet_ntop(family == INTERNET ? AF_INET : AF_INET6, address.p, text, sizeof(text)))
		tell(sink, field, text);
}

static void
tell_values(struct bytes b, const struct inspect_sink *sink)
{
	while (bytes_left(&b) > 0) {
		uint8_t type = bytes_u8(&b);
		struct bytes value = bytes_take(&b, bytes_be16(&b));

		if (!b.bad && type == TYPE_AUTHORITY && bytes_left(&value) > 0)
			sink->field(sink->self, AUTHORITY, value);
	}
}

/* What is behind the first 16 bytes, or the beginning of it. */
static void
tell_end(struct bytes b, uint8_t command, unsigned family, const struct inspect_sink *sink)
{
	sink->number(sink->self, VERSION, 2);
	tell(sink, COMMAND, command == LOCAL ? "local" : "proxy");
	if (family == INTERNET || family == INTERNET_6) {
		tell_address(&b, family, sink, SOURCE);
		tell_address(&b, family, sink, DESTINATION);
		bytes_skip(&b, 4);
	} else if (family == UNIX) {
		bytes_skip(&b, 216);
	}
	tell_values(b, sink);
}

static enum inspect_answer
read_binary(struct proxy *x, struct bytes *data, const struct inspect_sink *sink)
{
	struct bytes b = *data, body;

	if (!begins(b, signature, SIGNATURE))
		return INSPECT_NO;
	bytes_skip(&b, SIGNATURE);
	uint8_t first = bytes_u8(&b), second = bytes_u8(&b);
	uint16_t length = bytes_be16(&b);

	if (b.bad)
		return INSPECT_MORE;
	if (first >> 4 != 2 || (first & 15) > PROXIED || second >> 4 > UNIX ||
	    (second & 15) > 2)
		return INSPECT_NO;
	size_t want = length <= SEEN_MOST ? length : ADDRESSES_MOST;

	body = bytes_take(&b, want);
	if (b.bad)
		return INSPECT_SURE;
	tell_end(body, first & 15, second >> 4, sink);
	x->rest = (uint16_t)(length - want);
	x->within = x->rest > 0;
	*data = b;
	return x->within ? INSPECT_SURE : INSPECT_DONE;
}

static enum inspect_answer
pass_over(struct proxy *x, struct bytes *data)
{
	size_t n = bytes_left(data) < x->rest ? bytes_left(data) : x->rest;

	bytes_skip(data, n);
	x->rest = (uint16_t)(x->rest - n);
	return x->rest > 0 ? INSPECT_SURE : INSPECT_DONE;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct proxy *x = state;
	struct bytes peek = view->data;
	enum inspect_answer answer;

	/* What the server says meanwhile is for the inner protocol. */
	if (view->dir == INSPECT_SERVER && !x->begun)
		return INSPECT_NO;
	if (view->dir == INSPECT_SERVER || bytes_left(&view->data) == 0)
		return x->sure ? INSPECT_SURE : INSPECT_MORE;
	x->begun = true;
	if (x->sure && view->lost)
		return INSPECT_DONE;
	if (x->within)
		answer = pass_over(x, &view->data);
	else if (bytes_u8(&peek) == 'P')
		answer = read_text(&view->data, sink);
	else
		answer = read_binary(x, &view->data, sink);
	if (answer == INSPECT_SURE && x->within)
		answer = pass_over(x, &view->data);
	x->sure = answer == INSPECT_SURE;
	if (answer == INSPECT_DONE)
		sink->inner(sink->self, NULL);
	return answer;
}

static const struct inspect_start starts[] = {
	{ .from = INSPECT_FROM_CLIENT,
	  .count = 6,
	  .bytes = { INSPECT_IS('P'), INSPECT_IS('R'), INSPECT_IS('O'), INSPECT_IS('X'),
		     INSPECT_IS('Y'), INSPECT_IS(' ') } },
	{ .from = INSPECT_FROM_CLIENT,
	  .count = 5,
	  .bytes = { INSPECT_IS('\r'), INSPECT_IS('\n'), INSPECT_IS('\r'), INSPECT_IS('\n'),
		     INSPECT_IS(0) } },
};

const struct inspector inspect_proxy = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "proxy",
	.state_size = sizeof(struct proxy),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
