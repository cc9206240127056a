/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "../lib/frame.h"
#include "inspect/ndpi.h"
#include "inspect/ndpi_isolate.h"
#include "unit.h"

#include <unistd.h>

static struct ndpi_bridge *bridge;
static struct frame frame;

/* One packet of a flow between 10.0.0.1 (client) and 203.0.113.5. */
static struct ndpi_answer
packet(struct ndpi_flow *flow, uint8_t proto, uint16_t port, bool from_client, const void *data,
       size_t len)
{
	struct frame_addr ends[2] = { frame_addr("10.0.0.1"), frame_addr("203.0.113.5") };
	uint16_t ports[2] = { 40000, port };
	static uint64_t time_ns = 1000000000;

	frame_init(&frame, data, len);
	if (proto == 17)
		frame_udp(&frame, ports[!from_client], ports[from_client]);
	else
		frame_tcp(&frame, &(struct frame_tcp){ .sport = ports[!from_client],
						       .dport = ports[from_client],
						       .seq = 1000,
						       .ack = 2000,
						       .flags = FRAME_PSH | FRAME_ACK });
	frame_ipv4(&frame, ends[!from_client], ends[from_client]);
	return ndpi_bridge_flow_packet(bridge, flow, bytes_of(frame.data, frame.len),
				       time_ns += 1000000, from_client);
}

static struct ndpi_flow *
start(void)
{
	struct ndpi_flow *flow;

	if (!bridge)
		CHECK_EQ(ndpi_bridge_new(&bridge), BARN_OK);
	CHECK_EQ(ndpi_bridge_flow_new(bridge, &flow), BARN_OK);
	return flow;
}

static const uint8_t handshake[] = "\x13"
				   "BitTorrent protocol\0\0\0\0\0\0\0\0"
				   "01234567890123456789-TR2940-k8hj0wgej6ch";

TEST(a_protocol_is_named_by_its_content)
{
	struct ndpi_flow *flow = start();
	struct ndpi_answer a = packet(flow, 6, 51413, true, handshake, sizeof(handshake) - 1);

	CHECK_STR(ndpi_bridge_name(bridge, a.master), "BitTorrent");
	CHECK(a.by_content);
	CHECK_EQ(a.app, 0);
	ndpi_bridge_flow_free(bridge, flow);
}

TEST(an_application_stands_over_its_carrier)
{
	struct ndpi_flow *flow = start();
	static const char request[] = "GET / HTTP/1.1\r\nHost: www.netflix.com\r\n\r\n";
	struct ndpi_answer a = packet(flow, 6, 8123, true, request, sizeof(request) - 1);

	CHECK_STR(ndpi_bridge_name(bridge, a.master), "HTTP");
	CHECK_STR(ndpi_bridge_name(bridge, a.app), "NetFlix");
	CHECK(a.by_content);
	ndpi_bridge_flow_free(bridge, flow);
}

TEST(a_port_alone_names_nothing)
{
	static const uint16_t ports[] = { 21, 22, 53, 80, 443, 1433, 3306, 5060 };

	for (size_t i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
		struct ndpi_flow *flow = start();
		struct ndpi_answer a =
			packet(flow, 6, ports[i], true, "\xab\xcd\xef\x01\x99", 5);

		CHECK(!a.by_content);
		a = ndpi_bridge_flow_giveup(bridge, flow);
		CHECK(!a.by_content);
		CHECK(a.final);
		ndpi_bridge_flow_free(bridge, flow);
	}
}

TEST(what_one_flow_was_says_nothing_of_the_next)
{
	struct ndpi_flow *one = start(), *two = start(), *three = start();

	CHECK(ndpi_isolate_works());
	packet(one, 17, 51413, true, "d1:ad2:id20:abcdefghij0123456789e1:q4:ping1:t2:aa1:y1:qe",
	       56);
	packet(two, 6, 51413, true, handshake, sizeof(handshake) - 1);
	for (int i = 0; i < 12; i++) {
		struct ndpi_answer a =
			packet(three, 17, 51413, i & 1, "\xe1\x77\x29\x8c\x13\x90", 6);

		CHECK_EQ(a.master, 0);
	}
	CHECK_EQ(ndpi_bridge_flow_giveup(bridge, three).master, 0);
	ndpi_bridge_flow_free(bridge, one);
	ndpi_bridge_flow_free(bridge, two);
	ndpi_bridge_flow_free(bridge, three);
}

TEST(one_packet_does_not_prove_rtp)
{
	struct ndpi_flow *flow = start();
	struct ndpi_answer a = packet(flow, 17, 41170, true,
				      "\x80\x60\x12\x34"
				      "abcdefghijklmnop",
				      20);

	CHECK(!a.by_content || a.master == 0);
	ndpi_bridge_flow_free(bridge, flow);
}

TEST(it_has_a_last_word)
{
	struct ndpi_flow *flow = start();
	int n = 0;

	while (!packet(flow, 17, 40001, n & 1, "\xe1\x77\x29\x8c\x13\x90", 6).final && n < 100)
		n++;
	CHECK(n < 40);
	ndpi_bridge_flow_free(bridge, flow);
}

TEST(names_are_the_same_in_every_bridge)
{
	struct ndpi_bridge *other;

	CHECK_EQ(ndpi_bridge_new(&other), BARN_OK);
	CHECK(ndpi_bridge_count(bridge) > 200);
	CHECK_EQ(ndpi_bridge_count(bridge), ndpi_bridge_count(other));
	for (uint16_t i = 0; i < ndpi_bridge_count(bridge); i++)
		CHECK_STR(ndpi_bridge_name(bridge, i), ndpi_bridge_name(other, i));
	CHECK(!ndpi_bridge_name(bridge, ndpi_bridge_count(bridge)));
	CHECK(!ndpi_bridge_name(bridge, UINT16_MAX));
	ndpi_bridge_free(other);
}

TEST(the_version_is_the_librarys)
{
	unsigned major, minor;

	CHECK_EQ(sscanf(ndpi_bridge_version(), "%u.%u", &major, &minor), 2);
	CHECK(major >= 4);
}

TEST(short_and_broken_packets_are_borne)
{
	struct ndpi_flow *flow = start();

	packet(flow, 6, 80, true, "GET / HTTP/1.1\r\n\r\n", 18);
	for (size_t n = 0; n < frame.len; n++)
		ndpi_bridge_flow_packet(bridge, flow, bytes_of(frame.data, n), 1, n & 1);
	ndpi_bridge_flow_free(bridge, flow);
	ndpi_bridge_flow_free(bridge, NULL);
	ndpi_bridge_free(bridge);
	bridge = NULL;
	ndpi_bridge_free(NULL);
}
