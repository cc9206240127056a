/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/regex.h"
#include "unit.h"

#include <stdlib.h>

static struct regex_scratch *scratch;

static struct regex *
regex_of(const char *pattern, bool caseless)
{
	struct regex *regex = NULL;
	struct regex_fault fault;

	if (!scratch)
		CHECK_EQ(regex_scratch_new(&scratch), BARN_OK);
	CHECK_EQ(regex_new(pattern, strlen(pattern), caseless, &regex, &fault), BARN_OK);
	return regex;
}

static enum match_answer
answer(const char *pattern, const char *subject, bool closed)
{
	struct regex *regex = regex_of(pattern, false);
	enum match_answer a =
		regex_run(regex, scratch, bytes_of(subject, strlen(subject)), closed, NULL);

	regex_free(regex);
	return a;
}

TEST(match_is_yes_and_groups_are_cut_out)
{
	struct regex *regex = regex_of("^(\\w+)(x)? (\\d+)", false);
	struct bytes groups[REGEX_GROUPS];
	const char *subject = "port 42\r\n";

	CHECK_EQ(regex_groups(regex), 3);
	CHECK_EQ(regex_run(regex, scratch, bytes_of(subject, 9), false, groups), MATCH_YES);
	CHECK_EQ(bytes_left(&groups[0]), 7);
	CHECK(bytes_is(&groups[1], "port"));
	CHECK_EQ(bytes_left(&groups[2]), 0);
	CHECK(bytes_is(&groups[3], "42"));
	CHECK_EQ(bytes_left(&groups[9]), 0);
	regex_free(regex);
}

TEST(more_groups_than_are_kept_still_match)
{
	struct regex *regex = regex_of("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)", false);
	struct bytes groups[REGEX_GROUPS];

	CHECK_EQ(regex_groups(regex), 11);
	CHECK_EQ(regex_run(regex, scratch, bytes_of("abcdefghijk", 11), true, groups),
		 MATCH_YES);
	CHECK(bytes_is(&groups[9], "i"));
	regex_free(regex);
}

TEST(anchored_mismatch_is_final)
{
	CHECK_EQ(answer("^GET ", "POST", false), MATCH_NO);
	CHECK_EQ(answer("^GET ", "GEX", false), MATCH_NO);
}

TEST(part_of_a_match_is_later_until_closed)
{
	CHECK_EQ(answer("^GET ", "GE", false), MATCH_LATER);
	CHECK_EQ(answer("^GET ", "GE", true), MATCH_NO);
	CHECK_EQ(answer("^GET ", "", false), MATCH_LATER);
	CHECK_EQ(answer("^GET ", "", true), MATCH_NO);
}

TEST(unanchored_mismatch_is_later_until_closed)
{
	CHECK_EQ(answer("ftp", "220 mail", false), MATCH_LATER);
	CHECK_EQ(answer("ftp", "220 mail", true), MATCH_NO);
}

TEST(end_of_open_text_is_no_end)
{
	CHECK_EQ(answer("^USER$", "USER", false), MATCH_LATER);
	CHECK_EQ(answer("^USER$", "USER", true), MATCH_YES);
	CHECK_EQ(answer("^USER\\b", "USER", false), MATCH_LATER);
	CHECK_EQ(answer("^USER\\b", "USERX", false), MATCH_NO);
	CHECK_EQ(answer("^USER\\b", "USER x", false), MATCH_YES);
	CHECK_EQ(answer("^foo(?!bar)", "fooba", false), MATCH_LATER);
	CHECK_EQ(answer("^foo(?!bar)", "foobaz", false), MATCH_YES);
	CHECK_EQ(answer("^USER\\b[^\\r\\n]*\\r\\n", "USER a\r\n", false), MATCH_YES);
}

TEST(dollar_is_the_very_end)
{
	CHECK_EQ(answer("^a$", "a\n", true), MATCH_NO);
	CHECK_EQ(answer("^a\\$", "a$", false), MATCH_YES);
	CHECK_EQ(answer("^a[$]", "a$", false), MATCH_YES);
}

TEST(yes_does_not_wait_for_what_a_star_could_take)
{
	CHECK_EQ(answer("^SSH-.*", "SSH-2", false), MATCH_YES);
}

TEST(only_the_first_bytes_are_looked_at)
{
	char *subject = malloc(REGEX_SUBJECT + 10);
	struct regex *regex = regex_of("needle", false);

	CHECK(subject != NULL);
	memset(subject, 'x', REGEX_SUBJECT + 10);
	memcpy(subject + REGEX_SUBJECT - 6, "needle", 6);
	CHECK_EQ(regex_run(regex, scratch, bytes_of(subject, REGEX_SUBJECT + 10), false, NULL),
		 MATCH_YES);
	subject[REGEX_SUBJECT - 6] = 'x';
	memcpy(subject + REGEX_SUBJECT - 5, "needle", 6);
	CHECK_EQ(regex_run(regex, scratch, bytes_of(subject, REGEX_SUBJECT + 10), false, NULL),
		 MATCH_NO);
	regex_free(regex);
	free(subject);
}

TEST(runaway_is_cut_and_counted)
{
	struct regex *regex = regex_of("^(a+)+$", false);
	uint64_t before = regex_scratch_cuts(scratch);
	char subject[64];

	memset(subject, 'a', sizeof(subject));
	subject[63] = 'b';
	CHECK_EQ(regex_run(regex, scratch, bytes_of(subject, 64), true, NULL), MATCH_NO);
	CHECK_EQ(regex_scratch_cuts(scratch), before + 1);
	regex_free(regex);
}

