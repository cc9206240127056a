/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	HEADER = 8,
	TYPE_NSH = 0x894f,
};

/* IANA's "VXLAN-GPE Next Protocol" and "NSH Next Protocol", which agree as far as here. */
uint16_t
tunnel_nsh_type(uint8_t protocol)
{
	static const uint16_t TYPES[] = { 0, 0x0800, 0x86dd, 0x6558, TYPE_NSH, 0x8847 };

	return protocol < sizeof(TYPES) / sizeof(TYPES[0]) ? TYPES[protocol] : 0;
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
	type = tunnel_nsh_type(bytes_u8(&b));
	path = bytes_be24(&b);
	if (b.bad)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (first >> 14 || len < HEADER || !type || !path_push(d, LAYER_NSH, path))
		return NEXT_NONE;
	if (!decode_header(d, len))
		return decode_fault(d, PACKET_SHORT_LINK);
	return link_ethertype(d, type);
}
