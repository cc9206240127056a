/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "talk.h"

static const char modules[] =
	"protocol alpha { rule hello over udp { client 0: \"ALPHA\" } => sure }\n";

static const uint64_t HOUR_NS = UINT64_C(3600) * 1000000000;

TEST(a_flow_is_over_by_the_clock_of_the_whole_input)
{
	struct talk t = { 0 };

	talk_begin(&t, modules);
	talk_udp(&t, 40000, 9000);
	talk_client(&t, "ALPHA");
	t.packet.clock_ns = t.packet.time_ns + HOUR_NS;
	talk_client(&t, "ALPHA, although its own time is hardly later");
	CHECK_EQ(t.flows, 1);
	CHECK_STR(t.flow[0].end, "idle");
	talk_end(&t);
	CHECK_EQ(t.flows, 2);
	CHECK_EQ(t.flow[1].packets[0], 1);
	talk_fini(&t);
}

TEST(time_that_goes_back_ends_nothing)
{
	struct talk t = { 0 };

	talk_begin(&t, modules);
	talk_udp(&t, 40000, 9000);
	talk_client(&t, "ALPHA");
	t.packet.time_ns -= HOUR_NS;
	talk_client(&t, "ALPHA");
	talk_end(&t);
	CHECK_EQ(t.flows, 1);
	CHECK_EQ(t.flow[0].packets[0], 2);
	talk_fini(&t);
}

TEST(the_clock_goes_in_steps_and_never_back)
{
	const uint64_t second = 1000000000;
	uint64_t clock = packet_clock(0, 100 * second + 5);

	CHECK_EQ(clock, 100 * second);
	CHECK_EQ(packet_clock(clock, 100 * second + second / 2), clock);
	CHECK_EQ(packet_clock(clock, 50 * second), clock);
	CHECK_EQ(packet_clock(clock, 102 * second + 7), 102 * second);
	clock = packet_clock(clock, UINT64_MAX);
	CHECK(clock > UINT64_MAX - second);
	CHECK_EQ(packet_clock(clock, 103 * second), clock);
}

TEST(every_packet_counts_once_for_its_interface_and_once_for_a_protocol)
{
	struct talk t = { 0 };

	talk_begin(&t, modules);
	for (uint16_t port = 1; port <= 50; port++) {
		talk_udp(&t, port, port % 3 ? 9000 : 9001);
		talk_client(&t, port % 3 ? "ALPHA" : "something else");
		talk_server(&t, "answer");
	}
	talk_end(&t);
	CHECK_EQ(talk_total(&t), 100);
	CHECK_EQ(talk_credited(&t, "alpha") + talk_credited(&t, "unknown"), 100);
	CHECK_EQ(talk_credited(&t, "alpha"), 68);
	talk_fini(&t);
}
