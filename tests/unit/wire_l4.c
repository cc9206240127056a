/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire_rig.h"

enum { IP4 = 20 };

static const char *const TCP_TEXT = "ip4 tcp";
static const char *const UDP_TEXT = "ip4 udp:9999";

static struct packet
with_byte(const char *text, size_t at, uint8_t value)
{
	struct frame *f = rig_text(text);

	f->data[at] = value;
	return rig_frame(f, RAW);
}

/* A datagram of protocol N whose header and payload are these bytes. */
static struct packet
of_proto(uint8_t proto, const void *bytes, size_t len)
{
	static struct frame f;

	frame_init(&f, bytes, len);
	f.ip_proto = proto;
	frame_ipv4(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"));
	return rig_frame(&f, RAW);
}

TEST(tcp_options_are_no_payload)
{
	for (size_t n = 4; n <= 40; n += 4) {
		static struct frame f;
		uint8_t options[40];
		struct packet p;

		memset(options, 1, sizeof(options));
		frame_init(&f, "hello", 5);
		frame_tcp(&f, &(struct frame_tcp){ .sport = 40000,
						   .dport = 80,
						   .seq = 1000,
						   .ack = 2000,
						   .flags = FRAME_PSH | FRAME_ACK,
						   .options = options,
						   .options_len = n });
		frame_ipv4(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"));
		p = rig_frame(&f, RAW);
		rig_check_inner(&p, 4);
		p = rig_decode(rig_wire(), RAW, f.data, IP4 + 20 + n - 1, f.len);
		CHECK_EQ(p.fault, PACKET_SHORT_TRANSPORT);
		CHECK_EQ(p.tcp_seq, 1000);
	}
}

TEST(tcp_flags_are_all_eight)
{
	CHECK_EQ(with_byte(TCP_TEXT, IP4 + 13, 0xff).tcp_flags, 0xff);
	CHECK_EQ(with_byte(TCP_TEXT, IP4 + 13, TCP_SYN).tcp_flags, TCP_SYN);
}

TEST(tcp_offset_below_5_words_is_bad)
{
	for (uint8_t words = 0; words < 5; words++) {
		struct packet p = with_byte(TCP_TEXT, IP4 + 12, (uint8_t)(words << 4));

		CHECK_EQ(p.fault, PACKET_BAD_TRANSPORT);
		CHECK_EQ(p.src_port, 40000);
		CHECK_EQ(p.payload_len, 0);
	}
}

TEST(tcp_offset_beyond_the_packet_is_bad)
{
	CHECK_EQ(with_byte(TCP_TEXT, IP4 + 12, 0x60).payload_len, 1);
	CHECK_EQ(with_byte(TCP_TEXT, IP4 + 12, 0x70).fault, PACKET_BAD_TRANSPORT);
}

TEST(ports_stand_when_the_rest_is_cut)
{
	static const char *const TEXTS[] = { "ip4 tcp", "ip4 udp:80",
					     "ip4 proto:132 x:9c4000501234567800000000",
					     "ip4 proto:33 x:9c4000500300000000123456",
					     "ip4 proto:136 x:9c40005000080000" };
	static const size_t HEADERS[] = { 20, 8, 12, 12, 8 };

	for (size_t i = 0; i < sizeof(TEXTS) / sizeof(TEXTS[0]); i++) {
		struct frame *f = rig_text(TEXTS[i]);

		for (size_t n = 0; n < HEADERS[i]; n++) {
			struct packet p = rig_decode(rig_wire(), RAW, f->data, IP4 + n, f->len);

			CHECK_EQ(p.fault, PACKET_SHORT_TRANSPORT);
			CHECK_EQ(p.dst_port, n < 4 ? 0 : 80);
			CHECK_EQ(p.payload_len, 0);
		}
		CHECK_EQ(rig_decode(rig_wire(), RAW, f->data, IP4 + HEADERS[i], f->len).fault,
			 PACKET_WHOLE);
	}
}

TEST(udp_length_cuts_a_trailer)
{
	struct packet p = with_byte(UDP_TEXT, IP4 + 5, 8 + 3);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.payload_len, 3);
	CHECK_EQ(bytes_left(&p.payload), 3);
	CHECK_EQ(with_byte(UDP_TEXT, IP4 + 5, 8).payload_len, 0);
}

TEST(udp_length_of_0_is_the_rest)
{
	struct packet p = with_byte(UDP_TEXT, IP4 + 5, 0);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.payload_len, 5);
}

