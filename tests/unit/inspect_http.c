/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_http;

#define C(text) FEED_STEP(INSPECT_CLIENT, text)
#define S(text) FEED_STEP(INSPECT_SERVER, text)

#define SPLITS(answer, log, ...)                                                              \
	do {                                                                                  \
		const struct feed_step steps[] = { __VA_ARGS__ };                             \
		feed_splits(&inspect_http, steps, sizeof(steps) / sizeof(steps[0]), (answer), \
			    (log));                                                           \
	} while (0)

static enum inspect_answer
answer_to(enum inspect_dir dir, const char *text)
{
	static struct feed f;

	feed_init(&f, &inspect_http, INSPECT_TCP);
	feed_text(&f, dir, text);
	feed_fini(&f);
	return f.answer;
}

TEST(a_request_is_named_when_its_header_ends)
{
	CHECK_EQ(answer_to(INSPECT_CLIENT, "GET / HTTP/1.1\r\n"), INSPECT_SURE);
	CHECK_EQ(answer_to(INSPECT_CLIENT, "GET / HTTP/1.1\r\nHost: a\r\n"), INSPECT_SURE);
	CHECK_EQ(answer_to(INSPECT_CLIENT, "GET / HTTP/1.1\r\nHost: a\r\n\r\n"), INSPECT_NAMED);
}

TEST(all_fields_are_told_however_the_bytes_come)
{
	SPLITS(INSPECT_NAMED,
	       "method=GET\nurl=/a/b.html?c=d\nversion=1.1\n"
	       "c-header-field=Host: www.example.com:8080\nhost=www.example.com\n"
	       "c-header-field=Referer: http://r.example/\nreferer=http://r.example/\n"
	       "c-header-field=User-Agent: x/1 (y)\nuser-agent=x/1 (y)\n"
	       "c-header-field=From: a@b.example\nfrom=a@b.example\n"
	       "c-header-field=cookie:  k=v\ncookie=k=v\n"
	       "c-header-field=Via: 1.0 fred\nvia=1.0 fred\n"
	       "s-header-field=Server: nginx\nserver=nginx\n"
	       "s-header-field=Content-Type: text/html; charset=utf-8\nmime=text/html\n"
	       "s-header-field=Location: /c\nlocation=/c\n"
	       "s-header-field=Content-Encoding: gzip\ncontent-encoding=gzip\n"
	       "s-header-field=Content-Length: 4\n",
	       C("GET /a/b.html?c=d HTTP/1.1\r\nHost: www.example.com:8080\r\n"
		 "Referer: http://r.example/\r\nUser-Agent: x/1 (y)\r\nFrom: a@b.example\r\n"
		 "cookie:  k=v\r\nVia: 1.0 fred\r\n\r\n"),
	       S("HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: text/html; "
		 "charset=utf-8\r\n"
		 "Location: /c\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nabcd"));
}

TEST(bare_line_feeds_end_lines_as_well)
{
	SPLITS(INSPECT_NAMED,
	       "method=GET\nurl=/x.jpg\nversion=1.0\nc-header-field=Host: h\nhost=h\n"
	       "s-header-field=Content-Type: image/jpeg\nmime=image/jpeg\n",
	       C("GET /x.jpg HTTP/1.0\nHost: h\n\n"),
	       S("HTTP/1.0 200 OK\nContent-Type: image/jpeg\n\nGET /no HTTP/1.0\n\n"));
}

TEST(tabs_and_many_blanks_hide_nothing)
{
	SPLITS(INSPECT_NAMED,
	       "method=GET\nurl=/a b\nversion=1.1\nc-header-field=Host:\th\nhost=h\n",
	       C("GET\t  /a b \t HTTP/1.1 \nHost:\th\n\n"));
}

