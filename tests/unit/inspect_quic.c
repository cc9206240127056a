/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"
#include "quic_rig.h"
#include "quic_vectors.h"

extern const struct inspector inspect_quic;

static struct feed f;
static struct out hello, frames, datagram;

static void
fresh(void)
{
	frames.len = datagram.len = 0;
	feed_init(&f, &inspect_quic, INSPECT_UDP);
}

static void
send(enum inspect_dir dir)
{
	feed_datagram(&f, dir, datagram.b, datagram.len);
	frames.len = datagram.len = 0;
}

/* One Initial of version 1 with a part of the hello, in a datagram of its own. */
static void
send_part(const char *key_id, const char *dcid, uint32_t number, size_t at, size_t len)
{
	rig_crypto(&frames, &hello, at, len, false);
	rig_seal(&datagram, 1, key_id, dcid, number, &frames, 1200);
	send(INSPECT_CLIENT);
}

static const char named[] = "version=1\nserver-name=a.example\nalpn=h3\napplication=http3\n";

TEST(keys_of_version_1_are_those_of_the_rfc)
{
	/* RFC 9001 appendix A.1. */
	static const uint8_t key[] = { 0x1f, 0x36, 0x96, 0x13, 0xdd, 0x76, 0xd5, 0x46,
				       0x77, 0x30, 0xef, 0xcb, 0xe3, 0xb1, 0xa2, 0x2d };
	static const uint8_t iv[] = { 0xfa, 0x04, 0x4b, 0x2f, 0x42, 0xa3,
				      0xfd, 0x3b, 0x46, 0xfb, 0x25, 0x5c };
	static const uint8_t hp[] = { 0x9f, 0x50, 0x44, 0x9e, 0x04, 0xa0, 0xe8, 0x10,
				      0x28, 0x3a, 0x1e, 0x99, 0x33, 0xad, 0xed, 0xd2 };
	struct quic_keys keys;

	CHECK(quic_keys_derive(quic_version_find(1), bytes_of(quic_client_1 + 6, 8), &keys));
	CHECK_MEM(keys.key, key, sizeof(key));
	CHECK_MEM(keys.iv, iv, sizeof(iv));
	CHECK_MEM(keys.hp, hp, sizeof(hp));
}

TEST(keys_of_version_2_are_those_of_the_rfc)
{
	/* RFC 9369 appendix A.1. */
	static const uint8_t key[] = { 0x8b, 0x1a, 0x0b, 0xc1, 0x21, 0x28, 0x42, 0x90,
				       0xa2, 0x9e, 0x09, 0x71, 0xb5, 0xcd, 0x04, 0x5d };
	static const uint8_t hp[] = { 0x45, 0xb9, 0x5e, 0x15, 0x23, 0x5d, 0x6f, 0x45,
				      0xa6, 0xb1, 0x9c, 0xbc, 0xb0, 0x29, 0x4b, 0xa9 };
	struct quic_keys keys;

	CHECK(quic_keys_derive(quic_version_find(0x6b3343cf), bytes_of(quic_client_2 + 6, 8),
			       &keys));
	CHECK_MEM(keys.key, key, sizeof(key));
	CHECK_MEM(keys.hp, hp, sizeof(hp));
}

TEST(the_client_initials_of_the_rfcs_are_opened)
{
	fresh();
	feed_datagram(&f, INSPECT_CLIENT, quic_client_1, sizeof(quic_client_1));
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, "version=1\nserver-name=example.com\nalpn=alpn\n");
	feed_fini(&f);
	fresh();
	feed_datagram(&f, INSPECT_CLIENT, quic_client_2, sizeof(quic_client_2));
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, "version=2\nserver-name=example.com\nalpn=alpn\n");
	feed_fini(&f);
}

TEST(one_wrong_bit_and_nothing_is_sure)
{
	static uint8_t copy[sizeof(quic_client_1)];

	for (size_t at = 0; at < sizeof(copy); at += 7) {
		memcpy(copy, quic_client_1, sizeof(copy));
		copy[at] ^= 0x10;
		fresh();
		feed_datagram(&f, INSPECT_CLIENT, copy, sizeof(copy));
		CHECK(f.answer < INSPECT_SURE);
		CHECK_STR(f.log, "");
		feed_fini(&f);
	}
}

TEST(a_server_alone_is_likely)
{
	fresh();
	feed_datagram(&f, INSPECT_SERVER, quic_server_1, sizeof(quic_server_1));
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_fini(&f);
}

