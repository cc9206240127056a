/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire_parts.h"

TEST(fragments_join_in_every_order)
{
	static const int ORDERS[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					  { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

	for (int v6 = 0; v6 < 2; v6++)
		for (int i = 0; i < 6; i++) {
			struct wire *wire = wire_of(0, 0);
			struct packet p;

			for (int j = 0; j < 2; j++) {
				p = give_third(wire, v6, 1, ORDERS[i][j]);
				check_waits(&p);
			}
			p = give_third(wire, v6, 1, ORDERS[i][2]);
			check_joined(&p, WHOLE);
			CHECK_EQ(wire_stats(wire)->fragments, 3);
			CHECK_EQ(wire_stats(wire)->datagrams_joined, 1);
			CHECK_EQ(wire_stats(wire)->datagrams_evicted, 0);
			wire_free(wire);
		}
}

TEST(later_fragments_have_the_ports_of_the_first)
{
	for (int v6 = 0; v6 < 2; v6++) {
		struct wire *wire = wire_of(0, 0);
		struct packet p = give_third(wire, v6, 1, 0);

		CHECK_EQ(p.fault, PACKET_WHOLE);
		CHECK_EQ(p.src_port, 5000);
		CHECK_EQ(p.payload_len, 392);
		p = give_third(wire, v6, 1, 1);
		CHECK_EQ(p.fault, PACKET_WHOLE);
		CHECK_EQ(p.ip_proto, 17);
		CHECK_EQ(p.src_port, 5000);
		CHECK_EQ(p.dst_port, 6000);
		CHECK_EQ(p.payload_len, 0);
		CHECK_EQ(bytes_left(&p.payload), 0);
		wire_free(wire);
	}
}

TEST(duplicates_change_nothing)
{
	struct wire *wire = wire_of(0, 0);
	struct packet p;

	give_third(wire, false, 1, 0);
	p = give_third(wire, false, 1, 0);
	check_waits(&p);
	p = give_third(wire, false, 1, 1);
	p = give_third(wire, false, 1, 1);
	check_waits(&p);
	p = give_third(wire, false, 1, 2);
	check_joined(&p, WHOLE);
	p = give_third(wire, false, 1, 2);
	check_waits(&p);
	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.src_port, 5000);
	CHECK_EQ(wire_stats(wire)->datagrams_joined, 1);
	wire_free(wire);
}

/* The same, when the first fragment completes it and had no chance to tell its ports before. */
TEST(duplicate_after_a_late_first_has_ports)
{
	struct wire *wire = wire_of(0, 0);
	struct packet p;

	give_third(wire, false, 1, 2);
	give_third(wire, false, 1, 1);
	p = give_third(wire, false, 1, 0);
	check_joined(&p, WHOLE);
	p = give_third(wire, false, 1, 1);
	CHECK_EQ(p.src_port, 5000);
	wire_free(wire);
}

TEST(overlaps_keep_the_first_bytes)
{
	struct wire *wire = wire_of(0, 0);
	static struct frame lie;
	struct packet p;

	give_third(wire, false, 1, 0);
	give_third(wire, false, 1, 1);
	lie = *datagram(WHOLE);
	lie.data = lie.room + (datagram(WHOLE)->data - datagram(WHOLE)->room);
	memset(lie.data, 0xee, 800);
	p = give(wire, &lie, &(struct part){ .id = 1, .from = 200, .to = 808, .more = true });
	check_waits(&p);
	p = give_third(wire, false, 1, 2);
	CHECK(p.reassembled);
	CHECK_MEM(p.payload.p, payload, 792);
	CHECK_EQ(p.payload_len, WHOLE);
	wire_free(wire);
}

TEST(conflicting_ends_are_ignored)
{
	struct wire *wire = wire_of(0, 0);
	struct packet p;

	give_third(wire, false, 1, 0);
	give_third(wire, false, 1, 1);
	p = give(wire, datagram(WHOLE), &(struct part){ .id = 1, .from = 400, .to = 600 });
	check_waits(&p); /* ends before what has come */
	p = give_third(wire, false, 1, 2);
	check_joined(&p, WHOLE);
	wire_free(wire);

	wire = wire_of(0, 0);
	give_third(wire, false, 1, 2);
	p = give(wire, datagram(2000),
		 &(struct part){ .id = 1, .from = 800, .to = 1200, .more = true });
	check_waits(&p); /* goes on behind the end */
	p = give(wire, datagram(2000), &(struct part){ .id = 1, .from = 1200, .to = 1300 });
	check_waits(&p); /* another end */
	give_third(wire, false, 1, 0);
	p = give_third(wire, false, 1, 1);
	check_joined(&p, WHOLE);
	wire_free(wire);
}

TEST(tiny_fragments_join)
{
	enum { N = 203 };
	struct wire *wire = wire_of(0, 0);
	struct packet p = { 0 };

	for (size_t from = 0; from < N + 8; from += 8) {
		size_t to = from + 8 < N + 8 ? from + 8 : N + 8;

		p = give(wire, datagram(N),
			 &(struct part){ .id = 1, .from = from, .to = to, .more = to < N + 8 });
		CHECK_EQ(p.src_port, 5000);
		CHECK_EQ(p.reassembled, to == N + 8);
	}
	check_joined(&p, N);
	wire_free(wire);
}

TEST(largest_datagram_joins)
{
	enum { N = 65535 - 20 - 8 };
	struct wire *wire = wire_of(0, 0);
	struct packet p = { 0 };

	for (size_t from = 0; from < N + 8; from += 1480) {
		size_t to = from + 1480 < N + 8 ? from + 1480 : N + 8;

		p = give(wire, datagram(N),
			 &(struct part){ .id = 1, .from = from, .to = to, .more = to < N + 8 });
	}
	check_joined(&p, N);
	wire_free(wire);
}

TEST(fragment_beyond_64_kib_is_ignored)
{
	struct wire *wire = wire_of(0, 0);
	static struct frame f;
	struct packet p;

	give_third(wire, false, 1, 0);
	frame_init(&f, "too late", 8);
	f.ip_proto = 17;
	frame_ip(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"),
		 &(struct frame_ip){ .id = 1, .fragment = 65528 / 8 });
	p = rig_decode(wire, RAW, f.data, f.len, f.len);
	check_waits(&p);
	CHECK_EQ(p.src_port, 5000);
	wire_free(wire);
}

TEST(fragment_that_ends_inside_a_unit_is_cut_to_it)
{
	struct wire *wire = wire_of(0, 0);
	struct packet p;

	give(wire, datagram(WHOLE),
	     &(struct part){ .id = 1, .from = 0, .to = 405, .more = true });
	p = give_third(wire, false, 1, 1);
	p = give_third(wire, false, 1, 2);
	check_joined(&p, WHOLE);
	wire_free(wire);
}

TEST(joined_network_is_a_whole_packet)
{
	for (int v6 = 0; v6 < 2; v6++) {
		struct wire *wire = wire_of(0, 0);
		struct packet p, again;

		give_third(wire, v6, 0x1234, 2);
		give_third(wire, v6, 0x1234, 1);
		p = give_third(wire, v6, 0x1234, 0);
		again = rig_decode(rig_wire(), RAW, p.network.p, bytes_left(&p.network),
				   bytes_left(&p.network));
		CHECK_EQ(again.fault, PACKET_WHOLE);
		CHECK(!again.fragment);
		CHECK_EQ(again.ip_proto, 17);
		CHECK_EQ(again.ttl, 64);
		CHECK_EQ(again.payload_len, WHOLE);
		CHECK_MEM(again.payload.p, payload, WHOLE);
		CHECK_MEM(again.src.b, p.src.b, 16);
		CHECK_MEM(again.dst.b, p.dst.b, 16);
		if (!v6)
			CHECK_EQ(frame_checksum(p.network.p, 20), 0);
		wire_free(wire);
	}
}

TEST(datagrams_are_told_apart)
{
	struct wire *wire = wire_of(0, 0);
	struct packet p;

	for (uint16_t id = 0; id < 100; id++)
		give_third(wire, id & 1, id, 0);
	for (uint16_t id = 0; id < 100; id++)
		give_third(wire, id & 1, id, 2);
	p = give_third(wire, true, 0, 1);
	CHECK(p.held);
	for (uint16_t id = 0; id < 100; id++) {
		p = give_third(wire, id & 1, id, 1);
		check_joined(&p, WHOLE);
	}
	wire_free(wire);
}

/* The same fragment behind this tag. */
static struct packet
give_tagged(struct wire *wire, uint8_t vlan, bool first)
{
	struct frame *f = rig_text("eth vlan:0 ip4 proto:17 x:1388177000130000 x:666f78");

	f->data[15] = vlan;
	f->data[18 + 4] = 7; /* identification */
	f->data[18 + 6] = first ? 0x20 : 0;
	f->data[18 + 7] = first ? 0 : 2;
	return rig_decode(wire, ETHERNET, f->data, f->len, f->len);
}

TEST(paths_are_told_apart)
{
	struct wire *wire = wire_of(0, 0);
	struct packet p;

	CHECK_EQ(give_tagged(wire, 1, true).fault, PACKET_WHOLE);
	CHECK(give_tagged(wire, 2, false).held);
	p = give_tagged(wire, 1, false);
	CHECK(p.reassembled);
	CHECK_STR(rig_path(&p), "vlan:1");
	p = give_tagged(wire, 2, true);
	CHECK(p.reassembled);
	CHECK_STR(rig_path(&p), "vlan:2");
	wire_free(wire);
}

TEST(oldest_datagram_goes_at_the_bound)
{
	struct wire *wire = wire_of(4, 0);
	struct packet p;

	for (uint16_t id = 0; id < 5; id++)
		give_third(wire, false, id, 0);
	CHECK_EQ(wire_stats(wire)->datagrams_evicted, 1);
	CHECK_EQ(give_third(wire, false, 1, 1).fault, PACKET_WHOLE);
	CHECK_EQ(give_third(wire, false, 4, 1).fault, PACKET_WHOLE);
	p = give_third(wire, false, 4, 2);
	check_joined(&p, WHOLE);
	CHECK(give_third(wire, false, 0, 1).held);
	CHECK_EQ(wire_stats(wire)->datagrams_evicted, 2);
	wire_free(wire);
}

TEST(oldest_datagram_goes_when_memory_is_full)
{
	enum { N = 40000 };
	struct wire *wire = wire_of(100, 1); /* 128 KiB: three of these */
	struct packet p;

	for (uint16_t id = 0; id < 10; id++)
		give(wire, datagram(N),
		     &(struct part){ .id = id, .from = 0, .to = 39000, .more = true });
	CHECK_EQ(wire_stats(wire)->datagrams_evicted, 7);
	for (uint16_t id = 9; id >= 7; id--) {
		p = give(wire, datagram(N),
			 &(struct part){ .id = id, .from = 39000, .to = N + 8 });
		check_joined(&p, N);
	}
	wire_free(wire);
}

TEST(datagram_that_grows_is_not_its_own_victim)
{
	enum { N = 40000 };
	struct wire *wire = wire_of(100, 1);
	struct part part = { .from = 0, .to = 8000, .more = true };
	struct packet p;

	give(wire, datagram(N), &part); /* the oldest */
	for (part.id = 1; part.id <= 3; part.id++) {
		part.to = 39000;
		give(wire, datagram(N), &part);
	}
	p = give(wire, datagram(N), &(struct part){ .from = 8000, .to = N + 8 });
	check_joined(&p, N);
	CHECK_EQ(wire_stats(wire)->datagrams_evicted, 1);
	for (part.id = 2; part.id <= 3; part.id++) {
		p = give(wire, datagram(N),
			 &(struct part){ .id = part.id, .from = 39000, .to = N + 8 });
		check_joined(&p, N);
	}
	wire_free(wire);
}

TEST(datagram_that_takes_too_long_starts_again)
{
	struct wire *wire = wire_of(0, 0);
	struct part first = { .id = 1, .from = 0, .to = 400, .more = true };
	struct part second = { .id = 1, .from = 400, .to = WHOLE + 8 };
	struct packet p;

	give(wire, datagram(WHOLE), &first);
	second.time_ns = 31 * UINT64_C(1000000000);
	p = give(wire, datagram(WHOLE), &second);
	CHECK(p.held);
	CHECK_EQ(wire_stats(wire)->datagrams_evicted, 1);

	first.id = second.id = 2;
	give(wire, datagram(WHOLE), &first);
	second.time_ns = 29 * UINT64_C(1000000000);
	p = give(wire, datagram(WHOLE), &second);
	check_joined(&p, WHOLE);
	wire_free(wire);
}

TEST(identification_is_used_again)
{
	struct wire *wire = wire_of(0, 0);
	struct packet p;

	for (int round = 0; round < 3; round++)
		for (int third = 0; third < 3; third++) {
			p = give_third(wire, false, 1, third);
			CHECK_EQ(p.reassembled, third == 2);
		}
	CHECK_EQ(wire_stats(wire)->datagrams_joined, 3);
	CHECK_EQ(wire_stats(wire)->datagrams_evicted, 0);
	wire_free(wire);
}

TEST(snapped_fragment_gives_ports_and_is_never_joined)
{
	struct wire *wire = wire_of(0, 0);
	struct packet p;

	p = give(wire, datagram(WHOLE),
		 &(struct part){ .id = 1, .from = 0, .to = 400, .more = true, .captured = 60 });
	CHECK_EQ(p.src_port, 5000);
	CHECK_EQ(p.payload_len, 392);
	CHECK_EQ(bytes_left(&p.payload), 32);
	p = give_third(wire, false, 1, 1);
	CHECK_EQ(p.src_port, 5000);
	p = give_third(wire, false, 1, 2);
	check_waits(&p);
	CHECK_EQ(wire_stats(wire)->datagrams_joined, 0);
	wire_free(wire);
}

/* Of TCP, with ports and sequence number in the first fragment and the rest in the next. */
TEST(header_split_over_fragments_is_read_when_joined)
{
	struct wire *wire = wire_of(0, 0);
	static struct frame whole, f;
	struct packet p;

	rig_build(&whole, "tcp", "hello", 5);
	frame_init(&f, whole.data, 8);
	f.ip_proto = 6;
	frame_ip(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"),
		 &(struct frame_ip){ .id = 1, .fragment = 0x2000 });
	p = rig_decode(wire, RAW, f.data, f.len, f.len);
	CHECK_EQ(p.fault, PACKET_SHORT_TRANSPORT);
	CHECK_EQ(p.src_port, 40000);
	frame_init(&f, whole.data + 8, whole.len - 8);
	f.ip_proto = 6;
	frame_ip(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"),
		 &(struct frame_ip){ .id = 1, .fragment = 1 });
	p = rig_decode(wire, RAW, f.data, f.len, f.len);
	CHECK(p.reassembled);
	rig_check_inner(&p, 4);
	wire_free(wire);
}

TEST(whole_packet_with_a_fragment_header_is_no_fragment)
{
	struct packet p = rig_frame(rig_text("ip6 proto:44 x:0600000012345678 tcp"), RAW);

	rig_check_inner(&p, 6);
	CHECK(!p.fragment);
}

/* The tunnel's packet is cut: its first part is the tunnel's, the joined one what is in it. */
TEST(tunnel_in_fragments_is_entered_once)
{
	struct wire *wire = wire_of(0, 0);
	static struct frame whole, f;
	struct packet p;

	rig_build(&whole, "proto:47 x:00000800 ip4 tcp", "hello", 5);
	for (int i = 0; i < 2; i++) {
		frame_init(&f, whole.data + (i ? 32 : 0), i ? whole.len - 32 : 32);
		f.ip_proto = 47;
		frame_ip(&f, frame_addr("192.0.2.1"), frame_addr("192.0.2.2"),
			 &(struct frame_ip){ .id = 1, .fragment = i ? 4 : 0x2000 });
		p = rig_decode(wire, RAW, f.data, f.len, f.len);
		CHECK_EQ(p.ip_proto, i ? 6 : 47);
		CHECK_STR(rig_path(&p), i ? "ip4:0 gre:0" : "");
	}
	rig_check_inner(&p, 4);
	CHECK_EQ(bytes_left(&p.network), 45);
	wire_free(wire);
}

TEST(no_options_are_the_defaults)
{
	struct wire *wire;
	struct packet p = { 0 };

	CHECK_EQ(wire_new(NULL, &wire), BARN_OK);
	for (int third = 0; third < 3; third++)
		p = give_third(wire, false, 1, third);
	check_joined(&p, WHOLE);
	wire_free(wire);
}

TEST(impossible_options_are_refused)
{
	struct wire *wire;

	CHECK_EQ(wire_new(&(struct wire_options){ .fragment_datagrams = UINT32_MAX }, &wire),
		 BARN_ERR_ARGUMENT);
}
