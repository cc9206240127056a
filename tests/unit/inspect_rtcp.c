/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_rtcp;

static struct feed f;
static struct out o;

static void
start(void)
{
	feed_init(&f, &inspect_rtcp, INSPECT_UDP);
	o.len = 0;
}

static void
put_report(uint8_t type, unsigned blocks, uint32_t source)
{
	size_t len = (type == 200 ? 28u : 8u) + 24u * blocks;

	put(&o, 0x80u | blocks, 1);
	put(&o, type, 1);
	put(&o, (uint32_t)(len / 4 - 1), 2);
	put(&o, source, 4);
	memset(o.b + o.len, 0x3a, len - 8);
	o.len += len - 8;
}

static void
put_name(uint32_t source)
{
	put(&o, 0x81ca, 2);
	put(&o, 4, 2);
	put(&o, source, 4);
	put(&o, 0x0105, 2);
	put_text(&o, "a@b.c");
	put(&o, 0, 4);
	put(&o, 0, 1);
}

static enum inspect_answer
send(void)
{
	feed_datagram(&f, INSPECT_CLIENT, o.b, o.len);
	o.len = 0;
	return f.answer;
}

/* RTP may share the port, and come after a report or two. */
TEST(three_reports_with_their_senders_names_are_sure)
{
	for (uint8_t type = 200; type <= 201; type++) {
		for (unsigned blocks = 0; blocks < 4; blocks++) {
			start();
			for (uint32_t source = 5; source < 8; source++) {
				put_report(type, blocks, source);
				put_name(source);
				CHECK_EQ(send(), source < 7 ? INSPECT_LIKELY : INSPECT_NAMED);
			}
			feed_fini(&f);
		}
	}
}

TEST(rtp_behind_a_report_owns_the_flow)
{
	start();
	put_report(200, 1, 5);
	put_name(5);
	CHECK_EQ(send(), INSPECT_LIKELY);
	put(&o, 0x80000001, 4);
	put(&o, 1, 4);
	put(&o, 5, 4);
	CHECK_EQ(send(), INSPECT_NO);
	feed_fini(&f);
}

TEST(a_bye_may_follow)
{
	start();
	for (uint32_t source = 5; source < 8; source++) {
		put_report(200, 1, source);
		put_name(source);
		put(&o, 0x81cb0001, 4);
		put(&o, source, 4);
		CHECK_EQ(send(), source < 7 ? INSPECT_LIKELY : INSPECT_NAMED);
	}
	feed_fini(&f);
}

TEST(a_report_alone_is_likely_and_three_of_one_source_are_sure)
{
	start();
	put_report(201, 1, 5);
	CHECK_EQ(send(), INSPECT_LIKELY);
	put_report(201, 0, 5);
	CHECK_EQ(send(), INSPECT_LIKELY);
	put_report(201, 1, 5);
	CHECK_EQ(send(), INSPECT_NAMED);
	feed_fini(&f);
	start();
	for (uint32_t source = 0; source < 9; source++) {
		put_report(201, 1, source);
		CHECK_EQ(send(), INSPECT_LIKELY);
	}
	feed_fini(&f);
}

TEST(senders_reports_of_today_are_sure)
{
	static const struct {
		uint64_t seconds; /* of the packet, since 1970 */
		uint32_t ntp;
		enum inspect_answer answer;
	} cases[] = { { 1700000000, 3908988800u, INSPECT_NAMED },
		      { 1700000000, 3908988800u + 80000, INSPECT_NAMED },
		      { 1700000000, 3908988800u - 80000, INSPECT_NAMED },
		      { 1700000000, 3908988800u + 90000, INSPECT_LIKELY },
		      { 1700000000, 0, INSPECT_LIKELY } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start();
		f.time_ns = cases[i].seconds * 1000000000;
		for (uint32_t source = 5; source < 8; source++) {
			put_report(200, 1, source);
			o.len = 8;
			put(&o, cases[i].ntp, 4);
			o.len = 52;
			send();
		}
		CHECK_EQ(f.answer, cases[i].answer);
		feed_fini(&f);
	}
}

TEST(encrypted_packets_show_their_first_header)
{
	start();
	for (int i = 0; i < 3; i++) { /* RFC 3711 section 3.4 */
		put_report(200, 0, 5);
		put_text(&o, "\x5c\x1f\x99\x37\x80\x01\x02\x03taggedtag");
		CHECK_EQ(send(), i < 2 ? INSPECT_LIKELY : INSPECT_NAMED);
	}
	feed_fini(&f);
}

TEST(lengths_that_do_not_fit_are_none)
{
	static const struct {
		unsigned at, value;
	} wrong[] = { { 0, 0x40 }, { 0, 0xa0 }, { 0, 0x82 }, { 1, 199 },
		      { 1, 202 },  { 3, 11 },   { 3, 60 },   { 2, 1 } };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		start();
		put_report(200, 1, 5);
		o.b[wrong[i].at] = (uint8_t)wrong[i].value;
		CHECK_EQ(send(), INSPECT_NO);
		feed_fini(&f);
	}
	for (size_t cut = 0; cut < 52; cut++) {
		start();
		put_report(200, 1, 5);
		o.len = cut;
		CHECK_EQ(send(), cut > 0 ? INSPECT_NO : INSPECT_MORE);
		feed_fini(&f);
	}
}

TEST(rtp_on_its_port_makes_it_none)
{
	start();
	put(&o, 0x80000001, 4);
	put(&o, 1, 4);
	put(&o, 5, 4);
	CHECK_EQ(send(), INSPECT_NO);
	feed_fini(&f);
}

TEST(noise_is_never_rtcp)
{
	uint64_t seed = 23;
	uint8_t noise[64];
	unsigned counts[INSPECT_DONE + 1] = { 0 };

	for (int i = 0; i < 500000; i++) {
		feed_init(&f, &inspect_rtcp, INSPECT_UDP);
		feed_noise(&seed, noise, sizeof(noise));
		feed_datagram(&f, INSPECT_CLIENT, noise, sizeof(noise));
		counts[f.answer]++;
		feed_fini(&f);
	}
	for (int answer = INSPECT_SURE; answer <= INSPECT_DONE; answer++)
		CHECK_EQ(counts[answer], 0);
	CHECK(counts[INSPECT_LIKELY] < 4);
}
