/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_rtsp;

static struct feed f;

static void
start(void)
{
	feed_init(&f, &inspect_rtsp, INSPECT_TCP);
}

#define SETUP "SETUP rtsp://h/a/1 RTSP/1.0\r\nCSeq: 3\r\nTransport: "

TEST(a_session_is_read_however_it_is_cut)
{
	static const struct feed_step steps[] = {
		FEED_STEP(INSPECT_CLIENT,
			  "DESCRIBE rtsp://h/a RTSP/1.0\r\nCSeq: 2\r\nUser-Agent: p/1\r\n\r\n"),
		FEED_STEP(INSPECT_SERVER,
			  "RTSP/1.0 200 OK\r\nCSeq: 2\r\nServer: s/2\r\nContent-Length: "
			  "50\r\n\r\n"
			  "v=0\r\nc=IN IP4 0.0.0.0\r\nm=video 0 RTP/AVP 96\r\na=x\r\n"),
		FEED_STEP(INSPECT_CLIENT,
			  SETUP "RTP/AVP;unicast;client_port=4588-4589\r\n\r\n"),
		FEED_STEP(INSPECT_SERVER,
			  "RTSP/1.0 200 OK\r\nTransport: RTP/AVP;unicast;"
			  "client_port=4588-4589;server_port=6256-6257\r\n\r\n"),
	};

	feed_splits(&inspect_rtsp, steps, 4, INSPECT_NAMED,
		    "method=DESCRIBE\nurl=rtsp://h/a\nuser-agent=p/1\nserver=s/2\nmedia=video\n"
		    "method=SETUP\nurl=rtsp://h/a/1\n"
		    "transport=RTP/AVP\nannounce=rtp\nannounce=rtcp\n"
		    "transport=RTP/AVP\nannounce=rtp\nannounce=rtcp\nannounce=rtp\n"
		    "announce=rtcp\n");
}

TEST(each_end_is_announced_with_its_ports_or_where_they_are_told_to_be)
{
	start();
	feed_text(&f, INSPECT_SERVER,
		  "RTSP/1.0 200 OK\r\nTransport: RTP/AVP/UDP;unicast;source=192.0.2.9;"
		  "client_port=5000-5001;server_port=6000-6001;ssrc=1\r\n\r\n");
	CHECK_STR(f.announced, "rtp udp client:5000 300 s\nrtcp udp client:5001 300 s\n"
			       "rtp udp 192.0.2.9:6000 300 s\nrtcp udp 192.0.2.9:6001 300 s\n"
			       "rtp udp server:6000 300 s\nrtcp udp server:6001 300 s\n");
	feed_fini(&f);
}

TEST(several_transports_are_all_read_and_those_inside_announce_nothing)
{
	start();
	feed_text(&f, INSPECT_CLIENT,
		  SETUP
		  "RTP/AVP/TCP;unicast;interleaved=0-1,x-real-rdt/udp;client_port=6970;"
		  "mode=play,RTP/AVP;multicast;destination=224.2.0.1;port=3456-3457\r\n\r\n");
	CHECK_STR(f.announced, "rdt udp client:6970 300 s\nrtp udp 224.2.0.1:3456 300 s\n"
			       "rtcp udp 224.2.0.1:3457 300 s\nrtp udp client:3456 300 s\n"
			       "rtcp udp client:3457 300 s\n");
	CHECK(strstr(f.log, "transport=RTP/AVP/TCP\ntransport=x-real-rdt/udp\n"));
	feed_fini(&f);
}

TEST(version_2_writes_addresses)
{
	start();
	feed_text(&f, INSPECT_SERVER,
		  "RTSP/2.0 200 OK\r\nTransport: RTP/AVP/UDP;unicast;"
		  "dest_addr=\":5000\"/\":5001\";src_addr=\"192.0.2.5:6256\"/"
		  "\"[2001:db8::2]:6257\""
		  "\r\n\r\n");
	CHECK_STR(f.announced, "rtp udp client:5000 300 s\nrtcp udp client:5001 300 s\n"
			       "rtp udp 192.0.2.5:6256 300 s\nrtp udp server:6256 300 s\n"
			       "rtcp udp 20010db8000000000000000000000002:6257 300 s\nrtcp udp "
			       "server:6257 300 s\n");
	feed_fini(&f);
}

TEST(interleaved_packets_are_passed_over)
{
	static const uint8_t frame[] = { '$', 0, 0, 6, '\r', '\n', 'R', 'T', 'S', 'P' };

	start();
	feed_text(&f, INSPECT_SERVER, "RTSP/1.0 200 OK\r\n\r\n");
	for (unsigned i = 0; i < 3; i++)
		feed_stream(&f, INSPECT_SERVER, frame, sizeof(frame));
	feed_text(&f, INSPECT_SERVER, "RTSP/1.0 200 OK\r\nServer: late\r\n\r\n");
	CHECK_STR(f.log, "server=late\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(after_a_gap_the_next_message_is_found)
{
	start();
	feed_text(&f, INSPECT_SERVER, "RTSP/1.0 200 OK\r\nContent-Length: 900\r\n\r\nabc");
	feed_gap(&f, INSPECT_SERVER);
	feed_text(&f, INSPECT_SERVER, "x\r\n$\r\nRTSP/1.0 200 OK\r\nServer: late\r\n\r\n");
	CHECK_STR(f.log, "server=late\n");
	feed_fini(&f);
}

TEST(what_is_like_rtsp_is_not)
{
	static const char *const others[] = {
		"OPTIONS * HTTP/1.1\r\n\r\n",   "GET / HTTP/1.1\r\n\r\n",
		"INVITE sip:a SIP/2.0\r\n\r\n", "RTSP/1.0 999 x\r\n\r\n",
		"RTSP/x.0 200 OK\r\n\r\n",      "$123456789",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		start();
		feed_text(&f, INSPECT_CLIENT, others[i]);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
	start();
	feed_text(&f, INSPECT_CLIENT, "OPTIONS * RTSP/1.0\r\n\r\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(noise_is_never_rtsp)
{
	static const char letters[] = "RTSP/1.0 2\r\nOIN*:rtsp;$=-";
	uint64_t seed = 12;
	uint8_t noise[64];

	for (unsigned i = 0; i < 200000; i++) {
		feed_noise(&seed, noise, sizeof(noise));
		for (size_t n = 0; i & 1 && n < sizeof(noise); n++)
			noise[n] = (uint8_t)letters[noise[n] % (sizeof(letters) - 1)];
		start();
		feed_stream(&f, INSPECT_CLIENT, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_LIKELY);
		feed_fini(&f);
	}
}
