/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/suffix.h"
#include "unit.h"

static uint16_t
find(const struct suffix_table *table, const char *name)
{
	return suffix_find(table, bytes_of(name, strlen(name)));
}

static struct suffix_table *
table_of(void)
{
	struct suffix_table *table = NULL;

	CHECK_EQ(suffix_new(&table), BARN_OK);
	CHECK_EQ(suffix_add(table, "*.example.com", 1), BARN_OK);
	CHECK_EQ(suffix_add(table, "www.example.com", 2), BARN_OK);
	CHECK_EQ(suffix_add(table, "*.www.example.com", 3), BARN_OK);
	CHECK_EQ(suffix_add(table, "exact.org", 4), BARN_OK);
	return table;
}

TEST(star_holds_for_the_name_and_all_below)
{
	struct suffix_table *table = table_of();

	CHECK_EQ(find(table, "example.com"), 1);
	CHECK_EQ(find(table, "a.example.com"), 1);
	CHECK_EQ(find(table, "a.b.c.example.com"), 1);
	CHECK_EQ(find(table, "badexample.com"), 0);
	CHECK_EQ(find(table, "com"), 0);
	CHECK_EQ(find(table, "example.com.evil.org"), 0);
	suffix_free(table);
}

TEST(longest_wins_and_the_exact_name_before_its_star)
{
	struct suffix_table *table = table_of();

	CHECK_EQ(find(table, "www.example.com"), 2);
	CHECK_EQ(find(table, "a.www.example.com"), 3);
	CHECK_EQ(find(table, "exact.org"), 4);
	CHECK_EQ(find(table, "a.exact.org"), 0);
	suffix_free(table);
}

TEST(case_and_a_final_dot_do_not_matter)
{
	struct suffix_table *table = table_of();

	CHECK_EQ(find(table, "WWW.Example.COM."), 2);
	CHECK_EQ(find(table, "x.EXAMPLE.com"), 1);
	suffix_free(table);
}

TEST(what_is_no_name_finds_nothing)
{
	struct suffix_table *table = table_of();
	char text[400];

	CHECK_EQ(find(table, ""), 0);
	CHECK_EQ(find(table, "."), 0);
	CHECK_EQ(find(table, ".example.com"), 0);
	CHECK_EQ(find(table, "a..example.com"), 0);
	CHECK_EQ(find(table, "a b.example.com"), 0);
	memset(text, 'a', sizeof(text));
	memcpy(text + 300, ".example.com", 13);
	CHECK_EQ(find(table, text), 0);
	for (unsigned i = 0; i < 260; i += 2)
		memcpy(text + i, "a.", 2);
	memcpy(text + 240, "example.com", 12);
	CHECK_EQ(find(table, text), 1);
	suffix_free(table);
}

TEST(what_is_no_pattern_is_refused)
{
	static const char *const bad[] = { "",        "*",    "*.",       "*foo.com", "a.*.com",
					   "a b.com", "a..b", "http://a", "a.com/x" };
	struct suffix_table *table = table_of();

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK(!suffix_is_pattern(bad[i]));
		CHECK_EQ(suffix_add(table, bad[i], 9), BARN_ERR_ARGUMENT);
	}
	CHECK(suffix_is_pattern("_sip._tcp.a-b.com."));
	CHECK_EQ(suffix_add(table, "a.com", 0), BARN_ERR_ARGUMENT);
	suffix_free(table);
}

TEST(one_pattern_has_one_number)
{
	struct suffix_table *table = table_of();

	CHECK_EQ(suffix_add(table, "*.EXAMPLE.com.", 9), BARN_ERR_EXISTS);
	CHECK_EQ(suffix_add(table, "*.example.com", 1), BARN_OK);
	CHECK_EQ(suffix_add(table, "example.com", 9), BARN_OK);
	CHECK_EQ(find(table, "example.com"), 9);
	suffix_free(table);
}

TEST(ten_thousand_names_are_all_found)
{
	struct suffix_table *table = NULL;
	char name[64];

	CHECK_EQ(suffix_new(&table), BARN_OK);
	for (unsigned i = 1; i <= 10000; i++) {
		snprintf(name, sizeof(name), "*.n%u.example.org", i);
		CHECK_EQ(suffix_add(table, name, (uint16_t)i), BARN_OK);
	}
	for (unsigned i = 1; i <= 10000; i++) {
		snprintf(name, sizeof(name), "www.n%u.example.org", i);
		CHECK_EQ(find(table, name), i);
	}
	CHECK_EQ(find(table, "n10001.example.org"), 0);
	suffix_free(table);
}
