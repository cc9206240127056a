/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire_rig.h"

/* A change of one byte of the IP header; raw frames begin with it. */
static struct packet
with_byte(const char *text, size_t at, uint8_t value)
{
	struct frame *f = rig_text(text);

	f->data[at] = value;
	return rig_frame(f, RAW);
}

static struct packet
with_length(const char *text, size_t at, uint16_t value)
{
	struct frame *f = rig_text(text);

	f->data[at] = (uint8_t)(value >> 8);
	f->data[at + 1] = (uint8_t)value;
	return rig_frame(f, RAW);
}

TEST(ip4_options_are_skipped)
{
	for (size_t n = 4; n <= 40; n += 4) {
		static struct frame f;
		uint8_t options[40];
		struct packet p;

		memset(options, 1, sizeof(options));
		rig_build(&f, "tcp", "hello", 5);
		frame_ip(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"),
			 &(struct frame_ip){ .options = options, .options_len = n });
		p = rig_frame(&f, RAW);
		rig_check_inner(&p, 4);
		for (size_t len = 20; len < 20 + n; len++) {
			p = rig_decode(rig_wire(), RAW, f.data, len, f.len);
			CHECK_EQ(p.fault, PACKET_SHORT_NETWORK);
			CHECK_EQ(p.ip_version, 0);
			CHECK_EQ(p.ethertype, 0x0800);
		}
	}
}

TEST(ds_field_and_hop_limit_are_those_of_the_header)
{
	const char *families[] = { "10.0.0.1", "fd00::1" };

	for (int i = 0; i < 2; i++) {
		static struct frame f;
		struct packet p;

		rig_build(&f, "tcp", "hello", 5);
		frame_ip(&f, frame_addr(families[i]), frame_addr(families[i]),
			 &(struct frame_ip){ .ttl = 3, .tos = 0xb9, .flow_label = 0xfffff });
		p = rig_frame(&f, RAW);
		CHECK_EQ(p.tos, 0xb9);
		CHECK_EQ(p.ttl, 3);
	}
}

TEST(version_that_is_not_the_ethertypes_is_bad)
{
	struct frame *f = rig_text("eth ip4 tcp");
	struct packet p;

	f->data[14] = 0x65;
	p = rig_frame(f, ETHERNET);
	CHECK_EQ(p.fault, PACKET_BAD_NETWORK);
	CHECK_EQ(p.ip_version, 0);
	CHECK_EQ(p.ethertype, 0x0800);
	f = rig_text("eth ip6 tcp");
	f->data[14] = 0x40;
	p = rig_frame(f, ETHERNET);
	CHECK_EQ(p.fault, PACKET_BAD_NETWORK);
	CHECK_EQ(p.ethertype, 0x86dd);
}

TEST(raw_frame_of_another_version_is_bad)
{
	CHECK_EQ(with_byte("ip4 tcp", 0, 0x55).fault, PACKET_BAD_NETWORK);
	CHECK_EQ(with_byte("ip6 tcp", 0, 0x00).fault, PACKET_BAD_NETWORK);
	CHECK_EQ(rig_decode(rig_wire(), RAW, "", 0, 0).fault, PACKET_SHORT_NETWORK);
}

TEST(ip4_header_length_below_5_words_is_bad)
{
	for (uint8_t words = 0; words < 5; words++) {
		struct packet p = with_byte("ip4 tcp", 0, (uint8_t)(0x40 | words));

		CHECK_EQ(p.fault, PACKET_BAD_NETWORK);
		CHECK_EQ(p.ip_version, 0);
	}
}

TEST(ip4_total_length_below_its_header_is_bad)
{
	CHECK_EQ(with_length("ip4 tcp", 2, 1).fault, PACKET_BAD_NETWORK);
	CHECK_EQ(with_length("ip4 tcp", 2, 19).fault, PACKET_BAD_NETWORK);
	CHECK_EQ(with_length("ip4 tcp", 2, 20).fault, PACKET_SHORT_TRANSPORT);
}

