/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/words.h"
#include "unit.h"

static struct words words;
static uint32_t column;
static const char *fault;

static enum barn_err
split(const char *line)
{
	return words_split(&words, line, strlen(line), &column, &fault);
}

TEST(blanks_part_words_and_columns_count_characters)
{
	CHECK_EQ(split("  match\tprotocol \xc3\xa4\xc3\xb6 http\n"), BARN_OK);
	CHECK_EQ(words.count, 4);
	CHECK_STR(words.text[0], "match");
	CHECK_STR(words.text[2], "\xc3\xa4\xc3\xb6");
	CHECK_STR(words.text[3], "http");
	CHECK_EQ(words.column[0], 3);
	CHECK_EQ(words.column[1], 9);
	CHECK_EQ(words.column[2], 18);
	CHECK_EQ(words.column[3], 21);
}

TEST(quotes_keep_blanks_and_may_be_empty)
{
	CHECK_EQ(split("a \"b  c\" \"\" d\"e f\"g \"x!y\""), BARN_OK);
	CHECK_EQ(words.count, 5);
	CHECK_STR(words.text[1], "b  c");
	CHECK_STR(words.text[2], "");
	CHECK_STR(words.text[3], "de fg");
	CHECK_STR(words.text[4], "x!y");
}

TEST(backslashes_escape_and_otherwise_stand)
{
	CHECK_EQ(split("a\\ b \"say \\\"hi\\\"\" /\\.jpg$/i c\\\\d e\\"), BARN_OK);
	CHECK_EQ(words.count, 5);
	CHECK_STR(words.text[0], "a b");
	CHECK_STR(words.text[1], "say \"hi\"");
	CHECK_STR(words.text[2], "/\\.jpg$/i");
	CHECK_STR(words.text[3], "c\\d");
	CHECK_STR(words.text[4], "e\\");
}

TEST(a_comment_begins_where_a_word_could)
{
	CHECK_EQ(split("! all of it"), BARN_OK);
	CHECK_EQ(words.count, 0);
	CHECK_EQ(split("a!b ! c"), BARN_OK);
	CHECK_EQ(words.count, 1);
	CHECK_STR(words.text[0], "a!b");
	CHECK_EQ(split(""), BARN_OK);
	CHECK_EQ(words.count, 0);
}

TEST(what_is_wrong_has_a_column)
{
	static char line[4 * WORDS_BYTES];

	CHECK_EQ(split("match \"abc"), BARN_ERR_TEXT);
	CHECK_EQ(column, 7);
	CHECK_STR(fault, "a quote that does not end");
	memset(line, 'x', WORDS_BYTES);
	CHECK_EQ(split(line), BARN_ERR_TEXT);
	CHECK_STR(fault, "the line is too long");
	line[WORDS_BYTES - 1] = '\0';
	CHECK_EQ(split(line), BARN_OK);
	for (size_t i = 0; i <= WORDS_MAX; i++)
		memcpy(line + 2 * i, "a ", 3);
	CHECK_EQ(split(line), BARN_ERR_TEXT);
	CHECK_STR(fault, "too many words");
	CHECK_EQ(column, 2 * WORDS_MAX + 1);
	CHECK_EQ(words_split(&words, "a\0b", 3, &column, &fault), BARN_ERR_TEXT);
	CHECK_STR(fault, "a NUL byte");
}
