/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_WIRE_RIG_H
#define BARN_TESTS_WIRE_RIG_H

/* Decoding frames, and checking what came out. */

#include "unit.h"
#include "wire_build.h"
#include "wire_sane.h"

#include <arpa/inet.h>

enum { ETHERNET = 1, RAW = 101 };

/* One decoder for all; a test that cares for its fragments makes its own. */
static struct wire *
rig_wire(void)
{
	static struct wire *wire;

	if (!wire)
		CHECK_EQ(wire_new(&(struct wire_options){ .seed = { 1, 2 } }, &wire), BARN_OK);
	return wire;
}

/* The bytes are the caller's, and must live as long as the packet is looked at. */
static inline struct packet
rig_decode(struct wire *wire, uint16_t linktype, const void *data, size_t len, size_t wire_len)
{
	struct packet p;

	memset(&p, 0xee, sizeof(p));
	p.frame = bytes_of(data, len);
	p.wire_len = (uint32_t)wire_len;
	p.linktype = linktype;
	p.time_ns = UINT64_C(1700000000000000000);
	wire_decode(wire, &p);
	if (wire_insane(&p))
		CHECK_STR(wire_insane(&p), "sane");
	return p;
}

static inline struct packet
rig_frame(const struct frame *f, uint16_t linktype)
{
	return rig_decode(rig_wire(), linktype, f->data, f->len, f->len);
}

/* "vlan:7 gre:0", as the packet has it. */
static inline const char *
rig_path(const struct packet *p)
{
	static char text[256];
	size_t n = 0;

	text[0] = '\0';
	for (int i = 0; i < p->path_len; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s:%u", i ? " " : "",
				      packet_layer_name(p->path[i].layer), p->path[i].id);
	return text;
}

static inline const char *
rig_addr(const struct packet *p, const union packet_addr *addr)
{
	static char text[2][64];
	static int turn;

	turn ^= 1;
	text[turn][0] = '\0';
	if (p->ip_version)
		inet_ntop(p->ip_version == 4 ? AF_INET : AF_INET6, addr->b, text[turn],
			  sizeof(text[turn]));
	return text[turn];
}

/* The packet that "ip4 tcp" or "ip6 tcp" makes, whatever was around it. */
static inline void
rig_check_inner(const struct packet *p, uint8_t version)
{
	CHECK_STR(packet_fault_name(p->fault), "whole");
	CHECK_EQ(p->ip_version, version);
	CHECK_EQ(p->ethertype, version == 4 ? 0x0800 : 0x86dd);
	CHECK_STR(rig_addr(p, &p->src), version == 4 ? "10.0.0.1" : "fd00::1");
	CHECK_STR(rig_addr(p, &p->dst), version == 4 ? "10.0.0.2" : "fd00::2");
	CHECK_EQ(p->ip_proto, 6);
	CHECK_EQ(p->src_port, 40000);
	CHECK_EQ(p->dst_port, 80);
	CHECK_EQ(p->tcp_seq, 1000);
	CHECK_EQ(p->tcp_ack, 2000);
	CHECK_EQ(p->tcp_flags, TCP_PSH | TCP_ACK);
	CHECK_EQ(p->ttl, 64);
	CHECK_EQ(p->payload_len, 5);
	CHECK_EQ(bytes_left(&p->payload), 5);
	CHECK_MEM(p->payload.p, "hello", 5);
	CHECK_EQ(*p->network.p >> 4, version);
}

#endif
