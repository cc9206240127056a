/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	ETHERNET_HEADER = 14,
	ETHERNET_TYPE = 12, /* where its type stands */
	LENGTH_MAX = 1500,  /* a type up to this is a length: IEEE 802.3 section 3.2.6 */
	TAG = 4,
	VLAN_MASK = 0x0fff,
	TYPE_IP4 = 0x0800,
	TYPE_IP6 = 0x86dd,
};

/* A type that is a length is followed by LLC, and by padding where it is short. */
static struct next
typed_or_llc(struct decode *d, uint16_t type)
{
	if (type > LENGTH_MAX)
		return link_ethertype(d, type);
	decode_limit(d, type);
	return (struct next){ link_llc };
}

/* IEEE 802.3 section 3.1.1. */
struct next
link_ethernet(struct decode *d)
{
	const uint8_t *h = decode_header(d, ETHERNET_HEADER);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	return typed_or_llc(d, decode_be16(h + ETHERNET_TYPE));
}

static struct next
tag(struct decode *d, enum packet_layer layer)
{
	const uint8_t *h = decode_header(d, TAG);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (!path_push(d, layer, decode_be16(h) & VLAN_MASK))
		return NEXT_NONE;
	return typed_or_llc(d, decode_be16(h + 2));
}

/* IEEE 802.1Q section 9.6. */
static struct next
customer_tag(struct decode *d)
{
	return tag(d, LAYER_VLAN);
}

static struct next
service_tag(struct decode *d)
{
	return tag(d, LAYER_SVLAN);
}

/* The protocols that ISO 9577 numbers, as RFC 2427 and RFC 2684 carry them. */
struct next
link_nlpid(struct decode *d)
{
	const uint8_t *h = decode_header(d, 1);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	switch (*h) {
	case 0xcc: return link_ethertype(d, TYPE_IP4);
	case 0x8e: return link_ethertype(d, TYPE_IP6);
	case 0x80: return (struct next){ link_snap };
	default: d->type = *h; return NEXT_NONE;
	}
}

/* IEEE 802, section 9.5: an organisation and its protocol number; RFC 1042. */
struct next
link_snap(struct decode *d)
{
	const uint8_t *h = decode_header(d, 5);
	uint32_t organisation;
	uint16_t protocol;

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	organisation = decode_be32(h) >> 8;
	protocol = decode_be16(h + 3);
	if (organisation == 0x000000 || organisation == 0x0000f8) /* the latter: 802.1H */
		return link_ethertype(d, protocol);
	if (protocol > LENGTH_MAX) /* Cisco's CDP, VTP, ... are known by it */
		d->type = protocol;
	return NEXT_NONE;
}

/* IEEE 802.2 section 3.2: destination and source service access point, control. */
struct next
link_llc(struct decode *d)
{
	const uint8_t *h = decode_header(d, 3);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	d->type = h[0];
	if (h[2] != 0x03 || h[0] != h[1])
		return NEXT_NONE;
	switch (h[0]) {
	case 0xaa: return (struct next){ link_snap };
	case 0xfe: return (struct next){ link_nlpid };
	case 0x06: return link_ethertype(d, TYPE_IP4);
	default: return NEXT_NONE;
	}
}

/* What Linux calls a protocol below 1536, and the hardware that needs another reading. */
static struct next
cooked(struct decode *d, uint16_t hardware, uint16_t protocol)
{
	enum { HARDWARE_RADIOTAP = 803, HARDWARE_NETLINK = 824, RAW_802_3 = 1, LLC = 4 };

	d->type = protocol;
	if (hardware == HARDWARE_NETLINK)
		return NEXT_NONE;
	if (hardware == HARDWARE_RADIOTAP)
		return (struct next){ wlan_radiotap };
	if (protocol == LLC)
		return (struct next){ link_llc };
	if (protocol == RAW_802_3)
		return NEXT_NONE;
	return link_ethertype(d, protocol);
}

/* LINKTYPE_LINUX_SLL. */
static struct next
cooked_v1(struct decode *d)
{
	const uint8_t *h = decode_header(d, 16);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	return cooked(d, decode_be16(h + 2), decode_be16(h + 14));
}

/* LINKTYPE_LINUX_SLL2. */
static struct next
cooked_v2(struct decode *d)
{
	const uint8_t *h = decode_header(d, 20);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	return cooked(d, decode_be16(h + 8), decode_be16(h));
}

/*
 * LINKTYPE_NULL and LINKTYPE_LOOP: an address family in the byte order of the host
 * that captured, or of the network. Families differ by system; what matters is
 * that it is one of IP, and the packet says which.
 */
static struct next
null(struct decode *d)
{
	const uint8_t *h = decode_header(d, 4);
	uint32_t family;

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	family = decode_be32(h);
	if (family > 0xffff)
		family = __builtin_bswap32(family);
	switch (family) {
	case 2:  /* IPv4, everywhere */
	case 10: /* IPv6: Linux */
	case 23: /* Windows */
	case 24: /* NetBSD, OpenBSD */
	case 28: /* FreeBSD */
	case 30: /* macOS */ return (struct next){ link_ip };
	default: return family > LENGTH_MAX ? link_ethertype(d, (uint16_t)family) : NEXT_NONE;
	}
}

