/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_WIRE_PARTS_H
#define BARN_TESTS_WIRE_PARTS_H

/* Datagrams in fragments, for the tests of wire. */

#include "wire_rig.h"

enum { WHOLE = 1000 }; /* bytes of payload of most datagrams here */

static uint8_t payload[65536];

/* A UDP datagram without its IP header, with n bytes of payload: what is cut into fragments. */
static inline const struct frame *
datagram(size_t n)
{
	static struct frame f;

	for (size_t i = 0; i < n; i++)
		payload[i] = (uint8_t)(i * 31 + i / 256);
	frame_init(&f, payload, n);
	frame_udp(&f, 5000, 6000);
	return &f;
}

/* Where a fragment goes: the rest is the same for all of them. */
struct part {
	bool v6;
	uint16_t id;
	size_t from, to; /* of the datagram, with its UDP header */
	bool more;
	uint64_t time_ns;
	size_t captured; /* 0: all */
};

static inline struct packet
give(struct wire *wire, const struct frame *whole, const struct part *part)
{
	static struct frame f;
	struct packet p = { 0 };
	size_t len;

	frame_init(&f, whole->data + part->from, part->to - part->from);
	f.ip_proto = 17;
	if (part->v6) {
		frame_fragment(&f, (uint16_t)part->from, part->more, part->id);
		frame_ipv6(&f, frame_addr("fd00::1"), frame_addr("fd00::2"));
	} else {
		frame_ip(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"),
			 &(struct frame_ip){ .id = part->id,
					     .fragment = (uint16_t)(part->from / 8 |
								    (part->more ? 0x2000 : 0)),
					     .fragmentable = true });
	}
	len = f.len;
	p.frame = bytes_of(f.data, part->captured ? part->captured : len);
	p.wire_len = (uint32_t)len;
	p.linktype = RAW;
	p.time_ns = UINT64_C(1700000000000000000) + part->time_ns; /* that of rig_decode */
	wire_decode(wire, &p);
	if (wire_insane(&p))
		CHECK_STR(wire_insane(&p), "sane");
	return p;
}

static inline struct wire *
wire_of(uint32_t datagrams, uint32_t bytes)
{
	struct wire *wire = NULL;

	CHECK_EQ(wire_new(&(struct wire_options){ .fragment_datagrams = datagrams,
						  .fragment_bytes = bytes,
						  .seed = { 3, 4 } },
			  &wire),
		 BARN_OK);
	return wire;
}

static inline void
check_joined(const struct packet *p, size_t n)
{
	CHECK_EQ(p->fault, PACKET_WHOLE);
	CHECK(p->fragment);
	CHECK(p->reassembled);
	CHECK_EQ(p->ip_proto, 17);
	CHECK_EQ(p->src_port, 5000);
	CHECK_EQ(p->dst_port, 6000);
	CHECK_EQ(p->payload_len, n);
	CHECK_EQ(bytes_left(&p->payload), n);
	CHECK_MEM(p->payload.p, payload, n);
}

static inline void
check_waits(const struct packet *p)
{
	CHECK(p->fragment);
	CHECK(!p->reassembled);
}

/* Three parts of a datagram of WHOLE bytes of payload. */
static inline struct packet
give_third(struct wire *wire, bool v6, uint16_t id, int third)
{
	static const size_t EDGES[] = { 0, 400, 800, WHOLE + 8 };

	return give(wire, datagram(WHOLE),
		    &(struct part){ .v6 = v6,
				    .id = id,
				    .from = EDGES[third],
				    .to = EDGES[third + 1],
				    .more = third < 2 });
}

#endif
