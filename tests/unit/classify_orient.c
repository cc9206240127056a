/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "talk.h"

static const char modules[] =
	"protocol known { port tcp 700 }\n"
	"protocol both { rule hello over tcp { any 0: \"BOTH\" } => sure }\n"
	"protocol greets { rule greeting over tcp { server 0: \"WELCOME\" } => sure\n"
	"  rule asks over tcp { client 0: \"PLEASE\" } => sure }\n"
	"protocol says { rule maybe over tcp { server 0: \"PERHAPS\" } => likely }\n"
	"protocol mail { rule pair over tcp { server 0: /^220[ -]/ client 0: \"EHLO \" } => "
	"sure }\n";

static struct talk t;

/* A connection of which the first that is seen is what this port says; who serves then? */
static uint16_t
server_after(uint16_t from, uint16_t to, const char *text)
{
	uint64_t packets;
	uint16_t server;

	t = (struct talk){ 0 };
	talk_begin(&t, modules);
	talk_between(&t, IPPROTO_TCP, from, to);
	talk_packet(&t, 0, TCP_ACK, 1001, "", 0);
	talk_packet(&t, 0, TCP_ACK, 1001, text, strlen(text));
	talk_end(&t);
	CHECK_EQ(t.flows, 1);
	server = t.flow[0].server_port;
	packets = t.flow[0].packets[server == from ? 1 : 0];
	CHECK_EQ(packets, 2);
	CHECK_EQ(talk_total(&t), 2);
	talk_fini(&t);
	return server;
}

TEST(who_is_seen_first_is_the_client_where_nothing_tells)
{
	CHECK_EQ(server_after(50000, 51000, "bytes"), 51000);
	CHECK_EQ(server_after(5000, 5100, "bytes"), 5100);
	CHECK_EQ(server_after(50000, 51000, "BOTH"), 51000);
}

TEST(who_speaks_from_a_port_below_those_of_clients_is_the_server)
{
	CHECK_EQ(server_after(2022, 50000, "BOTH"), 2022);
	CHECK_EQ(server_after(50000, 2022, "BOTH"), 2022);
}

TEST(the_port_map_comes_before_all)
{
	CHECK_EQ(server_after(700, 50000, "PLEASE"), 700);
	CHECK_EQ(server_after(50000, 700, "WELCOME"), 700);
}

TEST(who_speaks_a_servers_words_is_the_server)
{
	CHECK_EQ(server_after(50000, 51000, "WELCOME"), 50000);
	CHECK_EQ(server_after(50000, 51000, "PERHAPS"), 50000);
	CHECK_EQ(server_after(50000, 51000, "220 hello\r\n"), 50000);
	CHECK_EQ(server_after(50000, 51000, "220-hello\r\n"), 50000);
	CHECK_EQ(server_after(50000, 51000, "HTTP/1.1 200 OK\r\n"), 50000);
	CHECK_EQ(server_after(50000, 51000, "2200 hello\r\n"), 51000);
	CHECK_EQ(server_after(50000, 51000, "920 hello\r\n"), 51000);
	CHECK_EQ(server_after(50000, 51000, "220"), 51000);
}

TEST(words_come_before_ports_that_are_in_no_map)
{
	CHECK_EQ(server_after(50000, 2022, "WELCOME"), 50000);
	CHECK_EQ(server_after(2022, 50000, "PLEASE"), 50000);
}

TEST(rules_of_both_sides_hold_behind_a_greeting_seen_first)
{
	t = (struct talk){ 0 };
	talk_begin(&t, modules);
	talk_between(&t, IPPROTO_TCP, 50000, 51000);
	talk_packet(&t, 1, TCP_ACK, 5001, "220 hello\r\n", 11);
	talk_packet(&t, 0, TCP_ACK, 1001, "EHLO me\r\n", 9);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "mail");
	CHECK_EQ(t.flow[0].server_port, 51000);
	CHECK_EQ(talk_credited(&t, "mail"), 2);
	talk_fini(&t);
}

TEST(a_syn_is_proof_against_ports_and_words)
{
	t = (struct talk){ 0 };
	talk_begin(&t, modules);
	talk_open(&t, 2022, 50000);
	talk_client(&t, "WELCOME");
	talk_end(&t);
	CHECK_EQ(t.flow[0].server_port, 50000);
	talk_fini(&t);
}
