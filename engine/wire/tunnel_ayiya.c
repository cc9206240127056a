/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	TYPE_IP6 = 0x86dd,
	IP6_HEADER = 40,
	PROTO_IP6 = 41,
};

/*
 * draft-massar-v6ops-ayiya section 2: sizes of identity and signature, kinds, next header,
 * time, identity, signature. Only what is forwarded is looked into, and it must end where the
 * datagram does.
 */
struct next
tunnel_ayiya(struct decode *d)
{
	enum { FORWARD = 1 };
	struct bytes b = d->at;
	uint8_t identity = bytes_u8(&b), signature = bytes_u8(&b), kind = bytes_u8(&b);
	uint8_t proto = bytes_u8(&b);
	size_t header = 8 + ((size_t)1 << (identity >> 4)) + (signature >> 4) * (size_t)4;
	struct bytes inner;

	bytes_skip(&b, header - 4);
	inner = b;
	bytes_skip(&inner, 4);
	if ((kind & 0x0f) != FORWARD || proto != PROTO_IP6 || !tunnel_is_ip(d, header) ||
	    header + IP6_HEADER + bytes_be16(&inner) != decode_left(d) || inner.bad)
		return NEXT_NONE;
	if (!tunnel_enter(d) || !path_push(d, LAYER_AYIYA, 0))
		return NEXT_NONE;
	decode_header(d, header);
	return link_ethertype(d, TYPE_IP6);
}
