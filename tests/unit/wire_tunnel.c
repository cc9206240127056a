/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What is no tunnel, what stands when a tunnel is broken, and the key of the path. */
#include "wire_rig.h"

/* The outer packet of a text in which no tunnel may be found. */
static void
check_outer(const char *text, uint8_t proto)
{
	struct packet p = rig_frame(rig_text(text), ETHERNET);

	CHECK_EQ(p.ip_proto, proto);
	CHECK_EQ(p.path_len, 0);
	CHECK_EQ(p.path_key, 0);
	CHECK(p.payload_len > 0);
	if (proto == 17)
		CHECK_EQ(p.src_port, 50000);
}

TEST(udp_that_only_has_a_tunnels_port_stands)
{
	check_outer("eth ip4 udp:4789", 17);
	check_outer("eth ip4 udp:6081", 17);
	check_outer("eth ip4 udp:2152", 17);
	check_outer("eth ip4 udp:3544", 17);
	check_outer("eth ip4 udp:4789 x:0000000000002a00 eth ip4 tcp", 17); /* no identifier */
	check_outer("eth ip4 udp:6081 x:4000655800002a00 eth ip4 tcp", 17); /* version */
	check_outer("eth ip4 udp:6081 x:0080655800002a00 eth ip4 tcp", 17); /* control */
	check_outer("eth ip4 udp:6081 x:3f00655800002a00 eth ip4 tcp", 17); /* options cut */
	check_outer("eth ip4 udp:2152 x:3001000000001234 ip4 tcp", 17);     /* echo request */
	check_outer("eth ip4 udp:2152 x:50ff000000001234 ip4 tcp", 17);     /* version 2 */
	check_outer("eth ip4 udp:2152 x:34ff000000001234 x:00000085 x:00", 17);
}

TEST(other_tunnels_need_what_they_carry)
{
	check_outer("eth ip4 udp:1701 x:8002 x:0007 x:0009 x:ff030021 ip4 tcp",
		    17); /* control */
	check_outer("eth ip4 udp:1701 x:0002 x:0007 x:0009 x:ff03c021 ip4 tcp", 17); /* LCP */
	check_outer("eth ip4 udp:1701 x:4002 x:0fff x:0007 x:0009 x:0021 ip4 tcp", 17);
	check_outer("eth ip4 proto:115 x:00000000 eth ip4 tcp", 115);
	check_outer("eth ip4 udp:5247 x:01000000 x:00100200 x:00000000 eth ip4 tcp",
		    17);                                                       /* DTLS */
	check_outer("eth ip4 udp:5247 x:00100280 x:00000000 eth ip4 tcp", 17); /* a fragment */
	check_outer("eth ip4 udp:37008 x:02000001 x:01 eth ip4 tcp", 17);
	check_outer("eth ip4 udp:4790 x:0d000001 x:00002a00 ip4 tcp", 17); /* OAM */
	check_outer("eth ip4 udp:5072 x:44520029 x:00000000 ip6 tcp", 17);
}

/* An ESP packet around "ip4 tcp", with padding that counts and 12 bytes to check it. */
static struct packet
esp(const char *text, uint8_t spoil)
{
	uint8_t data[64];
	static struct frame f;
	bool inner = true;
	struct packet p;
	size_t n = 0;

	memcpy(data, "hello", n = 5);
	frame_init(&f, data, n);
	rig_push(&f, "tcp", &inner);
	rig_push(&f, "ip4", &inner);
	memcpy(data, f.data, n = f.len);
	memcpy(data + n, "\x01\x02\x03\x03\x04", 5);
	memset(data + n + 5, 0xc5, 12);
	data[n + 2] ^= spoil;
	frame_init(&f, data, n + 17);
	f.ip_proto = 50;
	inner = false;
	rig_push(&f, "x:0000100100000001", &inner);
	if (*text)
		rig_push(&f, text, &inner);
	rig_push(&f, "ip4", &inner);
	p = rig_frame(&f, RAW);
	return p;
}

TEST(esp_without_encryption_is_looked_into)
{
	struct packet p = esp("", 0);

	rig_check_inner(&p, 4);
	CHECK_STR(rig_path(&p), "ip4:0 esp:4097");
	p = esp("udp:4500", 0);
	rig_check_inner(&p, 4);
	CHECK_STR(rig_path(&p), "ip4:0 esp:4097");
	p = esp("", 1);
	CHECK_EQ(p.ip_proto, 50);
	CHECK_STR(rig_path(&p), "");
}

