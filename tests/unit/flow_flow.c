/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/flow.h"
#include "unit.h"

#include <arpa/inet.h>

static union packet_addr
addr(const char *text)
{
	union packet_addr a = { .q = { 0, 0 } };

	inet_pton(strchr(text, ':') ? AF_INET6 : AF_INET, text, a.b);
	return a;
}

static struct packet
packet(const char *src, uint16_t src_port, const char *dst, uint16_t dst_port, uint8_t proto)
{
	return (struct packet){
		.src = addr(src),
		.dst = addr(dst),
		.src_port = src_port,
		.dst_port = dst_port,
		.ip_version = strchr(src, ':') ? 6 : 4,
		.ip_proto = proto,
		.ethertype = 0x0800,
	};
}

static struct packet
turned(struct packet p)
{
	union packet_addr a = p.src;
	uint16_t port = p.src_port;

	p.src = p.dst;
	p.dst = a;
	p.src_port = p.dst_port;
	p.dst_port = port;
	return p;
}

static void
check_both_ways(struct packet p, unsigned from)
{
	struct packet q = turned(p);
	struct flow_key one, other;

	memset(&one, 0xaa, sizeof(one));
	memset(&other, 0x55, sizeof(other));
	CHECK_EQ(flow_key_of(&p, &one), from);
	CHECK_EQ(flow_key_of(&q, &other), from ^ 1);
	CHECK_MEM(&one, &other, sizeof(one));
}

TEST(both_directions_have_one_key)
{
	check_both_ways(packet("10.0.0.1", 40000, "10.0.0.2", 80, 6), FLOW_A);
	check_both_ways(packet("fd00::9", 40000, "fd00::1", 80, 6), FLOW_B);
}

TEST(ends_are_ordered_by_address_as_a_number)
{
	check_both_ways(packet("10.0.0.200", 1, "10.0.1.0", 1, 17), FLOW_A);
	check_both_ways(packet("192.168.0.1", 1, "10.255.255.255", 9, 17), FLOW_B);
	check_both_ways(packet("fd00::1:0", 1, "fd00::ffff", 9, 17), FLOW_B);
	check_both_ways(packet("fd00:0:0:1::", 1, "fd00::ffff:ffff:ffff:ffff", 9, 17), FLOW_B);
}

TEST(equal_addresses_are_ordered_by_port)
{
	check_both_ways(packet("127.0.0.1", 80, "127.0.0.1", 40000, 6), FLOW_A);
	check_both_ways(packet("::1", 40000, "::1", 80, 6), FLOW_B);
}

TEST(a_packet_to_its_own_sender_is_from_a)
{
	struct packet p = packet("127.0.0.1", 5, "127.0.0.1", 5, 17);
	struct flow_key key;

	CHECK_EQ(flow_key_of(&p, &key), FLOW_A);
}

TEST(the_key_holds_what_tells_flows_apart)
{
	struct packet p = packet("10.0.0.1", 40000, "10.0.0.2", 80, 6);
	struct flow_key key;

	p.path_key = 77;
	flow_key_of(&p, &key);
	CHECK_MEM(&key.addr[FLOW_A], &p.src, sizeof(p.src));
	CHECK_MEM(&key.addr[FLOW_B], &p.dst, sizeof(p.dst));
	CHECK_EQ(key.port[FLOW_A], 40000);
	CHECK_EQ(key.port[FLOW_B], 80);
	CHECK_EQ(key.path, 77);
	CHECK_EQ(key.ip_version, 4);
	CHECK_EQ(key.ip_proto, 6);
	CHECK_EQ(key.ethertype, 0);
}

TEST(icmp_type_and_code_are_no_ports)
{
	struct packet echo = packet("10.0.0.1", 0x0800, "10.0.0.2", 0, 1);
	struct packet reply = packet("10.0.0.2", 0x0000, "10.0.0.1", 0, 1);
	struct packet echo6 = packet("fd00::1", 0x8000, "fd00::2", 0, 58);
	struct flow_key one, other;

	CHECK_EQ(flow_key_of(&echo, &one), FLOW_A);
	CHECK_EQ(flow_key_of(&reply, &other), FLOW_B);
	CHECK_MEM(&one, &other, sizeof(one));
	flow_key_of(&echo6, &one);
	CHECK_EQ(one.port[0] | one.port[1], 0);
}

TEST(a_frame_without_ip_is_keyed_by_ethertype_and_path)
{
	struct packet arp = packet("10.0.0.9", 3, "10.0.0.2", 4, 6), other_arp;
	struct flow_key one, other;

	arp.ip_version = 0;
	arp.ethertype = 0x0806;
	arp.path_key = 5;
	other_arp = turned(arp);
	CHECK_EQ(flow_key_of(&arp, &one), FLOW_A);
	CHECK_EQ(flow_key_of(&other_arp, &other), FLOW_A);
	CHECK_MEM(&one, &other, sizeof(one));
	CHECK_EQ(one.ethertype, 0x0806);
	CHECK_EQ(one.addr[0].q[0] | one.addr[1].q[0], 0);
	other_arp.path_key = 6;
	flow_key_of(&other_arp, &other);
	CHECK(memcmp(&one, &other, sizeof(one)) != 0);
}

TEST(every_end_has_a_name_of_its_own)
{
	for (int i = 0; i < FLOW_ENDS; i++) {
		CHECK(flow_end_name((enum flow_end)i)[0] >= 'a');
		for (int j = 0; j < i; j++)
			CHECK(strcmp(flow_end_name((enum flow_end)i),
				     flow_end_name((enum flow_end)j)) != 0);
	}
	CHECK_STR(flow_end_name(FLOW_FIN), "fin");
	CHECK_STR(flow_end_name(FLOW_SHUTDOWN), "shutdown");
	CHECK_STR(flow_end_name(FLOW_ENDS), "?");
	CHECK_STR(flow_end_name((enum flow_end) - 1), "?");
}
