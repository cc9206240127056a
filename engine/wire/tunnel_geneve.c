/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	VERSION = 0xc0,
	OPTIONS = 0x3f,
	CONTROL = 0x80,
};

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
