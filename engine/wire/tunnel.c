/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/*
 * Packets in packets. A tunnel is entered only where its header is certain and
 * what follows looks like what it should be; otherwise the packet at hand stands,
 * with all behind its own header as its payload. It is not entered in a first
 * fragment: the joined datagram brings what is in it, whole and once.
 */

enum {
	GRE_CHECKSUM = 0x8000, /* RFC 2784 section 2.1 and RFC 2890 section 2 */
	GRE_ROUTING = 0x4000,
	GRE_KEY = 0x2000,
	GRE_SEQUENCE = 0x1000,
	GRE_ACK = 0x0080, /* version 1, RFC 2637 section 4.1 */
	GRE_VERSION = 0x0007,
	TYPE_PPP = 0x880b,
	MPLS_BOTTOM = 0x100,
	MPLS_CONTROL_WORD = 4, /* RFC 4385 section 3 */
	VXLAN_HAS_ID = 0x08,
	GENEVE_VERSION = 0xc0,
	GENEVE_OPTIONS = 0x3f,
	GENEVE_CONTROL = 0x80,
	GTP_VERSION_1 = 0x30, /* with the bit that says GTP, not GTP' */
	GTP_VERSION_MASK = 0xf0,
	GTP_OPTIONAL = 0x07,
	GTP_EXTENDED = 0x04,
	GTP_PACKET = 255,
	TEREDO_ORIGIN = 0,
	TEREDO_AUTH = 1,
	TYPE_IP4 = 0x0800,
	TYPE_IP6 = 0x86dd,
};

/* The packet at hand becomes a hop. Not that of a first fragment. */
static bool
enter(struct decode *d)
{
	const struct packet *p = d->packet;

	if (p->fragment && !p->reassembled)
		return false;
	if (d->datagram)
		decode_settle(d);
	return path_push_ip(d);
}

/* What follows is all payload of the packet at hand, until an inner one is found. */
static void
keep(struct decode *d)
{
	d->packet->payload = d->at;
	d->packet->payload_len = decode_left(d);
}

/* Whether an IPv4 or IPv6 header of a plausible length follows. */
static bool
is_ip(const struct decode *d)
{
	struct bytes b = d->at;
	uint8_t first = bytes_u8(&b);
	uint32_t len;

	bytes_skip(&b, 1);
	len = bytes_be16(&b);
	if (first >> 4 == 4)
		return (first & 0x0f) >= 5 && len >= (first & 0x0fu) * 4 &&
		       len <= decode_left(d);
	if (first >> 4 != 6)
		return false;
	len = bytes_be16(&b);
	return !b.bad && len + 40 <= decode_left(d);
}

/* RFC 2003. */
struct next
tunnel_ip4(struct decode *d)
{
	keep(d);
	if (decode_peek(d) >> 4 != 4 || !enter(d))
		return NEXT_NONE;
	return link_ethertype(d, TYPE_IP4);
}

/* RFC 2473, RFC 4213. */
struct next
tunnel_ip6(struct decode *d)
{
	keep(d);
	if (decode_peek(d) >> 4 != 6 || !enter(d))
		return NEXT_NONE;
	return link_ethertype(d, TYPE_IP6);
}

/* RFC 3378 section 3: version 3 and zeros. */
struct next
tunnel_etherip(struct decode *d)
{
	const uint8_t *h;

	keep(d);
	if (!link_is_ethernet(d, 2))
		return NEXT_NONE;
	h = decode_header(d, 2);
	if (!h || decode_be16(h) != 0x3000 || !enter(d))
		return NEXT_NONE;
	return (struct next){ link_ethernet };
}

