/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * STUN (RFC 8489, and RFC 3489 before it) and TURN (RFC 8656) over UDP and TCP. A message with
 * the cookie whose attributes end where it does leaves no doubt: 2^-52 for the header alone.
 * What then shares the flow (RTP, RTCP, DTLS; RFC 7983), or TURN carries for the peer, is the
 * inner protocol.
 */
#include "inspect/stun.h"

#include <arpa/inet.h>
#include <stdio.h>

enum {
	COOKIE = 0x2112a442,
	CHANNEL_HEADER = 4,
	CHANNELS_LIKELY =
		3,       /* without a message: 2^-16 for each length, 2^-16 for its number */
	NAMED_AFTER = 6, /* messages */
	TEXT_MAX = 128,
	BARE = 1, /* TCP, told in `framed` */
	FRAMES = 2,
};

struct stun {
	struct stun_media media;
	uint16_t channel; /* of the ChannelData last seen */
	uint8_t channels; /* that followed with the same number */
	uint8_t messages; /* up to NAMED_AFTER */
	uint8_t answer;   /* enum inspect_answer, the strongest so far */
	uint8_t framed;   /* TCP: BARE, or FRAMES: each message behind a length (RFC 4571) */
	uint8_t methods;  /* told, a bit each of method % 8 */
	uint8_t told;     /* fields that are told once, a bit each */
	bool turn;        /* told */
	bool binds;       /* a ConnectionBind was asked for */
};

enum field {
	STUN_METHOD,
	STUN_SOFTWARE,
	STUN_REALM,
	STUN_USERNAME,
	STUN_MAPPED,
	STUN_RELAYED,
	STUN_FIELDS
};

static const struct inspect_field fields[STUN_FIELDS] = {
	[STUN_METHOD] = { "method", INSPECT_TEXT },
	[STUN_SOFTWARE] = { "software", INSPECT_TEXT },
	[STUN_REALM] = { "realm", INSPECT_TEXT },
	[STUN_USERNAME] = { "username", INSPECT_TEXT },
	[STUN_MAPPED] = { "mapped-address", INSPECT_TEXT },
	[STUN_RELAYED] = { "relayed-address", INSPECT_TEXT },
};

static const char *const methods[] = {
	[STUN_BINDING] = "binding",
	[STUN_ALLOCATE] = "allocate",
	[STUN_REFRESH] = "refresh",
	[STUN_SEND] = "send",
	[STUN_DATA] = "data",
	[STUN_PERMISSION] = "create-permission",
	[STUN_CHANNEL] = "channel-bind",
	[STUN_CONNECT] = "connect",
	[STUN_CONNECTION_BIND] = "connection-bind",
	[STUN_ATTEMPT] = "connection-attempt",
};

static void
tell_text(struct stun *s, enum field field, struct bytes value, const struct inspect_sink *sink)
{
	while (bytes_left(&value) > 0 && value.end[-1] == 0) /* RFC 3489's padding */
		value.end--;
	if (bytes_left(&value) == 0 || s->told & 1u << field)
		return;
	if (bytes_left(&value) > TEXT_MAX)
		value.end = value.p + TEXT_MAX;
	s->told |= (uint8_t)(1u << field);
	sink->field(sink->self, field, value);
}

static void
tell_address(struct stun *s, enum field field, const struct stun_address *address,
	     const struct inspect_sink *sink)
{
	char ip[INET6_ADDRSTRLEN], text[INET6_ADDRSTRLEN + 8];
	bool four = address->ip_version == 4;

	if (!address->ip_version ||
	    !inet_ntop(four ? AF_INET : AF_INET6, address->b, ip, sizeof(ip)))
		return;
	snprintf(text, sizeof(text), four ? "%s:%u" : "[%s]:%u", ip, address->port);
	tell_text(s, field, bytes_of(text, strlen(text)), sink);
}

static void
tell(struct stun *s, const struct stun_message *m, const struct inspect_sink *sink)
{
	bool known = m->method < sizeof(methods) / sizeof(methods[0]) && methods[m->method];
	uint8_t bit = (uint8_t)(1u << (m->method % 8));

	if (known && !(s->methods & bit)) {
		s->methods |= bit;
		sink->field(sink->self, STUN_METHOD,
			    bytes_of(methods[m->method], strlen(methods[m->method])));
	}
	tell_text(s, STUN_SOFTWARE, m->software, sink);
	tell_text(s, STUN_REALM, m->realm, sink);
	tell_text(s, STUN_USERNAME, m->username, sink);
	tell_address(s, STUN_MAPPED, &m->mapped, sink);
	tell_address(s, STUN_RELAYED, &m->relayed, sink);
}

