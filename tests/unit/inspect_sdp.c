/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/sdp.h"
#include "inspect_log.h"

static struct feed f;
static struct sdp sdp;

/* What a description announces; it was sent by the client. */
static const char *
announced(const char *text)
{
	static const struct inspect_sink sink = { .self = &f, .announce = feed_on_announce };

	memset(&f, 0, sizeof(f));
	sdp = (struct sdp){ .sink = &sink, .from = INSPECT_CLIENT };
	sdp_read(&sdp, bytes_of(text, strlen(text)));
	return f.announced;
}

TEST(each_media_has_its_own_port_and_may_have_its_own_address)
{
	CHECK_STR(announced("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 0\n"
			    "m=video 5000 RTP/SAVPF 96\nc=IN IP4 192.0.2.2\n"
			    "m=text 6000 RTP/AVP 98\n"),
		  "rtp udp 192.0.2.1:4000 300 s many\nrtcp udp 192.0.2.1:4001 300 s many\n"
		  "rtp udp 192.0.2.2:5000 300 s many\nrtcp udp 192.0.2.2:5001 300 s many\n"
		  "rtp udp 192.0.2.1:6000 300 s many\nrtcp udp 192.0.2.1:6001 300 s many\n");
	CHECK_EQ(sdp.media, SDP_AUDIO | SDP_VIDEO | SDP_TEXT);
}

TEST(transports_of_all_kinds_announce_what_they_run)
{
	static const char *const kinds[][3] = {
		{ "audio", "UDP/TLS/RTP/SAVP", "rtp udp" },
		{ "audio", "TCP/RTP/AVP", "rtp tcp" },
		{ "image", "udptl", "t38 udp" },
		{ "image", "UDPTL", "t38 udp" },
		{ "message", "TCP/MSRP", "msrp tcp" },
		{ "application", "UDP/BFCP", "bfcp udp" },
		{ "application", "RTP/AVP", "rtp udp" },
		{ "application", "UDP/DTLS/SCTP", "dtls udp" },
	};
	char text[200];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		snprintf(text, sizeof(text), "v=0\nc=IN IP4 192.0.2.1\nm=%s 4000 %s 0\n",
			 kinds[i][0], kinds[i][1]);
		CHECK(strncmp(announced(text), kinds[i][2], 7) == 0);
	}
	CHECK_STR(announced("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 X/Y 0\n"), "");
}

TEST(rtcp_is_where_its_attribute_says_or_shares_the_port)
{
	CHECK_STR(announced("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 0\na=rtcp:4500\n"),
		  "rtp udp 192.0.2.1:4000 300 s many\nrtcp udp 192.0.2.1:4500 300 s many\n");
	CHECK_STR(announced("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 0\n"
			    "a=rtcp:4500 IN IP6 2001:db8::9\n"),
		  "rtp udp 192.0.2.1:4000 300 s many\nrtcp udp "
		  "20010db8000000000000000000000009:4500 300 s many\n");
	CHECK_STR(announced("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 0\na=rtcp-mux\n"),
		  "rtp udp 192.0.2.1:4000 300 s many\n");
}

TEST(several_ports_are_pairs)
{
	CHECK_STR(announced("v=0\nc=IN IP4 224.2.1.1/127/3\nm=audio 4000/2 RTP/AVP 0\n"),
		  "rtp udp 224.2.1.1:4000 300 s many\nrtcp udp 224.2.1.1:4001 300 s many\n"
		  "rtp udp 224.2.1.1:4002 300 s many\nrtcp udp 224.2.1.1:4003 300 s many\n");
}

TEST(disabled_held_and_ill_written_media_are_not_announced)
{
	CHECK_STR(announced("v=0\nc=IN IP4 192.0.2.1\nm=audio 0 RTP/AVP 0\n"), "");
	CHECK_STR(announced("v=0\nc=IN IP4 0.0.0.0\nm=audio 4000 RTP/AVP 0\n"), "");
	CHECK_STR(announced("v=0\nm=audio 4000 RTP/AVP 0\n"), "");
	CHECK_STR(announced("v=0\nc=IN IP4 $\nm=audio $ RTP/AVP 0\n"), "");
	CHECK_STR(announced("v=0\nc=IN IP4 192.0.2.1\nm=audio 70000 RTP/AVP 0\n"), "");
	CHECK_STR(announced("v=0\nc=IN IP4 host.example\nm=audio 4000 RTP/AVP 0\n"), "");
	CHECK_STR(announced("c=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 0\n"), "");
	CHECK_STR(announced("xv=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 0\n"), "");
}

