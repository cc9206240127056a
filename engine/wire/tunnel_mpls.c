/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	BOTTOM = 0x100,
	CONTROL_WORD = 4, /* RFC 4385 section 3 */
};

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
	} while (!(entry & BOTTOM));

	if (tunnel_is_ip(d, 0))
		return (struct next){ link_ip };
	if (link_is_ethernet(d, 0))
		return (struct next){ link_ethernet };
	if (decode_peek(d) >> 4 != 0 || !link_is_ethernet(d, CONTROL_WORD))
		return NEXT_NONE;
	decode_header(d, CONTROL_WORD);
	return (struct next){ link_ethernet };
}

/* RFC 4023 section 3 and RFC 7510. */
struct next
tunnel_mpls_ip(struct decode *d)
{
	tunnel_keep(d);
	if (!tunnel_enter(d))
		return NEXT_NONE;
	return (struct next){ tunnel_mpls };
}