TEST(length_of_0_is_that_of_the_frame)
{
	struct packet p = with_length("ip4 tcp", 2, 0);

	rig_check_inner(&p, 4);
	p = with_length("ip6 tcp", 4, 0);
	rig_check_inner(&p, 6);
	p = with_length("ip6 ext:0 tcp", 4, 0);
	rig_check_inner(&p, 6);
}

TEST(ip6_without_payload_has_none_of_the_padding)
{
	struct packet p = with_length("ip6 proto:59", 4, 0);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.payload_len, 0);
	CHECK_EQ(bytes_left(&p.network), 40);
}

TEST(length_beyond_the_frame_is_cut_to_it)
{
	struct packet p = with_length("ip4 tcp", 2, 60000);

	rig_check_inner(&p, 4);
	p = with_length("ip6 tcp", 4, 60000);
	rig_check_inner(&p, 6);
}

TEST(shorter_length_cuts_network_and_payload)
{
	struct packet p = with_length("ip4 tcp", 2, 43);

	CHECK_EQ(p.payload_len, 3);
	CHECK_EQ(bytes_left(&p.payload), 3);
	CHECK_EQ(bytes_left(&p.network), 43);
	p = with_length("ip6 tcp", 4, 24);
	CHECK_EQ(p.payload_len, 4);
	CHECK_EQ(bytes_left(&p.network), 64);
}

TEST(largest_packets_are_whole)
{
	static uint8_t payload[65535];
	static struct frame f;
	struct packet p;

	rig_build(&f, "ip4 tcp", payload, 65535 - 40);
	p = rig_frame(&f, RAW);
	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.payload_len, 65535 - 40);
	rig_build(&f, "ip6 tcp", payload, 65535 - 20);
	p = rig_frame(&f, RAW);
	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.payload_len, 65535 - 20);
}

TEST(frame_of_more_than_64_kib_with_length_0_is_whole)
{
	static uint8_t data[200040];
	struct frame *f = rig_text("ip4 tcp");
	struct packet p;

	memcpy(data, f->data, f->len);
	data[2] = data[3] = 0;
	p = rig_decode(rig_wire(), RAW, data, sizeof(data), sizeof(data));
	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.payload_len, 200000);
	CHECK_EQ(bytes_left(&p.payload), 200000);
}

TEST(snapped_payload_keeps_its_length)
{
	struct frame *f = rig_text("eth ip4 tcp");
	struct packet p = rig_decode(rig_wire(), ETHERNET, f->data, f->len - 5, f->len);

	CHECK_EQ(p.payload_len, 5);
	CHECK_EQ(bytes_left(&p.payload), 0);
	CHECK_EQ(p.fault, PACKET_WHOLE);
}

TEST(extension_headers_come_in_any_order)
{
	static const char *const ORDERS[] = {
		"ip6 ext:0 ext:60 ext:43 ext:60 tcp",
		"ip6 ext:60 ext:0 tcp",
		"ip6 ext:43 ext:0 ext:0 ext:135 tcp",
		"ip6 ext:140 ext:139 ext:43 tcp",
		"ip6 ext:0 proto:44 x:3c00000000000001 ext:60 tcp",
	};

	for (size_t i = 0; i < sizeof(ORDERS) / sizeof(ORDERS[0]); i++) {
		struct packet p = rig_frame(rig_text(ORDERS[i]), RAW);

		rig_check_inner(&p, 6);
	}
}

/* As many as a frame of 1500 bytes can hold. */
TEST(long_chain_of_extension_headers_is_followed)
{
	static struct frame f;
	struct packet p;

	rig_build(&f, "tcp", "hello", 5);
	for (int i = 0; i < 120; i++)
		frame_extension(&f, 60, NULL, 0);
	frame_ipv6(&f, frame_addr("fd00::1"), frame_addr("fd00::2"));
	p = rig_frame(&f, RAW);
	rig_check_inner(&p, 6);
}

