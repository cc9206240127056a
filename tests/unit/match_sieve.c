/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/glob.h"
#include "match/pattern_set.h"
#include "match/sieve.h"
#include "unit.h"

static uint32_t state = 3;

static uint32_t
chance(uint32_t n)
{
	state = state * 1664525U + 1013904223U;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

static struct needles
needles_of(const char *glob)
{
	struct needles needles;

	glob_needles(glob, &needles);
	return needles;
}

TEST(globs_tell_their_longest_literal)
{
	struct needles n = needles_of("*/Images/*.jpg");

	CHECK_EQ(n.count, 1);
	CHECK_EQ(n.word[0].len, 8);
	CHECK(memcmp(n.word[0].text, "/images/", 8) == 0);
	CHECK_EQ(needles_of("*(.jpeg|.gif)").count, 2);
	CHECK_EQ(needles_of("*.jpeg|*.gif").count, 2);
	CHECK_EQ(needles_of("(a|bcd)efgh").count, 1);
	CHECK_EQ(needles_of("*(.jpeg|*)").count, 0);
	CHECK_EQ(needles_of("*a?b[cde]*").count, 0);
	CHECK_EQ(needles_of("*").count, 0);
}

enum { PATTERNS = 60, VALUES = 200 };

struct told {
	bool number[PATTERNS];
	int last;
};

static void
note(void *self, uint16_t number, uint32_t end)
{
	struct told *told = self;

	(void)end;
	CHECK((int)number > told->last); /* in the order of adding */
	told->last = number;
	told->number[number] = true;
}

static void
random_glob(char *out, unsigned depth)
{
	static const char *const pieces[] = { "a", "b", "ab",   "abc", "cba", "*",
					      "?", "*", "[ab]", "bca", "acb", "C" };

	for (unsigned i = chance(4) + 1; i > 0; i--) {
		if (depth < 2 && chance(5) == 0) {
			strcat(out, "(");
			random_glob(out, depth + 1);
			strcat(out, "|");
			random_glob(out, depth + 1);
			strcat(out, ")");
		} else {
			strcat(out, pieces[chance(12)]);
		}
	}
}

static unsigned
compare(struct pattern_set *set, struct rule_scratch *scratch, struct glob *const *globs)
{
	unsigned held = 0;

	for (unsigned v = 0; v < VALUES; v++) {
		struct told told = { .last = -1 };
		char value[16];
		size_t len = chance(sizeof(value));

		for (size_t i = 0; i < len; i++)
			value[i] = "aabbccA"[chance(7)];
		pattern_set_run(set, bytes_of(value, len), scratch, note, &told);
		for (unsigned i = 0; i < PATTERNS; i++) {
			bool alone = glob_match(globs[i], bytes_of(value, len));

			held += alone;
			CHECK_EQ(told.number[i], alone);
		}
	}
	return held;
}

TEST(set_says_what_each_pattern_says_alone)
{
	unsigned held = 0;

	for (unsigned round = 0; round < 60; round++) {
		char text[PATTERNS][600];
		struct glob *globs[PATTERNS] = { NULL };
		struct pattern_set *set = NULL;
		struct rule_scratch *scratch = NULL;
		const struct sieve *sieve;
		struct rule_scratch_options options = { .sieves = &sieve, .sieve_count = 1 };
		const char *why;
		uint32_t offset;

		CHECK_EQ(pattern_set_new(&set), BARN_OK);
		for (unsigned i = 0; i < PATTERNS; i++) {
			text[i][0] = '\0';
			random_glob(text[i], 0);
			CHECK_EQ(glob_new(text[i], &globs[i], &offset, &why), BARN_OK);
			CHECK_EQ(pattern_set_add_glob(set, text[i], (uint16_t)i), BARN_OK);
		}
		CHECK_EQ(pattern_set_compile(set, round % 2), BARN_OK);
		sieve = pattern_set_sieve(set);
		CHECK_EQ(rule_scratch_new(&options, &scratch), BARN_OK);
		held += compare(set, scratch, globs);
		rule_scratch_free(scratch);
		pattern_set_free(set);
		for (unsigned i = 0; i < PATTERNS; i++)
			glob_free(globs[i]);
	}
	CHECK(held > 10000);
}

TEST(an_empty_sieve_leaves_nothing_over)
{
	struct sieve *sieve = NULL;
	struct rule_scratch *scratch = NULL;
	struct rule_scratch_options options = { .sieves = (const struct sieve *const *)&sieve,
						.sieve_count = 1 };

	CHECK_EQ(sieve_new(&sieve), BARN_OK);
	CHECK_EQ(sieve_compile(sieve, false), BARN_OK);
	CHECK_EQ(rule_scratch_new(&options, &scratch), BARN_OK);
	CHECK_EQ(sieve_words(sieve), 0);
	sieve_run(sieve, bytes_of("abc", 3), scratch);
	rule_scratch_free(scratch);
	sieve_free(sieve);
	sieve_free(NULL);
}
