/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/glob.h"
#include "unit.h"

#include <stdlib.h>
#include <time.h>

static bool
matches(const char *pattern, const char *text)
{
	struct glob *glob = NULL;
	const char *fault;
	uint32_t offset;
	bool answer;

	CHECK_EQ(glob_new(pattern, &glob, &offset, &fault), BARN_OK);
	answer = glob_match(glob, bytes_of(text, strlen(text)));
	glob_free(glob);
	return answer;
}

TEST(plain_pattern_is_the_whole_text)
{
	CHECK(matches("xyz", "xyz"));
	CHECK(matches("xyz", "XyZ"));
	CHECK(!matches("xyz", "xyzz"));
	CHECK(!matches("xyz", "axyz"));
	CHECK(!matches("xyz", "xy"));
	CHECK(matches("", ""));
	CHECK(!matches("", "a"));
}

TEST(star_is_any_run)
{
	CHECK(matches("*", ""));
	CHECK(matches("*.jpg", "images/a.JPG"));
	CHECK(!matches("*.jpg", "images/a.jpg?x"));
	CHECK(matches("*a*b*", "xxaxxbxx"));
	CHECK(!matches("*a*b*", "xxbxxaxx"));
	CHECK(matches("a**b", "ab"));
}

TEST(question_mark_is_one_byte)
{
	CHECK(matches("a?c", "abc"));
	CHECK(!matches("a?c", "ac"));
	CHECK(matches("???", "xyz"));
}

TEST(class_is_one_of)
{
	CHECK(matches("[abc]x", "bx"));
	CHECK(matches("[a-cz]x", "Zx"));
	CHECK(!matches("[a-cz]x", "dx"));
	CHECK(matches("[*]", "*"));
	CHECK(!matches("[*]", "a"));
	CHECK(matches("[a-]", "-"));
	CHECK(matches("[|(]", "("));
}

TEST(alternatives_with_and_without_parentheses)
{
	CHECK(matches("a|b", "a"));
	CHECK(matches("a|b", "b"));
	CHECK(!matches("a|b", "ab"));
	CHECK(matches("*.(gif|jpg|png)", "x.png"));
	CHECK(matches("*.(gif|jpg|png)", "x.gif"));
	CHECK(!matches("*.(gif|jpg|png)", "x.pngx"));
	CHECK(matches("x(a|b(c|d)e|)y", "xbdey"));
	CHECK(matches("x(a|b(c|d)e|)y", "xy"));
	CHECK(!matches("x(a|b(c|d)e|)y", "xbey"));
	CHECK(matches("(a|b)(c|d)", "bd"));
	CHECK(matches("(a|b)(c|d)", "ac"));
	CHECK(!matches("(a|b)(c|d)", "ab"));
	CHECK(matches("a|(b|c)|d", "d"));
	CHECK(matches("a|(b|c)|d", "c"));
	CHECK(matches("a|(b|c)|d", "a"));
	CHECK(matches("(a|b*)*", "axy"));
	CHECK(matches("*(*b|c)", "zc"));
	CHECK(matches("((a)|(b))|((c))", "c"));
}

/* The definition, word for word; exponential, so for short patterns only. */
static bool
slow(const char *pattern, const char *text)
{
	if (!*pattern)
		return !*text;
	if (*pattern == '*')
		return slow(pattern + 1, text) || (*text && slow(pattern, text + 1));
	return *text && (*pattern == '?' || *pattern == *text) && slow(pattern + 1, text + 1);
}

TEST(agrees_with_the_definition_on_every_short_pattern)
{
	static const char letters[] = "ab*?";

	for (unsigned p = 0; p < 1024; p++) {
		char pattern[6] = { 0 };

		for (unsigned i = 0; i < 5; i++)
			pattern[i] = letters[p >> 2 * i & 3];
		for (unsigned t = 0; t < 128; t++) {
			char text[8] = { 0 };
			unsigned len = 0;

			for (unsigned bits = t + 1; bits > 1; bits >>= 1)
				text[len++] = "ab"[bits & 1];
			CHECK_EQ(matches(pattern, text), slow(pattern, text));
		}
	}
}

TEST(hostile_text_takes_linear_time)
{
	enum { N = 100000 };
	char *text = malloc(N + 1);
	clock_t start = clock();

	CHECK(text != NULL);
	memset(text, 'a', N);
	text[N] = '\0';
	CHECK(!matches("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
	CHECK(clock() - start < 5 * CLOCKS_PER_SEC);
	free(text);
}

static void
is_fault(const char *pattern, uint32_t at)
{
	struct glob *glob = NULL;
	const char *fault = NULL;
	uint32_t offset = 0;

	CHECK_EQ(glob_new(pattern, &glob, &offset, &fault), BARN_ERR_TEXT);
	CHECK(fault != NULL);
	CHECK_EQ(offset, at);
}

TEST(faults_say_where)
{
	char longest[1200];

	is_fault("ab[cd", 2);
	is_fault("ab[]", 2);
	is_fault("ab(cd", 2);
	is_fault("ab)cd", 2);
	is_fault("[z-a]", 0);
	memset(longest, '?', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	is_fault(longest, 1025);
	is_fault("((((((((((((((((((((a))))))))))))))))))))", 16);
}