TEST(endless_chain_of_extension_headers_is_deep)
{
	static uint8_t data[40 + 8 * 400];
	struct frame *f = rig_text("ip6 ext:60 tcp");
	struct packet p;

	memcpy(data, f->data, 40);
	data[4] = (uint8_t)((sizeof(data) - 40) >> 8);
	data[5] = (uint8_t)(sizeof(data) - 40);
	for (size_t at = 40; at < sizeof(data); at += 8)
		data[at] = 60;
	p = rig_decode(rig_wire(), RAW, data, sizeof(data), sizeof(data));
	CHECK_EQ(p.fault, PACKET_DEEP);
	CHECK_EQ(p.ip_version, 6);
}

TEST(long_extension_header_is_skipped_whole)
{
	static const size_t LENGTHS[] = { 6, 14, 254, 902 };
	static uint8_t body[902];

	for (size_t i = 0; i < sizeof(LENGTHS) / sizeof(LENGTHS[0]); i++) {
		static struct frame f;
		struct packet p;

		rig_build(&f, "tcp", "hello", 5);
		frame_extension(&f, 0, body, LENGTHS[i]);
		frame_ipv6(&f, frame_addr("fd00::1"), frame_addr("fd00::2"));
		p = rig_frame(&f, RAW);
		rig_check_inner(&p, 6);
	}
}

TEST(cut_extension_header_is_short_network)
{
	struct frame *f = rig_text("ip6 ext:0 ext:60 tcp");

	for (size_t len = 40; len < 56; len++) {
		struct packet p = rig_decode(rig_wire(), RAW, f->data, len, f->len);

		CHECK_EQ(p.fault, PACKET_SHORT_NETWORK);
		CHECK_EQ(p.ip_version, 6);
		CHECK_STR(rig_addr(&p, &p.dst), "fd00::2");
	}
}

TEST(encrypted_payload_ends_the_chain)
{
	struct packet p = rig_frame(rig_text("ip6 ext:60 proto:50 x:0102030405060708"), RAW);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.ip_proto, 50);
	CHECK_EQ(p.payload_len, 13);
	CHECK_EQ(p.src_port, 0);
	p = rig_frame(rig_text("ip4 proto:50 x:0102030405060708"), RAW);
	CHECK_EQ(p.ip_proto, 50);
	CHECK_EQ(p.payload_len, 13);
}

TEST(no_next_header_ends_the_chain)
{
	struct packet p = rig_frame(rig_text("ip6 ext:0 proto:59"), RAW);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.ip_proto, 59);
}

TEST(message_that_ends_a_chain_names_the_packet)
{
	static const uint8_t PROTOS[] = { 135, 139, 140 };

	for (size_t i = 0; i < sizeof(PROTOS); i++) {
		static struct frame f;
		struct packet p;

		frame_init(&f, NULL, 0);
		f.ip_proto = 59;
		frame_extension(&f, PROTOS[i], "abcdef", 6);
		frame_ipv6(&f, frame_addr("fd00::1"), frame_addr("fd00::2"));
		p = rig_frame(&f, RAW);
		CHECK_EQ(p.fault, PACKET_WHOLE);
		CHECK_EQ(p.ip_proto, PROTOS[i]);
	}
}

TEST(extension_headers_mean_nothing_in_ip4)
{
	static const uint8_t PROTOS[] = { 0, 43, 44, 60, 135, 139, 140 };

	for (size_t i = 0; i < sizeof(PROTOS); i++) {
		struct packet p = with_byte("ip4 tcp", 9, PROTOS[i]);

		CHECK_EQ(p.fault, PACKET_WHOLE);
		CHECK_EQ(p.ip_proto, PROTOS[i]);
		CHECK_EQ(p.payload_len, 25);
		CHECK_EQ(p.src_port, 0);
	}
}

TEST(other_ethertypes_have_no_network)
{
	struct packet p = rig_frame(rig_text("eth vlan:5 type:0806 x:0001"), ETHERNET);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.ip_version, 0);
	CHECK_EQ(p.ethertype, 0x0806);
	CHECK_STR(rig_path(&p), "vlan:5");
	CHECK(p.path_key != 0);
}

TEST(packet_of_nflog_is_what_its_header_says)
{
	struct packet p = rig_frame(
		rig_text("x:07000001 x:0800010008060300 x:11000900 x:0001080006040001"), 239);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.ip_version, 0);
	CHECK_EQ(p.ethertype, 0x0806);
}

