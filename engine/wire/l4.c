/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	TCP_HEADER = 20,
	UDP_HEADER = 8,
	DCCP_HEADER = 12,
	SCTP_HEADER = 12,
	ICMP_HEADER = 8,
	PORTS = 4,
};

/* All that is left is payload. */
static inline struct next
payload(struct decode *d)
{
	d->packet->payload = d->at;
	d->packet->payload_len = decode_left(d);
	return NEXT_NONE;
}

/* Protocols that barn does not look into, and the ends of chains. */
struct next
l4_other(struct decode *d)
{
	return payload(d);
}

/* Of a header that was not captured whole, the ports may have been. */
static __attribute__((noinline)) struct next
cut(struct decode *d)
{
	const uint8_t *h = decode_header(d, PORTS);

	if (h) {
		d->packet->src_port = decode_be16(h);
		d->packet->dst_port = decode_be16(h + 2);
	}
	return decode_fault(d, PACKET_SHORT_TRANSPORT);
}

/* A header that begins with two ports; NULL if it is cut. */
static inline const uint8_t *
ported_header(struct decode *d, size_t n)
{
	const uint8_t *h = decode_header(d, n);

	if (h) {
		d->packet->src_port = decode_be16(h);
		d->packet->dst_port = decode_be16(h + 2);
	}
	return h;
}

/* RFC 9293 section 3.1. */
static struct next
tcp(struct decode *d)
{
	struct packet *p = d->packet;
	const uint8_t *h = ported_header(d, TCP_HEADER);
	uint32_t header;

	if (!h)
		return cut(d);
	p->tcp_seq = decode_be32(h + 4);
	p->tcp_ack = decode_be32(h + 8);
	p->tcp_flags = h[13];
	header = (h[12] >> 4) * 4u;
	if (header < TCP_HEADER || header - TCP_HEADER > decode_left(d))
		return decode_fault(d, PACKET_BAD_TRANSPORT);
	if (header > TCP_HEADER && !decode_header(d, header - TCP_HEADER))
		return decode_fault(d, PACKET_SHORT_TRANSPORT);
	return payload(d);
}

/*
 * RFC 768. A length of 0 is a jumbogram's (RFC 2675 section 4). More than there is
 * is right in a first fragment alone; less leaves a trailer, as of RFC 9868.
 */
static struct next
udp(struct decode *d)
{
	struct packet *p = d->packet;
	const uint8_t *h = ported_header(d, UDP_HEADER);
	uint32_t len;

	if (!h)
		return cut(d);
	len = decode_be16(h + 4);
	if (len != 0 && len < UDP_HEADER)
		return decode_fault(d, PACKET_BAD_TRANSPORT);
	if (len > decode_left(d) + UDP_HEADER && (!p->fragment || p->reassembled))
		p->fault = PACKET_BAD_TRANSPORT;
	if (len != 0)
		decode_limit(d, len - UDP_HEADER);
	payload(d);
	if (p->fault != PACKET_WHOLE)
		return NEXT_NONE;
	return tunnel_port_find(d->wire->tunnels, p->src_port, p->dst_port);
}

/* RFC 3828 section 3.1: the length field is the checksum's. */
static struct next
udp_lite(struct decode *d)
{
	return ported_header(d, UDP_HEADER) ? payload(d) : cut(d);
}

/* RFC 4340 section 5.1: the data offset counts in 4 bytes, from the header's start. */
static struct next
dccp(struct decode *d)
{
	const uint8_t *h = ported_header(d, DCCP_HEADER);
	uint32_t offset;

	if (!h)
		return cut(d);
	offset = h[4] * 4u;
	if (offset < DCCP_HEADER || offset - DCCP_HEADER > decode_left(d))
		return decode_fault(d, PACKET_BAD_TRANSPORT);
	if (!decode_header(d, offset - DCCP_HEADER))
		return decode_fault(d, PACKET_SHORT_TRANSPORT);
	return payload(d);
}

/* RFC 9260 section 3: the payload is its chunks. */
static struct next
sctp(struct decode *d)
{
	return ported_header(d, SCTP_HEADER) ? payload(d) : cut(d);
}

/* RFC 792 and RFC 4443 section 2.1: type, code, checksum, and 4 bytes by type. */
static struct next
icmp(struct decode *d)
{
	const uint8_t *h = decode_header(d, ICMP_HEADER);

	if (!h)
		return decode_fault(d, PACKET_SHORT_TRANSPORT);
	d->packet->src_port = decode_be16(h);
	return payload(d);
}

/* RFC 2236 section 2 and RFC 9776 section 4: 8 bytes at least. */
static struct next
igmp(struct decode *d)
{
	return decode_header(d, ICMP_HEADER) ? payload(d)
					     : decode_fault(d, PACKET_SHORT_TRANSPORT);
}

const struct next l4_protos[256] = {
	[0] = { extension_options }, /* hop-by-hop */
	[1] = { icmp },
	[2] = { igmp },
	[4] = { tunnel_ip4 },
	[6] = { tcp },
	[17] = { udp },
	[33] = { dccp },
	[41] = { tunnel_ip6 },
	[43] = { extension_options }, /* routing */
	[44] = { extension_fragment },
	[47] = { tunnel_gre },
	[50] = { tunnel_esp },
	[51] = { extension_ah },
	[58] = { icmp },
	[60] = { extension_options }, /* destination */
	[97] = { tunnel_etherip },
	[115] = { tunnel_l2tp_ip },
	[132] = { sctp },
	[135] = { extension_options }, /* mobility */
	[136] = { udp_lite },
	[137] = { tunnel_mpls_ip },
	[139] = { extension_options }, /* HIP */
	[140] = { extension_options }, /* shim6 */
	[143] = { tunnel_ethernet },
};
