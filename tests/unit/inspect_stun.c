/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_stun;

static struct feed f;
static struct out o;

enum { COOKIE = 0x2112a442 };

static void
start(enum inspect_transport transport)
{
	feed_init(&f, &inspect_stun, transport);
	o.len = 0;
}

static void
put_head(uint16_t type, uint16_t length, uint32_t cookie)
{
	put(&o, type, 2);
	put(&o, length, 2);
	put(&o, cookie, 4);
	put(&o, 0x01020304, 4);
	put(&o, 0x05060708, 4);
	put(&o, 0x090a0b0c, 4);
}

static enum inspect_answer
send(enum inspect_dir dir)
{
	if (f.transport == INSPECT_UDP)
		feed_datagram(&f, dir, o.b, o.len);
	else
		feed_stream(&f, dir, o.b, o.len);
	o.len = 0;
	return f.answer;
}

/* The message of RFC 5769 section 2.1, with its checksum. */
static const uint8_t sample[] = {
	0x00, 0x01, 0x00, 0x58, 0x21, 0x12, 0xa4, 0x42, 0xb7, 0xe7, 0xa7, 0x01, 0xbc, 0x34,
	0xd6, 0x86, 0xfa, 0x87, 0xdf, 0xae, 0x80, 0x22, 0x00, 0x10, 0x53, 0x54, 0x55, 0x4e,
	0x20, 0x74, 0x65, 0x73, 0x74, 0x20, 0x63, 0x6c, 0x69, 0x65, 0x6e, 0x74, 0x00, 0x24,
	0x00, 0x04, 0x6e, 0x00, 0x01, 0xff, 0x80, 0x29, 0x00, 0x08, 0x93, 0x2f, 0xf9, 0xb1,
	0x51, 0x26, 0x3b, 0x36, 0x00, 0x06, 0x00, 0x09, 0x65, 0x76, 0x74, 0x6a, 0x3a, 0x68,
	0x36, 0x76, 0x59, 0x20, 0x20, 0x20, 0x00, 0x08, 0x00, 0x14, 0x9a, 0xea, 0xa7, 0x0c,
	0xbf, 0xd8, 0xcb, 0x56, 0x78, 0x1e, 0xf2, 0xb5, 0xb2, 0xd3, 0xf2, 0x49, 0xc1, 0xb5,
	0x71, 0xa2, 0x80, 0x28, 0x00, 0x04, 0xe5, 0x7a, 0x3b, 0xcf,
};

TEST(the_sample_of_rfc_5769_is_sure_and_its_fields_are_told)
{
	start(INSPECT_UDP);
	feed_datagram(&f, INSPECT_CLIENT, sample, sizeof(sample));
	CHECK_EQ(f.answer, INSPECT_SURE);
	CHECK_STR(f.log, "method=binding\nsoftware=STUN test client\nusername=evtj:h6vY\n");
	feed_fini(&f);
}

TEST(a_checksum_that_is_wrong_makes_it_only_likely)
{
	uint8_t copy[sizeof(sample)];

	memcpy(copy, sample, sizeof(copy));
	copy[sizeof(copy) - 1] ^= 1;
	start(INSPECT_UDP);
	feed_datagram(&f, INSPECT_CLIENT, copy, sizeof(copy));
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_fini(&f);
}

TEST(addresses_are_told_without_their_mask)
{
	start(INSPECT_UDP);
	put_head(0x0101, 12, COOKIE);
	put(&o, 0x00200008, 4);
	put(&o, 0x0001, 2);
	put(&o, 0xa147, 2);
	put(&o, 0xe112a643, 4);
	CHECK_EQ(send(INSPECT_SERVER), INSPECT_SURE);
	CHECK_STR(f.log, "method=binding\nmapped-address=192.0.2.1:32853\n");
	feed_fini(&f);
}

TEST(attributes_must_end_where_the_message_does)
{
	start(INSPECT_UDP);
	put_head(1, 8, COOKIE);
	put(&o, 0x80220008, 4);
	put(&o, 0, 4);
	CHECK_EQ(send(INSPECT_CLIENT), INSPECT_LIKELY);
	feed_fini(&f);
	start(INSPECT_UDP);
	put_head(1, 8, COOKIE);
	put(&o, 0x80220004, 4);
	CHECK_EQ(send(INSPECT_CLIENT), INSPECT_NO);
	feed_fini(&f);
}

TEST(without_a_cookie_known_attributes_are_sure_and_unknown_ones_likely)
{
	start(INSPECT_UDP);
	put_head(1, 8, 0x11223344);
	put(&o, 0x00030004, 4);
	put(&o, 6, 4);
	CHECK_EQ(send(INSPECT_CLIENT), INSPECT_SURE);
	feed_fini(&f);
	start(INSPECT_UDP);
	put_head(1, 8, 0x11223344);
	put(&o, 0x01010004, 4);
	put(&o, 6, 4);
	CHECK_EQ(send(INSPECT_CLIENT), INSPECT_LIKELY);
	feed_fini(&f);
	start(INSPECT_UDP);
	put_head(1, 0, 0x11223344);
	CHECK_EQ(send(INSPECT_CLIENT), INSPECT_LIKELY);
	feed_fini(&f);
	start(INSPECT_UDP);
	put_head(0x0201, 0, 0x11223344);
	CHECK_EQ(send(INSPECT_CLIENT), INSPECT_NO);
	feed_fini(&f);
}

