/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_sip;

static struct feed f;

#define SDP_BODY                       \
	"v=0\r\n"                      \
	"o=- 1 1 IN IP4 192.0.2.7\r\n" \
	"s=-\r\n"                      \
	"c=IN IP4 192.0.2.7\r\n"       \
	"t=0 0\r\n"                    \
	"m=audio 4000 RTP/AVP 0 8\r\n"

#define INVITE_HEAD                                              \
	"INVITE sip:bob@example.com:5070;user=phone SIP/2.0\r\n" \
	"Via: SIP/2.0/UDP a.example.org\r\n"                     \
	"f: <sip:alice@example.org>;tag=1\r\n"                   \
	"To: Bob\r\n <sip:bob@example.com>\r\n"                  \
	"i: 77@example.org\r\n"                                  \
	"User-Agent: test/1\r\n"

#define INVITE_LOG                                                         \
	"method=INVITE\nrequest-uri=sip:bob@example.com:5070;user=phone\n" \
	"domain=example.com\nfrom=<sip:alice@example.org>;tag=1\n"         \
	"to=Bob\r\n <sip:bob@example.com>\ncall-id=77@example.org\nuser-agent=test/1\n"

static enum inspect_answer
datagram(enum inspect_dir dir, const char *text)
{
	feed_datagram(&f, dir, text, strlen(text));
	return f.answer;
}

static void
start(void)
{
	feed_init(&f, &inspect_sip, INSPECT_UDP);
}

TEST(an_offer_announces_rtp_and_rtcp_where_its_sender_listens)
{
	start();
	CHECK_EQ(datagram(INSPECT_CLIENT,
			  INVITE_HEAD "Content-Type: application/sdp\r\n\r\n" SDP_BODY),
		 INSPECT_NAMED);
	CHECK_STR(f.log, INVITE_LOG "announce=rtp\nannounce=rtcp\nmedia=audio\n");
	CHECK_STR(f.announced, "rtp udp 192.0.2.7:4000 300 s many\n"
			       "rtcp udp 192.0.2.7:4001 300 s many\n");
	feed_fini(&f);
}

TEST(an_answer_that_is_seen_alone_is_sip_and_announces)
{
	start();
	CHECK_EQ(datagram(INSPECT_SERVER,
			  "SIP/2.0 200 OK\r\nServer: s\r\nTo: x\r\n\r\n" SDP_BODY),
		 INSPECT_NAMED);
	CHECK_STR(f.log, "server=s\nannounce=rtp\nannounce=rtcp\nmedia=audio\n");
	feed_fini(&f);
}

TEST(private_addresses_are_announced_at_the_senders_own_as_well)
{
	start();
	datagram(INSPECT_SERVER, "SIP/2.0 183 Progress\r\n\r\nv=0\r\nc=IN IP4 10.1.2.3\r\n"
				 "m=audio 5000 RTP/AVP 0\r\na=rtcp-mux\r\n");
	CHECK_STR(f.announced,
		  "rtp udp 10.1.2.3:5000 300 s many\nrtp udp server:5000 300 s many\n");
	feed_fini(&f);
}

TEST(a_stream_is_the_same_however_it_is_cut)
{
	static const struct feed_step steps[] = {
		FEED_STEP(INSPECT_CLIENT, "\r\n\r\n"),
		FEED_STEP(INSPECT_CLIENT, INVITE_HEAD "Content-Length: 89\r\n\r\n" SDP_BODY),
		FEED_STEP(INSPECT_SERVER, "SIP/2.0 100 Trying\r\nl: 0\r\n\r\n"),
		FEED_STEP(INSPECT_SERVER, "SIP/2.0 486 Busy Here\r\nServer: x\r\n\r\n"),
		FEED_STEP(INSPECT_CLIENT, "ACK sip:bob@example.com SIP/2.0\r\nl:0\r\n\r\n"),
	};

	CHECK_EQ(strlen(SDP_BODY), 89);
	feed_splits(&inspect_sip, steps, 5, INSPECT_NAMED,
		    INVITE_LOG
		    "announce=rtp\nannounce=rtcp\nmedia=audio\nserver=x\n"
		    "method=ACK\nrequest-uri=sip:bob@example.com\ndomain=example.com\n");
}

