/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Skinny, Cisco's protocol between phones and a call manager, as observed: messages of a
 * length, a version and a number, all least significant byte first. The length counts the
 * number and what follows. Where media goes stands in a few of them, with an address whose form
 * the version tells.
 */
#include "inspect/sdp.h"

enum { SKINNY_DEVICE, SKINNY_MESSAGE, SKINNY_FIELDS };

static const struct inspect_field fields[SKINNY_FIELDS] = {
	[SKINNY_DEVICE] = { "device", INSPECT_TEXT },
	[SKINNY_MESSAGE] = { "message", INSPECT_NUMBER },
};

enum {
	HEADER = 8,
	LENGTH_MOST = 8192,
	VERSION_LAST = 0x20,  /* 0, then 10 to 22 were seen */
	VERSION_BOTH = 17,    /* from here on an address says its family, and has 16 bytes */
	PHONE_LAST = 0x4a,    /* numbers of what phones send, with gaps */
	MANAGER_FIRST = 0x81, /* and of what call managers send */
	MESSAGE_LAST = 0x160,
	PROOF = 3, /* messages in a row: 2^-40 each */
	DEVICE_MOST = 16,
};

enum {
	REGISTER = 0x0001,
	RECEIVE_ACK = 0x0022,       /* OpenReceiveChannelAck */
	VIDEO_RECEIVE_ACK = 0x0031, /* OpenMultiMediaReceiveChannelAck */
	TRANSMIT = 0x008a,          /* StartMediaTransmission */
	GROUP_RECEIVE = 0x0101,     /* StartMulticastMediaReception */
	GROUP_TRANSMIT = 0x0102,    /* StartMulticastMediaTransmission */
	VIDEO_TRANSMIT = 0x0132,    /* StartMultiMediaTransmission */
	TRANSMIT_ACK = 0x0154,      /* StartMediaTransmissionAck */
	VIDEO_TRANSMIT_ACK = 0x0155,
};

/* Messages with an address, and how many numbers of 32 bits stand before it. */
static const struct {
	uint16_t message;
	uint8_t before;
	bool own; /* the sender's own end */
} addressed[] = {
	{ RECEIVE_ACK, 1, true },    { VIDEO_RECEIVE_ACK, 1, true },
	{ TRANSMIT, 2, false },      { VIDEO_TRANSMIT, 3, false },
	{ GROUP_RECEIVE, 2, false }, { GROUP_TRANSMIT, 2, false },
	{ TRANSMIT_ACK, 3, true },   { VIDEO_TRANSMIT_ACK, 3, true },
};

struct skinny {
	uint8_t seen;     /* messages, while not sure */
	uint64_t told[2]; /* messages of the first 128, a bit each */
	bool device;
	uint8_t answer; /* enum inspect_answer */
};

static bool
read_address(struct bytes *b, uint32_t version, struct inspect_announcement *a)
{
	uint32_t family = version >= VERSION_BOTH ? bytes_le32(b) : 0;
	struct bytes field = bytes_take(b, version >= VERSION_BOTH ? 16 : 4);
	size_t len = family == 1 ? 16 : 4;
	uint8_t seen = 0;

	if (b->bad || family > 1)
		return false;
	a->ip_version = family == 1 ? 6 : 4;
	for (size_t i = 0; i < len; i++)
		seen |= a->address[i] = bytes_u8(&field);
	return seen != 0;
}

static void
announce(struct inspect_announcement *a, uint32_t port, const struct inspect_sink *sink)
{
	a->transport = INSPECT_UDP;
	a->life_s = SDP_LIFE_S;
	a->many = true;
	a->port = (uint16_t)port;
	a->protocol = "rtp";
	sink->announce(sink->self, a);
	if (port == UINT16_MAX)
		return;
	a->port++;
	a->protocol = "rtcp";
	sink->announce(sink->self, a);
}

static void
take_media(uint16_t message, uint32_t version, struct bytes b, uint8_t dir,
	   const struct inspect_sink *sink)
{
	for (size_t i = 0; i < sizeof(addressed) / sizeof(addressed[0]); i++) {
		struct inspect_announcement a = { 0 };
		struct bytes at = b;
		uint32_t port;

		if (addressed[i].message != message)
			continue;
		bytes_skip(&at, 4u * addressed[i].before);
		bool is = read_address(&at, version, &a);

		port = bytes_le32(&at);
		if (!is || at.bad || port == 0 || port > UINT16_MAX)
			return;
		announce(&a, port, sink);
		/* A phone behind a translator tells its private address: see sdp.c. */
		if (addressed[i].own && sdp_is_private(&a)) {
			a = (struct inspect_announcement){ .host = dir };
			announce(&a, port, sink);
		}
	}
}

