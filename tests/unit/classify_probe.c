/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "talk.h"

static const char modules[] =
	"protocol http { port tcp 80 inspect http }\n"
	"protocol web { over http host \"*.example.com\" }\n"
	"protocol other { over ssl host \"*.example.org\" }\n"
	"protocol ssl { inspect tls }\n"
	"protocol inner { rule hello over tcp { client 0: \"INNER\" } => sure }\n";

static void
begin(struct talk *t)
{
	*t = (struct talk){ 0 };
	talk_begin(t, modules);
	talk_open(t, 40000, 8000);
}

TEST(an_inspector_names_the_flow)
{
	struct talk t;

	begin(&t);
	talk_client(&t, "GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
	CHECK_EQ(talk_credited(&t, "http"), 3);
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/http");
	CHECK_STR(t.flow[0].evidence, "inspector");
	talk_fini(&t);
}

TEST(the_verdict_waits_for_the_name)
{
	struct talk t;

	begin(&t);
	talk_client(&t, "GET /a HTTP/1.1\r\n");
	CHECK_EQ(talk_credited(&t, "http"), 0);
	talk_client(&t, "Host: www.example.com\r\n\r\n");
	CHECK_EQ(talk_credited(&t, "web"), 4);
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/http/web");
	talk_fini(&t);
}

TEST(an_application_is_found_only_over_its_carriers)
{
	struct talk t;

	begin(&t);
	talk_client(&t, "GET /a HTTP/1.1\r\nHost: www.example.org\r\n\r\n");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/http");
	talk_fini(&t);
}

TEST(a_request_whose_halves_are_exchanged_is_named_without_a_handshake)
{
	static const char request[] = "GET /a HTTP/1.1\r\nHost: www.example.com\r\n\r\n";
	struct talk t = { 0 };

	talk_begin(&t, modules);
	talk_between(&t, IPPROTO_TCP, 40000, 9000);
	talk_packet(&t, 0, TCP_ACK, 1001 + 10, request + 10, sizeof(request) - 1 - 10);
	talk_packet(&t, 0, TCP_ACK, 1001, request, 10);
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/http/web");
	talk_fini(&t);
}

/* What a damaged capture has: the SYN's byte is behind what was read, and ends the stream. */
TEST(a_syn_behind_what_was_read_starts_over)
{
	struct talk t = { 0 };

	talk_begin(&t, modules);
	talk_between(&t, IPPROTO_TCP, 40000, 9000);
	t.seq[0] = 1001;
	talk_client(&t, "the end of something else\r\n");
	talk_packet(&t, 0, TCP_SYN | TCP_FIN, 70000, "x", 1);
	talk_end(&t);
	CHECK_EQ(t.flows, 1);
	talk_fini(&t);

	t = (struct talk){ 0 };
	talk_begin(&t, modules);
	talk_between(&t, IPPROTO_TCP, 40000, 9000);
	t.seq[0] = 1001;
	talk_client(&t, "the end of something else\r\n");
	t.seq[0] = 70001;
	talk_packet(&t, 0, TCP_SYN, 70000, "", 0);
	talk_client(&t, "GET /new HTTP/1.1\r\nHost: www.example.com\r\n\r\n");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/http/web");
	talk_fini(&t);
}

TEST(later_transactions_are_read)
{
	struct talk t;

	begin(&t);
	for (unsigned i = 0; i < 3; i++) {
		talk_client(&t, i == 2 ? "GET /3 HTTP/1.1\r\nHost: h\r\n\r\n"
				: i    ? "GET /2 HTTP/1.1\r\nHost: h\r\n\r\n"
				       : "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n");
		talk_server(&t, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
	}
	talk_end(&t);
	CHECK(strstr(t.flow[0].fields, "http.url=/1") != NULL);
	CHECK(strstr(t.flow[0].fields, "http.url=/2") != NULL);
	CHECK(strstr(t.flow[0].fields, "http.url=/3") != NULL);
	talk_fini(&t);
}

TEST(the_server_side_alone_is_enough)
{
	struct talk t;

	begin(&t);
	talk_server(&t, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
	talk_end(&t);
	CHECK_STR(t.flow[0].protocol, "http");
	talk_fini(&t);
}

TEST(connect_leads_to_what_runs_inside)
{
	struct talk t;

	begin(&t);
	talk_client(&t, "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n");
	talk_server(&t, "HTTP/1.1 200 Connection established\r\n\r\n");
	talk_client(&t, "INNER");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/http/inner");
	talk_fini(&t);
}

TEST(what_runs_inside_unknown_stays_with_the_outer)
{
	struct talk t;

	begin(&t);
	talk_client(&t, "CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n");
	talk_server(&t, "HTTP/1.1 200 Connection established\r\n\r\n");
	for (unsigned i = 0; i < 40; i++)
		talk_client(&t, "???");
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/http");
	CHECK_EQ(talk_credited(&t, "http"), 44);
	talk_fini(&t);
}

TEST(a_header_in_one_byte_segments_is_named)
{
	static const char request[] = "GET /one/byte/a/segment HTTP/1.1\r\nUser-Agent: x\r\n"
				      "Host: www.example.com\r\n\r\n";
	struct talk t;

	begin(&t);
	for (const char *c = request; *c; c++)
		talk_packet(&t, 0, TCP_ACK, t.seq[0]++, c, 1);
	talk_end(&t);
	CHECK_STR(t.flow[0].stack, "ip/tcp/http/web");
	CHECK_EQ(talk_credited(&t, "web"), 2 + strlen(request));
	talk_fini(&t);
}
