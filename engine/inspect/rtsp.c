/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * RTSP (RFC 2326, RFC 7826): messages of one form in both directions, and between them, behind
 * a dollar sign, packets of RTP and RTCP (RFC 2326 section 10.12). What SETUP agrees on in its
 * Transport header is announced; the descriptions in DESCRIBE say where multicast goes.
 */
#include "inspect/message.h"
#include "inspect/sdp.h"

enum {
	RTSP_METHOD,
	RTSP_URL,
	RTSP_USER_AGENT,
	RTSP_SERVER,
	RTSP_TRANSPORT,
	RTSP_MEDIA,
	RTSP_FIELDS
};

static const struct inspect_field fields[RTSP_FIELDS] = {
	[RTSP_METHOD] = { "method", INSPECT_TEXT },
	[RTSP_URL] = { "url", INSPECT_TEXT },
	[RTSP_USER_AGENT] = { "user-agent", INSPECT_TEXT },
	[RTSP_SERVER] = { "server", INSPECT_TEXT },
	[RTSP_TRANSPORT] = { "transport", INSPECT_TEXT },
	[RTSP_MEDIA] = { "media", INSPECT_TEXT },
};

enum { TEXT_MOST = 256, BODY_MOST = INSPECT_WINDOW / 2, FRAME_HEADER = 4, SPECS_MOST = 8 };
enum phase { FIRST, HEADER, BODY, SKIP, SEARCH };

static const char version[] = "RTSP/?.?";

struct rtsp_side {
	uint32_t length; /* of the body, or what is left to be skipped of body or frame */
	uint8_t phase;
	bool request;
};

struct rtsp {
	struct rtsp_side side[2];
	uint8_t media;  /* told */
	uint8_t answer; /* enum inspect_answer */
};

static void
tell(const struct inspect_sink *sink, unsigned field, struct bytes value)
{
	if (bytes_left(&value) > TEXT_MOST)
		value.end = value.p + TEXT_MOST;
	if (bytes_left(&value) > 0)
		sink->field(sink->self, field, value);
}

/* The next piece up to the separator. */
static struct bytes
piece(struct bytes *b, char separator)
{
	const uint8_t *at = bytes_left(b) ? memchr(b->p, separator, bytes_left(b)) : NULL;
	struct bytes one = { .p = b->p, .end = at ? at : b->end };

	b->p = at ? at + 1 : b->end;
	return bytes_trim(one);
}

/* What a Transport header's parameters say of one end. */
struct ends {
	struct bytes client, server, multicast; /* ports, as "a" or "a-b" */
	struct bytes source, destination;
};

/* Announces the ports of one end: RTP at the first, RTCP at the second, if there are two. */
static void
announce(struct bytes ports, const char *protocol, struct inspect_announcement a,
	 const struct inspect_sink *sink)
{
	struct bytes first = piece(&ports, '-'), second = ports;
	uint32_t port;

	a.transport = INSPECT_UDP;
	a.life_s = SDP_LIFE_S;
	a.protocol = protocol;
	if (sdp_number(first, UINT16_MAX, &port) && port > 0) {
		a.port = (uint16_t)port;
		sink->announce(sink->self, &a);
	}
	if (strcmp(protocol, "rtp") == 0)
		a.protocol = "rtcp";
	if (sdp_number(second, UINT16_MAX, &port) && port > 0) {
		a.port = (uint16_t)port;
		sink->announce(sink->self, &a);
	}
}

/* Where the parameter names an address, there; else at the connection's end. */
static void
announce_at(struct bytes ports, struct bytes address, uint8_t host, const char *protocol,
	    const struct inspect_sink *sink)
{
	struct inspect_announcement a = { .host = host };

	if (sdp_address(address, &a))
		announce(ports, protocol, a, sink);
	a = (struct inspect_announcement){ .host = host };
	announce(ports, protocol, a, sink);
}