TEST(a_hello_comes_in_any_order_of_datagrams)
{
	static const uint8_t orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					     { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

	rig_hello(&hello, "a.example", "\x02h3", 2500);
	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		fresh();
		for (size_t n = 0; n < 3; n++) {
			size_t at = orders[i][n] * 900u;
			size_t len = orders[i][n] == 2 ? hello.len - at : 900;

			CHECK(n == 0 || f.answer == INSPECT_SURE);
			send_part("first-id", n == 1 ? "server-chose-it" : "first-id",
				  (uint32_t)n, at, len);
		}
		CHECK_EQ(f.answer, INSPECT_DONE);
		CHECK_STR(f.log, named);
		feed_fini(&f);
	}
}

TEST(frames_come_in_pieces_out_of_order_and_more_than_once)
{
	rig_hello(&hello, "a.example", "\x02h3", 300);
	fresh();
	for (size_t at = hello.len; at-- > 0;) {
		if (at % 40 == 0)
			rig_crypto(&frames, &hello, at,
				   at + 50 < hello.len ? 50 : hello.len - at, false);
		if (at % 100 == 0)
			put(&frames, 0x010000, 3); /* PING, PADDING */
	}
	rig_seal(&datagram, 1, "first-id", "first-id", 7, &frames, 1200);
	send(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, named);
	feed_fini(&f);
}

TEST(an_acknowledgement_before_the_hello_is_passed_over)
{
	rig_hello(&hello, "a.example", "\x02h3", 0);
	fresh();
	put(&frames, 0x02, 1);
	put(&frames, 0x09050102, 4); /* largest, delay, one range, first range */
	put(&frames, 0x0101, 2);     /* gap, length */
	put(&frames, 0x03, 1);
	put(&frames, 0x09050002, 4);
	put(&frames, 0x010203, 3); /* marks of congestion */
	rig_crypto(&frames, &hello, 0, hello.len, false);
	rig_seal(&datagram, 1, "first-id", "first-id", 1, &frames, 1200);
	send(INSPECT_CLIENT);
	CHECK_STR(f.log, named);
	feed_fini(&f);
}

TEST(after_a_retry_the_keys_come_from_the_new_id)
{
	rig_hello(&hello, "a.example", "\x02h3", 1200);
	fresh();
	send_part("first-id", "first-id", 0, 0, 900);
	CHECK_EQ(f.answer, INSPECT_SURE);
	put(&datagram, 0xf0, 1);
	put(&datagram, 1, 4);
	put(&datagram, 7, 1);
	put_text(&datagram, "from-me");
	put(&datagram, 9, 1);
	put_text(&datagram, "second-id");
	put_text(&datagram, "a token and a tag of sixteen");
	send(INSPECT_SERVER);
	send_part("second-id", "second-id", 1, 0, 900);
	send_part("second-id", "second-id", 2, 900, hello.len - 900);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, named);
	feed_fini(&f);
}

TEST(the_initial_may_be_behind_another_packet_of_its_datagram)
{
	rig_hello(&hello, "a.example", "\x02h3", 0);
	fresh();
	put(&datagram, 0xd1, 1); /* 0-RTT */
	put(&datagram, 1, 4);
	put(&datagram, 8, 1);
	put_text(&datagram, "first-id");
	put(&datagram, 0, 1);
	put(&datagram, 40, 1);
	put_text(&datagram, "0123456789012345678901234567890123456789");
	rig_crypto(&frames, &hello, 0, hello.len, false);
	rig_seal(&datagram, 1, "first-id", "first-id", 0, &frames, 1100);
	send(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, named);
	feed_fini(&f);
}

TEST(every_version_in_the_table_is_opened)
{
	static const struct {
		uint32_t number;
		const char *text;
	} all[] = { { 1, "1" },
		    { 0x6b3343cf, "2" },
		    { 0x709a50c4, "0x709a50c4" },
		    { 0xff000016, "draft-22" },
		    { 0xff000017, "draft-23" },
		    { 0xff00001b, "draft-27" },
		    { 0xff00001d, "draft-29" },
		    { 0xff000020, "draft-32" },
		    { 0xff000022, "draft-34" },
		    { 0x54303530, "T050" },
		    { 0x54303531, "T051" },
		    { 0xfaceb002, "0xfaceb002" } };
	char log[200];

	rig_hello(&hello, "a.example", "\x02h3", 0);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		fresh();
		rig_crypto(&frames, &hello, 0, hello.len,
			   quic_version_find(all[i].number)->google);
		rig_seal(&datagram, all[i].number, "first-id", "first-id", 0, &frames, 1200);
		send(INSPECT_CLIENT);
		snprintf(log, sizeof(log),
			 "version=%s\nserver-name=a.example\nalpn=h3\napplication=http3\n",
			 all[i].text);
		CHECK_STR(f.log, log);
		feed_fini(&f);
	}
	CHECK(!quic_version_find(0xff000015));
	CHECK(!quic_version_find(0xff000023));
	CHECK(!quic_version_find(2));
}