static void
put_rtp(uint16_t sequence)
{
	put(&o, 0x80000000u | sequence, 4);
	put(&o, sequence * 160u, 4);
	put(&o, 0xfeedbeef, 4);
	for (unsigned i = 0; i < 40; i++)
		put(&o, 0xd5d5d5d5, 4);
}

TEST(rtp_that_follows_is_the_inner_protocol)
{
	start(INSPECT_UDP);
	put_head(1, 0, COOKIE);
	send(INSPECT_CLIENT);
	put_rtp(7);
	send(INSPECT_CLIENT);
	put_rtp(9);
	send(INSPECT_SERVER);
	CHECK_STR(f.log, "method=binding\n");
	put_rtp(8);
	send(INSPECT_CLIENT);
	CHECK_STR(f.log, "method=binding\ninner=rtp\n");
	feed_fini(&f);
}

TEST(a_handshake_of_dtls_is_the_inner_protocol)
{
	start(INSPECT_UDP);
	put_head(1, 0, COOKIE);
	send(INSPECT_CLIENT);
	put(&o, 0x16feff, 3);
	put(&o, 0, 4);
	put(&o, 0, 4);
	put(&o, 4, 2);
	put(&o, 0x01000000, 4);
	send(INSPECT_CLIENT);
	CHECK_STR(f.log, "method=binding\ninner=dtls\n");
	feed_fini(&f);
}

TEST(a_relay_is_turn_and_what_it_passes_on_its_inner_protocol)
{
	start(INSPECT_UDP);
	put_head(0x0003, 8, COOKIE);
	put(&o, 0x00190004, 4);
	put(&o, 0x11000000, 4);
	CHECK_EQ(send(INSPECT_CLIENT), INSPECT_NAMED);
	CHECK_STR(f.log, "application=turn\nmethod=allocate\n");
	for (uint16_t i = 1; i < 3; i++) {
		put(&o, 0x400000ac, 4);
		put_rtp(i);
		send(INSPECT_SERVER);
	}
	CHECK_STR(f.log, "application=turn\nmethod=allocate\ninner=rtp\n");
	feed_fini(&f);
}

TEST(indications_carry_media_as_well)
{
	start(INSPECT_UDP);
	for (uint16_t i = 1; i < 3; i++) {
		put_head(0x0017, 176, COOKIE);
		put(&o, 0x001300ac, 4);
		put_rtp(i);
		send(INSPECT_SERVER);
	}
	CHECK_STR(f.log, "application=turn\nmethod=data\ninner=rtp\n");
	feed_fini(&f);
}

TEST(channels_alone_are_likely_after_three)
{
	start(INSPECT_UDP);
	for (unsigned i = 0; i < 3; i++) {
		put(&o, 0x40010004, 4);
		put(&o, i, 4);
		CHECK_EQ(send(INSPECT_CLIENT), i < 2 ? INSPECT_MORE : INSPECT_LIKELY);
	}
	feed_fini(&f);
}

TEST(streams_are_read_message_by_message_bare_or_framed)
{
	static const char log[] = "application=turn\nmethod=allocate\nmethod=binding\n";
	struct feed_step step = { INSPECT_CLIENT, o.b, 0 };

	for (unsigned framed = 0; framed < 2; framed++) {
		o.len = 0;
		put(&o, 28, framed ? 2 : 0);
		put_head(0x0003, 8, COOKIE);
		put(&o, 0x00190004, 4);
		put(&o, 0x11000000, 4);
		put(&o, 9, framed ? 2 : 0);
		put(&o, 0x40000005, 4);
		put_text(&o, "12345");
		for (unsigned i = 0; !framed && i < 3; i++)
			put(&o, 0, 1);
		put(&o, 20, framed ? 2 : 0);
		put_head(0x0001, 0, COOKIE);
		step.len = o.len;
		feed_splits(&inspect_stun, &step, 1, INSPECT_NAMED, log);
	}
}

TEST(a_connection_bind_hands_over_to_what_the_peer_sends)
{
	start(INSPECT_TCP);
	put_head(0x000b, 8, COOKIE);
	put(&o, 0x002a0004, 4);
	put(&o, 1, 4);
	send(INSPECT_CLIENT);
	CHECK(!strstr(f.log, "inner"));
	put_head(0x010b, 0, COOKIE);
	put_text(&o, "GET");
	send(INSPECT_SERVER);
	CHECK(strstr(f.log, "inner=(afresh)\n"));
	CHECK_EQ(f.len[INSPECT_SERVER], 3);
	feed_fini(&f);
}

TEST(noise_is_never_stun)
{
	uint64_t seed = 16;
	uint8_t noise[60];

	for (unsigned i = 0; i < 1000000; i++) {
		feed_noise(&seed, noise, sizeof(noise));
		if (i & 1) { /* lengths that fit, without a cookie */
			noise[0] = 0;
			noise[1] &= 3;
			noise[2] = 0;
			noise[3] = 40;
		}
		start(i & 2 ? INSPECT_TCP : INSPECT_UDP);
		memcpy(o.b, noise, sizeof(noise));
		o.len = sizeof(noise);
		CHECK(send(INSPECT_CLIENT) < INSPECT_SURE);
		feed_fini(&f);
	}
}
