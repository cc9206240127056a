/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * SIP (RFC 3261) over UDP, a message a datagram, and over TCP, one after another by their
 * Content-Length. Its first line ends or begins with the version, which nothing else does. The
 * sessions that it describes (RFC 3264: offer and answer) are announced.
 */
#include "inspect/message.h"
#include "inspect/sdp.h"

enum {
	SIP_METHOD,
	SIP_REQUEST_URI,
	SIP_DOMAIN,
	SIP_FROM,
	SIP_TO,
	SIP_CALL_ID,
	SIP_USER_AGENT,
	SIP_SERVER,
	SIP_MEDIA,
	SIP_FIELDS
};

static const struct inspect_field fields[SIP_FIELDS] = {
	[SIP_METHOD] = { "method", INSPECT_TEXT },
	[SIP_REQUEST_URI] = { "request-uri", INSPECT_TEXT },
	[SIP_DOMAIN] = { "domain", INSPECT_TEXT },
	[SIP_FROM] = { "from", INSPECT_TEXT },
	[SIP_TO] = { "to", INSPECT_TEXT },
	[SIP_CALL_ID] = { "call-id", INSPECT_TEXT },
	[SIP_USER_AGENT] = { "user-agent", INSPECT_TEXT },
	[SIP_SERVER] = { "server", INSPECT_TEXT },
	[SIP_MEDIA] = { "media", INSPECT_TEXT },
};

enum {
	TEXT_MOST = 256,
	BODY_MOST = INSPECT_WINDOW / 2,
	KEEPALIVES_MOST = 16,
	KEEPALIVE_MOST = 8,
	PORT = 5060
};
enum phase { FIRST, HEADER, BODY, SKIP, SEARCH };

static const char version[] = "SIP/2.?";

struct sip_side {
	uint32_t length; /* of the body, or what is left to be skipped of it */
	uint8_t phase;
	uint8_t keepalives;
	bool request;
};

struct sip {
	struct sip_side side[2];
	uint8_t media;  /* told */
	uint8_t answer; /* enum inspect_answer */
};

/* A header's long and compact names (RFC 3261 section 7.3.3). */
static const struct {
	const char *name, *compact;
	uint8_t field;
	bool request; /* of requests only: an answer repeats it */
} headers[] = {
	{ "From", "f", SIP_FROM, true },       { "To", "t", SIP_TO, true },
	{ "Call-ID", "i", SIP_CALL_ID, true }, { "User-Agent", NULL, SIP_USER_AGENT, false },
	{ "Server", NULL, SIP_SERVER, false },
};

static void
tell(const struct inspect_sink *sink, unsigned field, struct bytes value)
{
	if (bytes_left(&value) > TEXT_MOST)
		value.end = value.p + TEXT_MOST;
	if (bytes_left(&value) > 0)
		sink->field(sink->self, field, value);
}

/* The host of "sip:alice@example.com:5060;transport=tcp" (section 19.1.1). */
static struct bytes
domain_of(struct bytes url)
{
	struct bytes b = url, host;

	while (bytes_left(&b) > 0)
		if (bytes_u8(&b) == ':')
			break;
	host = b;
	while (bytes_left(&b) > 0)
		if (bytes_u8(&b) == '@')
			host = b;
	bool literal = bytes_left(&host) > 0 && *host.p == '[';

	for (b = host; bytes_left(&b) > 0; bytes_skip(&b, 1))
		if (*b.p == ';' || *b.p == '?' || (*b.p == ':' && !literal) || *b.p == ']')
			break;
	host.end = bytes_left(&b) > 0 && *b.p == ']' ? b.p + 1 : b.p;
	return host;
}

static void
take_first(struct sip *s, struct sip_side *side, const struct message_first *first,
	   const struct inspect_sink *sink)
{
	side->request = first->code == 0;
	side->phase = HEADER;
	if (s->answer < INSPECT_SURE)
		s->answer = INSPECT_SURE;
	if (!side->request)
		return;
	tell(sink, SIP_METHOD, first->method);
	tell(sink, SIP_REQUEST_URI, first->url);
	if (!bytes_starts(&first->url, "tel:"))
		tell(sink, SIP_DOMAIN, domain_of(first->url));
}

static void
take_header(struct sip *s, struct sip_side *side, struct bytes header,
	    const struct inspect_sink *sink)
{
	struct bytes name, value;

	side->length = 0;
	while (message_next(&header, &name, &value)) {
		uint32_t n;

		if ((bytes_is(&name, "Content-Length") || bytes_is(&name, "l")) &&
		    sdp_number(value, UINT32_MAX, &n))
			side->length = n;
		for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
			if ((side->request || !headers[i].request) &&
			    (bytes_is(&name, headers[i].name) ||
			     (headers[i].compact && bytes_is(&name, headers[i].compact))))
				tell(sink, headers[i].field, value);
	}
	side->phase = side->length == 0 ? FIRST : side->length > BODY_MOST ? SKIP : BODY;
	s->answer = INSPECT_NAMED;
}

