/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/*
 * Packets in packets. A tunnel is entered only where its header is certain and
 * what follows looks like what it should be; otherwise the packet at hand stands,
 * with all behind its own header as its payload. It is not entered in a first
 * fragment: the joined datagram brings what is in it, whole and once.
 */

enum {
	TYPE_IP4 = 0x0800,
	TYPE_IP6 = 0x86dd,
	IP6_HEADER = 40,
};

bool
tunnel_enter(struct decode *d)
{
	const struct packet *p = d->packet;

	if (p->fragment && !p->reassembled)
		return false;
	if (d->datagram)
		decode_settle(d);
	return path_push_ip(d);
}

void
tunnel_keep(struct decode *d)
{
	d->packet->payload = d->at;
	d->packet->payload_len = decode_left(d);
}

bool
tunnel_is_ip(const struct decode *d, size_t skip)
{
	struct bytes b = d->at;
	uint32_t len, left = decode_left(d);
	uint8_t first;

	bytes_skip(&b, skip);
	first = bytes_u8(&b);
	bytes_skip(&b, 1);
	len = bytes_be16(&b);
	if (b.bad)
		return false;
	left -= (uint32_t)skip;
	if (first >> 4 == 4)
		return (first & 0x0f) >= 5 && len >= (first & 0x0fu) * 4 && len <= left;
	if (first >> 4 != 6)
		return false;
	len = bytes_be16(&b);
	return !b.bad && len + IP6_HEADER <= left;
}

/* RFC 2003. */
struct next
tunnel_ip4(struct decode *d)
{
	tunnel_keep(d);
	if (decode_peek(d) >> 4 != 4 || path_opaque(d, LAYER_IP4) || !tunnel_enter(d))
		return NEXT_NONE;
	return link_ethertype(d, TYPE_IP4);
}

/* RFC 2473, RFC 4213. */
struct next
tunnel_ip6(struct decode *d)
{
	tunnel_keep(d);
	if (decode_peek(d) >> 4 != 6 || path_opaque(d, LAYER_IP6) || !tunnel_enter(d))
		return NEXT_NONE;
	return link_ethertype(d, TYPE_IP6);
}

/* RFC 3378 section 3: version 3 and zeros. */
struct next
tunnel_etherip(struct decode *d)
{
	const uint8_t *h;

	tunnel_keep(d);
	if (!link_is_ethernet(d, 2))
		return NEXT_NONE;
	h = decode_header(d, 2);
	if (!h || decode_be16(h) != 0x3000 || !tunnel_enter(d))
		return NEXT_NONE;
	if (!path_push(d, LAYER_ETHERNET, 0))
		return NEXT_NONE;
	return (struct next){ link_ethernet };
}

/* RFC 8986 section 4.12: next header 143, a frame, behind a segment routing header. */
struct next
tunnel_ethernet(struct decode *d)
{
	tunnel_keep(d);
	if (!link_is_ethernet(d, 0) || !tunnel_enter(d) || !path_push(d, LAYER_ETHERNET, 0))
		return NEXT_NONE;
	return (struct next){ link_ethernet };
}