TEST(alpn_names_what_runs_inside)
{
	static const struct {
		const char *alpn, *log;
	} all[] = { { "\x03"
		      "doq",
		      "alpn=doq\napplication=doq\n" },
		    { "\x05h3-29", "alpn=h3-29\napplication=http3\n" },
		    { "\x0ahq-interop", "alpn=hq-interop\n" },
		    { "\x02h4\x02h3", "alpn=h4,h3\napplication=http3\n" },
		    { "\x03h3x", "alpn=h3x\n" } };
	char log[200];

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		rig_hello(&hello, "a.example", all[i].alpn, 0);
		fresh();
		send_part("first-id", "first-id", 0, 0, hello.len);
		snprintf(log, sizeof(log), "version=1\nserver-name=a.example\n%s", all[i].log);
		CHECK_STR(f.log, log);
		feed_fini(&f);
	}
}

/* A negotiation that repeats both ids, with these versions. */
static void
send_negotiation(const char *dcid, const char *scid, uint32_t first, uint32_t second)
{
	put(&datagram, 0xaa, 1);
	put(&datagram, 0, 4);
	put(&datagram, (uint32_t)strlen(dcid), 1);
	put_text(&datagram, dcid);
	put(&datagram, (uint32_t)strlen(scid), 1);
	put_text(&datagram, scid);
	put(&datagram, first, 4);
	put(&datagram, second, 4);
	send(INSPECT_SERVER);
}

static void
send_unknown(uint32_t version)
{
	put(&datagram, 0xc0, 1);
	put(&datagram, version, 4);
	put(&datagram, 8, 1);
	put_text(&datagram, "first-id");
	put(&datagram, 7, 1);
	put_text(&datagram, "from-me");
	datagram.len = 1200;
	send(INSPECT_CLIENT);
}

TEST(a_negotiation_proves_a_version_that_nobody_knows)
{
	fresh();
	send_unknown(0x12345678);
	CHECK_EQ(f.answer, INSPECT_MORE);
	send_negotiation("from-me", "first-id", 1, 0x1a2a3a4a);
	CHECK_EQ(f.answer, INSPECT_SURE);
	rig_hello(&hello, "a.example", "\x02h3", 0);
	send_part("second-id", "second-id", 0, 0, hello.len);
	CHECK_STR(f.log, named);
	feed_fini(&f);
}

TEST(a_version_that_is_there_to_be_refused_is_opened_and_not_told)
{
	rig_hello(&hello, "a.example", "\x02h3", 0);
	fresh();
	rig_crypto(&frames, &hello, 0, hello.len, false);
	rig_seal(&datagram, 0x1a2a3a4a, "first-id", "first-id", 0, &frames, 1200);
	send(INSPECT_CLIENT);
	CHECK_STR(f.log, "server-name=a.example\nalpn=h3\napplication=http3\n");
	feed_fini(&f);
}

TEST(a_negotiation_for_somebody_else_proves_nothing)
{
	fresh();
	send_unknown(0x12345678);
	send_negotiation("from-you", "first-id", 1, 0x1a2a3a4a);
	CHECK(f.answer < INSPECT_SURE);
	feed_fini(&f);
	fresh();
	send_unknown(0x12345678);
	send_negotiation("from-me", "first-id", 1, 0x12345678); /* what was refused is there */
	CHECK(f.answer < INSPECT_SURE);
	feed_fini(&f);
}