static void
take_body(struct sip *s, struct bytes body, uint8_t dir, const struct inspect_sink *sink)
{
	struct sdp sdp = { .sink = sink, .from = dir };

	sdp_read(&sdp, body);
	for (unsigned bit = 1; bit <= SDP_APPLICATION; bit <<= 1)
		if (sdp.media & bit & ~s->media) {
			const char *name = sdp_media_name(bit);

			sink->field(sink->self, SIP_MEDIA, bytes_of(name, strlen(name)));
		}
	s->media |= sdp.media;
}

/* CR LF before a message keeps a translator's entry alive (RFC 5626 section 3.5.1). */
static void
skip_keepalives(struct sip_side *side, struct bytes *data)
{
	while (bytes_starts(data, "\r\n")) {
		bytes_skip(data, 2);
		if (side->keepalives < UINT8_MAX)
			side->keepalives++;
	}
}

static enum inspect_answer
say(const struct sip *s)
{
	return s->answer ? (enum inspect_answer)s->answer : INSPECT_MORE;
}

/*
 * A few bytes that keep a translator's entry alive: a lonely CR or zero bytes anywhere, any
 * word ("hello", "jaK") on SIP's own port.
 */
static bool
is_keepalive(const struct inspect_view *view, struct bytes data)
{
	uint8_t seen = 0;

	if (bytes_left(&data) > KEEPALIVE_MOST)
		return false;
	if (view->port[0] == PORT || view->port[1] == PORT)
		return true;
	while (bytes_left(&data) > 0)
		seen |= bytes_u8(&data);
	return seen == 0 || seen == '\r' || seen == '\n' || seen == ('\r' | '\n');
}

static enum inspect_answer
feed_udp(struct sip *s, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct sip_side *side = &s->side[view->dir];
	struct bytes data = view->data, header;
	struct message_first first;

	skip_keepalives(side, &data);
	if (bytes_left(&data) == 0 || is_keepalive(view, data))
		return s->answer || ++side->keepalives < KEEPALIVES_MOST ? say(s) : INSPECT_NO;
	if (message_first_line(&data, version, false, &first) < MESSAGE_REQUEST)
		return s->answer ? say(s) : INSPECT_NO;
	take_first(s, side, &first, sink);
	if (message_header(&data, true, &header)) {
		take_header(s, side, header, sink);
		take_body(s, data, view->dir, sink);
	}
	return say(s);
}

/* One step of a stream; false when it needs more, or there is no use. */
static bool
step(struct sip *s, struct sip_side *side, struct inspect_view *view,
     const struct inspect_sink *sink)
{
	struct bytes *data = &view->data, part;
	struct message_first first;
	size_t left = bytes_left(data), n;

	switch (side->phase) {
	case SEARCH:
		message_search(data, version, false);
		side->phase = FIRST;
		return bytes_left(data) > 0;
	case FIRST:
		skip_keepalives(side, data);
		if (bytes_left(data) == 1 && *data->p == '\r')
			return false;
		switch (message_first_line(data, version, false, &first)) {
		case MESSAGE_NO:
			side->phase = SEARCH;
			return s->answer >= INSPECT_SURE && bytes_line(data, &part);
		case MESSAGE_MORE: return false;
		default: take_first(s, side, &first, sink); return true;
		}
	case HEADER:
		if (!message_header(data, false, &part))
			return false;
		take_header(s, side, part, sink);
		return true;
	case BODY:
		if (left < side->length)
			return false;
		take_body(s, bytes_take(data, side->length), view->dir, sink);
		side->phase = FIRST;
		return true;
	default:
		n = left < side->length ? left : side->length;
		bytes_skip(data, n);
		side->length -= (uint32_t)n;
		if (side->length == 0)
			side->phase = FIRST;
		return side->length == 0;
	}
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct sip *s = state;
	struct sip_side *side = &s->side[view->dir];

	if (view->transport == INSPECT_UDP)
		return feed_udp(s, view, sink);
	if (view->lost)
		side->phase = SEARCH;
	while (step(s, side, view, sink))
		;
	if (s->answer < INSPECT_SURE &&
	    (side->phase == SEARCH || side->keepalives > KEEPALIVES_MOST))
		return INSPECT_NO;
	return say(s);
}

/* A method, the version, or what keeps the connection alive. */
static const struct inspect_start starts[] = {
	{ .count = 4, .bytes = { { 'A', '_' }, { 'A', '_' }, { 'A', '_' }, { 0x20, '_' } } },
	{ .count = 2, .bytes = { INSPECT_IS('\r'), INSPECT_IS('\n') } },
	{ .transports = INSPECT_UDP, .most = KEEPALIVE_MOST },
	{ .transports = INSPECT_TCP, .most = 1, .count = 1, .bytes = { INSPECT_IS('\r') } },
};

const struct inspector inspect_sip = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "sip",
	.state_size = sizeof(struct sip),
	.transports = INSPECT_UDP | INSPECT_TCP,
	.fields = fields,
	.field_count = SIP_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
