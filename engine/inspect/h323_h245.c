/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * H.245: capabilities, and logical channels with the addresses of RTP and RTCP. A set of
 * capabilities, the first message of each side, has the protocol's identifier. Channels are
 * described in OpenLogicalChannel and its acknowledgement, by H2250LogicalChannelParameters and
 * H2250LogicalChannelAckParameters (annex B), each in an open type whose length it must fill.
 */
#include "inspect/h323.h"
#include "inspect/sdp.h"

/* itu-t recommendation h 245 version 0 N */
static const uint8_t identifier[] = { 0x00, 0x08, 0x81, 0x75, 0x00 };

enum { REQUEST, RESPONSE, COMMAND, INDICATION };
enum { DETERMINATION = 1, CAPABILITIES = 2, OPEN = 3, OPEN_ACK = 5, DETERMINATION_ACK = 1 };
enum { ACK_FIRST = 0x22, ACK_SECOND = 0xc0 };
enum { OPEN_LEAST = 8, OPEN_MOST = 64, SEARCH_MOST = 8192 };

/* H.245's TransportAddress: unicast or multicast, then a choice of five, each extensible. */
static bool
read_address(struct h323_per *per, struct inspect_announcement *a)
{
	bool extended = h323_per_bits(per, 1), multicast = h323_per_bits(per, 1);
	bool later = h323_per_bits(per, 1);
	unsigned choice = h323_per_bits(per, multicast ? 1 : 3);
	bool six = multicast ? choice == 1 : choice == 2;
	struct bytes ip;

	(void)h323_per_bits(per, 1);
	if (extended || later || (choice != 0 && !six))
		return false;
	ip = h323_per_octets(per, six ? 16 : 4);
	*a = (struct inspect_announcement){ .ip_version = six ? 6 : 4 };
	a->port = h323_per_16(per);
	if (per->b.bad)
		return false;
	memcpy(a->address, ip.p, bytes_left(&ip));
	return a->port != 0 && (a->address[0] || six);
}

struct channel {
	struct inspect_announcement media, control;
	bool has_media, has_control;
};

static void
announce(struct inspect_announcement a, const char *protocol, const struct inspect_sink *sink)
{
	a.protocol = protocol;
	a.transport = INSPECT_UDP;
	a.life_s = SDP_LIFE_S;
	a.many = true;
	sink->announce(sink->self, &a);
}

/* RTCP's port is the next one above RTP's even one, where only one of them was told. */
static void
tell_channel(const struct channel *c, const struct inspect_sink *sink)
{
	struct inspect_announcement other;

	if (c->has_control)
		announce(c->control, "rtcp", sink);
	if (c->has_media) {
		announce(c->media, "rtp", sink);
	} else if (c->has_control && c->control.port & 1) {
		other = c->control;
		other.port--;
		announce(other, "rtp", sink);
	}
	if (c->has_media && !c->has_control && !(c->media.port & 1)) {
		other = c->media;
		other.port++;
		announce(other, "rtcp", sink);
	}
}

/*
 * H2250LogicalChannelParameters: an extension bit, ten optional fields (nonStandard,
 * associatedSessionID, mediaChannel, mediaGuaranteedDelivery, mediaControlChannel,
 * mediaControlGuaranteedDelivery, silenceSuppression, destination, dynamicRTPPayloadType,
 * mediaPacketization), the session in an octet, and those fields.
 */
static bool
read_parameters(struct bytes data, struct channel *c)
{
	struct h323_per per = h323_per_of(data);
	unsigned bits = (h323_per_bits(&per, 1), h323_per_bits(&per, 10));
	bool tail = bits & 0x0b; /* what follows is not read: no exact end */
	struct bytes session = h323_per_octets(&per, 1);

	*c = (struct channel){ 0 };
	if (session.bad || bits & 0x200 || *session.p > 32)
		return false;
	if (bits & 0x100)
		(void)h323_per_bits(&per, 8);
	c->has_media = bits >> 7 & 1;
	c->has_control = bits >> 5 & 1;
	if (c->has_media && !read_address(&per, &c->media))
		return false;
	if (bits & 0x40)
		(void)h323_per_bits(&per, 1);
	if (c->has_control && !read_address(&per, &c->control))
		return false;
	if (per.b.bad || (!c->has_media && !c->has_control))
		return false;
	if (tail || (data.p[0] & 0x80)) /* extensions may follow as well */
		return true;
	if (bits & 0x04) /* a destination of two octets */
		(void)h323_per_octets(&per, 2);
	return bytes_left(&per.b) <= 1;
}

/*
 * H2250LogicalChannelAckParameters: an extension bit, five optional fields (nonStandard,
 * sessionID, mediaChannel, mediaControlChannel, dynamicRTPPayloadType). In front of it the bit
 * of the choice it is in, which has no other alternatives.
 */
