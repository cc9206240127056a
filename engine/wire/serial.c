/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	TYPE_PPP = 0x880b,
	PPP_ADDRESS = 0xff,
	CONTROL = 0x03, /* unnumbered information */
	HDLC_UNICAST = 0x0f,
	HDLC_MULTICAST = 0x8f,
	RELAY_LAST = 0x01,
	MULTILINK_LEAST = 6, /* the longer header, and a protocol */
	PPPOE_HEADER = 6,
	PPPOE_VERSION = 0x11,
	PPPOE_SESSION = 0x00,
};

struct protocol {
	uint16_t number;
	struct next next;
};

static struct next multilink(struct decode *d);

/* IANA's PPP protocol numbers. */
static const struct protocol PROTOCOLS[] = {
	{ 0x0021, { ip_4 } },        { 0x003d, { multilink } },   { 0x0057, { ip_6 } },
	{ 0x0281, { tunnel_mpls } }, { 0x0283, { tunnel_mpls } },
};

static struct next
by_number(uint16_t number)
{
	for (size_t i = 0; i < sizeof(PROTOCOLS) / sizeof(PROTOCOLS[0]); i++)
		if (PROTOCOLS[i].number == number)
			return PROTOCOLS[i].next;
	return NEXT_NONE;
}

/* RFC 1661 section 2. An odd first byte is the whole number: section 6.5. */
static struct next
protocol(struct decode *d)
{
	bool compressed = decode_peek(d) & 1;
	const uint8_t *h = decode_header(d, compressed ? 1 : 2);
	uint16_t number;

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	number = compressed ? *h : decode_be16(h);
	d->type = TYPE_PPP;
	return by_number(number);
}

/*
 * RFC 1990 section 3: a packet, or the first piece of one, which is then as if it were snapped;
 * of the other pieces nothing can be said. Numbers are of 24 or of 12 bits, as the ends have
 * agreed.
 */
static struct next
multilink(struct decode *d)
{
	const uint8_t BEGINS = 0x80, LONG = 0x3f, SHORT = 0x30;
	uint8_t flags = decode_peek(d);

	if (bytes_left(&d->at) < MULTILINK_LEAST)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (!(flags & BEGINS))
		return NEXT_NONE;
	if (!(flags & LONG) && serial_is_ppp(d, 4))
		return decode_header(d, 4) ? (struct next){ protocol } : NEXT_NONE;
	if (!(flags & SHORT) && serial_is_ppp(d, 2))
		return decode_header(d, 2) ? (struct next){ protocol } : NEXT_NONE;
	return NEXT_NONE;
}

/* RFC 1662 section 3.1; address and control may be left out, and no protocol begins so. */
struct next
serial_ppp(struct decode *d)
{
	if (!path_push(d, LAYER_PPP, 0))
		return NEXT_NONE;
	if (decode_peek(d) == PPP_ADDRESS && !decode_header(d, 2))
		return decode_fault(d, PACKET_SHORT_LINK);
	return protocol(d);
}

bool
serial_is_ppp(const struct decode *d, size_t skip)
{
	struct bytes b = d->at;
	uint16_t number;

	bytes_skip(&b, skip);
	number = bytes_be16(&b);
	if (number == (PPP_ADDRESS << 8 | CONTROL))
		number = bytes_be16(&b);
	if (number >> 8 & 1)
		number >>= 8;
	return !b.bad && by_number(number).header;
}

/* Cisco's HDLC has an ethertype after address and control (RFC 1547 section 4.3.1), or it is
 * PPP. */
struct next
serial_hdlc(struct decode *d)
{
	uint8_t address = decode_peek(d);
	const uint8_t *h;

	if (address != HDLC_UNICAST && address != HDLC_MULTICAST)
		return (struct next){ serial_ppp };
	h = decode_header(d, 4);
	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	return link_ethertype(d, decode_be16(h + 2));
}

/* LINKTYPE_PPP_WITH_DIR: a byte says the direction; then PPP. */
struct next
serial_ppp_directed(struct decode *d)
{
	if (!decode_header(d, 1))
		return decode_fault(d, PACKET_SHORT_LINK);
	return (struct next){ serial_ppp };
}

/* RFC 2427 section 3, with addresses of 2 to 4 bytes, the last of which is odd; Cisco's own
 * form has an ethertype in place of control and NLPID. */
struct next
serial_relay(struct decode *d)
{
	const uint8_t *h;

	if (!decode_header(d, 1))
		return decode_fault(d, PACKET_SHORT_LINK);
	do {
		h = decode_header(d, 1);
		if (!h)
			return decode_fault(d, PACKET_SHORT_LINK);
	} while (!(*h & RELAY_LAST));
	if (decode_peek(d) == CONTROL) {
		decode_header(d, 1);
		if (bytes_left(&d->at) > 0 && decode_peek(d) == 0) /* a pad byte */
			decode_header(d, 1);
		return (struct next){ link_nlpid };
	}
	h = decode_header(d, 2);
	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	return link_ethertype(d, decode_be16(h));
}

/* RFC 2516 section 4: version and type, code, session, length of what follows. */
struct next
serial_pppoe(struct decode *d)
{
	const uint8_t *h = decode_header(d, PPPOE_HEADER);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (h[0] != PPPOE_VERSION || h[1] != PPPOE_SESSION)
		return NEXT_NONE;
	if (!path_push(d, LAYER_PPPOE, decode_be16(h + 2)))
		return NEXT_NONE;
	decode_limit(d, decode_be16(h + 4));
	return protocol(d);
}
