/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_rtp;

static struct feed f;
static struct out o;

static void
start(void)
{
	feed_init(&f, &inspect_rtp, INSPECT_UDP);
	f.time_ns = 1000000000;
}

/* A packet of version 2; the payload is `len` bytes. */
static void
put_packet(uint8_t type, uint16_t sequence, uint32_t timestamp, uint32_t source, size_t len)
{
	o.len = 0;
	put(&o, 0x80, 1);
	put(&o, type, 1);
	put(&o, sequence, 2);
	put(&o, timestamp, 4);
	put(&o, source, 4);
	memset(o.b + o.len, 0xd5, len);
	o.len += len;
}

static enum inspect_answer
send(enum inspect_dir dir)
{
	feed_datagram(&f, dir, o.b, o.len);
	return f.answer;
}

static enum inspect_answer
media(enum inspect_dir dir, uint8_t type, unsigned n, uint32_t ticks)
{
	put_packet(type, (uint16_t)(65530 + n), 0xffffff00 + n * ticks, 0xfeedbeef, 160);
	return send(dir);
}

TEST(five_packets_that_follow_are_sure_three_are_likely)
{
	static const enum inspect_answer expected[] = { INSPECT_MORE, INSPECT_MORE,
							INSPECT_LIKELY, INSPECT_LIKELY,
							INSPECT_NAMED };

	start();
	for (unsigned i = 0; i < 5; i++) /* over the end of both counters */
		CHECK_EQ(media(INSPECT_CLIENT, 0, i, 160), expected[i]);
	CHECK_STR(f.log, "payload-type=0\nmedia=audio\n");
	feed_fini(&f);
}

TEST(packets_of_both_directions_do_not_add_up)
{
	start();
	for (unsigned i = 0; i < 8; i++) {
		put_packet(8, (uint16_t)i, i * 160, i & 1 ? 1 : 2, 160);
		CHECK(send(i & 1 ? INSPECT_SERVER : INSPECT_CLIENT) < INSPECT_SURE);
	}
	feed_fini(&f);
}

TEST(static_types_have_their_media)
{
	static const uint8_t audio[] = { 0, 3, 4, 8, 9, 13, 18 },
			     video[] = { 26, 31, 32, 33, 34 };

	for (size_t i = 0; i < sizeof(audio) + sizeof(video); i++) {
		bool sound = i < sizeof(audio);

		start();
		for (unsigned n = 0; n < 5; n++)
			media(INSPECT_SERVER, sound ? audio[i] : video[i - sizeof(audio)], n,
			      160);
		CHECK(strstr(f.log, sound ? "media=audio\n" : "media=video\n"));
		CHECK_EQ(f.answer, INSPECT_NAMED);
		feed_fini(&f);
	}
}

/* Feeds a dynamic type at a clock rate, `each` packets a timestamp; returns the log. */
static const char *
dynamic(uint32_t hertz, uint32_t period_ms, unsigned each)
{
	start();
	for (unsigned i = 0; i < 60; i++) {
		unsigned unit = i / each;

		put_packet(96, (uint16_t)i, 5000 + unit * (hertz / 1000 * period_ms), 7, 300);
		f.time_ns =
			1000000000 + (uint64_t)unit * period_ms * 1000000 + i % each * 50000;
		send(INSPECT_CLIENT);
	}
	return f.log;
}

TEST(dynamic_types_are_told_by_their_clock)
{
	static const uint32_t audio[] = { 8000, 16000, 32000, 48000 };

	for (size_t i = 0; i < sizeof(audio) / sizeof(audio[0]); i++) {
		CHECK_STR(dynamic(audio[i], 20, 1), "payload-type=96\nmedia=audio\n");
		CHECK_EQ(f.answer, INSPECT_NAMED);
		feed_fini(&f);
	}
	CHECK_STR(dynamic(90000, 40, 1), "payload-type=96\nmedia=video\n");
	feed_fini(&f);
	CHECK_STR(dynamic(90000, 33, 5), "payload-type=96\nmedia=video\n");
	feed_fini(&f);
	CHECK_STR(dynamic(60000, 20, 1), "payload-type=96\n");
	CHECK_EQ(f.answer, INSPECT_SURE);
	feed_fini(&f);
}

