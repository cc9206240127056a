/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/http.h"

/* Lines of one header that are told whole; more of them would only be a burden. */
enum { LINES_MAX = 64 };

const struct inspect_field http_fields[HTTP_FIELDS] = {
	[HTTP_METHOD] = { "method", INSPECT_TEXT },
	[HTTP_HOST] = { "host", INSPECT_SERVER_NAME },
	[HTTP_URL] = { "url", INSPECT_TEXT },
	[HTTP_MIME] = { "mime", INSPECT_TEXT },
	[HTTP_C_HEADER] = { "c-header-field", INSPECT_BULK },
	[HTTP_S_HEADER] = { "s-header-field", INSPECT_BULK },
	[HTTP_REFERER] = { "referer", INSPECT_TEXT },
	[HTTP_USER_AGENT] = { "user-agent", INSPECT_TEXT },
	[HTTP_FROM] = { "from", INSPECT_TEXT },
	[HTTP_SERVER] = { "server", INSPECT_TEXT },
	[HTTP_LOCATION] = { "location", INSPECT_TEXT },
	[HTTP_CONTENT_ENCODING] = { "content-encoding", INSPECT_TEXT },
	[HTTP_COOKIE] = { "cookie", INSPECT_TEXT },
	[HTTP_VERSION] = { "version", INSPECT_TEXT },
	[HTTP_VIA] = { "via", INSPECT_TEXT },
	[HTTP_SUB_PROTOCOL] = { "sub-protocol", INSPECT_TEXT },
};

/* A header's line as a request or a response has it, and the field that it is. */
static const struct {
	const char *name;
	uint8_t role;  /* enum http_role */
	uint8_t field; /* enum http_field */
} plain[] = {
	{ "Referer", HTTP_REQUESTS, HTTP_REFERER },
	{ "User-Agent", HTTP_REQUESTS, HTTP_USER_AGENT },
	{ "From", HTTP_REQUESTS, HTTP_FROM },
	{ "Cookie", HTTP_REQUESTS, HTTP_COOKIE },
	{ "Via", HTTP_REQUESTS, HTTP_VIA },
	{ "Server", HTTP_RESPONSES, HTTP_SERVER },
	{ "Location", HTTP_RESPONSES, HTTP_LOCATION },
	{ "Content-Encoding", HTTP_RESPONSES, HTTP_CONTENT_ENCODING },
	{ "Sec-WebSocket-Protocol", HTTP_RESPONSES, HTTP_SUB_PROTOCOL },
};

/* The last element of a comma-separated list. */
static struct bytes
last_of(struct bytes list)
{
	for (const uint8_t *at = list.p; at < list.end; at++)
		if (*at == ',')
			list.p = at + 1;
	return bytes_trim(list);
}

static struct bytes
first_of(struct bytes list, char separator)
{
	const uint8_t *at =
		bytes_left(&list) > 0 ? memchr(list.p, separator, bytes_left(&list)) : NULL;

	if (at)
		list.end = at;
	return bytes_trim(list);
}

/*
 * RFC 9112 section 6.3: of a list of equal lengths the first stands; a length that is no
 * number is none. Zeros in front mean nothing; what exists has no more than 18 other digits.
 */
static void
take_length(struct http_message *m, struct bytes value)
{
	struct bytes b = first_of(value, ',');
	uint64_t length = 0;

	if (m->has_length || bytes_left(&b) == 0)
		return;
	while (bytes_left(&b) > 1 && bytes_starts(&b, "0"))
		bytes_skip(&b, 1);
	if (bytes_left(&b) > 18)
		return;
	while (b.p < b.end) {
		uint8_t c = bytes_u8(&b);

		if (c < '0' || c > '9')
			return;
		length = length * 10 + (uint64_t)(c - '0');
	}
	m->length = length;
	m->has_length = true;
}

static void
take_coding(struct http_message *m, struct bytes value)
{
	struct bytes token = last_of(value);

	m->has_coding = true;
	if (bytes_left(&token) > 0)
		m->chunked = bytes_is(&token, "chunked");
}

/* A line that continues the one before (RFC 9112 section 5.2): only the framing matters. */
static void
take_fold(struct http_message *m, struct bytes line)
{
	if (m->fold == HTTP_FOLD_LENGTH)
		take_length(m, bytes_trim(line));
	else if (m->fold == HTTP_FOLD_CODING)
		take_coding(m, line);
}

/* What decides where the message ends and what comes behind it. */
static void
take_framing(struct http_message *m, const struct bytes *name, struct bytes value)
{
	struct bytes token;

	m->fold = HTTP_FOLD_OTHER;
	if (bytes_is(name, "Content-Length")) {
		m->fold = HTTP_FOLD_LENGTH;
		take_length(m, value);
	} else if (bytes_is(name, "Transfer-Encoding")) {
		m->fold = HTTP_FOLD_CODING;
		take_coding(m, value);
	} else if (bytes_is(name, "Upgrade")) {
		token = first_of(value, ',');
		m->upgrade = true;
		m->websocket = bytes_is(&token, "websocket"); /* RFC 6455 section 4.1 */
	} else if (bytes_is(name, "Expect")) {
		m->expect = bytes_is(&value, "100-continue");
	}
}

/* RFC 8484 section 4.1: a question has this type, or asks for it. */
static bool
is_doh(const struct bytes *name, struct bytes value)
{
	return (bytes_is(name, "Accept") || bytes_is(name, "Content-Type")) &&
	       bytes_starts(&value, "application/dns-message");
}

void
http_header_line(struct http_side *side, struct bytes line, bool cut,
		 const struct inspect_sink *sink)
{
	struct http_message *m = &side->message;
	bool request = side->role == HTTP_REQUESTS;
	const uint8_t *colon =
		bytes_left(&line) > 0 ? memchr(line.p, ':', bytes_left(&line)) : NULL;
	struct bytes name = { .p = line.p, .end = colon },
		     value = { .p = colon, .end = line.end };

	if (bytes_trim(line).p != line.p)
		take_fold(m, line);
	if (!colon || colon == line.p || bytes_trim(line).p != line.p)
		return;
	name = bytes_trim(name);
	if (m->lines < LINES_MAX) {
		struct bytes whole = bytes_trim(line);

		m->lines++;
		sink->field(sink->self, request ? HTTP_C_HEADER : HTTP_S_HEADER, whole);
	}
	bytes_skip(&value, 1);
	value = bytes_trim(value);
	if (!cut)
		take_framing(m, &name, value);
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (plain[i].role == side->role && bytes_is(&name, plain[i].name))
			sink->field(sink->self, plain[i].field, value);
	/* The first Host stands, and a host in the target before it (RFC 9112 section 3.2.2).
	 */
	if (request && !m->has_host && bytes_is(&name, "Host") && bytes_left(&value) > 0) {
		m->has_host = true;
		sink->field(sink->self, HTTP_HOST, http_line_host(value));
	}
	if (request && is_doh(&name, value))
		sink->application(sink->self, "doh");
	if (!request && bytes_is(&name, "Content-Type"))
		sink->field(sink->self, HTTP_MIME, first_of(value, ';'));
}
