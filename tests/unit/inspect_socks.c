/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_socks;

static struct feed f;

#define STEP(dir, text)                                 \
	{                                               \
		INSPECT_##dir, (text), sizeof(text) - 1 \
	}
#define COUNT(steps) (sizeof(steps) / sizeof((steps)[0]))

static void
run(const struct feed_step *steps, size_t count)
{
	feed_init(&f, &inspect_socks, INSPECT_TCP);
	feed_run(&f, steps, count, SIZE_MAX, 0);
}

TEST(version_5_hands_over_behind_the_answer)
{
	static const struct feed_step steps[] = {
		STEP(CLIENT, "\5\1\0"),
		STEP(SERVER, "\5\0"),
		STEP(CLIENT, "\5\1\0\3\13example.com\0\120"),
		STEP(SERVER, "\5\0\0\1\0\0\0\0\0\0"),
	};

	feed_splits(&inspect_socks, steps, COUNT(steps), INSPECT_DONE,
		    "version=5\ncommand=connect\ndestination=example.com\ninner=(afresh)\n");
}

TEST(a_password_comes_before)
{
	static const struct feed_step steps[] = {
		STEP(CLIENT, "\5\2\0\2"),
		STEP(SERVER, "\5\2"),
		STEP(CLIENT, "\1\5alice\6secret"),
		STEP(SERVER, "\1\0"),
		STEP(CLIENT, "\5\1\0\1\300\0\2\1\0\120"),
		STEP(SERVER, "\5\0\0\1\0\0\0\0\0\0"),
	};

	feed_splits(&inspect_socks, steps, COUNT(steps), INSPECT_DONE,
		    "version=5\ncommand=connect\ninner=(afresh)\n");
}

TEST(version_4_and_4a_hand_over)
{
	static const struct feed_step old[] = {
		STEP(CLIENT, "\4\1\0\120\300\0\2\1alice\0"),
		STEP(SERVER, "\0\132\0\0\0\0\0\0"),
	};
	static const struct feed_step named[] = {
		STEP(CLIENT, "\4\1\0\120\0\0\0\1\0example.com\0"),
		STEP(SERVER, "\0\132\0\0\0\0\0\0"),
	};

	feed_splits(&inspect_socks, old, COUNT(old), INSPECT_DONE,
		    "version=4\ncommand=connect\ninner=(afresh)\n");
	feed_splits(&inspect_socks, named, COUNT(named), INSPECT_DONE,
		    "version=4\ncommand=connect\ndestination=example.com\ninner=(afresh)\n");
}

TEST(what_follows_is_left_for_the_inner_protocol)
{
	static const struct feed_step steps[] = {
		STEP(CLIENT, "\5\1\0\5\1\0\1\300\0\2\1\0\120GET /"),
		STEP(SERVER, "\5\0\5\0\0\1\0\0\0\0\0\0HTTP/1.0"),
	};

	run(steps, COUNT(steps));
	CHECK_EQ(f.len[INSPECT_CLIENT], 5);
	CHECK_MEM(f.window[INSPECT_CLIENT], "GET /", 5);
	CHECK_EQ(f.len[INSPECT_SERVER], 8);
	feed_fini(&f);
}

TEST(a_refusal_hands_nothing_over)
{
	static const struct feed_step five[] = {
		STEP(CLIENT, "\5\1\0"),
		STEP(SERVER, "\5\0"),
		STEP(CLIENT, "\5\1\0\1\300\0\2\1\0\120"),
		STEP(SERVER, "\5\5\0\1\0\0\0\0\0\0"),
	};
	static const struct feed_step four[] = {
		STEP(CLIENT, "\4\1\0\120\300\0\2\1\0"),
		STEP(SERVER, "\0\133\0\0\0\0\0\0"),
	};

	run(five, COUNT(five));
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, "version=5\ncommand=connect\n");
	feed_fini(&f);
	run(four, COUNT(four));
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, "version=4\ncommand=connect\n");
	feed_fini(&f);
}

