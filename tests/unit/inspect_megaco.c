/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_megaco;

static struct feed f;
static struct out o;

#define ADD                                                                        \
	"MEGACO/1 [192.0.2.1]:2944\nTransaction = 10003 {\n"                       \
	" Context = $ {\n  Add = A4444,\n  Add = $ {\n   Media {\n"                \
	"    Local {\nv=0\ns=-\na=x\nc=IN IP4 192.0.2.2\nm=audio 2222 RTP/AVP 4\n" \
	"    },\n    Remote {\nv=0\nc=IN IP4 $\nm=audio $ RTP/AVP 4\n    }\n}}}}\n"

static enum inspect_answer
datagram(const char *text)
{
	feed_init(&f, &inspect_megaco, INSPECT_UDP);
	feed_datagram(&f, INSPECT_CLIENT, text, strlen(text));
	feed_fini(&f);
	return f.answer;
}

TEST(descriptions_between_braces_are_announced)
{
	CHECK_EQ(datagram(ADD), INSPECT_NAMED);
	CHECK_STR(f.log, "from=[192.0.2.1]:2944\ncommand=Add\nannounce=rtp\nannounce=rtcp\n");
	CHECK_STR(f.announced,
		  "rtp udp 192.0.2.2:2222 300 s many\nrtcp udp 192.0.2.2:2223 300 s many\n");
}

TEST(the_short_form_says_the_same)
{
	CHECK_EQ(datagram("!/1 <gw.example> P=1{C=2{A=x{M{O{MO=SR},L{\r\nv=0\r\nc=IN IP4 "
			  "192.0.2.2\r\nm=audio 2222 RTP/AVP 4\r\n}}},N=y}}"),
		 INSPECT_NAMED);
	CHECK_STR(f.log, "from=<gw.example>\ncommand=Add\ncommand=Notify\nannounce=rtp\n"
			 "announce=rtcp\n");
}

TEST(over_tcp_messages_are_framed)
{
	struct feed_step steps[2] = { { INSPECT_CLIENT, o.b, 0 }, { INSPECT_CLIENT, o.b, 0 } };

	o.len = 0;
	put(&o, 0x0300, 2);
	put(&o, (uint32_t)strlen(ADD) + 4, 2);
	put_text(&o, ADD);
	steps[0].len = steps[1].len = o.len;
	feed_splits(&inspect_megaco, steps, 2, INSPECT_NAMED,
		    "from=[192.0.2.1]:2944\ncommand=Add\nannounce=rtp\nannounce=rtcp\n"
		    "announce=rtp\nannounce=rtcp\n");
}

TEST(other_frames_are_none)
{
	static const uint8_t q931[] = { 3, 0, 0, 0x40, 8, 2, 0, 1, 5 };

	feed_init(&f, &inspect_megaco, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, q931, sizeof(q931));
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(what_is_like_megaco_is_not)
{
	static const char *const others[] = {
		"MEGACO/5 [192.0.2.1] Transaction = 1 {}",
		"MEGACO/1 [192.0.2.1] Invite = 1 {}",
		"MEGACO/1 ",
		"MEGACO/1x [192.0.2.1] Reply = 1{}",
		"!/1",
		"!/1 <a>",
		"!/1 <a> X=1{}",
		"megac",
		"hello",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		CHECK_EQ(datagram(others[i]), INSPECT_NO);
	CHECK_EQ(datagram("megaco/2 mg1 reply = 1 {}"), INSPECT_NAMED);
}

TEST(noise_is_never_megaco)
{
	static const char letters[] = "!/1 <aT={MEGACO/2}\r\n";
	uint64_t seed = 14;
	uint8_t noise[32];

	for (unsigned i = 0; i < 300000; i++) {
		feed_noise(&seed, noise, sizeof(noise));
		for (size_t n = 0; i & 1 && n < sizeof(noise); n++)
			noise[n] = (uint8_t)letters[noise[n] % (sizeof(letters) - 1)];
		feed_init(&f, &inspect_megaco, INSPECT_UDP);
		feed_datagram(&f, INSPECT_CLIENT, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_LIKELY);
		feed_fini(&f);
	}
}
