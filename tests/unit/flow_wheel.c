/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow_rig.h"

TEST(traffic_keeps_a_flow_over_many_turns_of_the_wheel)
{
	begin(16);
	establish(1, 0);
	for (uint64_t s = 0; s < 5000; s += 500) {
		tcp(1, true, TCP_ACK, s * second);
		CHECK(!fresh);
		for (uint64_t t = 0; t < 500; t++)
			table_tick(table, start + (s + t) * second);
	}
	CHECK_EQ(gone.total, 0);
	table_tick(table, start + 6000 * second);
	CHECK_EQ(gone.total, 1);
	finish();
}

TEST(an_idle_time_longer_than_the_wheel_holds)
{
	struct table_options options = {
		.ended = note_end, .self = &owner, .flows = 4, .idle_s = { [FLOW_NEW] = 100000 }
	};

	memset(&gone, 0, sizeof(gone));
	CHECK_EQ(table_new(&options, &table), BARN_OK);
	udp(1, false, 0);
	for (uint64_t s = 0; s <= 100000; s += 10)
		table_tick(table, start + s * second);
	CHECK_EQ(gone.total, 0);
	table_tick(table, start + 101100 * second);
	CHECK_EQ(gone.total, 1);
	finish();
}

TEST(a_leap_of_time_ends_what_has_expired)
{
	begin(64);
	for (uint32_t n = 0; n < 64; n++)
		udp(n, false, n * second);
	table_tick(table, start + 1000000 * second);
	CHECK_EQ(gone.count[FLOW_IDLE], 64);
	udp(1, false, 2000000 * second);
	CHECK(fresh);
	finish();
}

TEST(time_going_back_ends_nothing_and_is_not_lost)
{
	begin(64);
	udp(1, false, 5000 * second);
	udp(2, false, 1 * second);
	CHECK(fresh);
	udp(1, false, 4000 * second);
	CHECK(!fresh);
	CHECK_EQ(flow->first_ns, start + 4000 * second);
	CHECK_EQ(flow->last_ns, start + 5000 * second);
	table_tick(table, start);
	CHECK_EQ(gone.total, 0);
	table_tick(table, start + 2000 * second);
	CHECK_EQ(gone.total, 1);
	CHECK_EQ(gone.last.last_ns, start + 1 * second);
	table_tick(table, start + 6200 * second);
	CHECK_EQ(gone.total, 2);
	finish();
}

TEST(a_flow_from_the_past_is_ended_at_the_next_turn)
{
	begin(64);
	udp(1, false, 5000 * second);
	udp(2, false, 1 * second);
	table_tick(table, start + 5003 * second);
	CHECK_EQ(gone.total, 1);
	CHECK_EQ(gone.last.first_ns, start + 1 * second);
	finish();
}
