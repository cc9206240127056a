/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow_rig.h"

static void
make_closed(void)
{
	establish(1, 0);
	tcp(1, false, TCP_FIN | TCP_ACK, 0);
	tcp(1, true, TCP_FIN | TCP_ACK, 0);
}

static void
recognise(void)
{
	flow->verdict.protocol = 1;
	flow->verdict.final = 1;
}

TEST(the_half_open_go_first_and_the_oldest_of_them)
{
	begin(8);
	establish(1, 0);
	tcp(2, false, TCP_SYN, 1);
	establish(3, 2);
	tcp(4, false, TCP_SYN, 3);
	for (uint32_t n = 5; n <= 8; n++)
		establish(n, 4);
	establish(9, 5);
	CHECK_EQ(gone.total, 1);
	CHECK_EQ(gone.last_end, FLOW_EVICTED);
	CHECK_EQ(gone.last.first_ns, start + 1);
	establish(10, 6);
	CHECK_EQ(gone.last.first_ns, start + 3);
	finish();
}

TEST(an_unanswered_stream_that_was_recognised_is_kept)
{
	begin(4);
	for (int i = 0; i < 8; i++)
		udp(1, false, 0);
	recognise();
	establish(2, 1);
	establish(3, 2);
	recognise();
	establish(4, 3);
	recognise();
	udp(5, false, 4);
	CHECK_EQ(gone.last.first_ns, start + 1);
	CHECK_EQ(gone.last_end, FLOW_EVICTED);
	finish();
}

TEST(one_packet_that_was_recognised_goes_before_what_was_answered)
{
	begin(4);
	establish(1, 0);
	recognise();
	udp(2, false, 1);
	recognise();
	establish(3, 2);
	establish(4, 3);
	udp(5, false, 4);
	CHECK_EQ(gone.last.first_ns, start + 1);
	finish();
}

/* Half-open ones beside a flood of others: they get the time to be answered. */
TEST(a_young_half_open_flow_is_kept)
{
	begin(64);
	for (uint32_t n = 0; n < 64; n++) {
		udp(n, false, n);
		recognise();
	}
	tcp(100, false, TCP_SYN, 100);
	for (uint32_t n = 200; n < 210; n++) {
		udp(n, false, n);
		recognise();
	}
	tcp(100, true, TCP_SYN | TCP_ACK, 300);
	CHECK(!fresh);
	finish();
}

TEST(the_unclassified_go_before_the_least_recently_seen)
{
	begin(4);
	for (uint32_t n = 1; n <= 4; n++) {
		establish(n, n);
		if (n != 3)
			recognise();
	}
	establish(5, 10);
	CHECK_EQ(gone.last.first_ns, start + 3);
	recognise();
	tcp(1, false, TCP_ACK, 11);
	establish(6, 12);
	CHECK_EQ(gone.last.first_ns, start + 2);
	finish();
}

TEST(a_closed_flow_goes_first_and_keeps_its_reason)
{
	begin(2);
	make_closed();
	recognise();
	establish(2, 0);
	establish(3, 1);
	CHECK_EQ(gone.last_end, FLOW_FIN);
	CHECK_EQ(gone.count[FLOW_EVICTED], 0);
	finish();
}

TEST(a_closed_flow_is_found_among_many)
{
	begin(200);
	for (uint32_t n = 0; n < 200; n++) {
		establish(n, n);
		recognise();
	}
	tcp(150, false, TCP_RST, 300);
	establish(1000, 400);
	CHECK_EQ(gone.last_end, FLOW_RST);
	CHECK_EQ(gone.last.first_ns, start + 150);
	finish();
}

TEST(at_the_bound_the_expired_go_as_idle)
{
	begin(4);
	for (uint32_t n = 1; n <= 4; n++) {
		establish(n, 0);
		recognise();
	}
	tcp(2, false, TCP_ACK, 500 * second);
	establish(5, 700 * second);
	CHECK_EQ(gone.count[FLOW_IDLE], 3);
	CHECK_EQ(gone.count[FLOW_EVICTED], 0);
	finish();
}

TEST(memory_is_bounded_and_the_peak_is_known)
{
	begin(100);
	for (uint32_t n = 0; n < 10000; n++)
		udp(n, false, n);
	CHECK_EQ(table_stats(table)->flows, 100);
	CHECK_EQ(table_stats(table)->flows_peak, 100);
	CHECK_EQ(gone.count[FLOW_EVICTED], 9900);
	finish();
}

TEST(a_table_of_one_flow_works)
{
	begin(1);
	for (uint32_t n = 0; n < 100; n++) {
		udp(n, false, n);
		CHECK(fresh);
		udp(n, true, n);
		CHECK(!fresh);
	}
	CHECK_EQ(gone.total, 99);
	finish();
}
