/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "talk.h"

static const char modules[] =
	"protocol file {\n"
	"  rule banner over tcp { server 0: \"220 file\" } => sure\n"
	"  field user: client line /^USER (.+)$/\n"
	"  expect file-data over tcp {\n"
	"    server line /^227 (\\d+),(\\d+),(\\d+),(\\d+),(\\d+),(\\d+)$/ at $1.$2.$3.$4 port "
	"$5*256+$6\n"
	"    server line /^229 (\\d+)$/ at server port $1\n"
	"    client line /^EPRT (\\S+) (\\d+)$/ at $1 port $2\n"
	"  }\n"
	"  upgrade inner { client line /^START$/ server line /^220 go/ }\n"
	"}\n"
	"protocol file-data { }\n"
	"protocol box { rule magic over tcp, udp { client 0: \"BOX\" } => sure\n"
	"  field name: client 0: /^BOX (\\w+);/\n"
	"  field code: server 0: /^(\\d+) /\n"
	"  field late: client 1: /^late (\\w+)/ field word: any line /^word=(\\w+)$/ }\n"
	"protocol late { rule r over tcp { client 0: \"START\" server line /^250 late/ } => "
	"sure\n"
	"  upgrade inner { client line /^START$/ server next line /^220/ } }\n"
	"protocol bin { rule r over tcp { client 0: hex 00 01 } => sure\n"
	"  upgrade inner { client 0: /^\\x00\\x01../ server 1: /^Y/ } }\n"
	"protocol inner { rule hello over tcp { client 0: \"INNER\" } => sure }\n";

static void
begin(struct talk *t)
{
	*t = (struct talk){ 0 };
	talk_begin(t, modules);
	talk_open(t, 40000, 21);
	talk_server(t, "220 file server\r\n");
}

TEST(a_field_is_read_from_its_line)
{
	struct talk t;

	begin(&t);
	talk_client(&t, "NOOP\r\nUSER jo");
	talk_client(&t, "hn\r\n");
	talk_end(&t);
	CHECK_STR(t.flow[0].fields, "file.user=john");
	talk_fini(&t);
}

TEST(an_announced_flow_is_expected_at_its_first_packet)
{
	struct talk t;

	begin(&t);
	talk_server(&t, "227 10,0,0,2,195,80\r\n");
	talk_open(&t, 40001, 195 * 256 + 80);
	CHECK_EQ(talk_credited(&t, "file-data"), 2);
	talk_end(&t);
	CHECK_STR(t.flow[1].protocol, "file-data");
	CHECK_STR(t.flow[1].evidence, "expected");
	CHECK(t.flow[1].sure);
	CHECK_EQ(t.flow[1].decided_at, 1);
	talk_fini(&t);
}

TEST(an_announcement_holds_for_one_flow)
{
	struct talk t;

	begin(&t);
	talk_server(&t, "229 50000\r\n");
	talk_open(&t, 40001, 50000);
	talk_open(&t, 40002, 50000);
	talk_end(&t);
	CHECK_STR(t.flow[1].protocol, "file-data");
	CHECK_STR(t.flow[2].evidence, "none");
	talk_fini(&t);
}

TEST(the_announced_end_may_be_the_client)
{
	struct talk t;

	begin(&t);
	talk_client(&t, "EPRT 10.0.0.1 50001\r\n");
	talk_between(&t, IPPROTO_TCP, 20, 50001);
	t.client_host = 2;
	t.server_host = 1;
	talk_packet(&t, 0, TCP_SYN, 1, "", 0);
	talk_end(&t);
	CHECK_STR(t.flow[1].protocol, "file-data");
	CHECK_EQ(t.flow[1].server_port, 50001);
	talk_fini(&t);
}

TEST(a_port_that_is_none_announces_nothing)
{
	struct talk t;

	begin(&t);
	talk_server(&t, "229 70000\r\n227 10,0,0,2,256,1\r\n227 10,0,0,999,1,1\r\n");
	talk_open(&t, 40001, 4464);
	talk_end(&t);
	CHECK_STR(t.flow[1].evidence, "none");
	talk_fini(&t);
}

TEST(an_upgrade_leads_to_the_inner_protocol)
{
	struct talk t;
	uint64_t before;

	begin(&t);
	talk_client(&t, "START\r\n");
	talk_server(&t, "220 go ahead\r\n");
	before = talk_credited(&t, "file");
	talk_client(&t, "INNER");
	talk_server(&t, "x");
	CHECK_EQ(talk_credited(&t, "file"), before);
	CHECK_EQ(talk_credited(&t, "inner"), 2);
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "inner");
	CHECK_STR(t.flow[0].stack, "ip/tcp/file/inner");
	CHECK(t.flow[0].sure);
	talk_fini(&t);
}

