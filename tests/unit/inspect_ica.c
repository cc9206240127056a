/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect_split.h"

extern const struct inspector inspect_ica;

static struct feed f;

#define GREETING   \
	"\x7f\x7f" \
	"ICA\0"
/* A greeting, and what the side can do: a module with an application; a question, a module. */
#define CLIENT                      \
	GREETING "\x01\x0c\0\x0c\0" \
		 "\0#Notepad\0"
#define SERVER                 \
	GREETING "\0\x03\0abc" \
		 "\x02\x05\0\x05\0xyz"

static void
say(enum inspect_dir dir, const char *bytes, size_t len)
{
	feed_stream(&f, dir, bytes, len);
}

static void
greet(void)
{
	feed_init(&f, &inspect_ica, INSPECT_TCP);
	say(INSPECT_SERVER, GREETING, 6);
	CHECK_EQ(f.answer, INSPECT_SURE);
	say(INSPECT_CLIENT, GREETING, 6);
}

TEST(a_greeting_of_either_side_is_sure)
{
	for (int dir = INSPECT_CLIENT; dir <= INSPECT_SERVER; dir++) {
		feed_init(&f, &inspect_ica, INSPECT_TCP);
		say((enum inspect_dir)dir, GREETING, 5);
		CHECK_EQ(f.answer, INSPECT_MORE);
		say((enum inspect_dir)dir, "", 1);
		CHECK_EQ(f.answer, INSPECT_SURE);
		feed_fini(&f);
	}
}

TEST(others_are_not_ours)
{
	static const char *const others[] = { "GET / HTTP/1.0\r\n", "\x7f\x7fICE",
					      "\032CGP/2" };

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		feed_init(&f, &inspect_ica, INSPECT_TCP);
		feed_text(&f, INSPECT_CLIENT, others[i]);
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}

TEST(the_application_is_found_in_the_gateway_protocol_too)
{
	feed_init(&f, &inspect_ica, INSPECT_TCP);
	say(INSPECT_CLIENT, "\032CGP/01\0\0#Order Entry\0", 22);
	CHECK_STR(f.log, "app=Order Entry\n");
	CHECK_EQ(f.answer, INSPECT_NAMED);
	say(INSPECT_SERVER, "\032CGP/01", 7);
	CHECK_EQ(f.answer, INSPECT_DONE);
	feed_fini(&f);
}

TEST(an_application_has_three_letters_and_an_end)
{
	static const char *const names[] = { "#ab\0", "#abc", "#ab\001cd\0", "#\0abc\0" };
	static const size_t lens[] = { 4, 4, 7, 6 };

	for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		feed_init(&f, &inspect_ica, INSPECT_TCP);
		say(INSPECT_CLIENT, "\032CGP/01", 7);
		say(INSPECT_CLIENT, names[i], lens[i]);
		CHECK_STR(f.log, "");
		CHECK_EQ(f.answer, INSPECT_SURE);
		feed_fini(&f);
	}
}

TEST(a_longer_name_than_the_bound_is_none)
{
	char name[132] = "#";

	for (size_t len = 128; len <= 129; len++) {
		memset(name + 1, 'a', len);
		name[1 + len] = 0;
		feed_init(&f, &inspect_ica, INSPECT_TCP);
		say(INSPECT_CLIENT, "\032CGP/01", 7);
		say(INSPECT_CLIENT, name, len + 2);
		CHECK_EQ(f.log_len, len == 128 ? strlen("app=\n") + 128 : 0);
		feed_fini(&f);
	}
}

TEST(an_application_that_comes_too_late_is_not_looked_for)
{
	static char blank[5000];

	feed_init(&f, &inspect_ica, INSPECT_TCP);
	say(INSPECT_CLIENT, "\032CGP/01", 7);
	say(INSPECT_CLIENT, blank, sizeof(blank));
	CHECK_EQ(f.answer, INSPECT_NAMED);
	say(INSPECT_CLIENT, "#Order Entry\0", 13);
	CHECK_STR(f.log, "");
	feed_fini(&f);
}

/* A frame of the server's that the client answers with one that has the tag 0. */
static void
exchange(const char *frame, size_t len)
{
	say(INSPECT_SERVER, frame, len);
	say(INSPECT_CLIENT, "\005\000abcde", 7);
}

TEST(tags_are_told_once_each_after_three_turns)
{
	greet();
	for (unsigned i = 0; i < 3; i++) {
		CHECK_STR(f.log, "");
		exchange(i == 1 ? "\005\200abcde" : "\005\100abcde", 7);
	}
	CHECK_STR(f.log, "ica-tag=1\nica-tag=2\n");
	say(INSPECT_SERVER,
	    "\005\300abcde\x05\x40"
	    "abcde",
	    14);
	say(INSPECT_SERVER,
	    "\005\200abcde\x05\x00"
	    "abcde",
	    14);
	CHECK_STR(f.log, "ica-tag=1\nica-tag=2\nica-tag=0\nica-tag=3\n");
	CHECK_EQ(f.answer, INSPECT_SURE);
	feed_fini(&f);
}