TEST(llc_is_named_by_its_access_point)
{
	struct packet p = rig_frame(rig_text("eth 802.3 x:424203 x:0000"), ETHERNET);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_EQ(p.ethertype, 0x42);
	p = rig_frame(rig_text("eth 802.3 x:aaaa03 x:00000c2000"), ETHERNET);
	CHECK_EQ(p.ethertype, 0x2000);
	p = rig_frame(rig_text("eth 802.3 x:fefe03 x:83"), ETHERNET);
	CHECK_EQ(p.ethertype, 0x83);
}

TEST(too_many_tags_are_deep)
{
	struct packet p = rig_frame(rig_text("eth vlan:1 vlan:2 vlan:3 vlan:4 vlan:5 vlan:6 "
					     "vlan:7 vlan:8 vlan:9 ip4 tcp"),
				    ETHERNET);

	CHECK_EQ(p.fault, PACKET_DEEP);
	CHECK_EQ(p.ip_version, 0);
	CHECK_EQ(p.path_len, PACKET_PATH_MAX);
	CHECK_EQ(p.ethertype, 0x8100);
}

TEST(encrypted_and_other_wlan_frames_are_wlan_alone)
{
	static const char *const FRAMES[] = {
		"x:0841000002000000000102000000000202000000000310000102030405060708",
		"x:48010000020000000001020000000002020000000003 x:1000",
		"x:80000000020000000001020000000002020000000003 x:1000",
		"x:d4000000020000000001",
	};

	for (size_t i = 0; i < sizeof(FRAMES) / sizeof(FRAMES[0]); i++) {
		struct packet p = rig_frame(rig_text(FRAMES[i]), 105);

		CHECK_EQ(p.fault, PACKET_WHOLE);
		CHECK_EQ(p.ip_version, 0);
		CHECK_STR(rig_path(&p), "wlan:0");
	}
}

TEST(check_sequence_is_no_payload)
{
	/* radiotap says that 4 bytes of check sequence follow; IP without a length tells */
	struct frame *f = rig_text("x:0000090002000000 x:10 x:08010000020000000001020000000002"
				   "020000000003 x:1000 x:aaaa030000000800 ip4 tcp");
	struct packet p;

	f->data[9 + 24 + 8 + 2] = f->data[9 + 24 + 8 + 3] = 0;
	p = rig_frame(f, 127);
	CHECK_EQ(p.payload_len, 1);
}

TEST(faults_and_frames_are_counted)
{
	struct wire *wire;
	struct frame *f = rig_text("eth ip4 tcp");

	CHECK_EQ(wire_new(&(struct wire_options){ 0 }, &wire), BARN_OK);
	for (int i = 0; i < 3; i++)
		rig_decode(wire, ETHERNET, f->data, f->len, f->len);
	rig_decode(wire, ETHERNET, f->data, 13, f->len);
	rig_decode(wire, 147, f->data, f->len, f->len);
	CHECK_EQ(wire_stats(wire)->frames, 5);
	CHECK_EQ(wire_stats(wire)->faults[PACKET_WHOLE], 3);
	CHECK_EQ(wire_stats(wire)->faults[PACKET_SHORT_LINK], 1);
	CHECK_EQ(wire_stats(wire)->faults[PACKET_UNKNOWN_LINK], 1);
	wire_free(wire);
	wire_free(NULL);
}

TEST(fields_of_the_caller_are_kept)
{
	struct frame *f = rig_text("ip4 tcp");
	struct packet p = { .frame = bytes_of(f->data, f->len),
			    .wire_len = (uint32_t)f->len,
			    .time_ns = 1,
			    .serial = 2,
			    .linktype = RAW,
			    .iface = 3,
			    .dir = PACKET_OUT };

	wire_decode(rig_wire(), &p);
	CHECK_EQ(p.time_ns, 1);
	CHECK_EQ(p.serial, 2);
	CHECK_EQ(p.iface, 3);
	CHECK_EQ(p.dir, PACKET_OUT);
	CHECK_EQ(p.wire_len, f->len);
	CHECK(p.frame.p == f->data);
}
