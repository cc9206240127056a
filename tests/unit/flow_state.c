/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow_rig.h"

TEST(syn_names_its_sender_the_client)
{
	begin(16);
	tcp(1, true, TCP_SYN, 0);
	CHECK_EQ(flow->client, FLOW_B);
	CHECK(flow->client_known);
	finish();
}

TEST(syn_ack_names_its_receiver_the_client)
{
	begin(16);
	tcp(1, true, TCP_SYN | TCP_ACK, 0);
	CHECK_EQ(flow->client, FLOW_A);
	CHECK(flow->client_known);
	CHECK_EQ(flow->state, FLOW_SYN);
	finish();
}

TEST(without_syn_the_first_sender_is_presumed_the_client)
{
	begin(16);
	tcp(1, true, TCP_ACK, 0);
	CHECK_EQ(flow->client, FLOW_B);
	CHECK(!flow->client_known);
	tcp(1, false, TCP_SYN, 0);
	CHECK_EQ(flow->client, FLOW_A);
	CHECK(flow->client_known);
	udp(1, true, 0);
	CHECK_EQ(flow->client, FLOW_B);
	CHECK(!flow->client_known);
	finish();
}

TEST(a_second_syn_does_not_turn_the_client)
{
	begin(16);
	tcp(1, false, TCP_SYN, 0);
	tcp(1, true, TCP_SYN, 0);
	CHECK_EQ(flow->client, FLOW_A);
	finish();
}

TEST(tcp_states_follow_the_flags)
{
	begin(16);
	tcp(1, false, TCP_SYN, 0);
	CHECK_EQ(flow->state, FLOW_SYN);
	tcp(1, true, TCP_SYN | TCP_ACK, 0);
	CHECK_EQ(flow->state, FLOW_SYN);
	tcp(1, false, TCP_ACK, 0);
	CHECK_EQ(flow->state, FLOW_ESTABLISHED);
	tcp(1, true, TCP_ACK | TCP_FIN, 0);
	CHECK_EQ(flow->state, FLOW_CLOSING);
	tcp(1, true, TCP_ACK | TCP_FIN, 0);
	CHECK_EQ(flow->state, FLOW_CLOSING);
	tcp(1, false, TCP_ACK, 0);
	CHECK_EQ(flow->state, FLOW_CLOSING);
	tcp(1, false, TCP_ACK | TCP_FIN, 0);
	CHECK_EQ(flow->state, FLOW_CLOSED);
	tcp(1, true, TCP_ACK, 0);
	CHECK_EQ(flow->state, FLOW_CLOSED);
	CHECK(!fresh);
	finish();
}

TEST(a_connection_joined_midway_stands_with_its_second_packet)
{
	begin(16);
	tcp(1, true, TCP_ACK, 0);
	CHECK_EQ(flow->state, FLOW_NEW);
	tcp(1, true, TCP_ACK, 0);
	CHECK_EQ(flow->state, FLOW_ESTABLISHED);
	finish();
}

TEST(others_are_answered_by_the_other_end_only)
{
	begin(16);
	udp(1, true, 0);
	udp(1, true, 0);
	CHECK_EQ(flow->state, FLOW_NEW);
	udp(1, false, 0);
	CHECK_EQ(flow->state, FLOW_ANSWERED);
	finish();
}

/* One flow in a state; lives through its idle time, and not a nanosecond longer. */
static void
check_idle(void (*make)(void), uint64_t idle_s, enum flow_end end)
{
	begin(16);
	make();
	table_tick(table, start + idle_s * second);
	CHECK_EQ(table_stats(table)->flows, 1);
	/* The wheel passes later; a packet finds out itself. */
	tcp(1, false, TCP_ACK, idle_s * second + 1);
	CHECK(fresh);
	CHECK_EQ(gone.total, 1);
	CHECK_EQ(gone.last_end, end);
	CHECK_EQ(gone.last.last_ns, start);
	finish();

	begin(16);
	make();
	tcp(1, false, TCP_ACK, idle_s * second);
	CHECK(!fresh);
	finish();

	begin(16);
	make();
	table_tick(table, start + (idle_s + 2) * second);
	CHECK_EQ(gone.total, 1);
	CHECK_EQ(gone.last_end, end);
	finish();
}

static void
make_new(void)
{
	tcp(1, true, TCP_ACK, 0);
}

static void
make_syn(void)
{
	tcp(1, false, TCP_SYN, 0);
}

static void
make_established(void)
{
	establish(1, 0);
}

static void
make_closing(void)
{
	establish(1, 0);
	tcp(1, false, TCP_FIN | TCP_ACK, 0);
}

static void
make_closed(void)
{
	make_closing();
	tcp(1, true, TCP_FIN | TCP_ACK, 0);
}

static void
make_reset(void)
{
	establish(1, 0);
	tcp(1, true, TCP_RST, 0);
}