TEST(an_absolute_url_gives_host_and_path_and_beats_the_host_line)
{
	SPLITS(INSPECT_NAMED,
	       "method=GET\nhost=in.url.example\nurl=/p?q\nversion=1.1\n"
	       "c-header-field=Host: other.example\n",
	       C("GET http://user:pw@in.url.example:8000/p?q HTTP/1.1\r\nHost: "
		 "other.example\r\n\r\n"));
	SPLITS(INSPECT_NAMED, "method=GET\nhost=[2001:db8::1]\nurl=/\nversion=1.1\n",
	       C("GET http://[2001:db8::1]:80 HTTP/1.1\r\n\r\n"));
	SPLITS(INSPECT_NAMED, "method=GET\nhost=h\nurl=?q\nversion=1.1\n",
	       C("GET ftp://h?q HTTP/1.1\r\n\r\n"));
	SPLITS(INSPECT_NAMED, "method=OPTIONS\nurl=*\nversion=1.1\n",
	       C("OPTIONS * HTTP/1.1\r\n\r\n"));
	SPLITS(INSPECT_NAMED, "method=GET\nurl=/http://x/\nversion=1.1\n",
	       C("GET /http://x/ HTTP/1.1\r\n\r\n"));
}

TEST(a_connect_that_is_granted_hands_over_to_what_runs_inside)
{
	SPLITS(INSPECT_DONE,
	       "method=CONNECT\nhost=a.example\nurl=a.example:443\nversion=1.1\ninner=(afresh)"
	       "\n",
	       C("CONNECT a.example:443 HTTP/1.1\r\n\r\n"),
	       S("HTTP/1.1 200 Connection established\r\n\r\n"),
	       C("GET /inside HTTP/1.1\r\n\r\n"));
}