TEST(short_headers_are_nothing)
{
	fresh();
	put(&datagram, 0x4cfe4189, 4);
	put_text(&datagram, "some bytes that could be anything at all");
	send(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(what_the_capture_cut_is_likely)
{
	fresh();
	f.snapped = true;
	feed_datagram(&f, INSPECT_CLIENT, quic_client_1, 96);
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_fini(&f);
	fresh();
	feed_datagram(&f, INSPECT_CLIENT, quic_client_1, 96);
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(a_hello_without_its_end_is_read_as_far_as_it_came)
{
	rig_hello(&hello, "a.example", "\x02h3", 0);
	put(&hello, 0, 4); /* the message is longer by this, which never comes */
	hello.b[3] = (uint8_t)(hello.b[3] + 4);
	fresh();
	send_part("first-id", "first-id", 0, 0, hello.len - 4);
	CHECK_EQ(f.answer, INSPECT_SURE);
	put(&datagram, 0x40, 1);
	put_text(&datagram, "short headers begin");
	send(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, named);
	feed_fini(&f);
}

TEST(a_hello_that_is_too_long_is_read_as_far_as_there_is_room)
{
	rig_hello(&hello, "a.example", "\x02h3", 6000);
	fresh();
	for (uint32_t n = 0; n < 6 && f.answer != INSPECT_DONE; n++)
		send_part("first-id", "first-id", n, n * 1000u, 1000);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, "version=1\n");
	feed_fini(&f);
}

static void
put_le(struct out *o, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		put(o, value >> 8 * i & 0xff, 1);
}

static void
put_chlo(struct out *o)
{
	put_text(o, "CHLO");
	put(o, 0x03000000, 4);
	put_text(o, "PAD");
	put(o, 0, 1);
	put_le(o, 10);
	put_text(o, "SNI");
	put(o, 0, 1);
	put_le(o, 19);
	put_text(o, "UAID");
	put_le(o, 26);
	put_text(o, "----------a.exampleChrome!");
}

TEST(googles_hello_is_read_in_clear)
{
	static const char log[] = "version=Q043\nserver-name=a.example\nuser-agent=Chrome!\n";

	fresh();
	put(&datagram, 0x0d, 1);
	put_text(&datagram, "8 bytes!Q043");
	put(&datagram, 1, 1);
	put_text(&datagram, "twelve bytes");
	put(&datagram, 0xa0010044, 4);
	put_chlo(&datagram);
	send(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, log);
	feed_fini(&f);
	fresh();
	put(&datagram, 0xc3, 1);
	put_text(&datagram, "Q046");
	put(&datagram, 0x50, 1);
	put_text(&datagram, "8 bytes!");
	put(&datagram, 1, 4);
	put_text(&datagram, "twelve bytes");
	put(&datagram, 0xa0010044, 4);
	put_chlo(&datagram);
	send(INSPECT_CLIENT);
	CHECK_STR(f.log, "version=Q046\nserver-name=a.example\nuser-agent=Chrome!\n");
	feed_fini(&f);
}

TEST(googles_hello_is_read_from_an_initial)
{
	fresh();
	hello.len = 0;
	put_chlo(&hello);
	rig_crypto(&frames, &hello, 20, hello.len - 20, true);
	rig_crypto(&frames, &hello, 0, 20, true);
	rig_seal(&datagram, 0x51303530, "first-id", "first-id", 0, &frames, 1200);
	send(INSPECT_CLIENT);
	CHECK_STR(f.log, "version=Q050\nserver-name=a.example\nuser-agent=Chrome!\n");
	feed_fini(&f);
}

TEST(a_hello_of_googles_with_its_tags_out_of_order_is_none)
{
	fresh();
	put(&datagram, 0x0d, 1);
	put_text(&datagram, "8 bytes!Q043");
	put(&datagram, 1, 1);
	put_text(&datagram, "twelve bytes");
	put(&datagram, 0xa0010044, 4);
	put_chlo(&datagram);
	memcpy(datagram.b + 38, "PAZ", 3); /* behind SNI */
	send(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_fini(&f);
}

TEST(frames_spoilt_anywhere_do_no_harm)
{
	uint64_t seed = 17;

	rig_hello(&hello, "a.example", "\x02h3", 40);
	for (int i = 0; i < 3000; i++) {
		fresh();
		put(&frames, 0x02, 1);
		put(&frames, 0x09050000, 4);
		rig_crypto(&frames, &hello, 0, hello.len, false);
		for (int n = 0; n < 3; n++)
			frames.b[feed_random(&seed) % frames.len] = (uint8_t)feed_random(&seed);
		rig_seal(&datagram, 1, "first-id", "first-id", 0, &frames, 1200);
		send(INSPECT_CLIENT);
		CHECK(f.answer >= INSPECT_SURE);
		feed_fini(&f);
	}
}

TEST(noise_is_never_sure)
{
	uint8_t noise[1300];
	uint64_t seed = 23;

	for (int i = 0; i < 300000; i++) {
		size_t len = i % 4 == 0 ? sizeof(noise) : 60;

		fresh();
		feed_noise(&seed, noise, len);
		if (i % 3 == 1)
			memcpy(noise, "\xc3\0\0\0\1\x08", 6); /* make it look alike */
		if (i % 3 == 2)
			memcpy(noise,
			       "\x0d"
			       "12345678Q043",
			       13);
		feed_datagram(&f, i & 1, noise, len);
		CHECK(f.answer < INSPECT_SURE);
		CHECK(i % 3 != 0 || f.answer <= INSPECT_MORE);
		feed_fini(&f);
	}
}
