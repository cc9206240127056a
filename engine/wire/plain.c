/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/*
 * Most frames are TCP or UDP in IPv4 in Ethernet and have nothing else: no tags, no
 * options of IP, no fragments, no faults. Here such a frame is seen as a whole and
 * told in a third of the instructions. What it says is what the functions of its
 * headers would say, where the RFCs are named; tests/unit/wire_plain.c compares them.
 */

enum {
	LINKTYPE_ETHERNET = 1,
	ETHERNET = 14,
	IP4 = 20,
	TCP = 20,
	UDP = 8,
	TYPE_IP4 = 0x0800,
	VERSION_AND_WORDS = 0x45,
	MORE_AND_OFFSET = 0x3fff,
	PROTO_TCP = 6,
	PROTO_UDP = 17,
};

/* Bytes of the transport header; 0: not plain. rest is what the IP header leaves for it. */
static inline uint32_t
transport(const struct wire *wire, uint8_t proto, const uint8_t *h, uint32_t rest)
{
	uint32_t header;

	if (proto == PROTO_TCP) {
		header = (h[12] >> 4) * 4u;
		return header >= TCP && header <= rest ? header : 0;
	}
	if (proto != PROTO_UDP || decode_be16(h + 4) != rest)
		return 0;
	return tunnel_port_find(wire->tunnels, decode_be16(h), decode_be16(h + 2)).header ? 0
											  : UDP;
}

bool
plain_decode(const struct wire *wire, struct packet *p)
{
	size_t captured = bytes_left(&p->frame);
	const uint8_t *ip, *h;
	uint32_t total, header;

	if (p->linktype != LINKTYPE_ETHERNET || captured < ETHERNET + IP4 + TCP)
		return false;
	ip = p->frame.p + ETHERNET;
	h = ip + IP4;
	if (decode_be16(ip - 2) != TYPE_IP4 || ip[0] != VERSION_AND_WORDS ||
	    decode_be16(ip + 6) & MORE_AND_OFFSET)
		return false;
	total = decode_be16(ip + 2);
	if (total < IP4 + UDP || total > captured - ETHERNET)
		return false;
	header = transport(wire, ip[9], h, total - IP4);
	if (header == 0)
		return false;

	decode_reset_network(p);
	decode_reset_transport(p);
	p->ip_version = 4;
	p->ip_proto = ip[9];
	p->ethertype = TYPE_IP4;
	p->tos = ip[1];
	p->ttl = ip[8];
	memcpy(p->src.b, ip + 12, 4);
	memcpy(p->dst.b, ip + 16, 4);
	p->src_port = decode_be16(h);
	p->dst_port = decode_be16(h + 2);
	if (ip[9] == PROTO_TCP) {
		p->tcp_seq = decode_be32(h + 4);
		p->tcp_ack = decode_be32(h + 8);
		p->tcp_flags = h[13];
	}
	p->network.p = ip;
	p->network.end = ip + total;
	p->payload.p = h + header;
	p->payload.end = ip + total;
	p->payload_len = total - IP4 - header;
	return true;
}