/* Version 1 (PPTP) numbers calls in its key field, each direction its own. */
struct next
tunnel_gre(struct decode *d)
{
	struct bytes b = d->at;
	uint16_t flags = bytes_be16(&b), type = bytes_be16(&b);
	uint16_t version = flags & GRE_VERSION;
	uint32_t key = 0;
	struct next next = link_by_ethertype(type);

	keep(d);
	if (version > 1 || flags & GRE_ROUTING || (version == 1 && type != TYPE_PPP))
		return NEXT_NONE;
	if (flags & GRE_CHECKSUM)
		bytes_skip(&b, 4);
	if (flags & GRE_KEY)
		key = bytes_be32(&b);
	if (flags & GRE_SEQUENCE)
		bytes_skip(&b, 4);
	if (version == 1 && flags & GRE_ACK)
		bytes_skip(&b, 4);
	if (b.bad || !bytes_left(&b) || !next.header || !enter(d))
		return NEXT_NONE;
	if (!path_push(d, LAYER_GRE, version == 0 ? key : 0))
		return NEXT_NONE;
	decode_header(d, (size_t)(b.p - d->at.p));
	return link_ethertype(d, type);
}

/*
 * RFC 3032 section 2.1. What a stack carries is agreed between routers and written
 * nowhere; the first bits tell IP (RFC 4928 section 3). A frame is known by its
 * ethertype, and a control word before it begins with four zero bits; it comes
 * second, as a tag 4 bytes behind the first ethertype looks like one.
 */
struct next
tunnel_mpls(struct decode *d)
{
	const uint8_t *h;
	uint32_t entry;

	do {
		h = decode_header(d, 4);
		if (!h)
			return decode_fault(d, PACKET_SHORT_LINK);
		entry = decode_be32(h);
		if (!path_push(d, LAYER_MPLS, entry >> 12))
			return NEXT_NONE;
	} while (!(entry & MPLS_BOTTOM));

	if (is_ip(d))
		return (struct next){ link_ip };
	if (link_is_ethernet(d, 0))
		return (struct next){ link_ethernet };
	if (decode_peek(d) >> 4 != 0 || !link_is_ethernet(d, MPLS_CONTROL_WORD))
		return NEXT_NONE;
	decode_header(d, MPLS_CONTROL_WORD);
	return (struct next){ link_ethernet };
}

/* RFC 4023 section 3 and RFC 7510. */
struct next
tunnel_mpls_ip(struct decode *d)
{
	keep(d);
	if (!enter(d))
		return NEXT_NONE;
	return (struct next){ tunnel_mpls };
}

/* RFC 7348 section 5: flags, 24 bits reserved, identifier, 8 bits reserved. */
static struct next
vxlan(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t flags = bytes_u8(&b);
	uint32_t id;

	bytes_skip(&b, 3);
	id = bytes_be24(&b);
	if (!(flags & VXLAN_HAS_ID) || !link_is_ethernet(d, 8) || !enter(d))
		return NEXT_NONE;
	if (!path_push(d, LAYER_VXLAN, id))
		return NEXT_NONE;
	decode_header(d, 8);
	return (struct next){ link_ethernet };
}

/* RFC 8926 section 3.4: options count in 4 bytes. */
static struct next
geneve(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t first = bytes_u8(&b), flags = bytes_u8(&b);
	uint16_t type = bytes_be16(&b);
	uint32_t id = bytes_be24(&b);
	size_t header = 8 + (first & GENEVE_OPTIONS) * (size_t)4;

	bytes_skip(&b, header - 7);
	if (b.bad || first & GENEVE_VERSION || flags & GENEVE_CONTROL ||
	    !link_by_ethertype(type).header || !enter(d))
		return NEXT_NONE;
	if (!path_push(d, LAYER_GENEVE, id))
		return NEXT_NONE;
	decode_header(d, header);
	return link_ethertype(d, type);
}

/*
 * 3GPP TS 29.281 section 5.1: flags, message, length, endpoint; then, if any of
 * three flags is set, sequence, N-PDU and the type of a first extension header
 * (section 5.2: its length in 4 bytes, contents, the next one's type).
 */
