/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What is read from an expression's pattern must hold wherever PCRE2 says that it matches. */
#include "match/expression.h"
#include "match/regex.h"
#include "unit.h"

static uint32_t state = 7;

static uint32_t
chance(uint32_t n)
{
	state = state * 1664525U + 1013904223U;
	return (uint32_t)((uint64_t)(state >> 8) * n >> 24);
}

static struct expression
read_it(const char *pattern)
{
	struct expression e;

	expression_read(pattern, strlen(pattern), false, &e);
	return e;
}

static bool
has_word(const struct expression *e, const char *word)
{
	for (unsigned i = 0; i < e->words.count; i++)
		if (e->words.word[i].len == strlen(word) &&
		    memcmp(e->words.word[i].text, word, strlen(word)) == 0)
			return true;
	return false;
}

TEST(head_is_each_byte_of_a_fixed_beginning)
{
	struct expression e = read_it("^GET /\\w\\d{2}x?y");

	CHECK_EQ(e.head_len, 8);
	CHECK_EQ(byteset_count(&e.head[0]), 1);
	CHECK(byteset_has(&e.head[3], ' '));
	CHECK_EQ(byteset_count(&e.head[5]), 63);
	CHECK_EQ(byteset_count(&e.head[7]), 10);
	CHECK_EQ(read_it("^ab*c").head_len, 1);
	CHECK_EQ(read_it("^(?s)..\\x00").head_len, 0); /* an option where it is not read */
	CHECK_EQ(read_it("(?s)^..\\x00").head_len, 3);
	CHECK(byteset_has(&read_it("(?s)^.").head[0], '\n'));
	CHECK(!byteset_has(&read_it("^.").head[0], '\n'));
}

TEST(alternatives_are_joined_as_far_as_the_shortest)
{
	struct expression e = read_it("^(GET|POST|X) /");

	CHECK_EQ(e.head_len, 1);
	CHECK_EQ(byteset_count(&e.head[0]), 3);
	e = read_it("^(GET|PUT) /");
	CHECK_EQ(e.head_len, 5);
	CHECK(byteset_has(&e.head[1], 'E') && byteset_has(&e.head[1], 'U'));
}

TEST(words_are_what_every_match_holds)
{
	struct expression e = read_it("\\bIMAP4[^x]*(hello|goodbye)?");

	CHECK_EQ(e.words.count, 1);
	CHECK(has_word(&e, "imap4"));
	e = read_it("^.*(hello|goodbye)");
	CHECK_EQ(e.words.count, 2);
	CHECK(has_word(&e, "hello") && has_word(&e, "goodbye"));
	CHECK_EQ(read_it("^.*(hello|a)").words.count, 0);
	CHECK_EQ(read_it("hello|x").words.count, 0);
	CHECK_EQ(read_it("(hello){0,2}").words.count, 0);
	CHECK_EQ(read_it("(hello)+").words.count, 1);
	CHECK(has_word(&(struct expression){ .words = read_it("helloo*").words }, "hello"));
	CHECK_EQ(read_it("(?=hello)h").words.count, 0);
	CHECK_EQ(read_it("(?!hello)bye").words.count, 1);
}

TEST(nothing_is_said_of_what_is_not_read)
{
	static const char *const patterns[] = {
		"^ab(?i)cdef",      "^\\Qabc\\E",  "^(?x)a b c",     "^abc(?(1)d|e)",
		"^[[:alpha:]]abcd", "^\\x{41}bcd", "^abc(*ACCEPT)d", "^(?|abc|def)",
		"^a{2}{3}bcd",      "^\\Kabcd",    "^(?i:abcd)",     "^\\o{101}bcd",
	};

	for (unsigned i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		struct expression e = read_it(patterns[i]);

		if (e.head_len || e.words.count)
			printf("%s\n", patterns[i]);
		CHECK_EQ(e.head_len, 0);
		CHECK_EQ(e.words.count, 0);
	}
}

static void
piece(char *out, size_t room, unsigned depth)
{
	static const char *const pieces[] = {
		"a",      "b",    "c",      "ab",    "abc",    "cab",  ".",    "\\w",
		"[ab]",   "[^a]", "\\d",    "\\x61", "[a-b0]", "\\b",  "$",    "(?=a)",
		"(?!b)",  "\\s",  "[\\w-]", "0",     "\\0",    "[]a]", "a{2}", "b{1,2}",
		"c{0,2}", "{",    "a*",     "b+",    "c?",     "ab*?", "a++",  "A",
	};
	static const char *const quantifiers[] = { "", "", "", "?", "*", "+", "{2}", "{1,3}" };
	size_t at = strlen(out);

	if (depth < 3 && chance(4) == 0) {
		snprintf(out + at, room - at, "%s", chance(2) ? "(" : "(?:");
		piece(out, room, depth + 1);
		while (chance(2)) {
			at = strlen(out);
			snprintf(out + at, room - at, "%s", chance(2) ? "|" : "");
			piece(out, room, depth + 1);
		}
		at = strlen(out);
		snprintf(out + at, room - at, ")%s", quantifiers[chance(8)]);
		return;
	}
	snprintf(out + at, room - at, "%s", pieces[chance(sizeof(pieces) / sizeof(pieces[0]))]);
}

static uint8_t
lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

static bool
holds_a_word(const struct needles *needles, const uint8_t *data, size_t len)
{
	for (unsigned i = 0; i < needles->count; i++) {
		const struct needle *word = &needles->word[i];

		for (size_t at = 0; at + word->len <= len; at++) {
			unsigned n = 0;

			while (n < word->len && lower(data[at + n]) == word->text[n])
				n++;
			if (n == word->len)
				return true;
		}
	}
	return needles->count == 0;
}

static void
check(const char *pattern, const struct regex *regex, const uint8_t *data, size_t len)
{
	const struct expression *needs = regex_needs(regex);
	bool good = holds_a_word(&needs->words, data, len);

	for (size_t i = 0; i < needs->head_len; i++)
		good = good && i < len && byteset_has(&needs->head[i], data[i]);
	if (!good)
		printf("/%s/ matches '%.*s'\n", pattern, (int)len, (const char *)data);
	CHECK(good);
}

TEST(needs_hold_wherever_pcre2_matches)
{
	struct regex_scratch *scratch = NULL;
	unsigned matches = 0, heads = 0, words = 0;

	CHECK_EQ(regex_scratch_new(&scratch), BARN_OK);
	for (unsigned round = 0; round < 6000; round++) {
		struct regex_fault fault;
		struct regex *regex = NULL;
		char pattern[300] = "";

		if (chance(2))
			strcpy(pattern, "^");
		for (unsigned i = chance(6) + 1; i > 0; i--)
			piece(pattern, sizeof(pattern), 0);
		if (regex_new(pattern, strlen(pattern), chance(3) == 0, &regex, &fault))
			continue;
		heads += regex_needs(regex)->head_len > 1;
		words += regex_needs(regex)->words.count > 0;
		for (unsigned i = 0; i < 60; i++) {
			uint8_t data[12];
			size_t len = chance(12) + 1;

			for (size_t k = 0; k < len; k++)
				data[k] = (uint8_t) "aaabbbcc{0A "[chance(12)];
			if (regex_run(regex, scratch, bytes_of(data, len), true, NULL) !=
			    MATCH_YES)
				continue;
			matches++;
			check(pattern, regex, data, len);
		}
		regex_free(regex);
	}
	regex_scratch_free(scratch);
	CHECK(matches > 10000 && heads > 500 && words > 300);
}
