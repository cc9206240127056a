/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "frame.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	PROTO_TCP = 6,
	PROTO_UDP = 17,
	PROTO_FRAGMENT = 44,
	PROTO_ICMPV6 = 58,
	PROTO_IPV4 = 4,
	PROTO_IPV6 = 41,
	TYPE_IPV4 = 0x0800,
	TYPE_IPV6 = 0x86dd,
	TYPE_MPLS = 0x8847,
};

static void
die(const char *what)
{
	fprintf(stderr, "frame: %s\n", what);
	abort();
}

static void
put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void
put32(uint8_t *p, uint32_t v)
{
	put16(p, v >> 16);
	put16(p + 2, v);
}

/* One's complement sum of 16-bit words, not yet folded. */
static uint64_t
sum(const uint8_t *p, size_t len)
{
	uint64_t total = 0;

	for (; len >= 2; p += 2, len -= 2)
		total += (uint64_t)((p[0] << 8) | p[1]);
	if (len)
		total += (uint64_t)(p[0] << 8);
	return total;
}

static uint16_t
fold(uint64_t total)
{
	while (total >> 16)
		total = (total & 0xffff) + (total >> 16);
	return (uint16_t)~total;
}

uint16_t
frame_checksum(const void *bytes, size_t len)
{
	return fold(sum(bytes, len));
}

bool
frame_addr_parse(const char *text, struct frame_addr *addr)
{
	*addr = (struct frame_addr){ 0 };
	if (inet_pton(AF_INET, text, addr->bytes) == 1)
		addr->family = 4;
	else if (inet_pton(AF_INET6, text, addr->bytes) == 1)
		addr->family = 6;
	return addr->family != 0;
}

struct frame_addr
frame_addr(const char *text)
{
	struct frame_addr addr;

	if (!frame_addr_parse(text, &addr))
		die("not an address");
	return addr;
}

static uint8_t *
front(struct frame *f, size_t len)
{
	if ((size_t)(f->data - f->room) < len)
		die("no headroom left");
	f->data -= len;
	f->len += len;
	return f->data;
}

void
frame_push(struct frame *f, const void *bytes, size_t len)
{
	memcpy(front(f, len), bytes, len);
}

void
frame_init(struct frame *f, const void *payload, size_t len)
{
	if (len > FRAME_PAYLOAD_MAX)
		die("payload too long");
	f->data = f->room + FRAME_HEADROOM;
	f->len = len;
	f->ip_proto = 59; /* no next header */
	f->ethertype = 0xffff;
	f->transport = NULL;
	f->transport_proto = 0;
	if (len)
		memcpy(f->data, payload, len);
}

static void
check_options(size_t len)
{
	if (len % 4 || len > 40)
		die("options must be a multiple of 4 bytes, at most 40");
}

void
frame_tcp(struct frame *f, const struct frame_tcp *tcp)
{
	uint8_t *p;

	check_options(tcp->options_len);
	p = front(f, 20 + tcp->options_len);
	memset(p, 0, 20);
	put16(p, tcp->sport);
	put16(p + 2, tcp->dport);
	put32(p + 4, tcp->seq);
	put32(p + 8, tcp->ack);
	p[12] = (uint8_t)((5 + tcp->options_len / 4) << 4);
	p[13] = tcp->flags;
	put16(p + 14, tcp->window ? tcp->window : 64240);
	if (tcp->options_len)
		memcpy(p + 20, tcp->options, tcp->options_len);
	f->ip_proto = f->transport_proto = PROTO_TCP;
	f->transport = p;
}

void
frame_udp(struct frame *f, uint16_t sport, uint16_t dport)
{
	size_t len = f->len + 8;
	uint8_t *p = front(f, 8);

	if (len > 65535)
		die("datagram too long");
	put16(p, sport);
	put16(p + 2, dport);
	put16(p + 4, (uint32_t)len);
	put16(p + 6, 0);
	f->ip_proto = f->transport_proto = PROTO_UDP;
	f->transport = p;
}

static void
complete_transport(struct frame *f, const struct frame_addr *src, const struct frame_addr *dst)
{
	size_t at = f->transport_proto == PROTO_TCP   ? 16
		    : f->transport_proto == PROTO_UDP ? 6
						      : 2;
	size_t addr_len = src->family == 4 ? 4 : 16;
	size_t len;
	uint16_t check;

	if (!f->transport)
		return;
	len = (size_t)(f->data + f->len - f->transport);
	put16(f->transport + at, 0);
	check = fold(sum(src->bytes, addr_len) + sum(dst->bytes, addr_len) + len +
		     f->transport_proto + sum(f->transport, len));
	if (check == 0 && f->transport_proto == PROTO_UDP)
		check = 0xffff; /* RFC 768: zero would mean none */
	put16(f->transport + at, check);
	f->transport = NULL;
}