TEST(media_with_candidates_begins_with_checks_that_name_themselves)
{
	CHECK_STR(announced("v=0\nc=IN IP4 192.0.2.1\nm=audio 4000 RTP/AVP 0\na=ice-ufrag:x\n"
			    "a=candidate:1 1 UDP 2130706431 192.0.2.1 4000 typ host\n"
			    "m=video 6000 RTP/AVP 96\n"),
		  "rtp udp 192.0.2.1:6000 300 s many\nrtcp udp 192.0.2.1:6001 300 s many\n");
}

TEST(private_addresses_are_announced_at_the_senders_own_as_well)
{
	static const char *const addresses[][2] = {
		{ "10.0.0.1", "private" }, { "172.16.0.1", "private" },
		{ "172.32.0.1", "" },      { "192.168.255.1", "private" },
		{ "192.169.0.1", "" },     { "100.64.0.1", "private" },
		{ "100.128.0.1", "" },     { "169.254.0.1", "private" },
		{ "fd00::1", "private" },  { "fe80::1", "private" },
		{ "2001:db8::1", "" },
	};
	char text[200];

	for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		snprintf(text, sizeof(text), "v=0\nc=IN IP%c %s\nm=image 4000 udptl t38\n",
			 strchr(addresses[i][0], ':') ? '6' : '4', addresses[i][0]);
		CHECK_EQ(strstr(announced(text), "t38 udp client:4000") != NULL,
			 addresses[i][1][0] != 0);
	}
}

TEST(a_description_is_found_within_other_parts_and_ends_with_its_lines)
{
	CHECK_STR(announced("--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n"
			    "c=IN IP4 192.0.2.1\r\nm=image 4000 udptl t38\r\n--b\r\n"
			    "m=image 9 udptl t38\r\n\r\nv=0\r\nc=IN IP4 192.0.2.3\r\n"
			    "m=image 4002 udptl t38\r\n--b--\r\n"),
		  "t38 udp 192.0.2.1:4000 300 s many\nt38 udp 192.0.2.3:4002 300 s many\n");
	CHECK_STR(announced("Local { v=0\nc=IN IP4 192.0.2.1\nm=image 4000 udptl t38\n}"
			    "Remote{v=0\nc=IN IP4 192.0.2.2\nm=image 4002 udptl t38\n}"),
		  "t38 udp 192.0.2.1:4000 300 s many\nt38 udp 192.0.2.2:4002 300 s many\n");
	CHECK_STR(announced("v=0\nc=IN IP4 192.0.2.1\nm=image 4000 udptl t38\n"
			    "v=0\nc=IN IP4 192.0.2.2\nm=image 4002 udptl t38"),
		  "t38 udp 192.0.2.1:4000 300 s many\nt38 udp 192.0.2.2:4002 300 s many\n");
}

TEST(no_description_announces_without_end)
{
	static char text[60000];
	size_t n = (size_t)snprintf(text, sizeof(text), "v=0\nc=IN IP4 192.0.2.1\n");

	while (n + 40 < sizeof(text))
		n += (size_t)snprintf(text + n, sizeof(text) - n,
				      "m=image 4000/9999 udptl t38\n");
	announced(text);
	CHECK(strlen(f.announced) > 0);
	CHECK(f.log_len <= 8 * 32 * sizeof("announce=t38\n"));
}

TEST(numbers_are_digits_within_their_bound)
{
	uint32_t n = 0;

	CHECK(sdp_number(bytes_of("65535", 5), 65535, &n));
	CHECK_EQ(n, 65535);
	CHECK(!sdp_number(bytes_of("65536", 5), 65535, &n));
	CHECK(!sdp_number(bytes_of("", 0), 65535, &n));
	CHECK(!sdp_number(bytes_of("-1", 2), 65535, &n));
	CHECK(!sdp_number(bytes_of("4294967296", 10), UINT32_MAX, &n));
	CHECK(!sdp_number(bytes_of("00000000001", 11), UINT32_MAX, &n));
}
