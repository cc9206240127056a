/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/* IPv6 in UDP, for hosts behind address translation. */

enum {
	ORIGIN = 0,
	AUTH = 1,
	TYPE_IP6 = 0x86dd,
};

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
struct next
tunnel_teredo(struct decode *d)
{
	struct bytes b = d->at, inner;
	size_t before, len;

	if (bytes_be16(&b) == AUTH) {
		len = bytes_u8(&b);
		len += bytes_u8(&b);
		bytes_skip(&b, len + 9); /* nonce and confirmation */
	} else {
		b = d->at;
	}
	inner = b;
	if (bytes_be16(&inner) == ORIGIN)
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
	if (!tunnel_enter(d) || !path_push(d, LAYER_TEREDO, 0))
		return NEXT_NONE;
	decode_header(d, before);
	decode_limit(d, (uint32_t)len);
	return link_ethertype(d, TYPE_IP6);
}
