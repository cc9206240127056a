/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/inside.h"
#include "unit.h"
#include <arpa/inet.h>

static enum packet_dir
dir(const char *prefix, const char *src, const char *dst)
{
	struct packet packet = { .ip_version = strchr(src, ':') ? 6 : 4 };
	int family = packet.ip_version == 6 ? AF_INET6 : AF_INET;
	struct inside inside[2];

	CHECK(inside_parse("203.0.113.7", &inside[0]));
	CHECK(inside_parse(prefix, &inside[1]));
	CHECK_EQ(inet_pton(family, src, packet.src.b), 1);
	CHECK_EQ(inet_pton(family, dst, packet.dst.b), 1);
	return inside_dir(inside, 2, &packet);
}

TEST(from_inside_is_input_and_to_inside_output)
{
	CHECK_EQ(dir("10.0.0.0/8", "10.1.2.3", "192.0.2.1"), PACKET_IN);
	CHECK_EQ(dir("10.0.0.0/8", "192.0.2.1", "10.1.2.3"), PACKET_OUT);
	CHECK_EQ(dir("10.0.0.0/8", "10.1.2.3", "10.1.2.4"), PACKET_IN);
	CHECK_EQ(dir("10.0.0.0/8", "192.0.2.1", "192.0.2.2"), PACKET_IN);
	CHECK_EQ(dir("10.0.0.0/8", "192.0.2.1", "203.0.113.7"), PACKET_OUT);
	CHECK_EQ(dir("2001:db8::/33", "2001:db8:8000::1", "2001:db8:7fff::1"), PACKET_OUT);
}

TEST(a_prefix_ends_at_its_bit)
{
	CHECK_EQ(dir("10.0.0.128/25", "192.0.2.1", "10.0.0.128"), PACKET_OUT);
	CHECK_EQ(dir("10.0.0.128/25", "192.0.2.1", "10.0.0.127"), PACKET_IN);
	CHECK_EQ(dir("10.0.0.1/32", "192.0.2.1", "10.0.0.1"), PACKET_OUT);
	CHECK_EQ(dir("10.0.0.1/32", "192.0.2.1", "10.0.0.0"), PACKET_IN);
	CHECK_EQ(dir("0.0.0.0/0", "192.0.2.1", "10.0.0.0"), PACKET_IN);
	CHECK_EQ(dir("::/0", "192.0.2.1", "10.0.0.0"), PACKET_IN);
}

TEST(what_is_no_prefix_is_refused)
{
	const char *const bad[] = { "",
				    "10",
				    "10.0.0.0/",
				    "10.0.0.0/33",
				    "10.0.0.0/-1",
				    "10.0.0.0/8x",
				    "10.0.0.0/ 8",
				    "::/129",
				    "localhost",
				    "2001:db8::/32/1" };
	struct inside inside;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK(!inside_parse(bad[i], &inside));
}