TEST(a_media_that_stays_unknown_is_given_up)
{
	start();
	for (unsigned i = 0; i < 500; i++) {
		put_packet(96, (uint16_t)i, i * 1200, 7, 300);
		f.time_ns += 20000000;
		send(INSPECT_CLIENT);
	}
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.log, "payload-type=96\n");
	feed_fini(&f);
}

TEST(telephone_events_are_no_video)
{
	start();
	for (unsigned i = 0; i < 40; i++) {
		put_packet(101, (uint16_t)i, i < 20 ? 4000 : 8000, 7, 4);
		f.time_ns += 20000000;
		send(INSPECT_CLIENT);
	}
	CHECK_STR(f.log, "payload-type=101\n");
	feed_fini(&f);
}

TEST(a_telephone_event_that_becomes_longer_moves)
{
	start();
	for (unsigned i = 0; i < 7; i++) {
		put_packet(101, (uint16_t)i, 17632, 7, 2);
		put(&o, i * 160, 2);
		send(INSPECT_CLIENT);
	}
	CHECK_EQ(f.answer, INSPECT_SURE);
	feed_fini(&f);
}

TEST(a_change_of_type_is_told_once)
{
	start();
	for (unsigned i = 0; i < 30; i++)
		media(INSPECT_CLIENT, i % 10 < 5 ? 8 : 13, i, 160);
	CHECK_STR(f.log, "payload-type=8\nmedia=audio\npayload-type=13\n");
	feed_fini(&f);
}

TEST(two_sources_on_one_port_are_sound_and_picture)
{
	start();
	for (unsigned i = 0; i < 80; i++) {
		f.time_ns += 20000000;
		put_packet(111, (uint16_t)i, i * 960, 1, 100);
		send(INSPECT_CLIENT);
		put_packet(96, (uint16_t)(2 * i), i * 1800, 2, 900);
		send(INSPECT_CLIENT);
		put_packet(96, (uint16_t)(2 * i + 1), i * 1800, 2, 900);
		send(INSPECT_CLIENT);
	}
	CHECK_STR(f.log, "payload-type=111\npayload-type=96\nmedia=video\nmedia=audio\n");
	feed_fini(&f);
}

TEST(loss_reordering_and_repeats_are_borne)
{
	static const unsigned order[] = { 0, 2, 1, 2, 9, 10, 8, 11, 30 };

	start();
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		media(INSPECT_CLIENT, 0, order[i], 160);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(rtcp_in_between_leaves_it_rtp)
{
	static const uint8_t report[] = "\x80\xc9\x00\x01\xfe\xed\xbe\xef\x81\xca\x00\x03"
					"\xfe\xed\xbe\xef\x01\x03"
					"abc\x00\x00";

	start();
	feed_datagram(&f, INSPECT_CLIENT, report, 24);
	CHECK_EQ(f.answer, INSPECT_MORE);
	for (unsigned i = 0; i < 5; i++) {
		media(INSPECT_CLIENT, 0, i, 160);
		feed_datagram(&f, INSPECT_CLIENT, report, 24);
	}
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.log, "payload-type=0\nmedia=audio\n");
	feed_fini(&f);
}