static void
take_device(struct skinny *s, struct bytes b, const struct inspect_sink *sink)
{
	struct bytes name = bytes_take(&b, DEVICE_MOST);
	const uint8_t *zero = memchr(name.p, 0, bytes_left(&name));

	if (s->device || name.bad || !zero || zero - name.p < 3)
		return;
	name.end = zero;
	for (const uint8_t *p = name.p; p < name.end; p++)
		if (*p < '-' || *p > 'z')
			return;
	s->device = true;
	s->answer = INSPECT_NAMED;
	sink->field(sink->self, SKINNY_DEVICE, name);
}

static bool
is_header(struct bytes b)
{
	uint32_t len = bytes_le32(&b), version = bytes_le32(&b), message = bytes_le32(&b);

	return !b.bad && len >= 4 && len <= LENGTH_MOST && version <= VERSION_LAST &&
	       (version == 0 || version >= 10) &&
	       (message <= PHONE_LAST || (message >= MANAGER_FIRST && message <= MESSAGE_LAST));
}

/* What is there of a header that has not come whole must fit as well. */
static bool
may_be_header(struct bytes b)
{
	static const uint8_t most[] = { 0xff, LENGTH_MOST >> 8,  0, 0, VERSION_LAST, 0, 0, 0,
					0xff, MESSAGE_LAST >> 8, 0, 0 };
	size_t n = bytes_left(&b) < sizeof(most) ? bytes_left(&b) : sizeof(most);

	for (size_t i = 0; i < n; i++)
		if (bytes_u8(&b) > most[i])
			return false;
	return n < sizeof(most) || is_header((struct bytes){ .p = b.p - n, .end = b.end });
}

static void
take_message(struct skinny *s, struct bytes b, uint8_t dir, const struct inspect_sink *sink)
{
	uint32_t version, message;

	bytes_skip(&b, 4);
	version = bytes_le32(&b);
	message = bytes_le32(&b);
	if (message == REGISTER)
		take_device(s, b, sink);
	if (s->answer < INSPECT_SURE) {
		s->seen++;
		s->answer = s->seen >= PROOF ? INSPECT_NAMED : INSPECT_LIKELY;
	}
	if (message < 128 && !(s->told[message / 64] & (uint64_t)1 << message % 64) &&
	    s->answer >= INSPECT_SURE) {
		s->told[message / 64] |= (uint64_t)1 << message % 64;
		sink->number(sink->self, SKINNY_MESSAGE, message);
	}
	take_media((uint16_t)message, version, b, dir, sink);
}

static enum inspect_answer
say(const struct skinny *s)
{
	return s->answer ? (enum inspect_answer)s->answer : INSPECT_MORE;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct skinny *s = state;
	struct bytes *data = &view->data;

	if (view->lost && s->answer >= INSPECT_SURE) {
		/* A message most often begins with a segment. */
		if (!is_header(*data)) {
			data->p = data->end;
			return say(s);
		}
	}
	while (bytes_left(data) > 0) {
		struct bytes b = *data, one;
		size_t len;

		if (!may_be_header(b)) {
			data->p = data->end;
			return s->answer >= INSPECT_SURE ? say(s) : INSPECT_NO;
		}
		if (bytes_left(data) < HEADER + 4)
			return say(s);
		len = bytes_le32(&b);
		b = *data;
		one = bytes_take(&b, HEADER + len);
		if (b.bad)
			return say(s);
		data->p = b.p;
		take_message(s, one, view->dir, sink);
	}
	return say(s);
}

/* A header's two numbers, little-endian. */
static const struct inspect_start starts[] = {
	{ .count = 12,
	  .bytes = { INSPECT_ANY,
		     { 0, LENGTH_MOST >> 8 },
		     INSPECT_IS(0),
		     INSPECT_IS(0),
		     { 0, VERSION_LAST },
		     INSPECT_IS(0),
		     INSPECT_IS(0),
		     INSPECT_IS(0),
		     INSPECT_ANY,
		     { 0, MESSAGE_LAST >> 8 },
		     INSPECT_IS(0),
		     INSPECT_IS(0) } },
};

const struct inspector inspect_skinny = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "skinny",
	.state_size = sizeof(struct skinny),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = SKINNY_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
