/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	VERSION_1 = 0x30, /* with the bit that says GTP, not GTP' */
	VERSION_MASK = 0xf0,
	OPTIONAL = 0x07,
	EXTENDED = 0x04,
	PACKET = 255,
	VERSION_0_HEADER = 20,
};

/*
 * 3GPP TS 29.281 section 5.1: flags, message, length, endpoint; then, if any of
 * three flags is set, sequence, N-PDU and the type of a first extension header
 * (section 5.2: its length in 4 bytes, contents, the next one's type).
 */
struct next
tunnel_gtp(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t flags = bytes_u8(&b), message = bytes_u8(&b), extension = 0;
	uint32_t endpoint;

	bytes_skip(&b, 2);
	endpoint = bytes_be32(&b);
	if ((flags & VERSION_MASK) != VERSION_1 || message != PACKET)
		return NEXT_NONE;
	if (flags & OPTIONAL) {
		bytes_skip(&b, 3);
		extension = bytes_u8(&b);
	}
	while (flags & EXTENDED && extension && !b.bad) {
		size_t len = bytes_u8(&b) * (size_t)4;

		bytes_skip(&b, len < 2 ? SIZE_MAX : len - 2);
		extension = bytes_u8(&b);
	}
	if (b.bad || !bytes_left(&b) || (*b.p >> 4 != 4 && *b.p >> 4 != 6) || !tunnel_enter(d))
		return NEXT_NONE;
	if (!path_push(d, LAYER_GTP, endpoint))
		return NEXT_NONE;
	decode_header(d, (size_t)(b.p - d->at.p));
	return (struct next){ link_ip };
}

/*
 * GSM 09.60 section 6, version 0: flags, message, length, sequence, flow label, 4 bytes, and
 * the tunnel, 8 bytes.
 */
struct next
tunnel_gtp_0(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t flags = bytes_u8(&b), message = bytes_u8(&b);
	uint16_t len = bytes_be16(&b), label;

	bytes_skip(&b, 2);
	label = bytes_be16(&b);
	if (b.bad || flags >> 5 != 0 || !(flags & 0x10) || message != PACKET ||
	    len + (uint32_t)VERSION_0_HEADER != decode_left(d) ||
	    !tunnel_is_ip(d, VERSION_0_HEADER) || !tunnel_enter(d) ||
	    !path_push(d, LAYER_GTP, label))
		return NEXT_NONE;
	decode_header(d, VERSION_0_HEADER);
	return (struct next){ link_ip };
}