TEST(stun_dtls_and_keepalives_before_it_are_waited_out)
{
	start();
	feed_datagram(&f, INSPECT_CLIENT,
		      "\x00\x01\x00\x00\x21\x12\xa4\x42"
		      "abcdefghijkl",
		      20);
	feed_datagram(&f, INSPECT_SERVER, "\x16\xfe\xfd\x00\x00", 5);
	feed_datagram(&f, INSPECT_SERVER, "\r\n", 2);
	feed_datagram(&f, INSPECT_SERVER, "", 0);
	CHECK_EQ(f.answer, INSPECT_MORE);
	for (unsigned i = 0; i < 5; i++)
		media(INSPECT_CLIENT, 0, i, 160);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(other_first_packets_end_it_at_once)
{
	static const char *const others[] = { "GET / HTTP/1.1", "\x16\x03\x01\x02\x01",
					      "d1:ad2:id20:", "\x60hello",
					      "\xc3\xff\xff\xff\xff" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		start();
		feed_datagram(&f, INSPECT_CLIENT, others[i], strlen(others[i]));
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(a_header_that_does_not_fit_is_none)
{
	static const uint8_t firsts[] = { 0x00, 0x40, 0xc0, 0x8f, 0x90, 0x9f };

	for (size_t i = 0; i < sizeof(firsts); i++) {
		start();
		put_packet(0, 1, 1, 1, 1);
		o.b[0] = firsts[i];
		CHECK_EQ(send(INSPECT_CLIENT), INSPECT_NO);
		feed_fini(&f);
	}
	for (uint8_t type = 72; type <= 76; type++) {
		start();
		put_packet(type, 1, 1, 1, 160);
		CHECK_EQ(send(INSPECT_CLIENT), INSPECT_NO);
		feed_fini(&f);
	}
	start();
	put_packet(0, 1, 1, 1, 0);
	o.len = 11;
	CHECK_EQ(send(INSPECT_CLIENT), INSPECT_NO);
	feed_fini(&f);
}

TEST(contributors_extension_and_padding_are_read)
{
	start();
	for (unsigned i = 0; i < 5; i++) {
		o.len = 0;
		put(&o, 0xb200, 2); /* padding, extension, two contributors; type 0 */
		put(&o, i, 2);
		put(&o, i * 80, 4);
		put(&o, 7, 4);
		put(&o, 1, 4);
		put(&o, 2, 4);
		put(&o, 0xbede0001, 4);
		put(&o, 0x10aa0000, 4);
		put(&o, 0x55555504, 4);
		send(INSPECT_CLIENT);
	}
	CHECK_EQ(f.answer, INSPECT_NAMED);
	feed_fini(&f);
}

TEST(a_counter_beside_a_constant_is_not_enough)
{
	start(); /* the timestamp never moves */
	for (unsigned i = 0; i < 50; i++) {
		put_packet(96, (uint16_t)i, 1, 2, i % 2 ? 50 : 4);
		CHECK(send(INSPECT_CLIENT) < INSPECT_SURE);
	}
	feed_fini(&f);
	start(); /* the sequence number never moves */
	for (unsigned i = 0; i < 50; i++) {
		put_packet(96, 1, i * 160, 2, 50);
		CHECK(send(INSPECT_CLIENT) < INSPECT_LIKELY);
	}
	feed_fini(&f);
	start(); /* every packet another source */
	for (unsigned i = 0; i < 50 && f.answer != INSPECT_NO; i++) {
		put_packet(96, (uint16_t)i, i * 160, i, 50);
		CHECK(send(INSPECT_CLIENT) < INSPECT_LIKELY);
	}
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(noise_is_never_rtp)
{
	uint64_t seed = 21;
	uint8_t noise[172];
	unsigned counts[INSPECT_DONE + 1] = { 0 };

	for (int i = 0; i < 60000; i++) {
		start();
		for (int n = 0; n < 8; n++) {
			feed_noise(&seed, noise, 20);
			noise[0] = (uint8_t)(0x80 | (noise[0] & 0x0f)); /* make it look alike */
			feed_datagram(&f, n & 1, noise, sizeof(noise));
		}
		counts[f.answer]++;
		feed_fini(&f);
	}
	for (int answer = INSPECT_LIKELY; answer <= INSPECT_DONE; answer++)
		CHECK_EQ(counts[answer], 0);
}