static bool
read_ack(struct bytes data, struct channel *c)
{
	struct h323_per per = h323_per_of(data);
	bool later = h323_per_bits(&per, 1);
	unsigned bits = (h323_per_bits(&per, 1), h323_per_bits(&per, 5));

	*c = (struct channel){ 0 };
	if (later || bits & 0x10)
		return false;
	if (bits & 8)
		(void)h323_per_bits(&per, 8); /* 1 to 255: not aligned */
	c->has_media = bits >> 2 & 1;
	c->has_control = bits >> 1 & 1;
	if (c->has_media && !read_address(&per, &c->media))
		return false;
	if (c->has_control && !read_address(&per, &c->control))
		return false;
	if (bits & 1)
		(void)h323_per_bits(&per, 5); /* a type from 96 to 127 */
	return !per.b.bad && (c->has_media || c->has_control) &&
	       (data.p[0] & 0x40 || bytes_left(&per.b) == 0);
}

/*
 * OpenLogicalChannelAck: an extension bit, one optional field that is not read, the channel's
 * number, a bitmap of extensions behind its small length, of which the second is what it is
 * all about.
 */
static void
read_open_ack(struct h323_per *per, const struct inspect_sink *sink)
{
	bool extended = h323_per_bits(per, 1), reverse = h323_per_bits(per, 1);
	struct channel c;
	unsigned count, bits;

	if (!extended || reverse)
		return;
	(void)h323_per_16(per);
	if (h323_per_bits(per, 1))
		return;
	count = h323_per_bits(per, 6) + 1;
	if (count > 8)
		return;
	bits = h323_per_bits(per, count);
	for (unsigned i = 0; i < count && !per->b.bad; i++) {
		if (!(bits >> (count - 1 - i) & 1))
			continue;
		struct bytes inside = h323_per_open(per);

		if (i == 1 && !inside.bad && read_ack(inside, &c)) {
			tell_channel(&c, sink);
			return;
		}
	}
}

/*
 * The parameters are an extension of the choice of multiplexing: a byte of a bit and a small
 * number, which is 80 as H.225.0's are the first (80 for others would be too short), a length,
 * and the octets. Acknowledgements are found by their choices, without a reverse channel.
 */
void
h323_h245_channels(struct bytes data, const struct inspect_sink *sink)
{
	if (bytes_left(&data) > SEARCH_MOST)
		data.end = data.p + SEARCH_MOST;
	while (bytes_left(&data) > OPEN_LEAST) {
		struct bytes b = data, inside;
		struct channel c;
		uint8_t first = bytes_u8(&b), len = bytes_u8(&b);

		if (first == ACK_FIRST && len == ACK_SECOND) {
			struct h323_per per = h323_per_of(data);

			(void)h323_per_bits(&per, 9); /* the choices */
			read_open_ack(&per, sink);
		}
		bytes_skip(&data, 1);
		if (first != 0x80 || len < OPEN_LEAST || len > OPEN_MOST)
			continue;
		inside = bytes_take(&b, len);
		if (b.bad || !read_parameters(inside, &c))
			continue;
		tell_channel(&c, sink);
		data.p = b.p;
	}
}

/* Whether a set of capabilities begins: three optional fields, a number, the identifier. */
static bool
is_capabilities(struct h323_per *per)
{
	(void)h323_per_bits(per, 4);
	(void)h323_per_octets(per, 1);
	return h323_per_object(per, identifier, sizeof(identifier));
}

static enum inspect_answer
read_request(struct h323_per *per, struct bytes message, bool tell,
	     const struct inspect_sink *sink)
{
	bool later = h323_per_bits(per, 1);
	unsigned choice = h323_per_bits(per, 4);
	size_t len = bytes_left(&message);

	if (later || choice > 10)
		return later ? INSPECT_LIKELY : INSPECT_NO;
	if (choice == CAPABILITIES)
		return is_capabilities(per) ? INSPECT_SURE : INSPECT_NO;
	if (choice == DETERMINATION)
		return len == 7 ? INSPECT_LIKELY : INSPECT_NO;
	if (!tell) /* nothing that a conversation begins with */
		return INSPECT_NO;
	if (choice == OPEN)
		h323_h245_channels(message, sink);
	return INSPECT_LIKELY;
}

/* MultimediaSystemControlMessage: a choice of four that may be extended. */
enum inspect_answer
h323_h245_read(struct bytes message, bool tell, const struct inspect_sink *sink)
{
	struct h323_per per = h323_per_of(message);
	bool extended = h323_per_bits(&per, 1);
	unsigned kind = h323_per_bits(&per, 2);

	if (extended || bytes_left(&message) < 2)
		return INSPECT_NO;
	if (kind == REQUEST)
		return read_request(&per, message, tell, sink);
	bool later = h323_per_bits(&per, 1);

	if (!tell)
		return INSPECT_NO;
	if (kind == RESPONSE && !later && h323_per_bits(&per, 5) == OPEN_ACK)
		read_open_ack(&per, sink);
	return INSPECT_LIKELY;
}
