/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/numbers.h"
#include "unit.h"

static bool
holds(const char *list, const char *value)
{
	struct numbers *numbers;
	bool answer;

	CHECK_EQ(numbers_new(list, &numbers), BARN_OK);
	answer = numbers_hold(numbers, bytes_of(value, strlen(value)));
	numbers_free(numbers);
	return answer;
}

TEST(single_numbers_and_ranges_hold)
{
	CHECK(holds("0,1,4-0x10,64", "0"));
	CHECK(holds("0,1,4-0x10,64", "4"));
	CHECK(holds("0,1,4-0x10,64", "16"));
	CHECK(holds("0,1,4-0x10,64", "64"));
	CHECK(!holds("0,1,4-0x10,64", "3"));
	CHECK(!holds("0,1,4-0x10,64", "17"));
	CHECK(!holds("0,1,4-0x10,64", "10x"));
	CHECK(!holds("0", ""));
	CHECK(!holds("0-4294967295", "4294967296"));
	CHECK(!holds("0-4294967295", "99999999999999999999999999"));
	CHECK(holds("0-4294967295", "4294967295"));
}

TEST(numbers_may_be_binary_and_have_blanks_around_them)
{
	const char *list = " 0, 1,4 - 0x10 ,\t10001b-10010b, 64 ";

	CHECK(holds(list, "0"));
	CHECK(holds(list, "1"));
	CHECK(holds(list, "4"));
	CHECK(holds(list, "16"));
	CHECK(holds(list, "17"));
	CHECK(holds(list, "18"));
	CHECK(holds(list, "64"));
	CHECK(!holds(list, "2"));
	CHECK(!holds(list, "19"));
	CHECK(!holds(list, "10001"));
	CHECK(holds("0b", "0"));
	CHECK(holds("1B", "1"));
	CHECK(holds("0x1b", "27"));
	CHECK(holds("11111111111111111111111111111111b", "4294967295"));
}

TEST(what_is_no_list_is_refused)
{
	const char *const bad[] = { "",
				    ",",
				    "1,",
				    ",1",
				    "1-",
				    "-1",
				    "5-4",
				    "a",
				    "0x",
				    "1 2",
				    "1;2",
				    "4294967296",
				    "1--2",
				    " ",
				    "1, ",
				    "1 - ",
				    "12b",
				    "b",
				    "0b1",
				    "1bb",
				    "10b1",
				    "0x 1",
				    "100000000000000000000000000000000b" };
	struct numbers *numbers;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		CHECK_EQ(numbers_new(bad[i], &numbers), BARN_ERR_TEXT);
}