TEST(macsec_without_encryption_is_looked_into)
{
	static const uint8_t PAYLOAD[5 + 16] = "hello";
	static struct frame f;
	struct packet p;

	rig_build(&f, "eth type:88e5 x:2000 x:00000001 x:0200000000010001 x:0800 ip4 tcp",
		  PAYLOAD, sizeof(PAYLOAD));
	p = rig_frame(&f, ETHERNET);
	CHECK_EQ(p.ip_proto, 6);
	CHECK_EQ(bytes_left(&p.payload), 5);
	rig_build(&f, "eth type:88e5 x:2c00 x:00000001 x:0200000000010001 x:0800 ip4 tcp",
		  PAYLOAD, sizeof(PAYLOAD));
	p = rig_frame(&f, ETHERNET);
	CHECK_EQ(p.ip_version, 0);
	CHECK_EQ(p.ethertype, 0x88e5);
}

/* All layers in turn: an opaque one ends the path, and its packet is the outer one. */
TEST(opaque_tunnel_is_the_flow)
{
	static const struct {
		enum packet_layer layer;
		const char *text, *path;
		uint8_t proto;
	} CASES[] = {
		{ LAYER_GRE, "eth ip4 proto:47 x:00000800 ip4 tcp", "", 47 },
		{ LAYER_IP4, "eth ip4 ip4 tcp", "", 4 },
		{ LAYER_IP6, "eth ip4 ip6 tcp", "", 41 },
		{ LAYER_IP4, "eth ip4 ip6 tcp", "ip4:0", 6 },
		{ LAYER_VXLAN, "eth vlan:7 ip4 udp:4789 x:0800000000002a00 eth ip4 tcp",
		  "vlan:7", 17 },
		{ LAYER_TEREDO, "eth ip4 udp:3544 ip6 tcp", "", 17 },
		{ LAYER_MPLS, "eth mpls:16 ip4 tcp", "", 0 },
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct wire_options options = { .opaque = 1u << CASES[i].layer };
		struct frame *f = rig_text(CASES[i].text);
		struct packet p;
		struct wire *wire;

		CHECK_EQ(wire_new(&options, &wire), BARN_OK);
		p = rig_decode(wire, ETHERNET, f->data, f->len, f->len);
		CHECK_EQ(p.ip_proto, CASES[i].proto);
		CHECK_STR(rig_path(&p), CASES[i].path);
		wire_free(wire);
	}
}

TEST(gre_that_is_not_followed_stands)
{
	check_outer("eth ip4 proto:47 x:00000806 x:0001080006040001", 47);
	check_outer("eth ip4 proto:47 x:40000800 x:00000000 x:08000004 ip4 tcp", 47); /* routing
										       */
	check_outer("eth ip4 proto:47 x:100088be x:00000001 x:10030000 ip4 tcp", 47);
	check_outer("eth ip4 proto:47 x:00020800 ip4 tcp", 47); /* version 2 */
}

TEST(ip_in_ip_of_another_version_stands)
{
	check_outer("eth ip4 proto:4 x:60000000", 4);
	check_outer("eth ip4 proto:41 x:45000000", 41);
	check_outer("eth ip4 proto:97 x:3000", 97);
}

TEST(broken_inner_packet_leaves_the_outer_one)
{
	struct frame *f = rig_text("eth ip4 ip4 tcp");
	struct packet p;

	f->data[14 + 20] = 0x41; /* header length */
	p = rig_frame(f, ETHERNET);
	CHECK_EQ(p.fault, PACKET_BAD_NETWORK);
	CHECK_STR(rig_addr(&p, &p.src), "192.0.2.1");
	CHECK_EQ(p.ip_proto, 4);
	CHECK_EQ(p.path_len, 0);
	CHECK_EQ(p.payload_len, 45);
}

TEST(tunnel_without_ip_leaves_the_outer_packet)
{
	struct packet p = rig_frame(rig_text("eth vlan:7 ip4 udp:4789 x:0800000000002a00 eth "
					     "vlan:9 type:0806 x:0001"),
				    ETHERNET);

	CHECK_EQ(p.fault, PACKET_WHOLE);
	CHECK_STR(rig_path(&p), "vlan:7");
	CHECK_EQ(p.dst_port, 4789);
	CHECK_EQ(p.ethertype, 0x0800);
}

TEST(inner_packet_has_nothing_of_the_outer_transport)
{
	struct packet p = rig_frame(
		rig_text("eth ip4 udp:4789 x:0800000000002a00 eth ip4 proto:89 x:02010000"),
		ETHERNET);

	CHECK_EQ(p.ip_proto, 89);
	CHECK_EQ(p.src_port, 0);
	CHECK_EQ(p.dst_port, 0);
	CHECK_EQ(p.payload_len, 9);
	CHECK_STR(rig_path(&p), "ip4:0 vxlan:42");
}

