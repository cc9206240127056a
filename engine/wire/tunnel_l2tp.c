/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/*
 * Layer two tunnelling: version 2 (RFC 2661) and version 3 (RFC 3931) over UDP, version 3 over
 * IP. Control messages stay with the packet that carries them.
 */

enum {
	CONTROL = 0x8000,
	LENGTH = 0x4000,
	SEQUENCE = 0x0800,
	OFFSET = 0x0200,
	VERSION = 0x000f,
	SUBLAYER_STEP = 4,
	SUBLAYER_MAX = 12, /* a cookie of 8 bytes and a sublayer of 4 */
	HDLC = 0x0f000800, /* Cisco's, with IPv4 */
};

/* RFC 2661 section 3.1. */
static struct next
version_2(struct decode *d)
{
	struct bytes b = d->at;
	uint16_t flags = bytes_be16(&b), tunnel, session;
	uint32_t len = decode_left(d);
	size_t header;

	if (flags & LENGTH)
		len = bytes_be16(&b);
	tunnel = bytes_be16(&b);
	session = bytes_be16(&b);
	if (flags & SEQUENCE)
		bytes_skip(&b, 4);
	if (flags & OFFSET)
		bytes_skip(&b, bytes_be16(&b));
	header = (size_t)(b.p - d->at.p);
	if (b.bad || len > decode_left(d) || len <= header || !serial_is_ppp(d, header) ||
	    !tunnel_enter(d) || !path_push(d, LAYER_L2TP, (uint32_t)tunnel << 16 | session))
		return NEXT_NONE;
	decode_header(d, header);
	decode_limit(d, len - (uint32_t)header);
	return (struct next){ serial_ppp };
}

/*
 * RFC 3931 section 4.1: a session, not 0; a cookie of 0, 4 or 8 bytes, a sublayer of 0 or 4,
 * and what is tunnelled: their ends have agreed on these, and a packet does not tell. They are
 * tried from the shortest.
 */
static struct next
version_3(struct decode *d, size_t before)
{
	struct bytes b = d->at;
	uint32_t session;

	bytes_skip(&b, before);
	session = bytes_be32(&b);
	if (b.bad || session == 0)
		return NEXT_NONE;
	before += 4;
	for (size_t more = 0; more <= SUBLAYER_MAX; more += SUBLAYER_STEP) {
		struct next next = NEXT_NONE;
		struct bytes inner = d->at;

		bytes_skip(&inner, before + more);
		if (link_is_ethernet(d, before + more))
			next.header = link_ethernet;
		else if (bytes_be32(&inner) == HDLC && !inner.bad)
			next.header = serial_hdlc;
		else if (serial_is_ppp(d, before + more))
			next.header = serial_ppp;
		else
			continue;
		if (!tunnel_enter(d) || !path_push(d, LAYER_L2TP, session))
			return NEXT_NONE;
		decode_header(d, before + more);
		return next;
	}
	return NEXT_NONE;
}

struct next
tunnel_l2tp(struct decode *d)
{
	struct bytes b = d->at;
	uint16_t flags = bytes_be16(&b);

	if (b.bad || flags & CONTROL)
		return NEXT_NONE;
	switch (flags & VERSION) {
	case 2: return version_2(d);
	case 3: return version_3(d, 4);
	default: return NEXT_NONE;
	}
}

struct next
tunnel_l2tp_ip(struct decode *d)
{
	tunnel_keep(d);
	return version_3(d, 0);
}
