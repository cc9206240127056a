/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_mgcp;

static struct feed f;

static enum inspect_answer
datagram(enum inspect_dir dir, const char *text)
{
	feed_datagram(&f, dir, text, strlen(text));
	return f.answer;
}

static void
start(void)
{
	feed_init(&f, &inspect_mgcp, INSPECT_UDP);
}

TEST(a_connection_announces_both_ends)
{
	start();
	CHECK_EQ(datagram(INSPECT_CLIENT, "CRCX 1204 aaln/1@gw.example MGCP 1.0\r\nC: A3C4\r\n"
					  "L: p:10\r\nM: recvonly\r\n\r\nv=0\r\n"
					  "c=IN IP4 192.0.2.1\r\nm=audio 3456 RTP/AVP 0\r\n"),
		 INSPECT_NAMED);
	CHECK_EQ(datagram(INSPECT_SERVER, "200 1204 OK\r\nI: FDE2\r\n\r\nv=0\r\n"
					  "c=IN IP4 10.0.0.2\r\nm=audio 1296 RTP/AVP 0\r\n"),
		 INSPECT_NAMED);
	CHECK_STR(f.log, "verb=CRCX\nendpoint=aaln/1@gw.example\ncall-id=A3C4\n"
			 "announce=rtp\nannounce=rtcp\n"
			 "announce=rtp\nannounce=rtp\nannounce=rtcp\nannounce=rtcp\n");
	CHECK_STR(f.announced,
		  "rtp udp 192.0.2.1:3456 300 s many\nrtcp udp 192.0.2.1:3457 300 s many\n"
		  "rtp udp 10.0.0.2:1296 300 s many\nrtp udp server:1296 300 s many\n"
		  "rtcp udp 10.0.0.2:1297 300 s many\nrtcp udp server:1297 300 s many\n");
	feed_fini(&f);
}

TEST(several_messages_may_share_a_datagram)
{
	start();
	datagram(INSPECT_CLIENT, "200 2005 OK\r\n.\r\nDLCX 1210 aaln/1@gw MGCP 1.0\r\nI: 1\r\n"
				 ".\nRQNT 1211 aaln/2@gw MGCP 1.0\n");
	CHECK_STR(f.log, "verb=DLCX\nendpoint=aaln/1@gw\nverb=RQNT\nendpoint=aaln/2@gw\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(lines_may_end_with_cr_alone)
{
	start();
	CHECK_EQ(datagram(INSPECT_CLIENT, "RQNT 1 *@gw44.example.com MGCP 0.1\rR: l/hd(n)\r"),
		 INSPECT_NAMED);
	feed_fini(&f);
}

TEST(an_answer_alone_is_likely_and_one_to_a_command_sure)
{
	start();
	CHECK_EQ(datagram(INSPECT_SERVER, "200 1204 OK\r\nI: FDE2\r\n"), INSPECT_LIKELY);
	feed_fini(&f);
	start();
	CHECK_EQ(datagram(INSPECT_SERVER, "200 1204 OK\r\nhello there\r\n"), INSPECT_NO);
	feed_fini(&f);
}

TEST(what_is_like_mgcp_is_not)
{
	static const char *const others[] = {
		"INVITE 1204 x@y MGCP 1.0\r\n",
		"CRCX x x@y MGCP 1.0\r\n",
		"CRCX 12 x@y MGCX 1.0\r\n",
		"CRCX 12 MGCP 1.0\r\n",
		"CRCX 1234567890 x MGCP 1.0\r\n",
		"hello\r\n",
		"200 OK\r\n",
		"220 mail.example ESMTP\r\n",
		"\r\n",
		".\r\n",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		start();
		CHECK_EQ(datagram(INSPECT_CLIENT, others[i]), INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(noise_is_never_mgcp)
{
	static const char letters[] = "CRXMGP 1.0\r\n2:@aI";
	uint64_t seed = 13;
	uint8_t noise[48];

	for (unsigned i = 0; i < 300000; i++) {
		feed_noise(&seed, noise, sizeof(noise));
		for (size_t n = 0; i & 1 && n < sizeof(noise); n++)
			noise[n] = (uint8_t)letters[noise[n] % (sizeof(letters) - 1)];
		start();
		feed_datagram(&f, INSPECT_CLIENT, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_SURE);
		feed_fini(&f);
	}
}