TEST(bytes_of_the_client_behind_a_connect_wait_for_the_answer)
{
	static struct feed f;

	feed_init(&f, &inspect_http, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "CONNECT a.example:443 HTTP/1.1\r\n\r\n\x16\x03\x01");
	CHECK_EQ(f.len[INSPECT_CLIENT], 3);
	feed_text(&f, INSPECT_SERVER, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc");
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_EQ(f.len[INSPECT_SERVER],
		 3); /* RFC 9110 section 9.3.6: the length means nothing */
	feed_fini(&f);
}

TEST(a_connect_that_is_refused_may_be_tried_again)
{
	SPLITS(INSPECT_DONE,
	       "method=CONNECT\nhost=a\nurl=a:443\nversion=1.1\n"
	       "s-header-field=Content-Length: 2\n"
	       "method=CONNECT\nhost=a\nurl=a:443\nversion=1.1\n"
	       "c-header-field=Proxy-Authorization: Basic eA==\ninner=(afresh)\n",
	       C("CONNECT a:443 HTTP/1.1\r\n\r\n"),
	       S("HTTP/1.1 407 Authentication\r\nContent-Length: 2\r\n\r\nno"),
	       C("CONNECT a:443 HTTP/1.1\r\nProxy-Authorization: Basic eA==\r\n\r\n"),
	       S("HTTP/1.1 200 OK\r\n\r\n"));
}

TEST(an_upgrade_to_websocket_is_announced)
{
	SPLITS(INSPECT_DONE,
	       "method=GET\nurl=/chat\nversion=1.1\nc-header-field=Upgrade: websocket\n"
	       "s-header-field=Upgrade: WebSocket\ninner=websocket\n",
	       C("GET /chat HTTP/1.1\r\nUpgrade: websocket\r\n\r\n"),
	       S("HTTP/1.1 101 Switching\r\nUpgrade: WebSocket\r\n\r\n\x81\x05Hello"));
	SPLITS(INSPECT_DONE,
	       "method=GET\nurl=/\nversion=1.1\nc-header-field=Upgrade: h2c\n"
	       "s-header-field=Upgrade: h2c\ninner=(afresh)\n",
	       C("GET / HTTP/1.1\r\nUpgrade: h2c\r\n\r\n"),
	       S("HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n"));
}

TEST(an_upgrade_that_is_not_taken_up_leaves_http)
{
	SPLITS(INSPECT_NAMED,
	       "method=GET\nurl=/1\nversion=1.1\nc-header-field=Upgrade: h2c\n"
	       "s-header-field=Content-Length: 1\nmethod=GET\nurl=/2\nversion=1.1\n",
	       C("GET /1 HTTP/1.1\r\nUpgrade: h2c\r\n\r\n"),
	       S("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"),
	       C("GET /2 HTTP/1.1\r\n\r\n"));
	SPLITS(INSPECT_NAMED, /* nobody answers: the other direction is not seen */
	       "method=GET\nurl=/1\nversion=1.1\nc-header-field=Upgrade: h2c\n"
	       "method=GET\nurl=/2\nversion=1.1\n",
	       C("GET /1 HTTP/1.1\r\nUpgrade: h2c\r\n\r\nGET /2 HTTP/1.1\r\n\r\n"));
}

TEST(transactions_follow_one_another)
{
	SPLITS(INSPECT_NAMED,
	       "method=POST\nurl=/1\nversion=1.1\nc-header-field=Content-Length: 20\n"
	       "s-header-field=Content-Type: a/a\nmime=a/a\ns-header-field=Content-Length: 18\n"
	       "method=GET\nurl=/2\nversion=1.1\n"
	       "s-header-field=Content-Type: b/b\nmime=b/b\n",
	       C("POST /1 HTTP/1.1\r\nContent-Length: 20\r\n\r\nGET /no HTTP/1.1\r\n\r\n"),
	       S("HTTP/1.1 200 OK\r\nContent-Type: a/a\r\nContent-Length: 18\r\n\r\n"
		 "HTTP/1.1 500 N\r\n\r\n"),
	       C("\r\nGET /2 HTTP/1.1\r\n\r\n"),
	       S("HTTP/1.1 200 OK\r\nContent-Type: b/b\r\n\r\nHTTP/1.1 200 OK\r\nServer: "
		 "no\r\n\r\n"));
}

TEST(pipelined_responses_meet_their_requests)
{
	SPLITS(INSPECT_NAMED,
	       "method=GET\nurl=/1\nversion=1.1\nmethod=HEAD\nurl=/2\nversion=1.1\n"
	       "method=GET\nurl=/3\nversion=1.1\n"
	       "s-header-field=Content-Length: 1\ns-header-field=Content-Length: 9\n"
	       "s-header-field=Content-Length: 1\ns-header-field=Server: last\nserver=last\n",
	       C("GET /1 HTTP/1.1\r\n\r\nHEAD /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n"),
	       S("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
		 "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n"
		 "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
		 "HTTP/1.1 404 No\r\nServer: last\r\n\r\n"));
}

TEST(more_pipelined_requests_than_are_remembered_do_no_harm)
{
	static struct feed f;

	feed_init(&f, &inspect_http, INSPECT_TCP);
	for (int i = 0; i < 100; i++)
		feed_text(&f, INSPECT_CLIENT, "HEAD / HTTP/1.1\r\n\r\n");
	f.log_len = 0;
	for (int i = 0; i < 100; i++)
		feed_text(&f, INSPECT_SERVER, "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n");
	feed_text(&f, INSPECT_CLIENT, "GET / HTTP/1.1\r\n\r\n");
	f.log_len = 0;
	feed_text(&f, INSPECT_SERVER,
		  "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nHTHTTP/1.1 200 OK\r\nServer: "
		  "x\r\n\r\n");
	CHECK_STR(f.log,
		  "s-header-field=Content-Length: 2\ns-header-field=Server: x\nserver=x\n");
	feed_fini(&f);
}

TEST(chunks_are_skipped_with_their_trailers)
{
	SPLITS(INSPECT_NAMED,
	       "method=PUT\nurl=/1\nversion=1.1\nc-header-field=Transfer-Encoding: chunked\n"
	       "method=GET\nurl=/2\nversion=1.1\n"
	       "s-header-field=Transfer-Encoding: gzip, "
	       "chunked\ns-header-field=Content-Length: 2\n"
	       "s-header-field=Server: two\nserver=two\n",
	       C("PUT /1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
		 "12;ext=\"1\"\r\nGET /no HTTP/1.1\r\n\r\n0\r\nX: y\r\n\r\nGET /2 "
		 "HTTP/1.1\r\n\r\n"),
	       S("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\nContent-Length: "
		 "2\r\n\r\n"
		 "00A\r\n0123456789\r\n1\r\nx\r\n0\r\n\r\nHTTP/1.1 200 OK\r\nServer: "
		 "two\r\n\r\n"));
}

TEST(a_response_without_a_length_lasts_until_the_end)
{
	SPLITS(INSPECT_NAMED, "method=GET\nurl=/\nversion=1.0\n", C("GET / HTTP/1.0\r\n\r\n"),
	       S("HTTP/1.0 200 OK\r\n\r\nHTTP/1.0 200 OK\r\nServer: no\r\n\r\n"));
	SPLITS(INSPECT_NAMED,
	       "method=GET\nurl=/\nversion=1.1\ns-header-field=Transfer-Encoding: gzip\n",
	       C("GET / HTTP/1.1\r\n\r\n"),
	       S("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nHTTP/1.0 200 OK\r\nServer: "
		 "n\r\n"));
}

TEST(responses_without_a_body_have_none)
{
	SPLITS(INSPECT_NAMED,
	       "method=GET\nurl=/1\nversion=1.1\nmethod=GET\nurl=/2\nversion=1.1\n"
	       "method=GET\nurl=/3\nversion=1.1\n"
	       "s-header-field=Content-Length: 9\ns-header-field=Server: z\nserver=z\n",
	       C("GET /1 HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\nGET /3 HTTP/1.1\r\n\r\n"),
	       S("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\nHTTP/1.1 204 No\r\n\r\n"
		 "HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nServer: z\r\n\r\n"));
}

TEST(a_body_that_waits_for_100_continue_is_followed)
{
	SPLITS(INSPECT_NAMED,
	       "method=POST\nurl=/1\nversion=1.1\nc-header-field=Expect: 100-continue\n"
	       "c-header-field=Content-Length: 18\nmethod=GET\nurl=/2\nversion=1.1\n"
	       "s-header-field=Server: s\nserver=s\n",
	       C("POST /1 HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 18\r\n\r\n"),
	       S("HTTP/1.1 100 Continue\r\n\r\n"),
	       C("GET /no HTTP/1.1\r\n\r\nGET /2 HTTP/1.1\r\n\r\n"),
	       S("HTTP/1.1 200 OK\r\nServer: s\r\n\r\n"));
	SPLITS(INSPECT_NAMED,
	       "method=POST\nurl=/1\nversion=1.1\nc-header-field=Expect: 100-continue\n"
	       "c-header-field=Content-Length: 18\ns-header-field=Content-Length: 0\n"
	       "method=GET\nurl=/2\nversion=1.1\n",
	       C("POST /1 HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 18\r\n\r\n"),
	       S("HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n"), C("GET /2 HTTP/1.1\r\n\r\n"));
}

TEST(a_status_line_alone_is_sure)
{
	CHECK_EQ(answer_to(INSPECT_SERVER, "HTTP/1.1 200 "), INSPECT_SURE);
	CHECK_EQ(answer_to(INSPECT_SERVER, "HTTP/1.0 404\r\n"), INSPECT_SURE);
	CHECK_EQ(answer_to(INSPECT_SERVER, "HTTP/1.1 200"), INSPECT_MORE);
	CHECK_EQ(answer_to(INSPECT_SERVER, "HTTP/1.1 2x0 "), INSPECT_NO);
	CHECK_EQ(answer_to(INSPECT_SERVER, "HTTP/1.1 099 x\r\n"), INSPECT_NO);
	CHECK_EQ(answer_to(INSPECT_SERVER, "HTTP/2.0 200 OK\r\n"), INSPECT_NO);
}

TEST(a_capture_of_the_server_alone_is_read)
{
	SPLITS(INSPECT_NAMED,
	       "version=1.1\ns-header-field=Content-Type: text/plain\nmime=text/plain\n"
	       "s-header-field=Content-Length: 3\nversion=1.1\ns-header-field=Server: "
	       "s\nserver=s\n",
	       S("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc"
		 "HTTP/1.1 200 OK\r\nServer: s\r\n\r\n"));
}

TEST(an_answer_to_an_unseen_head_has_no_body)
{
	SPLITS(INSPECT_NAMED, "version=1.1\ns-header-field=Content-Length: 30\nversion=1.1\n",
	       S("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n"),
	       S("HTTP/1.1 200 OK\r\n\r\n"));
}

TEST(other_protocols_with_such_lines_are_not_http)
{
	static const char *const others[] = {
		"OPTIONS rtsp://h/ RTSP/1.0\r\nCSeq: 1\r\n\r\n",
		"INVITE sip:a@b SIP/2.0\r\nVia: x\r\n\r\n",
		"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
		"GET /\r\n",
		"GET / HTTP/0.9\r\n",
		"GET / HTTP/11\r\n",
		"GET / http/1.1\r\n",
		"GET  HTTP/1.1\r\n",
		"GET HTTP/1.1\r\n",
		"GET /\x01 HTTP/1.1\r\n",
		"HELO mail.example\r\n",
		"SSH-2.0-OpenSSH_9.2\r\n",
		"GNUTELLA CONNECT/0.6\r\n",
		"a strange line HTTP/1.1\r\n",
		"\x16\x03\x01\x02\x00\x01\x00",
		"1",
		" GET / HTTP/1.1\r\n",
		"\n\n\n\n\n\n\nGET / HTTP/1.1\r\n",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const struct feed_step step = C(others[i]);

		feed_splits(&inspect_http, &step, 1, INSPECT_NO, "");
	}
	CHECK_EQ(answer_to(INSPECT_SERVER, "ICY 200 OK\r\n"), INSPECT_NO);
	CHECK_EQ(answer_to(INSPECT_SERVER, "RTSP/1.0 200 OK\r\n"), INSPECT_NO);
	CHECK_EQ(answer_to(INSPECT_SERVER, "220 mail.example ESMTP\r\n"), INSPECT_NO);
}

TEST(a_strange_method_needs_the_whole_line)
{
	CHECK_EQ(answer_to(INSPECT_CLIENT, "BREW /pot-1 HTTP/1.1\r\n"), INSPECT_SURE);
	CHECK_EQ(answer_to(INSPECT_CLIENT, "BREW /pot-1 HTTP/1.1"), INSPECT_MORE);
	CHECK_EQ(answer_to(INSPECT_CLIENT, "ccm_post /x HTTP/1.1\r\n"), INSPECT_SURE);
}

TEST(a_method_and_a_url_without_an_end_are_likely)
{
	CHECK_EQ(answer_to(INSPECT_CLIENT, "GET /abc"), INSPECT_MORE);
	CHECK_EQ(answer_to(INSPECT_CLIENT, "GET /0123456789012345678901234567"),
		 INSPECT_LIKELY);
	CHECK_EQ(answer_to(INSPECT_CLIENT, "GET 50123456789012345678901234567"), INSPECT_MORE);
}

TEST(a_request_line_beyond_the_window_is_told_as_far_as_it_was_seen)
{
	static struct feed f;
	static char url[40000];

	memset(url, 'a', sizeof(url));
	for (size_t piece = 999; piece < 9000; piece += 1000) {
		feed_init(&f, &inspect_http, INSPECT_TCP);
		feed_text(&f, INSPECT_CLIENT, "GET /");
		for (size_t at = 0; at + piece < sizeof(url); at += piece)
			feed_stream(&f, INSPECT_CLIENT, url, piece);
		CHECK_EQ(f.answer, INSPECT_LIKELY);
		feed_text(&f, INSPECT_CLIENT, " HTTP/1.1\r\nHost: h\r\n\r\n");
		CHECK_EQ(f.answer, INSPECT_NAMED);
		CHECK(strncmp(f.log, "method=GET\nurl=/aaaaaaaaaaa", 26) == 0);
		CHECK(strstr(f.log, "aaa\nversion=1.1\nc-header-field=Host: h\nhost=h\n"));
		feed_fini(&f);
	}
}

TEST(a_header_line_beyond_the_window_is_cut_and_the_next_one_read)
{
	static struct feed f;
	static char cookie[30000];

	memset(cookie, 'c', sizeof(cookie));
	feed_init(&f, &inspect_http, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "GET / HTTP/1.1\r\nCookie: ");
	for (size_t at = 0; at + 1500 <= sizeof(cookie); at += 1500)
		feed_stream(&f, INSPECT_CLIENT, cookie, 1500);
	feed_text(&f, INSPECT_CLIENT, "\r\nHost: h\r\n\r\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK(strstr(f.log, "cookie=ccccccccc"));
	CHECK(strstr(f.log, "ccc\nc-header-field=Host: h\nhost=h\n"));
	feed_fini(&f);
}

TEST(many_header_lines_are_told_up_to_a_bound_and_host_still_found)
{
	static struct feed f;
	unsigned told = 0;

	feed_init(&f, &inspect_http, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "GET / HTTP/1.1\r\n");
	for (int i = 0; i < 500; i++)
		feed_text(&f, INSPECT_CLIENT, "X-A: b\r\n");
	feed_text(&f, INSPECT_CLIENT, "Host: h\r\n\r\n");
	for (const char *at = f.log; (at = strstr(at, "c-header-field=")); at++)
		told++;
	CHECK_EQ(told, 64);
	CHECK(strstr(f.log, "\nhost=h\n"));
	feed_fini(&f);
}

TEST(behind_a_gap_the_next_first_line_is_found)
{
	static struct feed f;

	feed_init(&f, &inspect_http, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "POST /1 HTTP/1.1\r\nContent-Length: 100000\r\n\r\nabc");
	feed_gap(&f, INSPECT_CLIENT);
	f.log_len = 0;
	feed_text(&f, INSPECT_CLIENT,
		  "rest of a body\nwith lines\x01\x02\nGET /2 HTTP/1.1\r\n\r\n");
	CHECK_STR(f.log, "method=GET\nurl=/2\nversion=1.1\n");
	f.log_len = 0;
	feed_gap(&f, INSPECT_SERVER);
	feed_text(&f, INSPECT_SERVER, "HTTP/1.1 200 OK\r\nServer: s\r\n\r\n");
	CHECK_STR(f.log, "s-header-field=Server: s\nserver=s\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(a_stream_without_its_start_is_searched_but_not_forever)
{
	static struct feed f;
	uint64_t seed = 1;
	uint8_t noise[1000];

	feed_init(&f, &inspect_http, INSPECT_TCP);
	feed_gap(&f, INSPECT_SERVER);
	feed_text(&f, INSPECT_SERVER,
		  "half a page\n</html>\nHTTP/1.1 302 Found\r\nLocation: l\r\n\r\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.log, "version=1.1\ns-header-field=Location: l\nlocation=l\n");
	feed_fini(&f);

	feed_init(&f, &inspect_http, INSPECT_TCP);
	feed_gap(&f, INSPECT_SERVER);
	for (int i = 0; i < 70 && f.answer == INSPECT_MORE; i++) {
		feed_noise(&seed, noise, sizeof(noise));
		feed_stream(&f, INSPECT_SERVER, noise, sizeof(noise));
	}
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(garbage_behind_a_message_does_not_take_the_verdict_back)
{
	SPLITS(INSPECT_NAMED,
	       "method=GET\nurl=/\nversion=1.1\nmethod=GET\nurl=/2\nversion=1.1\n",
	       C("GET / HTTP/1.1\r\n\r\n\x01\x02\x03garbage\r\nGET /2 HTTP/1.1\r\n\r\n"));
	SPLITS(INSPECT_NAMED, "method=GET\nurl=/\nversion=1.1\n", C("GET / HTTP/1.1\r\n\r\n"),
	       S("\x01\x02"));
}

TEST(wrong_lengths_and_chunks_lose_track_and_find_it_again)
{
	static const char *const chunks[] = { "zz", "", "1234567890abcdef1", "-1", "5", "0x5" };
	static struct feed f;

	for (size_t i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
		feed_init(&f, &inspect_http, INSPECT_TCP);
		feed_text(&f, INSPECT_CLIENT,
			  "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n");
		feed_text(&f, INSPECT_CLIENT, chunks[i]);
		feed_text(&f, INSPECT_CLIENT, "\r\nabcdefgh\r\nGET /next HTTP/1.1\r\n\r\n");
		CHECK(strstr(f.log, "url=/next\n"));
		feed_fini(&f);
	}
	SPLITS(INSPECT_NAMED,
	       "method=PUT\nurl=/\nversion=1.1\nc-header-field=Content-Length: x\n"
	       "method=GET\nurl=/2\nversion=1.1\n",
	       C("PUT / HTTP/1.1\r\nContent-Length: x\r\n\r\nGET /2 HTTP/1.1\r\n\r\n"));
}

TEST(obsolete_folding_and_nameless_lines_are_passed_over)
{
	SPLITS(INSPECT_NAMED, "method=GET\nurl=/\nversion=1.1\nc-header-field=A: b\n",
	       C("GET / HTTP/1.1\r\nA: b\r\n Host: not\r\nnonsense \r\n : y\r\n: x\r\n\r\n"));
}

TEST(framing_is_read_from_folded_lines_and_through_zeros)
{
	SPLITS(INSPECT_NAMED,
	       "method=PUT\nurl=/1\nversion=1.1\nc-header-field=Transfer-Encoding:\n"
	       "method=PUT\nurl=/2\nversion=1.1\n"
	       "c-header-field=Content-Length: 00000000000000000000000000003\n"
	       "method=PUT\nurl=/3\nversion=1.1\nc-header-field=Content-Length:\n"
	       "method=GET\nurl=/4\nversion=1.1\n",
	       C("PUT /1 HTTP/1.1\r\nTransfer-Encoding:\r\n chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"
		 "PUT /2 HTTP/1.1\r\nContent-Length: 00000000000000000000000000003\r\n\r\nabc"
		 "PUT /3 HTTP/1.1\r\nContent-Length:\r\n\t2\r\n\r\nab"
		 "GET /4 HTTP/1.1\r\n\r\n"));
}

TEST(roles_follow_what_is_said_not_who_connected)
{
	SPLITS(INSPECT_NAMED,
	       "method=GET\nurl=/\nversion=1.1\ns-header-field=Server: s\nserver=s\n",
	       S("GET / HTTP/1.1\r\n\r\n"), C("HTTP/1.1 200 OK\r\nServer: s\r\n\r\n"));
}

TEST(noise_is_never_http)
{
	static struct feed f;
	uint64_t seed = 7;
	uint8_t noise[64];
	unsigned counts[INSPECT_DONE + 1] = { 0 };

	for (int i = 0; i < 300000; i++) {
		size_t len = feed_random(&seed) % sizeof(noise);

		feed_init(&f, &inspect_http, INSPECT_TCP);
		feed_noise(&seed, noise, sizeof(noise));
		feed_stream(&f, i & 1, noise, len);
		counts[f.answer]++;
		feed_fini(&f);
	}
	for (int answer = INSPECT_LIKELY; answer <= INSPECT_DONE; answer++)
		CHECK_EQ(counts[answer], 0);
}
