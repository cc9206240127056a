/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/words.h"
#include "unit.h"

static void
is_sorted(const char *const *words, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		if (strcmp(words[i - 1], words[i]) >= 0)
			printf("%s, %s\n", words[i - 1], words[i]);
		CHECK(strcmp(words[i - 1], words[i]) < 0);
	}
}

TEST(tables_are_sorted_and_without_doubles)
{
	is_sorted(words_reserved, words_reserved_count);
	CHECK(words_attribute_count > 0);
	for (size_t i = 0; i < words_attribute_count; i++) {
		const struct words_attribute *a = &words_attributes[i];

		CHECK(a->count > 0);
		is_sorted(a->values, a->count);
		if (i > 0)
			CHECK(strcmp(words_attributes[i - 1].key, a->key) < 0);
	}
}

TEST(every_value_is_a_word_of_the_language)
{
	for (size_t i = 0; i < words_attribute_count; i++)
		for (size_t j = 0; j < words_attributes[i].count; j++) {
			const char *value = words_attributes[i].values[j];

			CHECK_EQ(strspn(value, "abcdefghijklmnopqrstuvwxyz0123456789-"),
				 strlen(value));
		}
}

TEST(every_word_is_found)
{
	for (size_t i = 0; i < words_attribute_count; i++) {
		const struct words_attribute *a = words_attribute(words_attributes[i].key);

		CHECK(a == &words_attributes[i]);
		for (size_t j = 0; j < a->count; j++)
			CHECK(words_has(a->values, a->count, a->values[j]));
		CHECK(!words_has(a->values, a->count, "cheese"));
	}
	CHECK(words_attribute("kategory") == NULL);
}

TEST(operators_are_of_every_level_and_every_kind)
{
	unsigned levels = 0, kinds = 0;

	for (size_t i = 0; i < words_operator_count; i++) {
		CHECK(words_operators[i].level < WORDS_LEVELS);
		CHECK(words_operators[i].kind >= SUM_MUL && words_operators[i].kind < SUM_OPS);
		levels |= 1U << words_operators[i].level;
		kinds |= 1U << words_operators[i].kind;
	}
	CHECK_EQ(levels, (1U << WORDS_LEVELS) - 1);
	CHECK_EQ(kinds, (1U << SUM_OPS) - (1U << SUM_MUL));
}

TEST(nearest_is_what_was_meant)
{
	static const char *const words[] = { "category", "title", "index", "rule" };

	CHECK_STR(words_nearest(words, 4, "titlle"), "title");
	CHECK_STR(words_nearest(words, 4, "inedx"), "index");
	CHECK_STR(words_nearest(words, 4, "kategory"), "category");
	CHECK(words_nearest(words, 4, "xyzzy") == NULL);
	CHECK(words_nearest(words, 4, "ru") == NULL);
	CHECK(words_nearest(words, 4, "") == NULL);
	CHECK(words_nearest(words, 4,
			    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa") ==
	      NULL);
}
