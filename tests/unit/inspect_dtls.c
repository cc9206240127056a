/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_out.h"
#include "inspect_split.h"

extern const struct inspector inspect_dtls;

static struct feed f;
static struct out body, datagram;

enum { HELLO = 1, SERVER_HELLO = 2, VERIFY = 3 };

static void
fresh(void)
{
	datagram.len = 0;
	feed_init(&f, &inspect_dtls, INSPECT_UDP);
}

static void
send(enum inspect_dir dir)
{
	feed_datagram(&f, dir, datagram.b, datagram.len);
	datagram.len = 0;
}

static void
client_hello(const char *server_name, bool srtp)
{
	body.len = 0;
	put(&body, 0xfefd, 2);
	for (unsigned i = 0; i < 32; i++)
		put(&body, i * 5, 1);
	put(&body, 0, 1);
	put(&body, 4, 1); /* cookie */
	put_text(&body, "1234");
	put(&body, 0x0002c02b, 4);
	put(&body, 0x0100, 2);
	size_t extensions = open_length(&body, 2);

	if (server_name) {
		put(&body, 0, 2);
		size_t one = open_length(&body, 2), list = open_length(&body, 2);

		put(&body, 0, 1);
		put(&body, (uint32_t)strlen(server_name), 2);
		put_text(&body, server_name);
		close_length(&body, list, 2);
		close_length(&body, one, 2);
	}
	if (srtp) {
		put(&body, 0x000e0005, 4);
		put(&body, 0x00020001, 4);
		put(&body, 0, 1);
	}
	close_length(&body, extensions, 2);
}

static void
server_hello(void)
{
	body.len = 0;
	put(&body, 0xfefd, 2);
	for (unsigned i = 0; i < 32; i++)
		put(&body, i * 7, 1);
	put(&body, 0, 1);
	put(&body, 0xc02b, 2);
	put(&body, 0, 1);
	put(&body, 0, 2);
}

/* A record with one fragment of the body: [at, at + len). */
static void
put_fragment(uint8_t type, uint16_t number, size_t at, size_t len)
{
	put(&datagram, 0x16fefd, 3);
	put(&datagram, 0, 4);
	put(&datagram, number, 4);
	put(&datagram, (uint32_t)(12 + len), 2);
	put(&datagram, type, 1);
	put(&datagram, (uint32_t)body.len, 3);
	put(&datagram, number, 2);
	put(&datagram, (uint32_t)at, 3);
	put(&datagram, (uint32_t)len, 3);
	memcpy(datagram.b + datagram.len, body.b + at, len);
	datagram.len += len;
}

/* A record of epoch 1. */
static void
put_sealed(size_t len)
{
	put(&datagram, 0x17fefd, 3);
	put(&datagram, 0x00010000, 4);
	put(&datagram, 1, 4);
	put(&datagram, (uint32_t)len, 2);
	memset(datagram.b + datagram.len, 0xa5, len);
	datagram.len += len;
}

TEST(a_client_hello_names_the_server)
{
	fresh();
	client_hello("a.example", false);
	put_fragment(HELLO, 0, 0, body.len);
	send(INSPECT_CLIENT);
	CHECK_EQ(f.answer, INSPECT_NAMED);
	CHECK_STR(f.log, "server-name=a.example\n");
	server_hello();
	put_fragment(SERVER_HELLO, 0, 0, body.len);
	send(INSPECT_SERVER);
	put_sealed(40);
	send(INSPECT_SERVER);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, "server-name=a.example\nversion=1.2\ncipher=0xc02b\n");
	feed_fini(&f);
}

