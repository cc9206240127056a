/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "talk.h"

static const char modules[] =
	"protocol alpha { port tcp 700, 701 rule hello over tcp { client 0: \"ALPHA\" } => "
	"sure }\n"
	"protocol beta { port tcp 702 rule maybe over tcp { client 0: \"AL\" } => likely }\n"
	"protocol gamma { port tcp 703 port udp 703\n"
	"  rule pair over udp { client 0: \"ask\" server 0: \"answer\" } => sure }\n"
	"protocol delta { ip-protocol 253 }\n"
	"protocol sctp { ip-protocol 132 }\n"
	"protocol upper { over sctp port sctp 706 }\n"
	"protocol alphas { over alpha port tcp 704 }\n"
	"protocol hosted { over alpha port tcp 705 host \"www.example.com\" }\n";

static void
begin(struct talk *t)
{
	*t = (struct talk){ 0 };
	talk_begin(t, modules);
}

static void
end(struct talk *t)
{
	CHECK_EQ(talk_total(t), t->packet.serial);
	talk_fini(t);
}

TEST(a_sure_rule_decides_at_its_packet)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 9000);
	talk_client(&t, "ALPHA 1");
	talk_server(&t, "anything");
	talk_end(&t);
	CHECK_EQ(t.flows, 1);
	CHECK_STR(t.flow[0].protocol, "alpha");
	CHECK_STR(t.flow[0].stack, "ip/tcp/alpha");
	CHECK_STR(t.flow[0].evidence, "rule");
	CHECK(t.flow[0].sure);
	CHECK_EQ(t.flow[0].decided_at, 3);
	end(&t);
}

TEST(a_carrier_on_a_port_of_its_own_has_the_name_of_that)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 704);
	talk_client(&t, "ALPHA 1");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/alpha/alphas");
	CHECK_STR(t.flow[0].evidence, "rule");
	CHECK(t.flow[0].sure);
	CHECK_EQ(talk_credited(&t, "alphas"), 3);
	end(&t);
}

TEST(the_clients_port_or_another_carrier_says_nothing_of_what_is_carried)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 704, 9000);
	talk_client(&t, "ALPHA 1");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/alpha");
	end(&t);

	begin(&t);
	talk_open(&t, 40000, 704);
	talk_client(&t, "ALBUM");
	talk_close(&t);
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/beta");
	end(&t);
}

TEST(what_has_a_host_is_not_named_by_carrier_and_port)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 705);
	talk_client(&t, "ALPHA 1");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/alpha");
	end(&t);
}

TEST(a_guess_by_port_shows_its_carrier)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 704);
	talk_client(&t, "something else");
	talk_close(&t);
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/alpha/alphas");
	CHECK_STR(t.flow[0].evidence, "port");
	CHECK(!t.flow[0].sure);
	end(&t);
}

TEST(packets_before_the_verdict_are_credited_with_it)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 9000);
	CHECK_EQ(talk_credited(&t, "alpha"), 0);
	CHECK_EQ(talk_credited(&t, "unknown"), 0);
	CHECK_EQ(talk_total(&t), 2);
	talk_client(&t, "ALPHA 1");
	CHECK_EQ(talk_credited(&t, "alpha"), 3);
	talk_server(&t, "x");
	CHECK_EQ(talk_credited(&t, "alpha"), 4);
	talk_end(&t);
	CHECK_EQ(talk_credited(&t, "alpha"), 4);
	end(&t);
}

TEST(a_likely_rule_stands_if_nothing_is_sure)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 9000);
	talk_client(&t, "ALBUM");
	talk_close(&t);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "beta");
	CHECK(!t.flow[0].sure);
	CHECK_EQ(talk_credited(&t, "beta"), 5);
	end(&t);
}

TEST(a_sure_rule_beats_a_likely_one)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 702);
	talk_client(&t, "AL");
	talk_client(&t, "PHA");
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "alpha");
	end(&t);
}

TEST(a_likely_rule_beats_the_port)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 703);
	talk_client(&t, "ALBUM");
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "beta");
	end(&t);
}

TEST(the_port_is_a_guess_and_counted_as_one)
{
	const struct discovery_cell *cell;
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 701);
	talk_client(&t, "nobody knows this");
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "alpha");
	CHECK_STR(t.flow[0].evidence, "port");
	CHECK(!t.flow[0].sure);
	cell = discovery_cell(worker_discovery(t.worker), 0, PACKET_IN,
			      registry_find(t.engine->registry, "alpha"));
	CHECK_EQ(cell->packets, 2);
	CHECK_EQ(cell->guessed_packets, 2);
	end(&t);
}