static void
take_parameter(struct bytes parameter, struct ends *ends)
{
	struct bytes name = piece(&parameter, '=');

	if (bytes_is(&name, "client_port"))
		ends->client = parameter;
	else if (bytes_is(&name, "server_port"))
		ends->server = parameter;
	else if (bytes_is(&name, "port"))
		ends->multicast = parameter;
	else if (bytes_is(&name, "source"))
		ends->source = parameter;
	else if (bytes_is(&name, "destination"))
		ends->destination = parameter;
}

/* RTSP 2.0 writes addresses: dest_addr=":3456"/":3457" (RFC 7826 section 18.54). */
static void
take_addresses(struct bytes parameter, const struct inspect_sink *sink)
{
	struct bytes name = piece(&parameter, '=');
	bool source = bytes_is(&name, "src_addr");
	const char *protocol = "rtp";

	if (!source && !bytes_is(&name, "dest_addr"))
		return;
	while (bytes_left(&parameter) > 0) {
		struct bytes one = piece(&parameter, '/'), host;

		if (bytes_left(&one) < 3 || one.p[0] != '"' || one.end[-1] != '"')
			return;
		one.p++;
		one.end--;
		for (host = one; host.end > host.p && host.end[-1] != ':'; host.end--)
			;
		one.p = host.end;
		if (host.end > host.p)
			host.end--;
		announce_at(one, host, source ? INSPECT_SERVER : INSPECT_CLIENT, protocol,
			    sink);
		protocol = "rtcp";
	}
}

/* "RTP/AVP;unicast;client_port=4588-4589;server_port=6256-6257". */
static void
take_spec(struct bytes spec, const struct inspect_sink *sink)
{
	struct bytes profile = piece(&spec, ';'), rest = spec, head = profile, tail = profile;
	struct ends ends;
	bool real = bytes_starts(&profile, "x-real-rdt") || bytes_starts(&profile, "x-pn-tng");
	bool stream = false;

	ends.client = ends.server = ends.multicast = ends.source = ends.destination =
		(struct bytes){ .p = spec.end, .end = spec.end };
	(void)piece(&head, '/');
	(void)piece(&head, '/');
	tail = head;
	stream = bytes_is(&tail, "TCP") ||
		 (real && bytes_left(&profile) > 4 && memcmp(profile.end - 4, "/tcp", 4) == 0);
	tell(sink, RTSP_TRANSPORT, profile);
	if (stream)
		return;
	while (bytes_left(&rest) > 0) {
		struct bytes parameter = piece(&rest, ';');

		take_parameter(parameter, &ends);
		take_addresses(parameter, sink);
	}
	announce_at(ends.client, ends.destination, INSPECT_CLIENT, real ? "rdt" : "rtp", sink);
	announce_at(ends.server, ends.source, INSPECT_SERVER, real ? "rdt" : "rtp", sink);
	announce_at(ends.multicast, ends.destination, INSPECT_CLIENT, "rtp", sink);
}

static void
take_first(struct rtsp *s, struct rtsp_side *side, const struct message_first *first,
	   const struct inspect_sink *sink)
{
	side->request = first->code == 0;
	side->phase = HEADER;
	if (s->answer < INSPECT_SURE)
		s->answer = INSPECT_SURE;
	if (!side->request)
		return;
	tell(sink, RTSP_METHOD, first->method);
	tell(sink, RTSP_URL, first->url);
}

static void
take_header(struct rtsp *s, struct rtsp_side *side, struct bytes header,
	    const struct inspect_sink *sink)
{
	struct bytes name, value;

	side->length = 0;
	while (message_next(&header, &name, &value)) {
		uint32_t n;

		if (bytes_is(&name, "Content-Length") && sdp_number(value, UINT32_MAX, &n))
			side->length = n;
		else if (bytes_is(&name, "User-Agent"))
			tell(sink, RTSP_USER_AGENT, value);
		else if (bytes_is(&name, "Server"))
			tell(sink, RTSP_SERVER, value);
		else if (bytes_is(&name, "Transport"))
			for (unsigned i = 0; i < SPECS_MOST && bytes_left(&value) > 0; i++)
				take_spec(piece(&value, ','), sink);
	}
	side->phase = side->length == 0 ? FIRST : side->length > BODY_MOST ? SKIP : BODY;
	s->answer = INSPECT_NAMED;
}

