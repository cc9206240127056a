/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_websocket;

static struct feed f;

/* Bytes that may hold NUL. */
#define STEP(dir, text)                         \
	{                                       \
		(dir), (text), sizeof(text) - 1 \
	}

TEST(frames_are_followed_however_they_are_cut)
{
	static const struct feed_step steps[] = {
		STEP(INSPECT_CLIENT, "\x89\x80mask"
				     "\x81\x85maskhello"
				     "\x02\x82maskhi"
				     "\x80\x81mask!"),
		STEP(INSPECT_SERVER,
		     "\x8a\x00\x81\x7e\x00\x7e"
		     "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abc"
		     "def0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcd"
		     "\x82\x02hi"),
	};

	feed_splits(&inspect_websocket, steps, 2, INSPECT_DONE, "data=text\n");
}

TEST(bytes_are_told_from_text)
{
	feed_init(&f, &inspect_websocket, INSPECT_TCP);
	feed_stream(&f, INSPECT_SERVER, "\x82\x02hi\xc1\x02hi", 8);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, "data=binary\n");
	feed_fini(&f);
}

TEST(what_breaks_the_rules_is_none)
{
	static const struct {
		enum inspect_dir dir;
		const char *bytes;
	} wrong[] = {
		{ INSPECT_CLIENT, "\x81\x05hello" },         /* not masked */
		{ INSPECT_SERVER, "\x81\x85maskhello" },     /* masked */
		{ INSPECT_SERVER, "\xa1\x05hello" },         /* a bit that nobody uses */
		{ INSPECT_SERVER, "\x83\x05hello" },         /* an opcode that nobody uses */
		{ INSPECT_SERVER, "\x80\x05hello" },         /* goes on with nothing */
		{ INSPECT_SERVER, "\x09\x05hello" },         /* a ping in parts */
		{ INSPECT_SERVER, "\x89\x7e\x01\x05hello" }, /* a ping that is too long */
		{ INSPECT_SERVER, "\x01\x02hi\x81\x02hi" },  /* a message within another */
	};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		feed_init(&f, &inspect_websocket, INSPECT_TCP);
		feed_text(&f, wrong[i].dir, wrong[i].bytes);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
	feed_init(&f, &inspect_websocket, INSPECT_TCP);
	feed_stream(&f, INSPECT_SERVER, "\x81\x7e\x00\x05hello", 9); /* not the shortest form */
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(nothing_but_a_hand_over_shows_it_a_flow)
{
	CHECK_EQ(inspect_websocket.transports, 0);
}

TEST(noise_does_no_harm)
{
	uint8_t noise[64];
	uint64_t seed = 43;
	unsigned sure = 0;

	for (int i = 0; i < 500000; i++) {
		feed_init(&f, &inspect_websocket, INSPECT_TCP);
		feed_noise(&seed, noise, sizeof(noise));
		feed_stream(&f, i & 1, noise, sizeof(noise));
		sure += f.answer >= INSPECT_SURE;
		feed_fini(&f);
	}
	CHECK(sure < 500000 / 500); /* weak by itself, which is why it is never asked first */
}