TEST(an_upgrade_that_was_refused_changes_nothing)
{
	struct talk t;

	begin(&t);
	talk_client(&t, "START\r\n");
	talk_server(&t, "500 no\r\n");
	talk_client(&t, "INNER");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/file");
	talk_fini(&t);
}

static void
begin_late(struct talk *t)
{
	*t = (struct talk){ 0 };
	talk_begin(t, modules);
	talk_open(t, 40000, 21);
	talk_server(t, "220 hello\r\n");
	talk_client(t, "START\r\n");
}

/* The rule is sure only when all of this is there: it is read in the order in which it came. */
TEST(a_greeting_is_no_answer_to_what_was_said_later)
{
	struct talk t;

	begin_late(&t);
	talk_server(&t, "250 late\r\n220 not the next line\r\n");
	talk_client(&t, "INNER");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/late");
	talk_fini(&t);
}

TEST(what_was_refused_may_be_asked_for_again)
{
	struct talk t;

	begin_late(&t);
	talk_server(&t, "250 late\r\n");
	talk_client(&t, "START\r\n");
	talk_server(&t, "220 go\r\n");
	talk_client(&t, "INNER");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/late/inner");
	talk_fini(&t);
}

TEST(an_upgrade_may_stand_at_a_place)
{
	struct talk t = { 0 };

	talk_begin(&t, modules);
	talk_open(&t, 40000, 21);
	talk_say(&t, 0, "\0\1a", 3);
	talk_say(&t, 0, "bINN", 4);
	talk_server(&t, "-Y");
	talk_client(&t, "ER");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/bin/inner");
	talk_fini(&t);
}

TEST(a_place_that_says_no_ends_the_upgrade)
{
	struct talk t = { 0 };

	talk_begin(&t, modules);
	talk_open(&t, 40000, 21);
	talk_say(&t, 0, "\0\1ab", 4);
	talk_server(&t, "-NY");
	talk_client(&t, "INNER");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/bin");
	talk_fini(&t);
}

TEST(an_announced_inner_protocol_stands_without_proof)
{
	struct talk t;

	begin(&t);
	talk_client(&t, "START\r\n");
	talk_server(&t, "220 go ahead\r\n");
	talk_client(&t, "???");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/file/inner");
	CHECK(!t.flow[0].sure);
	CHECK_EQ(talk_credited(&t, "unknown"), 0);
	talk_fini(&t);
}

TEST(a_line_too_long_is_skipped_and_the_next_one_read)
{
	char line[5000];
	struct talk t;

	memset(line, 'x', sizeof(line));
	begin(&t);
	for (unsigned i = 0; i < 8; i++)
		talk_say(&t, 0, line, sizeof(line));
	talk_client(&t, "\r\nUSER jane\r\n");
	talk_end(&t);
	CHECK_STR(t.flow[0].fields, "file.user=jane");
	talk_fini(&t);
}

TEST(a_field_at_a_place_waits_for_its_bytes)
{
	struct talk t = { 0 };

	talk_begin(&t, modules);
	talk_open(&t, 40000, 9000);
	talk_client(&t, "BOX na");
	CHECK_EQ(talk_credited(&t, "box"), 3);
	talk_client(&t, "me;name2;");
	talk_server(&t, "200 ok");
	talk_server(&t, "300 no place");
	talk_end(&t);
	CHECK_STR(t.flow[0].fields, "box.name=name box.code=200");
	talk_fini(&t);
}

TEST(a_place_over_udp_is_a_datagram)
{
	struct talk t = { 0 };

	talk_begin(&t, modules);
	talk_udp(&t, 40000, 9000);
	talk_client(&t, "BOX here;");
	talk_client(&t, "late comer\nword=one\n");
	talk_client(&t, "late again\nword=two");
	talk_end(&t);
	CHECK_STR(t.flow[0].fields, "box.name=here box.late=comer box.word=one box.word=two");
	talk_fini(&t);
}

/* A module that hands over to what takes the same datagram again. */
TEST(handing_over_to_oneself_ends)
{
	struct talk t = { 0 };

	talk_begin(&t, "protocol again { rule r over udp { any 0: \"AGAIN\" } => sure\n"
		       "  upgrade any { any line /^AGAIN/ } }\n");
	talk_udp(&t, 40000, 4711);
	for (int i = 0; i < 3; i++)
		talk_client(&t, "AGAIN and again");
	talk_end(&t);
	CHECK_EQ(t.flows, 1);
	CHECK_STR(t.flow[0].protocol, "again");
	CHECK_EQ(t.flow[0].packets[0], 3);
	talk_fini(&t);
}