static void
answer(struct stun *s, enum inspect_answer strength)
{
	if (s->answer < strength)
		s->answer = (uint8_t)strength;
}

static void
take_media(struct stun *s, const struct inspect_view *view, struct bytes data,
	   const struct inspect_sink *sink)
{
	const char *inner;

	if (s->answer < INSPECT_SURE || bytes_left(&data) == 0)
		return;
	inner = stun_media_add(&s->media, view->dir, data, view->time_ns);
	if (inner)
		sink->inner(sink->self, inner);
}

/* TURN is STUN's messages with methods of its own: a protocol that STUN carries. */
static void
take_turn(struct stun *s, const struct inspect_sink *sink)
{
	if (!s->turn)
		sink->application(sink->self, "turn");
	s->turn = true;
}

/*
 * A flow is named once TURN's methods were seen, or so many messages without; an end point that
 * wants to know its address may still ask for a relay.
 */
static void
take_message(struct stun *s, const struct stun_message *m, enum stun_proof proof,
	     const struct inspect_view *view, const struct inspect_sink *sink)
{
	if (stun_message_is_turn(m))
		take_turn(s, sink);
	if (s->messages < NAMED_AFTER)
		s->messages++;
	if (proof == STUN_SURE)
		answer(s, s->turn || s->messages == NAMED_AFTER ? INSPECT_NAMED : INSPECT_SURE);
	else
		answer(s, INSPECT_LIKELY);
	if (s->answer < INSPECT_SURE)
		return;
	tell(s, m, sink);
	if (m->kind == STUN_INDICATION)
		take_media(s, view, m->data, sink);
}

/*
 * ChannelData (RFC 8656 section 12.4): a channel's number, a length, and what the peer sent;
 * over UDP up to three bytes of padding may stand behind it. Returns false if it is none.
 */
static bool
take_channel(struct stun *s, struct bytes data, const struct inspect_view *view,
	     const struct inspect_sink *sink)
{
	uint16_t number = bytes_be16(&data), len = bytes_be16(&data);
	struct bytes inside = bytes_take(&data, len);

	if (data.bad || number < 0x4000 || number > 0x4fff || bytes_left(&data) > 3)
		return false;
	s->channels = s->channel == number ? (uint8_t)(s->channels + 1) : 1;
	s->channel = number;
	if (s->channels >= CHANNELS_LIKELY) {
		s->channels = CHANNELS_LIKELY;
		take_turn(s, sink);
		answer(s, INSPECT_LIKELY);
	}
	take_media(s, view, inside, sink);
	return true;
}

static enum inspect_answer
say(const struct stun *s)
{
	return s->answer ? (enum inspect_answer)s->answer : INSPECT_MORE;
}

static enum inspect_answer
feed_udp(struct stun *s, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct stun_message m;
	enum stun_proof proof = stun_message_read(view->data, true, &m);

	if (proof != STUN_NONE)
		take_message(s, &m, proof, view, sink);
	else if (take_channel(s, view->data, view, sink))
		return say(s);
	else if (s->answer == INSPECT_NO)
		return INSPECT_NO;
	else
		take_media(s, view, view->data, sink);
	return say(s);
}

/* How a stream begins: a message at once, or behind a length (RFC 4571, RFC 6544). */
static enum inspect_answer
begin(struct stun *s, struct bytes data)
{
	struct bytes plain = data, framed = data;
	uint16_t first = bytes_be16(&plain);

	bytes_skip(&plain, 2);
	if (bytes_left(&data) >= 2 && first >= 0x4000)
		return INSPECT_NO;
	if (bytes_left(&plain) < 4)
		return INSPECT_MORE;
	if (bytes_be32(&plain) == COOKIE) {
		s->framed = BARE;
		return INSPECT_SURE;
	}
	bytes_skip(&framed, 6);
	uint8_t seen = bytes_u8(&framed);

	if (framed.bad || seen != COOKIE >> 24)
		return bytes_left(&data) > 6 ? INSPECT_NO : INSPECT_MORE;
	bytes_skip(&framed, 3);
	if (framed.bad)
		return INSPECT_MORE;
	framed = data;
	bytes_skip(&framed, 6);
	if (bytes_be32(&framed) != COOKIE)
		return INSPECT_NO;
	s->framed = FRAMES;
	return INSPECT_SURE;
}