static struct next
gtp(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t flags = bytes_u8(&b), message = bytes_u8(&b), extension = 0;
	uint32_t endpoint;

	bytes_skip(&b, 2);
	endpoint = bytes_be32(&b);
	if ((flags & GTP_VERSION_MASK) != GTP_VERSION_1 || message != GTP_PACKET)
		return NEXT_NONE;
	if (flags & GTP_OPTIONAL) {
		bytes_skip(&b, 3);
		extension = bytes_u8(&b);
	}
	while (flags & GTP_EXTENDED && extension && !b.bad) {
		size_t len = bytes_u8(&b) * (size_t)4;

		bytes_skip(&b, len < 2 ? SIZE_MAX : len - 2);
		extension = bytes_u8(&b);
	}
	if (b.bad || !bytes_left(&b) || (*b.p >> 4 != 4 && *b.p >> 4 != 6) || !enter(d))
		return NEXT_NONE;
	if (!path_push(d, LAYER_GTP, endpoint))
		return NEXT_NONE;
	decode_header(d, (size_t)(b.p - d->at.p));
	return (struct next){ link_ip };
}

/* RFC 6081 section 4.1: what follows a packet in Teredo is types, lengths and values. */
static bool
is_trailers(struct bytes b)
{
	while (!b.bad && bytes_left(&b) > 0) {
		bytes_skip(&b, 1);
		bytes_skip(&b, bytes_u8(&b));
	}
	return !b.bad;
}

/*
 * RFC 4380 section 5.1.1: authentication and origin, if any, and an IPv6 packet that
 * ends where the datagram does, but for trailers.
 */
static struct next
teredo(struct decode *d)
{
	struct bytes b = d->at, inner;
	size_t before, len;

	if (bytes_be16(&b) == TEREDO_AUTH) {
		len = bytes_u8(&b);
		len += bytes_u8(&b);
		bytes_skip(&b, len + 9); /* nonce and confirmation */
	} else {
		b = d->at;
	}
	inner = b;
	if (bytes_be16(&inner) == TEREDO_ORIGIN)
		bytes_skip(&b, 8);
	inner = b;
	if (bytes_be32(&inner) >> 28 != 6)
		return NEXT_NONE;
	len = 40u + bytes_be16(&inner);
	before = (size_t)(b.p - d->at.p);
	if (inner.bad || before + len > decode_left(d))
		return NEXT_NONE;
	inner = b;
	if (before + len != decode_left(d)) {
		bytes_skip(&inner, len);
		if (inner.bad || d->missing > 0 || !is_trailers(inner))
			return NEXT_NONE;
	}
	if (!enter(d) || !path_push(d, LAYER_TEREDO, 0))
		return NEXT_NONE;
	decode_header(d, before);
	decode_limit(d, (uint32_t)len);
	return link_ethertype(d, TYPE_IP6);
}

struct port {
	uint16_t number;
	bool either; /* of source or destination; otherwise the destination */
	struct next next;
};

static const struct port PORTS[] = {
	{ 2152, false, { gtp } },
	{ 3544, true, { teredo } },
	{ 4789, false, { vxlan } },
	{ 6081, false, { geneve } },
	{ 6635, false, { tunnel_mpls_ip } },
	{ 8472, false, { vxlan } }, /* Linux's default */
};

uint64_t
tunnel_ports(void)
{
	uint64_t ports = 0;

	for (size_t i = 0; i < sizeof(PORTS) / sizeof(PORTS[0]); i++)
		ports |= UINT64_C(1) << tunnel_bit(PORTS[i].number);
	return ports;
}

struct next
tunnel_by_either(uint16_t src_port, uint16_t dst_port)
{
	for (size_t i = 0; i < sizeof(PORTS) / sizeof(PORTS[0]); i++)
		if (PORTS[i].number == dst_port ||
		    (PORTS[i].either && PORTS[i].number == src_port))
			return PORTS[i].next;
	return NEXT_NONE;
}