TEST(udp_length_below_its_header_is_bad)
{
	for (uint8_t n = 1; n < 8; n++) {
		struct packet p = with_byte(UDP_TEXT, IP4 + 5, n);

		CHECK_EQ(p.fault, PACKET_BAD_TRANSPORT);
		CHECK_EQ(p.dst_port, 9999);
		CHECK_EQ(p.payload_len, 0);
	}
}

TEST(udp_length_beyond_the_packet_is_bad_and_readable)
{
	struct packet p = with_byte(UDP_TEXT, IP4 + 5, 8 + 6);

	CHECK_EQ(p.fault, PACKET_BAD_TRANSPORT);
	CHECK_EQ(p.src_port, 50000);
	CHECK_EQ(p.payload_len, 5);
}

TEST(udp_lite_length_is_only_the_checksums)
{
	struct packet p = of_proto(136, "\x12\x34\x56\x78\0\x08\0\0hello", 13);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.src_port, 0x1234);
	CHECK_EQ(p.dst_port, 0x5678);
	CHECK_EQ(p.payload_len, 5);
}

TEST(dccp_payload_begins_at_its_offset)
{
	uint8_t dccp[21] = { 0x12, 0x34, 0x56, 0x78, 4 };
	struct packet p = of_proto(33, dccp, sizeof(dccp));

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.src_port, 0x1234);
	CHECK_EQ(p.payload_len, 5);
	dccp[4] = 2;
	CHECK_EQ(of_proto(33, dccp, sizeof(dccp)).fault, PACKET_BAD_TRANSPORT);
	dccp[4] = 6;
	CHECK_EQ(of_proto(33, dccp, sizeof(dccp)).fault, PACKET_BAD_TRANSPORT);
}

TEST(sctp_payload_is_its_chunks)
{
	struct packet p = of_proto(132, "\x12\x34\x56\x78taggcrcc\0\3\0\4", 16);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.dst_port, 0x5678);
	CHECK_EQ(p.payload_len, 4);
	CHECK_MEM(p.payload.p, "\0\3\0\4", 4);
}

TEST(icmp_has_type_and_code_for_a_port)
{
	struct packet p = of_proto(1, "\x03\x04\0\0\0\0\0\0orig", 12);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.src_port, 0x0304);
	CHECK_EQ(p.dst_port, 0);
	CHECK_EQ(p.payload_len, 4);
	CHECK_EQ(of_proto(58, "\x80\0\0\0\0\1\0\2", 8).src_port, 0x8000);
	CHECK_EQ(of_proto(1, "\x08\0\0\0\0\0\0", 7).fault, PACKET_SHORT_TRANSPORT);
}

TEST(igmp_has_no_ports)
{
	struct packet p = of_proto(2, "\x16\0\0\0\xe0\0\0\1", 8);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.src_port, 0);
	CHECK_EQ(p.payload_len, 0);
	CHECK_EQ(of_proto(2, "\x16\0\0\0\xe0\0\0", 7).fault, PACKET_SHORT_TRANSPORT);
}

/* Every protocol of which barn reads no header. */
TEST(other_protocols_are_payload_as_a_whole)
{
	static const uint8_t READ[] = { 1, 2, 6, 17, 33, 51, 58, 132, 136 };

	for (int proto = 0; proto < 256; proto++) {
		struct packet p;

		if (memchr(READ, proto, sizeof(READ)))
			continue;
		p = of_proto((uint8_t)proto, "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
		CHECK_EQ(p.fault, PACKET_WHOLE);
		CHECK_EQ(p.ip_proto, proto);
		CHECK_EQ(p.payload_len, 8);
		CHECK_EQ(p.src_port, 0);
		CHECK_EQ(p.path_len, 0);
	}
}

TEST(empty_payload_is_whole)
{
	CHECK_EQ(of_proto(89, NULL, 0).fault, PACKET_WHOLE);
	CHECK_EQ(of_proto(132, "\x12\x34\x56\x78taggcrcc", 12).payload_len, 0);
}