TEST(a_stream_that_is_met_in_its_middle_is_read_from_the_next_message)
{
	feed_init(&f, &inspect_sip, INSPECT_TCP);
	f.lost = true;
	feed_text(&f, INSPECT_CLIENT, "m=audio 3 RTP/AVP 0\r\nBYE sip:a@b.c SIP/2.0\r\n\r\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.log, "method=BYE\nrequest-uri=sip:a@b.c\ndomain=b.c\n");
	feed_fini(&f);
}

TEST(after_a_gap_or_garbage_the_next_message_is_found)
{
	feed_init(&f, &inspect_sip, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT,
		  "OPTIONS sip:a SIP/2.0\r\nContent-Length: 500\r\n\r\nabc");
	feed_gap(&f, INSPECT_CLIENT);
	feed_text(&f, INSPECT_CLIENT, "tail\r\nno: line\r\nBYE sip:b SIP/2.0\r\n\r\n");
	feed_text(&f, INSPECT_CLIENT, "\x01\x02 what is this\r\nACK sip:c SIP/2.0\r\n\r\n");
	CHECK(strstr(f.log, "method=BYE\n"));
	CHECK(strstr(f.log, "method=ACK\n"));
	feed_fini(&f);
}

TEST(a_body_too_large_to_be_seen_whole_is_passed_over)
{
	static char body[40000];

	feed_init(&f, &inspect_sip, INSPECT_TCP);
	feed_text(&f, INSPECT_CLIENT, "MESSAGE sip:a SIP/2.0\r\nl: 40000\r\n\r\n");
	memset(body, '\n', sizeof(body));
	for (size_t at = 0; at < sizeof(body); at += 1000)
		feed_stream(&f, INSPECT_CLIENT, body + at, 1000);
	feed_text(&f, INSPECT_CLIENT, "BYE sip:a SIP/2.0\r\n\r\n");
	CHECK(strstr(f.log, "method=BYE\n"));
	feed_fini(&f);
}

TEST(domains_are_hosts_without_users_ports_and_parameters)
{
	static const char *const uris[][2] = {
		{ "sip:example.com", "example.com" },
		{ "sips:a:pw@example.com:5061", "example.com" },
		{ "sip:a@[2001:db8::1]:5060;x", "[2001:db8::1]" },
		{ "sip:a;p=x@h.example?s=1", "h.example" },
	};
	char text[200], expected[300];

	for (size_t i = 0; i < 4; i++) {
		start();
		snprintf(text, sizeof(text), "OPTIONS %s SIP/2.0\r\n\r\n", uris[i][0]);
		datagram(INSPECT_CLIENT, text);
		snprintf(expected, sizeof(expected),
			 "method=OPTIONS\nrequest-uri=%s\ndomain=%s\n", uris[i][0], uris[i][1]);
		CHECK_STR(f.log, expected);
		feed_fini(&f);
	}
	start();
	datagram(INSPECT_CLIENT, "INVITE tel:+1-201-555-0123 SIP/2.0\r\n\r\n");
	CHECK(!strstr(f.log, "domain="));
	feed_fini(&f);
}

TEST(keepalives_may_come_first_but_not_for_ever)
{
	start();
	CHECK_EQ(datagram(INSPECT_CLIENT, "\r\n\r\n"), INSPECT_MORE);
	CHECK_EQ(datagram(INSPECT_CLIENT, "hello"), INSPECT_NO);
	feed_fini(&f);
	start();
	f.port[1] = 5060;
	CHECK_EQ(datagram(INSPECT_CLIENT, "hello"), INSPECT_MORE);
	CHECK_EQ(datagram(INSPECT_CLIENT, "BYE sip:a SIP/2.0\r\n\r\n"), INSPECT_NAMED);
	feed_fini(&f);
	start();
	for (unsigned i = 0; i < 40; i++)
		datagram(INSPECT_CLIENT, "\r\n\r\n");
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(what_is_like_sip_is_not)
{
	static const char *const others[] = {
		"GET / HTTP/1.1\r\n\r\n",
		"OPTIONS rtsp://a/b RTSP/1.0\r\n\r\n",
		"NOTIFY * HTTP/1.1\r\n\r\n",
		"INVITE sip:bob@example.com SIP/3.0\r\n\r\n",
		"INVITE sip:bob@example.com SIP/2.0x\r\n\r\n",
		"INVITE bob SIP/2.0\r\n\r\n",
		"invite sip:bob SIP/2.0\r\n\r\n",
		"SIP/2.0 99 Low\r\n\r\n",
		"SIP/2.0 700 High\r\n\r\n",
		"SIP/2.0 2000 Long\r\n\r\n",
		"SIP-T/2.0 200 OK\r\n\r\n",
		"M-SEARCH sip:a SIP/2.0\r\n\r\n",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		start();
		CHECK_EQ(datagram(INSPECT_CLIENT, others[i]), INSPECT_NO);
		feed_fini(&f);
		feed_init(&f, &inspect_sip, INSPECT_TCP);
		feed_text(&f, INSPECT_SERVER, others[i]);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(noise_and_text_are_never_sip)
{
	static const char letters[] = "ABCINVTE sip:/2.0 \r\n@;=abcxyz139";
	uint64_t seed = 11;
	uint8_t noise[64];

	for (unsigned i = 0; i < 200000; i++) {
		feed_noise(&seed, noise, sizeof(noise));
		for (size_t n = 0; i & 1 && n < sizeof(noise); n++)
			noise[n] = (uint8_t)letters[noise[n] % (sizeof(letters) - 1)];
		feed_init(&f, &inspect_sip, i & 2 ? INSPECT_TCP : INSPECT_UDP);
		if (i & 2)
			feed_stream(&f, INSPECT_CLIENT, noise, sizeof(noise));
		else
			feed_datagram(&f, INSPECT_CLIENT, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_LIKELY);
		feed_fini(&f);
	}
}