TEST(each_tcp_state_has_its_idle_time_to_the_nanosecond)
{
	check_idle(make_new, 60, FLOW_IDLE);
	check_idle(make_syn, 40, FLOW_IDLE);
	check_idle(make_established, 600, FLOW_IDLE);
	check_idle(make_closing, 60, FLOW_FIN);
	check_idle(make_closed, 10, FLOW_FIN);
	check_idle(make_reset, 10, FLOW_RST);
}

TEST(udp_idles_longer_when_answered)
{
	begin(16);
	udp(1, false, 0);
	udp(1, false, 60 * second + 1);
	CHECK(fresh);
	udp(1, true, 61 * second);
	udp(1, false, 241 * second);
	CHECK(!fresh);
	udp(1, false, 421 * second + 1);
	CHECK(fresh);
	CHECK_EQ(gone.count[FLOW_IDLE], 2);
	finish();
}

TEST(idle_times_can_be_set)
{
	struct table_options options = {
		.ended = note_end, .self = &owner, .flows = 4, .idle_s = { [FLOW_NEW] = 7 }
	};

	memset(&gone, 0, sizeof(gone));
	CHECK_EQ(table_new(&options, &table), BARN_OK);
	udp(1, false, 0);
	udp(1, false, 7 * second);
	CHECK(!fresh);
	udp(1, false, 14 * second + 1);
	CHECK(fresh);
	finish();
}

TEST(late_segments_of_a_closed_connection_stay_with_it)
{
	begin(16);
	make_closed();
	tcp(1, false, TCP_ACK, 9 * second);
	CHECK(!fresh);
	tcp(1, true, TCP_ACK | TCP_PSH, 18 * second);
	CHECK(!fresh);
	CHECK_EQ(flow->state, FLOW_CLOSED);
	finish();
}

TEST(a_new_syn_on_a_closed_connection_is_a_new_flow)
{
	begin(16);
	make_closed();
	syn(1, 77777, 1 * second);
	CHECK(fresh);
	CHECK_EQ(gone.last_end, FLOW_FIN);
	CHECK_EQ(flow->fin, 0);
	CHECK_EQ(flow->state, FLOW_SYN);
	tcp(1, true, TCP_RST | TCP_ACK, 1 * second);
	CHECK_EQ(flow->state, FLOW_CLOSED);
	syn(1, 88888, 2 * second);
	CHECK(fresh);
	CHECK_EQ(gone.last_end, FLOW_RST);
	finish();
}

TEST(the_old_syn_again_is_no_new_flow)
{
	begin(16);
	syn(1, 1000, 0);
	tcp(1, true, TCP_RST | TCP_ACK, 0);
	syn(1, 1000, 1 * second);
	CHECK(!fresh);
	tcp(1, true, TCP_SYN | TCP_ACK, 2 * second);
	CHECK(!fresh);
	finish();
}

TEST(the_servers_syn_on_a_closed_connection_is_a_new_flow)
{
	begin(16);
	make_closed();
	tcp(1, true, TCP_SYN, 0);
	CHECK(fresh);
	CHECK_EQ(flow->client, FLOW_B);
	finish();
}

TEST(a_syn_on_an_open_connection_is_no_new_flow)
{
	begin(16);
	establish(1, 0);
	syn(1, 5, 0);
	CHECK(!fresh);
	CHECK_EQ(flow->state, FLOW_ESTABLISHED);
	tcp(1, true, TCP_FIN | TCP_ACK, 0);
	syn(1, 6, 0);
	CHECK(!fresh);
	tcp(1, true, TCP_SYN | TCP_ACK, 0); /* again, of the connection that stands */
	CHECK(!fresh);
	finish();
}

/* As one side of an asymmetric route sees it. */
TEST(a_syn_after_its_own_fin_is_a_new_flow)
{
	begin(16);
	syn(1, 1000, 0);
	tcp(1, false, TCP_ACK, 0);
	tcp(1, false, TCP_FIN | TCP_ACK, 0);
	CHECK_EQ(flow->state, FLOW_CLOSING);
	syn(1, 1000, 0);
	CHECK(!fresh);
	syn(1, 5000, 1 * second);
	CHECK(fresh);
	CHECK_EQ(gone.last_end, FLOW_FIN);
	finish();
}

/* The same from the other side; or both, and the old connection's end was not seen. */
TEST(an_answer_to_another_syn_is_a_new_flow)
{
	begin(16);
	establish(1, 0);
	syn(1, 5000, 0);
	CHECK(!fresh);
	syn_ack(1, 5000, 0);
	CHECK(fresh);
	CHECK_EQ(flow->client, FLOW_A);
	CHECK(flow->client_known);
	syn_ack(1, 5000, 0);
	CHECK(!fresh);
	tcp(1, false, TCP_ACK, 0);
	tcp(1, true, TCP_RST, 0);
	syn_ack(1, 5000, 0);
	CHECK(!fresh);
	syn_ack(1, 7000, 0);
	CHECK(fresh);
	CHECK_EQ(gone.last_end, FLOW_RST);
	finish();
}
