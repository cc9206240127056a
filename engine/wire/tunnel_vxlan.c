/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	HEADER = 8,
	HAS_ID = 0x08,
	HAS_PROTOCOL = 0x04,
	OAM = 0x01,
	TYPE_FRAME = 0x6558,
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

/* draft-ietf-nvo3-vxlan-gpe section 3: flags, 16 bits, next protocol, identifier. */
struct next
tunnel_vxlan_gpe(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t flags = bytes_u8(&b);
	uint16_t type;
	uint32_t id;

	bytes_skip(&b, 2);
	type = tunnel_nsh_type(bytes_u8(&b));
	id = bytes_be24(&b);
	if (b.bad || flags >> 4 || flags & OAM || !(flags & HAS_PROTOCOL) || !type)
		return NEXT_NONE;
	if (type == TYPE_FRAME && !link_is_ethernet(d, HEADER))
		return NEXT_NONE;
	if (!tunnel_enter(d) || !path_push(d, LAYER_VXLAN, id))
		return NEXT_NONE;
	decode_header(d, HEADER);
	return link_ethertype(d, type);
}