/* The length of what the stream goes on with; 0: more is needed, SIZE_MAX: it is nothing. */
static size_t
piece(struct bytes data)
{
	uint16_t type = bytes_be16(&data);
	size_t len = bytes_be16(&data);

	if (data.bad)
		return 0;
	if (type < 0x4000 && len % 4 == 0)
		return len + 20;
	/* Over a stream ChannelData is padded to four bytes. */
	return type <= 0x4fff ? CHANNEL_HEADER + ((len + 3) & ~(size_t)3) : SIZE_MAX;
}

/* One message of a stream. Returns false where the flow is none of STUN's. */
static bool
take_piece(struct stun *s, struct bytes data, const struct inspect_view *view,
	   const struct inspect_sink *sink)
{
	struct stun_message m;
	enum stun_proof proof = stun_message_read(data, true, &m);

	if (proof == STUN_NONE) {
		(void)take_channel(s, data, view, sink);
		return s->answer >= INSPECT_LIKELY;
	}
	if (m.method == STUN_CONNECTION_BIND && m.kind == STUN_REQUEST)
		s->binds = true;
	take_message(s, &m, proof, view, sink);
	return true;
}

static enum inspect_answer
feed_tcp(struct stun *s, struct inspect_view *view, const struct inspect_sink *sink)
{
	enum inspect_answer begun = s->framed ? INSPECT_SURE : begin(s, view->data);

	if (begun != INSPECT_SURE) /* behind a gap what was likely stays so */
		return s->answer ? say(s) : begun;
	for (;;) {
		struct bytes b = view->data, one;
		size_t len = s->framed == FRAMES ? bytes_be16(&b) : piece(b);

		if (b.bad || len == 0)
			return say(s);
		if (len == SIZE_MAX) { /* not read any more, but still its own */
			view->data.p = view->data.end;
			return s->answer >= INSPECT_SURE ? INSPECT_DONE : INSPECT_NO;
		}
		one = bytes_take(&b, len);
		if (b.bad)
			return say(s);
		view->data.p = b.p;
		if (!take_piece(s, one, view, sink))
			return INSPECT_NO;
		if (s->binds && view->dir == INSPECT_SERVER && s->answer >= INSPECT_SURE) {
			/* RFC 6062 section 4.3: from here on, what the peer sends. */
			sink->inner(sink->self, NULL);
			return say(s);
		}
	}
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct stun *s = state;

	if (view->transport == INSPECT_UDP)
		return feed_udp(s, view, sink);
	if (view->lost && s->answer < INSPECT_SURE)
		s->framed = 0;
	if (view->lost && s->answer >= INSPECT_SURE) {
		view->data.p = view->data.end;
		return INSPECT_DONE;
	}
	return feed_tcp(s, view, sink);
}

/* The cookie, the classic types, a channel; over TCP also behind a length. */
static const struct inspect_start starts[] = {
	{ .transports = INSPECT_UDP,
	  .least = 20,
	  .count = 8,
	  .bytes = { { 0, 0x3f },
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS(0x21),
		     INSPECT_IS(0x12),
		     INSPECT_IS(0xa4),
		     INSPECT_IS(0x42) } },
	{ .transports = INSPECT_UDP,
	  .least = 20,
	  .count = 2,
	  .bytes = { { 0, 1 }, { 1, 0x13 } } },
	{ .transports = INSPECT_UDP, .least = 4, .count = 1, .bytes = { { 0x40, 0x4f } } },
	{ .transports = INSPECT_TCP,
	  .count = 8,
	  .bytes = { { 0, 0x3f },
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS(0x21),
		     INSPECT_IS(0x12),
		     INSPECT_IS(0xa4),
		     INSPECT_IS(0x42) } },
	{ .transports = INSPECT_TCP,
	  .count = 7,
	  .bytes = { { 0, 0x3f },
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS(0x21) } },
	{ .transports = INSPECT_TCP, .most = 7, .count = 1, .bytes = { { 0, 0x3f } } },
	{ .transports = INSPECT_TCP, .most = 1 },
};

const struct inspector inspect_stun = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "stun",
	.state_size = sizeof(struct stun),
	.transports = INSPECT_UDP | INSPECT_TCP,
	.fields = fields,
	.field_count = STUN_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
