/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * H.323: call signalling and H.245 over TCP, each message in a TPKT (RFC 1006 section 6), and
 * RAS over UDP. Each channel announces the next: RAS where calls are signalled, signalling
 * where H.245 is, H.245 (also inside signalling) where media goes.
 */
#include "inspect/h323.h"
#include "inspect/tpkt.h"

enum { H323_CHANNEL, H323_FIELDS };

static const struct inspect_field fields[H323_FIELDS] = {
	[H323_CHANNEL] = { "channel", INSPECT_TEXT },
};

enum { TPKT_VERSION = 3, TPKT_HEADER = 4, LIKELY_MOST = 8, MESSAGE_MOST = INSPECT_WINDOW / 2 };
enum channel { UNKNOWN, RAS, Q931, H245 };

static const char *const channels[] = { "", "ras", "q931", "h245" };

struct h323 {
	uint32_t skip[2];
	uint8_t channel;
	uint8_t likely; /* messages that may be so, without one that is */
	uint8_t answer; /* enum inspect_answer */
};

void
h323_announce(struct inspect_announcement a, uint32_t life_s, const struct inspect_sink *sink)
{
	a.protocol = "h323";
	a.transport = INSPECT_TCP;
	a.life_s = life_s;
	a.many = true;
	sink->announce(sink->self, &a);
}

static void
settle(struct h323 *s, enum channel channel, const struct inspect_sink *sink)
{
	if (s->answer >= INSPECT_SURE)
		return;
	s->channel = (uint8_t)channel;
	s->answer = INSPECT_NAMED;
	sink->field(sink->self, H323_CHANNEL,
		    bytes_of(channels[channel], strlen(channels[channel])));
}

static enum inspect_answer
say(const struct h323 *s)
{
	return s->answer ? (enum inspect_answer)s->answer : INSPECT_MORE;
}

/* What a message is, and what it announces; its addresses count once the flow is sure. */
static bool
take_message(struct h323 *s, struct bytes message, const struct inspect_sink *sink)
{
	enum inspect_answer found = INSPECT_NO;

	if (s->channel != H245)
		found = h323_q931_read(message, true, sink);
	if (found == INSPECT_SURE) {
		settle(s, Q931, sink);
		return true;
	}
	if (found == INSPECT_NO && s->channel != Q931)
		found = h323_h245_read(message, s->answer >= INSPECT_LIKELY, sink);
	if (found == INSPECT_SURE)
		settle(s, H245, sink);
	if (found == INSPECT_LIKELY && s->answer == INSPECT_NO)
		s->answer = INSPECT_LIKELY;
	if (found == INSPECT_LIKELY && s->answer < INSPECT_SURE)
		return ++s->likely < LIKELY_MOST;
	return found >= INSPECT_LIKELY || s->answer >= INSPECT_SURE;
}

static enum inspect_answer
refuse(const struct h323 *s, struct inspect_view *view)
{
	if (s->answer < INSPECT_SURE)
		return INSPECT_NO;
	view->data.p = view->data.end;
	return say(s);
}

/* COTP: what is inside is S7's, MMS' or RDP's. */
static bool
is_other(struct bytes packet, size_t len)
{
	struct tpkt t;

	return tpkt_read(packet, len, &t) && t.kind != TPKT_OTHER;
}

static enum inspect_answer
feed_tcp(struct h323 *s, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct bytes *data = &view->data;
	uint32_t *skip = &s->skip[view->dir];

	if (view->lost)
		*skip = 0;
	while (bytes_left(data) > 0) {
		struct bytes b = *data, message;
		size_t n = bytes_left(data) < *skip ? bytes_left(data) : *skip;

		bytes_skip(data, n);
		*skip -= (uint32_t)n;
		b = *data;
		if (bytes_left(data) == 0)
			break;
		uint8_t version = bytes_u8(&b), zero = bytes_u8(&b);
		size_t len = bytes_be16(&b);

		if (version != TPKT_VERSION || zero != 0 || (!b.bad && len < TPKT_HEADER))
			return refuse(s, view);
		if (b.bad)
			break;
		if (len > MESSAGE_MOST) {
			*skip = (uint32_t)len;
			continue;
		}
		message = bytes_take(&b, len - TPKT_HEADER);
		if (b.bad)
			break;
		if (is_other(*data, len))
			return refuse(s, view);
		data->p = b.p;
		/* One without a message keeps the connection (H.323 section 8.7). */
		if (bytes_left(&message) > 0 && !take_message(s, message, sink))
			return refuse(s, view);
	}
	return say(s);
}

static enum inspect_answer
feed_udp(struct h323 *s, struct inspect_view *view, const struct inspect_sink *sink)
{
	enum inspect_answer found = h323_ras_read(view->data, view->port, true, sink);

	if (found == INSPECT_SURE)
		settle(s, RAS, sink);
	if (s->answer >= INSPECT_SURE)
		return say(s);
	if (found == INSPECT_NO)
		return INSPECT_NO;
	s->answer = INSPECT_LIKELY;
	return INSPECT_LIKELY;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	if (view->transport == INSPECT_UDP)
		return feed_udp(state, view, sink);
	return feed_tcp(state, view, sink);
}

/* A TPKT; of RAS what has the protocol's identifier, others on its ports. */
static const struct inspect_start starts[] = {
	{ .transports = INSPECT_TCP,
	  .count = 2,
	  .bytes = { INSPECT_IS(TPKT_VERSION), INSPECT_IS(0) } },
	{ .transports = INSPECT_UDP, .least = 4, .count = 1, .bytes = { { 0, 0x17 } } },
	{ .transports = INSPECT_UDP, .port = 1718 },
	{ .transports = INSPECT_UDP, .port = 1719 },
};

const struct inspector inspect_h323 = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "h323",
	.state_size = sizeof(struct h323),
	.transports = INSPECT_UDP | INSPECT_TCP,
	.fields = fields,
	.field_count = H323_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