TEST(fragments_come_in_any_order)
{
	static const uint8_t orders[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					     { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		fresh();
		client_hello("a.example", false);
		for (size_t n = 0; n < 3; n++) {
			size_t at = orders[i][n] * 25u;

			CHECK(f.answer < INSPECT_NAMED);
			put_fragment(HELLO, 0, at, orders[i][n] == 2 ? body.len - at : 25);
			send(INSPECT_CLIENT);
		}
		CHECK_EQ(f.answer, INSPECT_NAMED);
		CHECK_STR(f.log, "server-name=a.example\n");
		feed_fini(&f);
	}
}

TEST(a_second_hello_with_a_cookie_tells_nothing_new)
{
	fresh();
	client_hello("a.example", false);
	put_fragment(HELLO, 0, 0, body.len);
	send(INSPECT_CLIENT);
	put_fragment(HELLO, 1, 0, body.len);
	send(INSPECT_CLIENT);
	CHECK_STR(f.log, "server-name=a.example\n");
	feed_fini(&f);
}

TEST(a_verify_request_alone_is_sure)
{
	fresh();
	body.len = 0;
	put(&body, 0xfeff04, 3);
	put_text(&body, "1234");
	put_fragment(VERIFY, 0, 0, body.len);
	send(INSPECT_SERVER);
	CHECK_EQ(f.answer, INSPECT_SURE);
	feed_fini(&f);
}

TEST(records_of_a_later_epoch_are_likely_only)
{
	fresh();
	for (int i = 0; i < 20; i++) {
		put_sealed(60);
		send(i & 1);
	}
	CHECK_EQ(f.answer, INSPECT_LIKELY);
	feed_fini(&f);
}

TEST(media_runs_inside_where_it_was_agreed_on)
{
	for (int srtp = 0; srtp < 2; srtp++) {
		fresh();
		client_hello(NULL, srtp);
		put_fragment(HELLO, 0, 0, body.len);
		send(INSPECT_CLIENT);
		server_hello();
		put_fragment(SERVER_HELLO, 0, 0, body.len);
		put_sealed(40);
		send(INSPECT_SERVER);
		CHECK_EQ(f.answer, srtp ? INSPECT_NAMED : INSPECT_DONE);
		put(&datagram, 0x80600001, 4);
		put_text(&datagram, "and so on as media go");
		send(INSPECT_CLIENT);
		CHECK_STR(f.log, srtp ? "srtp=offered\nversion=1.2\ncipher=0xc02b\ninner=rtp\n"
				      : "version=1.2\ncipher=0xc02b\n");
		feed_fini(&f);
	}
}

TEST(stun_may_come_before)
{
	fresh();
	put(&datagram, 0x00010000, 4);
	put(&datagram, 0x2112a442, 4);
	put_text(&datagram, "twelve bytes");
	for (int i = 0; i < 5; i++)
		feed_datagram(&f, i & 1, datagram.b, datagram.len);
	CHECK_EQ(f.answer, INSPECT_MORE);
	datagram.len = 0;
	client_hello("a.example", false);
	put_fragment(HELLO, 0, 0, body.len);
	send(INSPECT_SERVER);
	CHECK_STR(f.log, "server-name=a.example\n");
	feed_fini(&f);
}

TEST(what_is_almost_a_hello_is_none)
{
	static const struct {
		size_t at;
		uint8_t value;
	} wrong[] = { { 0, 0x13 },  { 1, 0xfd },  { 2, 0xf0 }, { 11, 0xff },
		      { 14, 0xff }, { 22, 0xff }, { 25, 0x03 } };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		fresh();
		client_hello("a.example", false);
		put_fragment(HELLO, 0, 0, body.len);
		datagram.b[wrong[i].at] = wrong[i].value;
		send(INSPECT_CLIENT);
		CHECK(f.answer < INSPECT_SURE);
		feed_fini(&f);
	}
}

TEST(hellos_spoilt_anywhere_do_no_harm)
{
	uint64_t seed = 5;

	for (int i = 0; i < 20000; i++) {
		fresh();
		client_hello("a.example", true);
		put_fragment(HELLO, 0, 0, 40);
		put_fragment(HELLO, 0, 40, body.len - 40);
		for (int n = 0; n < 3; n++)
			datagram.b[13 + feed_random(&seed) % (datagram.len - 13)] =
				(uint8_t)feed_random(&seed);
		send(INSPECT_CLIENT);
		feed_fini(&f);
	}
	CHECK(true);
}

TEST(noise_is_never_dtls)
{
	uint8_t noise[64];
	uint64_t seed = 29;

	for (int i = 0; i < 2000000; i++) {
		fresh();
		feed_noise(&seed, noise, sizeof(noise));
		if (i & 1)
			memcpy(noise, "\x16\xfe\xfd\0\0", 5); /* make it look alike */
		feed_datagram(&f, i & 2 ? INSPECT_SERVER : INSPECT_CLIENT, noise,
			      sizeof(noise));
		CHECK(f.answer < INSPECT_SURE);
		feed_fini(&f);
	}
}