static enum match_answer
run(struct regex *regex, const char *subject, bool closed, size_t *len)
{
	struct bytes groups[REGEX_GROUPS] = { { 0 } };
	enum match_answer a =
		regex_run(regex, scratch, bytes_of(subject, strlen(subject)), closed, groups);

	*len = a == MATCH_YES ? bytes_left(&groups[0]) : 0;
	return a;
}

/* (*NO_JIT) is PCRE2's way to ask for the interpreter, as where there is no JIT. */
TEST(interpreter_and_jit_agree)
{
	static const char *const patterns[] = { "a+b",      "^a*$",       "\\bab\\b",
						"(a|b)*c",  "^(?!ab)a",   "(?<=a)b",
						"a{2,3}?b", "(a)(b)?\\1", "^[^c]*c",
						"(?>a+)b",  "b\\B",       "(?i)AB",
						".*c",      "^(a|ab)c",   "\\Aab\\z" };
	unsigned met[3] = { 0 };

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		char interpreted[64];
		struct regex *jit = regex_of(patterns[i], false), *plain;

		snprintf(interpreted, sizeof(interpreted), "(*NO_JIT)%s", patterns[i]);
		plain = regex_of(interpreted, false);
		for (unsigned n = 0; n < 4 * 729; n++) {
			char subject[8] = { 0 };
			size_t jit_len, plain_len;

			for (unsigned at = 0, digits = n / 4; at < 6; at++, digits /= 3)
				subject[at] = "abc"[digits % 3];
			subject[6 - n % 4] = '\0';
			for (unsigned closed = 0; closed < 2; closed++) {
				enum match_answer a = run(jit, subject, closed, &jit_len);

				CHECK_EQ(a, run(plain, subject, closed, &plain_len));
				CHECK_EQ(jit_len, plain_len);
				met[a]++;
			}
		}
		regex_free(jit);
		regex_free(plain);
	}
	CHECK(met[MATCH_NO] > 1000 && met[MATCH_LATER] > 1000 && met[MATCH_YES] > 1000);
}

TEST(interpreter_goes_as_deep_as_jit)
{
	static char subject[REGEX_SUBJECT + 1];
	struct regex *jit = regex_of("^(a|b)*$", false);
	struct regex *plain = regex_of("(*NO_JIT)^(a|b)*$", false);
	uint64_t cuts = regex_scratch_cuts(scratch);

	memset(subject, 'b', REGEX_SUBJECT);
	CHECK_EQ(regex_run(jit, scratch, bytes_of(subject, REGEX_SUBJECT), true, NULL),
		 MATCH_YES);
	CHECK_EQ(regex_run(plain, scratch, bytes_of(subject, REGEX_SUBJECT), true, NULL),
		 MATCH_YES);
	CHECK_EQ(regex_scratch_cuts(scratch), cuts);
	regex_free(jit);
	regex_free(plain);
}

TEST(bytes_are_bytes)
{
	struct regex *regex = regex_of("^\\xff.\\x00$", false);

	CHECK_EQ(regex_run(regex, scratch, bytes_of("\xff\xc3\0", 3), true, NULL), MATCH_YES);
	regex_free(regex);
}

TEST(fault_says_where)
{
	struct regex *regex = NULL;
	struct regex_fault fault;

	CHECK_EQ(regex_new("ab(cd", 5, false, &regex, &fault), BARN_ERR_TEXT);
	CHECK_EQ(fault.offset, 5);
	CHECK(strstr(fault.text, "parenthesis") != NULL);
	CHECK_EQ(regex_new("(*UTF)a", 7, false, &regex, &fault), BARN_ERR_TEXT);
}

static unsigned
first_count(const char *pattern, bool caseless)
{
	struct regex *regex = regex_of(pattern, caseless);
	struct byteset first = regex_first(regex);

	regex_free(regex);
	return byteset_count(&first);
}

TEST(first_bytes_are_known_of_anchored_patterns)
{
	CHECK_EQ(first_count("^GET", false), 1);
	CHECK_EQ(first_count("^GET", true), 2);
	CHECK_EQ(first_count("^(GET|POST|PUT)", false), 2);
	CHECK_EQ(first_count("^[0-9]x", false), 10);
	CHECK_EQ(first_count("^\\d?", false), 256);
	CHECK_EQ(first_count("GET", false), 256);
	CHECK_EQ(first_count("^a|b", false), 256);
	CHECK_EQ(first_count("^a|^b", false), 2);
	CHECK_EQ(first_count("^(?i)a", false), 2);
	CHECK_EQ(first_count("^(?=a)", false), 256);
}

TEST(no_match_begins_with_another_first_byte)
{
	static const char *const patterns[] = { "^GET",      "^(?i:ab)c", "^(a|bc|[x-z])q",
						"^\\s*a",    "^[^a]b",    "^a?b",
						"^(?>ab|a)", "^\\x00",    "^a|^(b|c)",
						"^(?=.b)a.", "^a*",       "^.a" };

	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		struct regex *regex = regex_of(patterns[i], i % 2 == 1);
		struct byteset first = regex_first(regex);

		for (unsigned byte = 0; byte < 256; byte++)
			for (const char *rest = "abcqET"; *rest; rest++) {
				char subject[4] = { (char)byte, *rest, 'c', 'T' };

				if (regex_run(regex, scratch, bytes_of(subject, 4), true,
					      NULL) == MATCH_YES)
					CHECK(byteset_has(&first, (uint8_t)byte));
			}
		regex_free(regex);
	}
}

TEST(scratch_goes)
{
	regex_scratch_free(scratch);
	scratch = NULL;
	regex_scratch_free(NULL);
	regex_free(NULL);
}
