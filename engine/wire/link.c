/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	ETHERNET_HEADER = 14,
	ETHERNET_TYPE = 12, /* where its type stands */
	LENGTH_MAX = 1500,  /* a type up to this is a length: IEEE 802.3 section 3.2.6 */
	TYPE_IP4 = 0x0800,
	TYPE_IP6 = 0x86dd,
};

/* A type that is a length is followed by LLC, and by padding where it is short. */
struct next
link_typed_or_llc(struct decode *d, uint16_t type)
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
	return link_typed_or_llc(d, decode_be16(h + ETHERNET_TYPE));
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

struct ethertype {
	uint16_t type;
	struct next next;
};

/* IEEE's registered types, the most frequent first. 0x9100 and 0x9200 are older than 802.1ad.
 */
static const struct ethertype ETHERTYPES[] = {
	{ TYPE_IP4, { ip_4 } },          { TYPE_IP6, { ip_6 } },
	{ 0x8100, { tag_customer } },    { 0x88a8, { tag_service } },
	{ 0x9100, { tag_service } },     { 0x9200, { tag_service } },
	{ 0x8847, { tunnel_mpls } },                                   /* RFC 3032 section 5 */
	{ 0x8848, { tunnel_mpls } },     { 0x8864, { serial_pppoe } }, /* RFC 2516 */
	{ 0x6558, { link_ethernet } }, /* RFC 1701: a frame in GRE */
	{ 0x880b, { serial_ppp } },    /* RFC 2637: PPP in GRE */
	{ 0x88e7, { tag_backbone } },    { 0x8926, { tag_vn } },
	{ 0x893f, { tag_bridge_port } }, { 0x22f3, { tag_trill } },
	{ 0x88e5, { tag_macsec } },      { 0x8909, { tag_metadata } },
	{ 0x894f, { tunnel_nsh } },
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