static void
push_ipv4(struct frame *f, const struct frame_addr *src, const struct frame_addr *dst,
	  const struct frame_ip *ip)
{
	size_t header = 20 + ip->options_len;
	size_t len = f->len + header;
	uint16_t fragment = ip->fragment;
	uint8_t *p = front(f, header);

	check_options(ip->options_len);
	if (len > 65535)
		die("IPv4 packet too long");
	if (!fragment && !ip->fragmentable)
		fragment = 0x4000;
	p[0] = (uint8_t)(0x40 | (header / 4));
	p[1] = ip->tos;
	put16(p + 2, (uint32_t)len);
	put16(p + 4, ip->id);
	put16(p + 6, fragment);
	p[8] = ip->ttl ? ip->ttl : 64;
	p[9] = f->ip_proto;
	put16(p + 10, 0);
	memcpy(p + 12, src->bytes, 4);
	memcpy(p + 16, dst->bytes, 4);
	if (ip->options_len)
		memcpy(p + 20, ip->options, ip->options_len);
	put16(p + 10, frame_checksum(p, header));
	f->ip_proto = PROTO_IPV4;
	f->ethertype = TYPE_IPV4;
}

static void
push_ipv6(struct frame *f, const struct frame_addr *src, const struct frame_addr *dst,
	  const struct frame_ip *ip)
{
	size_t len = f->len;
	uint8_t *p = front(f, 40);

	if (len > 65535)
		die("IPv6 packet too long");
	put32(p, 6U << 28 | (uint32_t)ip->tos << 20 | (ip->flow_label & 0xfffff));
	put16(p + 4, (uint32_t)len);
	p[6] = f->ip_proto;
	p[7] = ip->ttl ? ip->ttl : 64;
	memcpy(p + 8, src->bytes, 16);
	memcpy(p + 24, dst->bytes, 16);
	f->ip_proto = PROTO_IPV6;
	f->ethertype = TYPE_IPV6;
}

void
frame_ip(struct frame *f, struct frame_addr src, struct frame_addr dst,
	 const struct frame_ip *ip)
{
	if (src.family != dst.family || (src.family != 4 && src.family != 6))
		die("addresses of two families");
	if (f->ip_proto == PROTO_ICMPV6 && src.family == 6 && !f->transport) {
		f->transport = f->data;
		f->transport_proto = PROTO_ICMPV6;
	}
	complete_transport(f, &src, &dst);
	if (src.family == 4)
		push_ipv4(f, &src, &dst, ip);
	else
		push_ipv6(f, &src, &dst, ip);
}

void
frame_ipv4(struct frame *f, struct frame_addr src, struct frame_addr dst)
{
	if (src.family != 4)
		die("not an IPv4 address");
	frame_ip(f, src, dst, &(struct frame_ip){ 0 });
}

void
frame_ipv6(struct frame *f, struct frame_addr src, struct frame_addr dst)
{
	if (src.family != 6)
		die("not an IPv6 address");
	frame_ip(f, src, dst, &(struct frame_ip){ 0 });
}

void
frame_extension(struct frame *f, uint8_t type, const void *body, size_t len)
{
	size_t whole = (2 + (len ? len : 6) + 7) / 8 * 8;
	uint8_t *p = front(f, whole);

	if (whole > 2048)
		die("extension header too long");
	memset(p, 0, whole);
	p[0] = f->ip_proto;
	p[1] = (uint8_t)(whole / 8 - 1);
	if (len)
		memcpy(p + 2, body, len);
	f->ip_proto = type;
}

void
frame_fragment(struct frame *f, uint16_t offset, bool more, uint32_t id)
{
	uint8_t *p = front(f, 8);

	if (offset % 8)
		die("fragment offset must be a multiple of 8");
	p[0] = f->ip_proto;
	p[1] = 0;
	put16(p + 2, (uint32_t)(offset | (more ? 1 : 0)));
	put32(p + 4, id);
	f->ip_proto = PROTO_FRAGMENT;
}

void
frame_vlan(struct frame *f, uint16_t tpid, uint16_t tci)
{
	uint8_t *p = front(f, 4);

	put16(p, tci);
	put16(p + 2, f->ethertype);
	f->ethertype = tpid;
}

void
frame_mpls(struct frame *f, uint32_t label)
{
	uint32_t bottom = f->ethertype == TYPE_MPLS ? 0 : 1;
	uint8_t *p = front(f, 4);

	put32(p, label << 12 | bottom << 8 | 64);
	f->ethertype = TYPE_MPLS;
}

void
frame_ether(struct frame *f, const uint8_t *src, const uint8_t *dst)
{
	static const uint8_t made_up[2][6] = { { 2, 0, 0, 0, 0, 1 }, { 2, 0, 0, 0, 0, 2 } };
	uint8_t *p = front(f, 14);

	memcpy(p, dst ? dst : made_up[1], 6);
	memcpy(p + 6, src ? src : made_up[0], 6);
	put16(p + 12, f->ethertype);
	f->ethertype = 0x6558; /* transparent Ethernet, for a tunnel in front */
}