TEST(what_nobody_knows_is_unknown_and_nothing_is_lost)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 9000);
	for (unsigned i = 0; i < 40; i++)
		talk_client(&t, "zzz zzz zzz zzz zzz zzz zzz zzz zzz zzz zzz zzz zzz zzz");
	CHECK_EQ(talk_credited(&t, "unknown"), 42);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "unknown");
	CHECK_STR(t.flow[0].evidence, "none");
	CHECK_EQ(t.flow[0].decided_at, 0);
	CHECK_EQ(talk_credited(&t, "unknown"), 42);
	end(&t);
}

TEST(a_rule_over_both_sides_waits_for_the_second)
{
	struct talk t;

	begin(&t);
	talk_udp(&t, 40000, 9000);
	talk_client(&t, "ask");
	CHECK_EQ(talk_credited(&t, "gamma"), 0);
	talk_server(&t, "answer");
	CHECK_EQ(talk_credited(&t, "gamma"), 2);
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/udp/gamma");
	CHECK_EQ(t.flow[0].decided_at, 2);
	end(&t);
}

TEST(one_byte_segments_decide_as_one_segment)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 9000);
	for (const char *c = "ALPHA"; *c; c++)
		talk_packet(&t, 0, TCP_ACK, t.seq[0]++, c, 1);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "alpha");
	CHECK_EQ(t.flow[0].decided_at, 7);
	end(&t);
}

TEST(segments_in_reverse_decide_as_in_order)
{
	struct talk t;

	begin(&t);
	talk_open(&t, 40000, 9000);
	talk_packet(&t, 0, TCP_ACK, 1004, "HA", 2);
	talk_packet(&t, 0, TCP_ACK, 1002, "LP", 2);
	talk_packet(&t, 0, TCP_ACK, 1001, "A", 1);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "alpha");
	end(&t);
}

TEST(bytes_before_the_first_seen_are_looked_at)
{
	struct talk t;

	begin(&t);
	talk_between(&t, IPPROTO_TCP, 40000, 9000);
	talk_packet(&t, 0, TCP_ACK, 1004, "HA", 2);
	talk_packet(&t, 0, TCP_ACK, 1001, "ALP", 3);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "alpha");
	CHECK(t.flow[0].sure);
	end(&t);
}

TEST(a_rule_that_waits_is_settled_at_the_end)
{
	struct talk t = { 0 };

	talk_begin(&t, "protocol epsilon { rule alone over tcp {\n"
		       "  client 0: \"EPS\" not server 0: \"no\" } => sure }");
	talk_open(&t, 40000, 9000);
	talk_client(&t, "EPS");
	CHECK_EQ(talk_credited(&t, "epsilon"), 0);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "epsilon");
	CHECK(t.flow[0].sure);
	end(&t);
}

TEST(an_ip_protocol_is_known_from_the_first_packet)
{
	struct talk t;

	begin(&t);
	talk_udp(&t, 0, 0);
	t.proto = 253;
	talk_client(&t, "x");
	CHECK_EQ(talk_credited(&t, "delta"), 1);
	t.proto = 254;
	talk_client(&t, "x");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/delta");
	CHECK_STR(t.flow[1].protocol, "ip-protocol-254");
	end(&t);
}

TEST(a_port_of_sctp_names_what_is_over_it)
{
	struct talk t;

	begin(&t);
	talk_udp(&t, 40000, 706);
	t.proto = IPPROTO_SCTP;
	talk_client(&t, "x");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/sctp/upper");
	CHECK_STR(t.flow[0].evidence, "rule");
	end(&t);

	begin(&t);
	talk_udp(&t, 40000, 707);
	t.proto = IPPROTO_SCTP;
	talk_client(&t, "x");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/sctp");
	end(&t);
}

TEST(who_sends_from_a_known_port_is_the_server)
{
	struct talk t;

	begin(&t);
	talk_udp(&t, 703, 40000);
	talk_client(&t, "answer");
	talk_end(&t);
	CHECK_EQ(t.flow[0].server_port, 703);
	CHECK_EQ(t.flow[0].packets[1], 1);
	end(&t);
}