/* RFC 6081: a packet without payload, and a nonce behind it; cut, it is none. */
TEST(teredo_trailers_are_no_payload)
{
	static const uint8_t TRAILERS[] = { 1, 4, 0x12, 0x34, 0x56, 0x78, 2, 0 };

	for (size_t n = 0; n <= sizeof(TRAILERS); n++) {
		bool whole = n == 0 || n == 6 || n == 8, inner = true;
		static struct frame f;
		struct packet p;

		frame_init(&f, TRAILERS, n);
		f.ip_proto = 59;
		rig_push(&f, "ip6", &inner);
		f.data[4] = f.data[5] = 0;
		rig_push(&f, "udp:3544", &inner);
		rig_push(&f, "ip4", &inner);
		p = rig_frame(&f, RAW);
		CHECK_EQ(p.ip_proto, whole ? 59 : 17);
		CHECK_EQ(p.payload_len, whole ? 0 : 40 + n);
		CHECK_STR(rig_path(&p), whole ? "ip4:0 teredo:0" : "");
	}
}

TEST(address_of_version_4_in_version_6_has_no_rest)
{
	struct packet p = rig_frame(rig_text("ip6 ip4 tcp"), RAW);

	CHECK_EQ(p.src.q[1], 0);
	CHECK_EQ(p.src.w[1], 0);
}

TEST(nest_of_tunnels_is_deep)
{
	struct packet p =
		rig_frame(rig_text("ip4 ip4 ip4 ip4 ip4 ip4 ip4 ip4 ip4 ip4 tcp"), RAW);

	CHECK_EQ(p.fault, PACKET_DEEP);
	CHECK_EQ(p.ip_version, 4);
	CHECK_EQ(p.ip_proto, 4);
	CHECK_EQ(p.path_len, PACKET_PATH_MAX);
}

static uint64_t
key_of(const char *text)
{
	return rig_frame(rig_text(text), ETHERNET).path_key;
}

TEST(key_of_no_path_is_0)
{
	CHECK_EQ(key_of("eth ip4 tcp"), 0);
	CHECK_EQ(key_of("eth vlan:0 ip4 tcp"), 0);
}

TEST(key_tells_ids_and_layers_apart)
{
	static const char *const TEXTS[] = {
		"eth vlan:7 ip4 tcp",
		"eth vlan:8 ip4 tcp",
		"eth svlan:7 ip4 tcp",
		"eth vlan:7 vlan:8 ip4 tcp",
		"eth vlan:8 vlan:7 ip4 tcp",
		"eth ip4 ip4 tcp",
		"eth ip6 ip4 tcp",
		"eth ip4 proto:47 x:00000800 ip4 tcp",
		"eth ip4 proto:47 x:2000 x:0800 x:00000001 ip4 tcp",
		"eth ip4 proto:47 x:2000 x:0800 x:00000002 ip4 tcp",
		"eth ip4 udp:4789 x:0800000000000100 eth ip4 tcp",
		"eth ip4 udp:4789 x:0800000000000200 eth ip4 tcp",
		"eth ip4 udp:6081 x:0000655800000200 eth ip4 tcp",
		"eth ip4 udp:2152 x:30ff002d x:00000001 ip4 tcp",
	};

	for (size_t a = 0; a < sizeof(TEXTS) / sizeof(TEXTS[0]); a++) {
		CHECK(key_of(TEXTS[a]) != 0);
		for (size_t b = 0; b < a; b++)
			CHECK(key_of(TEXTS[a]) != key_of(TEXTS[b]));
	}
}

TEST(key_tells_outer_addresses_apart)
{
	struct frame *f = rig_text("eth ip4 ip4 tcp");
	uint64_t key = rig_frame(f, ETHERNET).path_key;

	for (size_t at = 14 + 12; at < 14 + 20; at++) {
		f->data[at] ^= 0x10;
		CHECK(rig_frame(f, ETHERNET).path_key != key);
		f->data[at] ^= 0x10;
	}
}

TEST(key_is_that_of_both_directions)
{
	struct frame *f = rig_text("eth ip4 udp:4789 x:0800000000000100 eth ip4 tcp");
	uint64_t key = rig_frame(f, ETHERNET).path_key;
	uint8_t src[4];

	memcpy(src, f->data + 14 + 12, 4);
	memcpy(f->data + 14 + 12, f->data + 14 + 16, 4);
	memcpy(f->data + 14 + 16, src, 4);
	CHECK_EQ(rig_frame(f, ETHERNET).path_key, key);
}

TEST(key_has_no_id_that_belongs_to_one_direction)
{
	CHECK_EQ(key_of("eth ip4 udp:2152 x:30ff002d x:00000001 ip4 tcp"),
		 key_of("eth ip4 udp:2152 x:30ff002d x:00000002 ip4 tcp"));
	CHECK_EQ(key_of("eth ip4 proto:47 x:3001880b x:00310007 x:00000001 x:0021 ip4 tcp"),
		 key_of("eth ip4 proto:47 x:3001880b x:00310009 x:00000001 x:0021 ip4 tcp"));
}
