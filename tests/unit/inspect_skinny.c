/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_skinny;

static struct feed f;
static struct out o;

/* Least significant byte first. */
static void
put_le(uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		o.b[o.len++] = (uint8_t)(value >> 8 * i);
}

static void
put_head(uint32_t length, uint32_t version, uint32_t message)
{
	put_le(length + 4);
	put_le(version);
	put_le(message);
}

static void
send(enum inspect_dir dir)
{
	feed_stream(&f, dir, o.b, o.len);
	o.len = 0;
}

/* A message of nothing but zero bytes behind its number. */
static void
put_plain(uint32_t message)
{
	put_head(8, 0, message);
	put_le(0);
	put_le(0);
}

static void
start(void)
{
	feed_init(&f, &inspect_skinny, INSPECT_TCP);
	o.len = 0;
}

static void
put_register(void)
{
	put_head(40, 0, 1);
	put_text(&o, "SEP001122334455");
	for (unsigned i = 0; i < 25; i++)
		put(&o, 0, 1);
}

TEST(a_phone_that_registers_is_sure_and_has_a_name)
{
	start();
	put_register();
	send(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.log, "device=SEP001122334455\nmessage=1\n");
	feed_fini(&f);
}

TEST(three_messages_in_a_row_are_sure)
{
	static const enum inspect_answer answers[] = { INSPECT_LIKELY, INSPECT_LIKELY,
						       INSPECT_NAMED };

	start();
	for (unsigned i = 0; i < 3; i++) {
		put_plain(i ? 0x82 : 0x26);
		send(INSPECT_SERVER);
		CHECK_EQ(f.answer, answers[i]);
	}
	feed_fini(&f);
}

TEST(media_is_announced_by_old_and_new_versions)
{
	start();
	put_head(16, 0, 0x22); /* OpenReceiveChannelAck */
	put_le(0);
	put(&o, 0xc0000205, 4);
	put_le(20000);
	put_le(7);
	put_head(20, 0, 0x8a); /* StartMediaTransmission */
	put_le(1);
	put_le(2);
	put(&o, 0xc0000206, 4);
	put_le(30000);
	put_le(20);
	put_head(36, 17, 0x8a);
	put_le(1);
	put_le(2);
	put_le(1); /* IPv6 */
	put(&o, 0x20010db8, 4);
	put(&o, 0, 4);
	put(&o, 0, 4);
	put(&o, 9, 4);
	put_le(40000);
	put_le(20);
	put_head(28, 20, 0x22);
	put_le(0);
	put_le(0); /* IPv4, in a field of 16 bytes */
	put(&o, 0x0a000007, 4);
	put(&o, 0, 4);
	put(&o, 0, 4);
	put(&o, 0, 4);
	put_le(50000);
	send(INSPECT_CLIENT);
	CHECK_STR(f.announced,
		  "rtp udp 192.0.2.5:20000 300 s many\nrtcp udp 192.0.2.5:20001 300 s many\n"
		  "rtp udp 192.0.2.6:30000 300 s many\nrtcp udp 192.0.2.6:30001 300 s many\n"
		  "rtp udp 20010db8000000000000000000000009:40000 300 s many\nrtcp udp "
		  "20010db8000000000000000000000009:40001 300 s many\n"
		  "rtp udp 10.0.0.7:50000 300 s many\nrtcp udp 10.0.0.7:50001 300 s many\n"
		  "rtp udp client:50000 300 s many\nrtcp udp client:50001 300 s many\n");
	feed_fini(&f);
}

TEST(ports_and_addresses_that_are_none_are_not_announced)
{
	start();
	put_head(16, 0, 0x22);
	put_le(0);
	put(&o, 0, 4);
	put_le(20000);
	put_le(7);
	put_head(16, 0, 0x22);
	put_le(0);
	put(&o, 0xc0000205, 4);
	put_le(70000);
	put_le(7);
	put_head(4, 0, 0x22);
	put_le(0);
	send(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.announced, "");
	feed_fini(&f);
}

TEST(a_stream_is_the_same_however_it_is_cut)
{
	struct feed_step step = { INSPECT_CLIENT, o.b, 0 };

	o.len = 0;
	put_register();
	put_plain(0x20);
	put_head(16, 0, 0x22);
	put_le(0);
	put(&o, 0xc0000205, 4);
	put_le(20000);
	put_le(7);
	put_plain(0);
	step.len = o.len;
	feed_splits(&inspect_skinny, &step, 1, INSPECT_NAMED,
		    "device=SEP001122334455\nmessage=1\nmessage=32\nmessage=34\nannounce=rtp\n"
		    "announce=rtcp\nmessage=0\n");
}

TEST(headers_that_do_not_fit_are_none)
{
	static const uint32_t heads[][3] = { { 0, 0, 0 },      { 0x10000, 0, 1 },
					     { 4, 5, 1 },      { 4, 0x21, 1 },
					     { 4, 0, 0x61 },   { 4, 0, 0x1000 },
					     { 4, 0x10000, 1 } };

	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		start();
		put_le(heads[i][0]);
		put_le(heads[i][1]);
		put_le(heads[i][2]);
		send(INSPECT_CLIENT);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(noise_is_never_skinny)
{
	uint64_t seed = 15;
	uint8_t noise[60];

	for (unsigned i = 0; i < 500000; i++) {
		feed_noise(&seed, noise, sizeof(noise));
		for (size_t n = 0; i & 1 && n < sizeof(noise); n++)
			noise[n] = noise[n] < 160 ? 0 : noise[n] & 0x1f;
		start();
		feed_stream(&f, INSPECT_CLIENT, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_SURE);
		feed_fini(&f);
	}
}
