/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/* Networks over networks: an identifier, and a frame or a packet. */

enum {
	HEADER = 8,
	HAS_ID = 0x08,
	HAS_PROTOCOL = 0x04,
	VERSION = 0xc0,
	OPTIONS = 0x3f,
	CONTROL = 0x80,
	OAM = 0x01,
	LISP_INSTANCE = 0x08,
	TYPE_NSH = 0x894f,
};

/* RFC 7348 section 5: flags, 24 bits reserved, identifier, 8 bits reserved. */
struct next
tunnel_vxlan(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t flags = bytes_u8(&b);
	uint32_t id;

	bytes_skip(&b, 3);
	id = bytes_be24(&b);
	if (!(flags & HAS_ID) || !link_is_ethernet(d, 8) || !tunnel_enter(d))
		return NEXT_NONE;
	if (!path_push(d, LAYER_VXLAN, id))
		return NEXT_NONE;
	decode_header(d, 8);
	return (struct next){ link_ethernet };
}

/* RFC 8926 section 3.4: options count in 4 bytes. */
struct next
tunnel_geneve(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t first = bytes_u8(&b), flags = bytes_u8(&b);
	uint16_t type = bytes_be16(&b);
	uint32_t id = bytes_be24(&b);
	size_t header = 8 + (first & OPTIONS) * (size_t)4;

	bytes_skip(&b, header - 7);
	if (b.bad || first & VERSION || flags & CONTROL || !link_by_ethertype(type).header ||
	    !tunnel_enter(d))
		return NEXT_NONE;
	if (!path_push(d, LAYER_GENEVE, id))
		return NEXT_NONE;
	decode_header(d, header);
	return link_ethertype(d, type);
}

/* IANA's "VXLAN-GPE Next Protocol" and "NSH Next Protocol", which agree as far as here. */
static uint16_t
type_of(uint8_t protocol)
{
	static const uint16_t TYPES[] = { 0, 0x0800, 0x86dd, 0x6558, TYPE_NSH, 0x8847 };

	return protocol < sizeof(TYPES) / sizeof(TYPES[0]) ? TYPES[protocol] : 0;
}

/* draft-ietf-nvo3-vxlan-gpe section 3: flags, 16 bits, next protocol, identifier. */
struct next
tunnel_vxlan_gpe(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t flags = bytes_u8(&b);
	uint16_t type;
	uint32_t id;

	bytes_skip(&b, 2);
	type = type_of(bytes_u8(&b));
	id = bytes_be24(&b);
	if (b.bad || flags >> 4 || flags & OAM || !(flags & HAS_PROTOCOL) || !type)
		return NEXT_NONE;
	if (type == 0x6558 && !link_is_ethernet(d, HEADER))
		return NEXT_NONE;
	if (!tunnel_enter(d) || !path_push(d, LAYER_VXLAN, id))
		return NEXT_NONE;
	decode_header(d, HEADER);
	return link_ethertype(d, type);
}

/*
 * RFC 8300 section 2: version, length in 4 bytes, kind of metadata and next protocol; path
 * identifier and index; metadata. The identifier is that of one direction.
 */
struct next
tunnel_nsh(struct decode *d)
{
	struct bytes b = d->at;
	uint16_t first = bytes_be16(&b);
	size_t len = (first & 0x3f) * (size_t)4;
	uint16_t type;
	uint32_t path;

	bytes_skip(&b, 1);
	type = type_of(bytes_u8(&b));
	path = bytes_be24(&b);
	if (b.bad)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (first >> 14 || len < HEADER || !type || !path_push(d, LAYER_NSH, path))
		return NEXT_NONE;
	if (!decode_header(d, len))
		return decode_fault(d, PACKET_SHORT_LINK);
	return link_ethertype(d, type);
}

/* RFC 9300 section 5.3: flags, nonce, and instance or locator bits. */
struct next
tunnel_lisp(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t flags = bytes_u8(&b);
	uint32_t instance;

	bytes_skip(&b, 3);
	instance = bytes_be24(&b);
	if (!tunnel_is_ip(d, HEADER) || !tunnel_enter(d) ||
	    !path_push(d, LAYER_LISP, flags & LISP_INSTANCE ? instance : 0))
		return NEXT_NONE;
	decode_header(d, HEADER);
	return (struct next){ link_ip };
}