struct next
link_ip(struct decode *d)
{
	uint8_t version = decode_peek(d) >> 4;

	if (version == 4)
		return link_ethertype(d, TYPE_IP4);
	if (version == 6)
		return link_ethertype(d, TYPE_IP6);
	return decode_fault(d, bytes_left(&d->at) ? PACKET_BAD_NETWORK : PACKET_SHORT_NETWORK);
}

static struct next
only_ip4(struct decode *d)
{
	return link_ethertype(d, TYPE_IP4);
}

static struct next
only_ip6(struct decode *d)
{
	return link_ethertype(d, TYPE_IP6);
}

/*
 * LINKTYPE_NFLOG: attributes of length and type in the order of the host, each padded
 * to 4 bytes; one has the ethertype, another the packet. Lengths are small: read in the
 * other order they are beyond the frame, and the types beyond all that there are.
 */
static struct next
nflog(struct decode *d)
{
	enum { ATTRIBUTES = 32, TYPES = 0x100, HEADER = 1, PAYLOAD = 9 };
	uint16_t protocol = 0;

	if (!decode_header(d, 4))
		return decode_fault(d, PACKET_SHORT_LINK);
	for (int i = 0; i < ATTRIBUTES; i++) {
		struct bytes b = d->at;
		uint16_t len = bytes_le16(&b), type = bytes_le16(&b);

		if (len > decode_left(d) || type >= TYPES) {
			len = __builtin_bswap16(len);
			type = __builtin_bswap16(type);
		}
		if (len < 4 || !decode_header(d, 4))
			return decode_fault(d, PACKET_SHORT_LINK);
		if (type == PAYLOAD) {
			decode_limit(d, len - 4u);
			return protocol ? link_ethertype(d, protocol)
					: (struct next){ link_ip };
		}
		if (type == HEADER)
			protocol = bytes_be16(&b);
		if (!decode_header(d, ((len + 3u) & ~3u) - 4))
			return decode_fault(d, PACKET_SHORT_LINK);
	}
	return NEXT_NONE;
}

struct link {
	uint16_t linktype;
	struct next next;
};

/* http://www.tcpdump.org/linktypes.html, Ethernet first; 12 and 14 are some systems' raw IP. */
static const struct link LINKS[] = {
	{ 1, { link_ethernet } }, { 0, { null } },           { 9, { serial_ppp } },
	{ 12, { link_ip } },      { 14, { link_ip } },       { 50, { serial_hdlc } },
	{ 51, { serial_pppoe } }, { 101, { link_ip } },      { 104, { serial_hdlc } },
	{ 105, { wlan_frame } },  { 107, { serial_relay } }, { 108, { null } },
	{ 113, { cooked_v1 } },   { 119, { wlan_prism } },   { 127, { wlan_radiotap } },
	{ 163, { wlan_avs } },    { 192, { wlan_ppi } },     { 204, { serial_ppp_directed } },
	{ 228, { only_ip4 } },    { 229, { only_ip6 } },     { 239, { nflog } },
	{ 276, { cooked_v2 } },
};

struct next
link_by_type(uint16_t linktype)
{
	for (size_t i = 0; i < sizeof(LINKS) / sizeof(LINKS[0]); i++)
		if (LINKS[i].linktype == linktype)
			return LINKS[i].next;
	return NEXT_NONE;
}

struct ethertype {
	uint16_t type;
	struct next next;
};

/* IEEE's registered types, the most frequent first. 0x9100 and 0x9200 are older than 802.1ad.
 */
static const struct ethertype ETHERTYPES[] = {
	{ TYPE_IP4, { ip_4 } },        { TYPE_IP6, { ip_6 } },
	{ 0x8100, { customer_tag } },  { 0x88a8, { service_tag } },
	{ 0x9100, { service_tag } },   { 0x9200, { service_tag } },
	{ 0x8847, { tunnel_mpls } },                                 /* RFC 3032 section 5 */
	{ 0x8848, { tunnel_mpls } },   { 0x8864, { serial_pppoe } }, /* RFC 2516 */
	{ 0x6558, { link_ethernet } }, /* RFC 1701: a frame in GRE */
	{ 0x880b, { serial_ppp } },    /* RFC 2637: PPP in GRE */
};

struct next
link_by_ethertype(uint16_t type)
{
	for (size_t i = 0; i < sizeof(ETHERTYPES) / sizeof(ETHERTYPES[0]); i++)
		if (ETHERTYPES[i].type == type)
			return ETHERTYPES[i].next;
	return NEXT_NONE;
}

struct next
link_ethertype(struct decode *d, uint16_t type)
{
	d->type = type;
	return link_by_ethertype(type);
}

bool
link_is_ethernet(const struct decode *d, size_t skip)
{
	struct bytes b = d->at;

	bytes_skip(&b, skip + ETHERNET_TYPE);
	return link_by_ethertype(bytes_be16(&b)).header != NULL;
}
