/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	UNIT = 8, /* bytes of the shortest header, and the unit of lengths */
	MORE = 0x0001,
	OFFSET = 0xfff8,
	PROTO_NO_NEXT = 59, /* RFC 8200 section 4.7 */
	PROTO_MOBILITY = 135,
	PROTO_HIP = 139,
	PROTO_SHIM6 = 140,
};

/* Where a chain of headers ends, the one that is no mere option names the packet. */
static struct next
after_extension(struct decode *d, uint8_t proto)
{
	uint8_t own = d->packet->ip_proto;

	if (proto == PROTO_NO_NEXT &&
	    (own == PROTO_MOBILITY || own == PROTO_HIP || own == PROTO_SHIM6))
		return l4_by_proto(PROTO_NO_NEXT);
	return l4_follow(d, proto);
}

/*
 * RFC 8200 sections 4.3, 4.4 and 4.6, and the headers in the same form of RFC 6564.
 * In IPv4 these numbers mean nothing that barn follows.
 */
struct next
extension_options(struct decode *d)
{
	const uint8_t *h;

	if (d->packet->ip_version != 6)
		return l4_by_proto(PROTO_NO_NEXT);
	h = decode_header(d, UNIT);
	if (!h || !decode_header(d, h[1] * (size_t)UNIT))
		return decode_fault(d, PACKET_SHORT_NETWORK);
	return after_extension(d, h[0]);
}

/* RFC 4302 section 2, in IPv4 and IPv6: its length counts in 4 bytes, less 2. */
struct next
extension_ah(struct decode *d)
{
	const uint8_t *h = decode_header(d, UNIT);

	if (!h || !decode_header(d, h[1] * (size_t)4))
		return decode_fault(d, PACKET_SHORT_NETWORK);
	return after_extension(d, h[0]);
}

/* RFC 8200 section 4.5. A fragment that is first and last is a whole packet: RFC 6946. */
struct next
extension_fragment(struct decode *d)
{
	const uint8_t *h;
	uint16_t where;

	if (d->packet->ip_version != 6)
		return l4_by_proto(PROTO_NO_NEXT);
	h = decode_header(d, UNIT);
	if (!h)
		return decode_fault(d, PACKET_SHORT_NETWORK);
	where = decode_be16(h + 2);
	if (!(where & (MORE | OFFSET)))
		return l4_follow(d, h[0]);
	return ip_fragment(d, &(struct fragment){ .id = decode_be32(h + 4),
						  .proto = h[0],
						  .more = where & MORE,
						  .offset = where & OFFSET });
}