TEST(a_bind_hands_over_behind_its_second_answer)
{
	static const struct feed_step steps[] = {
		STEP(CLIENT, "\5\1\0"),
		STEP(SERVER, "\5\0"),
		STEP(CLIENT, "\5\2\0\1\300\0\2\1\0\120"),
		STEP(SERVER, "\5\0\0\1\300\0\2\2\300\0"),
	};
	run(steps, COUNT(steps));
	CHECK_EQ(f.answer, INSPECT_SURE);
	CHECK_STR(f.log, "version=5\ncommand=bind\n");
	feed_stream(&f, INSPECT_SERVER, "\5\0\0\1\300\0\2\1\0\24", 10);
	CHECK_STR(f.log, "version=5\ncommand=bind\ninner=(afresh)\n");
	feed_fini(&f);
}

TEST(a_relay_of_datagrams_is_announced)
{
	struct feed_step steps[] = {
		STEP(CLIENT, "\5\1\0"),
		STEP(SERVER, "\5\0"),
		STEP(CLIENT, "\5\3\0\1\0\0\0\0\0\0"),
		STEP(SERVER, "\5\0\0\1\300\0\2\2\300\0"),
	};

	run(steps, COUNT(steps));
	CHECK_STR(f.log, "version=5\ncommand=udp-associate\nannounce=socks\n");
	CHECK_EQ(f.last.ip_version, 4);
	CHECK_EQ(f.last.address[0], 192);
	CHECK_EQ(f.last.port, 0xc000);
	CHECK_EQ(f.last.transport, INSPECT_UDP);
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
	steps[3] = (struct feed_step)STEP(SERVER, "\5\0\0\1\0\0\0\0\300\0");
	run(steps, COUNT(steps));
	CHECK_EQ(f.last.ip_version, 0);
	CHECK_EQ(f.last.host, INSPECT_SERVER);
	feed_fini(&f);
}

TEST(one_wrong_byte_is_another_protocol)
{
	static const struct {
		struct feed_step step[2];
	} others[] = {
		{ { STEP(CLIENT, "\5\0\0"), STEP(SERVER, "\5\0") } },
		{ { STEP(CLIENT, "\5\1\0"), STEP(SERVER, "\5\12") } },
		{ { STEP(CLIENT, "\5\1\0\5\4\0\1\0\0\0\0\0\0"), STEP(SERVER, "\5\0") } },
		{ { STEP(CLIENT, "\5\1\0\5\1\1\1\0\0\0\0\0\0"), STEP(SERVER, "\5\0") } },
		{ { STEP(CLIENT, "\4\3\0\120\300\0\2\1\0"), STEP(SERVER, "\0\132") } },
		{ { STEP(CLIENT, "\4\1\0\120\300\0\2\1\0"), STEP(SERVER, "\0\131") } },
		{ { STEP(CLIENT, "\4\1\0\120\0\0\0\0\0"), STEP(SERVER, "\0\132") } },
		{ { STEP(CLIENT, "\4\1\0\120\300\0\2\1\1\0"), STEP(SERVER, "\0\132") } },
	};

	for (size_t i = 0; i < COUNT(others); i++) {
		run(others[i].step, 2);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(a_connection_without_its_handshake_is_read)
{
	feed_init(&f, &inspect_socks, INSPECT_TCP);
	f.lost = true;
	feed_stream(&f, INSPECT_CLIENT, "\4\1\0\120\300\0\2\1\0", 9);
	f.lost = true;
	feed_stream(&f, INSPECT_SERVER, "\0\132\0\0\0\0\0\0", 8);
	CHECK_STR(f.log, "version=4\ncommand=connect\ninner=(afresh)\n");
	feed_fini(&f);
	feed_init(&f, &inspect_socks, INSPECT_TCP);
	feed_stream(&f, INSPECT_CLIENT, "\5\1\0", 3);
	f.lost = true;
	feed_stream(&f, INSPECT_CLIENT, "\5\1\0\1\300\0\2\1\0\120", 10);
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(noise_is_never_sure)
{
	uint64_t seed = 1080;
	uint8_t noise[40];

	for (unsigned i = 0; i < 1000000; i++) {
		feed_init(&f, &inspect_socks, INSPECT_TCP);
		feed_noise(&seed, noise, sizeof(noise));
		noise[0] = 4 + (i & 1);
		feed_stream(&f, INSPECT_CLIENT, noise, 20);
		feed_stream(&f, INSPECT_SERVER, noise + 20, 20);
		CHECK(f.answer < INSPECT_LIKELY);
		feed_fini(&f);
	}
}