TEST(frames_that_do_not_end_with_what_is_sent_have_no_tags)
{
	greet();
	for (unsigned i = 0; i < 50; i++) {
		say(INSPECT_SERVER,
		    "\xff\x40"
		    "abcdefghijkl",
		    14);
		say(INSPECT_CLIENT,
		    "\xee\x40"
		    "abcdefghijkl",
		    14);
	}
	CHECK_STR(f.log, "");
	feed_fini(&f);
}

TEST(abilities_are_no_frames)
{
	greet();
	say(INSPECT_SERVER, &(SERVER)[6], sizeof(SERVER) - 7);
	say(INSPECT_CLIENT, &(CLIENT)[6], sizeof(CLIENT) - 7);
	say(INSPECT_CLIENT, "\x04\0\0", 3);
	CHECK_STR(f.log, "app=Notepad\n");
	exchange("\x02\0\x02\0", 4);
	exchange("\005\200abcde", 7);
	exchange("\005\200abcde", 7);
	exchange("\005\200abcde", 7);
	CHECK_STR(f.log, "app=Notepad\nica-tag=0\nica-tag=2\n");
	feed_fini(&f);
}

TEST(a_frame_of_no_length_ends_the_tags)
{
	greet();
	say(INSPECT_SERVER, "\005\200abcde\x00\xc0", 9);
	for (unsigned i = 0; i < 4; i++)
		exchange("\005\200abcde", 7);
	CHECK_STR(f.log, "ica-tag=0\n"); /* the client's */
	feed_fini(&f);
}

TEST(a_gap_between_frames_is_survived)
{
	greet();
	say(INSPECT_SERVER, "\005\200abcde", 7);
	say(INSPECT_SERVER,
	    "\x50\x80"
	    "abc",
	    5);
	feed_gap(&f, INSPECT_SERVER);
	for (unsigned i = 0; i < 3; i++)
		exchange("\005\100abcde", 7);
	CHECK_STR(f.log, "ica-tag=1\nica-tag=2\n");
	feed_fini(&f);
}

TEST(after_enough_frames_nothing_is_wanted)
{
	feed_init(&f, &inspect_ica, INSPECT_TCP);
	say(INSPECT_CLIENT,
	    GREETING "\x0a\x40"
		     "#Payroll\0\0",
	    18);
	say(INSPECT_SERVER, GREETING, 6);
	for (unsigned i = 0; i < 3000 && f.answer != INSPECT_DONE; i++)
		say(i & 1 ? INSPECT_SERVER : INSPECT_CLIENT, "\005\100abcde", 7);
	CHECK_EQ(f.answer, INSPECT_DONE);
	CHECK_STR(f.log, "app=Payroll\nica-tag=1\n");
	CHECK_EQ(f.calls, 2049);
	feed_fini(&f);
}

TEST(no_cut_changes_what_is_told)
{
	static const struct feed_step steps[] = {
		{ INSPECT_SERVER, SERVER, 6 },
		{ INSPECT_CLIENT, CLIENT, 6 },
		{ INSPECT_SERVER, &(SERVER)[6], sizeof(SERVER) - 7 },
		{ INSPECT_CLIENT, &(CLIENT "\x04\0\0")[6], sizeof(CLIENT) - 4 },
		{ INSPECT_SERVER, "\x02\0\x02\0", 4 },
		{ INSPECT_CLIENT, "\005\200abcde\003\200abc", 12 },
		{ INSPECT_SERVER, "\005\100abcde", 7 },
		{ INSPECT_CLIENT, "\005\200abcde", 7 },
		{ INSPECT_SERVER, "\005\100abcde\005\300ab", 11 },
		{ INSPECT_CLIENT, "\005\200abcde", 7 },
		{ INSPECT_SERVER, "cde", 3 },
		{ INSPECT_CLIENT, "\005\200abcde", 7 },
		{ INSPECT_SERVER, "\005\100abcde", 7 },
		{ INSPECT_CLIENT, "\005\000abcde", 7 },
	};

	feed_splits(&inspect_ica, steps, sizeof(steps) / sizeof(steps[0]), INSPECT_DONE,
		    "app=Notepad\nica-tag=2\nica-tag=0\nica-tag=1\nica-tag=3\n");
}

TEST(noise_is_not_ours)
{
	uint64_t seed = 1494;
	uint8_t noise[64];

	for (unsigned i = 0; i < 20000; i++) {
		feed_init(&f, &inspect_ica, INSPECT_TCP);
		feed_noise(&seed, noise, sizeof(noise));
		say(INSPECT_CLIENT, (const char *)noise, sizeof(noise));
		CHECK_EQ(f.answer, INSPECT_NO);
		feed_fini(&f);
	}
}
