/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_rdp;

static struct feed f;

#define COOKIE "\3\0\0\x2b\x26\xe0\0\0\0\0\0Cookie: mstshash=alice\r\n\1\0\10\0\3\0\0\0"
#define CHOICE(kind, protocol) \
	"\3\0\0\x13\x0e\xd0\0\0\x12\x34\0" kind "\0\10\0" protocol "\0\0\0"

static void
say(enum inspect_dir dir, const char *bytes, size_t len)
{
	feed_stream(&f, dir, bytes, len);
}

#define SAY(dir, text) say(dir, text, sizeof(text) - 1)

static void
start(void)
{
	feed_init(&f, &inspect_rdp, INSPECT_TCP);
}

TEST(tls_follows_the_choice_of_tls)
{
	static const struct feed_step steps[] = {
		{ INSPECT_CLIENT, COOKIE, sizeof(COOKIE) - 1 },
		{ INSPECT_SERVER, CHOICE("\2", "\2"), 19 },
	};

	feed_splits(&inspect_rdp, steps, 2, INSPECT_DONE,
		    "user=alice\nsecurity=nla\ninner=ssl\n");
}

TEST(the_choice_of_rdp_hands_nothing_over)
{
	start();
	SAY(INSPECT_CLIENT, COOKIE);
	CHECK_EQ(f.answer, INSPECT_SURE);
	SAY(INSPECT_SERVER, CHOICE("\2", "\0"));
	CHECK_STR(f.log, "user=alice\nsecurity=rdp\n");
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

TEST(a_failure_has_no_security)
{
	start();
	SAY(INSPECT_CLIENT, COOKIE);
	SAY(INSPECT_SERVER, CHOICE("\3", "\5"));
	CHECK_STR(f.log, "user=alice\n");
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

TEST(either_side_alone_is_sure)
{
	start();
	SAY(INSPECT_SERVER, CHOICE("\2", "\1"));
	CHECK_STR(f.log, "security=tls\ninner=ssl\n");
	feed_fini(&f);
	start();
	SAY(INSPECT_CLIENT, "\3\0\0\x13\x0e\xe0\0\0\0\0\0\1\0\10\0\13\0\0\0");
	CHECK_EQ(f.answer, INSPECT_SURE);
	feed_fini(&f);
}

TEST(what_follows_the_answer_is_left_for_tls)
{
	start();
	SAY(INSPECT_CLIENT, COOKIE);
	SAY(INSPECT_SERVER, CHOICE("\2", "\1") "\26\3\3");
	CHECK_EQ(f.len[INSPECT_SERVER], 3);
	feed_fini(&f);
}

TEST(others_on_tpkt_are_not_ours)
{
	/* S7, plain X.224, a wrong length, a wrong class, an unknown choice. */
	start();
	SAY(INSPECT_CLIENT, "\3\0\0\x16\x11\xe0\0\0\0\1\0\xc0\1\x0a\xc1\2\1\0\xc2\2\1\2");
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
	start();
	SAY(INSPECT_CLIENT, "\3\0\0\x0b\6\xe0\0\0\0\0\0");
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
	start();
	SAY(INSPECT_CLIENT, "\3\0\0\x13\x0f\xe0\0\0\0\0\0\1\0\10\0\13\0\0\0");
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
	start();
	SAY(INSPECT_CLIENT, "\3\0\0\x13\x0e\xe0\0\0\0\0\2\1\0\10\0\13\0\0\0");
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
	start();
	SAY(INSPECT_SERVER, CHOICE("\2", "\3"));
	CHECK_EQ(f.answer, INSPECT_NO);
	feed_fini(&f);
}

TEST(a_connection_without_its_handshake_is_read)
{
	start();
	f.lost = true;
	SAY(INSPECT_CLIENT, COOKIE);
	CHECK_EQ(f.answer, INSPECT_SURE);
	f.lost = true;
	SAY(INSPECT_SERVER, CHOICE("\2", "\1"));
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

TEST(noise_is_never_sure)
{
	uint64_t seed = 3389;
	uint8_t noise[32];

	for (unsigned i = 0; i < 1000000; i++) {
		start();
		feed_noise(&seed, noise, sizeof(noise));
		memcpy(noise, "\3\0\0\40\33", 5);
		feed_stream(&f, i & 1 ? INSPECT_CLIENT : INSPECT_SERVER, noise, sizeof(noise));
		CHECK(f.answer < INSPECT_LIKELY);
		feed_fini(&f);
	}
}