/* Ports of a description in DESCRIBE are only recommended, but those of multicast. */
static void
take_body(struct rtsp *s, struct bytes body, const struct inspect_sink *sink)
{
	struct sdp sdp = { .sink = sink, .from = INSPECT_NOBODY, .any_port = true };

	sdp_read(&sdp, body);
	for (unsigned bit = 1; bit <= SDP_APPLICATION; bit <<= 1)
		if (sdp.media & bit & ~s->media) {
			const char *name = sdp_media_name(bit);

			sink->field(sink->self, RTSP_MEDIA, bytes_of(name, strlen(name)));
		}
	s->media |= sdp.media;
}

static bool
take_frame(struct rtsp_side *side, struct bytes *data)
{
	struct bytes b = *data;

	bytes_skip(&b, 2);
	side->length = bytes_be16(&b);
	if (b.bad)
		return false;
	*data = b;
	side->phase = SKIP;
	return true;
}

static bool
start(struct rtsp *s, struct rtsp_side *side, struct bytes *data,
      const struct inspect_sink *sink)
{
	struct message_first first;
	struct bytes line;

	if (s->answer >= INSPECT_SURE && bytes_starts(data, "$"))
		return take_frame(side, data);
	while (s->answer >= INSPECT_SURE && bytes_starts(data, "\r\n"))
		bytes_skip(data, 2);
	if (s->answer >= INSPECT_SURE && bytes_left(data) == 1 && *data->p == '\r')
		return false;
	switch (message_first_line(data, version, true, &first)) {
	case MESSAGE_NO:
		side->phase = SEARCH;
		return s->answer >= INSPECT_SURE && bytes_line(data, &line);
	case MESSAGE_MORE: return false;
	default: take_first(s, side, &first, sink); return true;
	}
}

/* One step of a stream; false when it needs more, or there is no use. */
static bool
step(struct rtsp *s, struct rtsp_side *side, struct bytes *data,
     const struct inspect_sink *sink)
{
	struct bytes part;
	size_t left = bytes_left(data), n;

	switch (side->phase) {
	case SEARCH:
		message_search(data, version, true);
		side->phase = FIRST;
		return bytes_left(data) > 0;
	case FIRST: return start(s, side, data, sink);
	case HEADER:
		if (!message_header(data, false, &part))
			return false;
		take_header(s, side, part, sink);
		return true;
	case BODY:
		if (left < side->length)
			return false;
		take_body(s, bytes_take(data, side->length), sink);
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
	struct rtsp *s = state;
	struct rtsp_side *side = &s->side[view->dir];

	if (view->transport == INSPECT_UDP)
		side->phase = FIRST;
	else if (view->lost)
		side->phase = SEARCH;
	while (step(s, side, &view->data, sink))
		;
	if (view->transport == INSPECT_UDP) {
		view->data.p = view->data.end;
		if (s->answer == INSPECT_NO)
			return INSPECT_NO;
	}
	if (s->answer < INSPECT_SURE && side->phase == SEARCH)
		return INSPECT_NO;
	return s->answer ? (enum inspect_answer)s->answer : INSPECT_MORE;
}

/* A method or the version. */
static const struct inspect_start starts[] = {
	{ .count = 4, .bytes = { { 'A', '_' }, { 'A', '_' }, { 'A', '_' }, { 0x20, '_' } } },
};

const struct inspector inspect_rtsp = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "rtsp",
	.state_size = sizeof(struct rtsp),
	.transports = INSPECT_UDP | INSPECT_TCP,
	.fields = fields,
	.field_count = RTSP_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
