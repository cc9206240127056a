/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/indexes.h"
#include "unit.h"

static struct barn_faults faults;

static enum barn_err
read_text(struct indexes *x, const char *text)
{
	faults = (struct barn_faults){ 0 };
	return indexes_read(x, "state", text, strlen(text), &faults);
}

static void
check_text(const struct indexes *x, const char *wanted)
{
	struct text text = { 0 };

	indexes_write(x, &text);
	CHECK_STR(text_str(&text), wanted);
	text_fini(&text);
}

TEST(what_is_read_is_written_sorted_with_its_comments)
{
	struct indexes *x;

	CHECK_EQ(indexes_new(&x), BARN_OK);
	check_text(x, "barn-indexes 1\n");
	CHECK_EQ(read_text(x, "barn-indexes 1\n# site\nzebra 1024\napple 5\n"), BARN_OK);
	check_text(x, "barn-indexes 1\n# site\napple 5\nzebra 1024\n");
	CHECK_EQ(indexes_find(x, "zebra"), 1024);
	CHECK_STR(indexes_holder(x, 5), "apple");
	CHECK_EQ(indexes_set(x, "mine", 5), BARN_ERR_ARGUMENT);
	indexes_forget(x, "apple");
	CHECK_EQ(indexes_set(x, "mine", 5), BARN_OK);
	check_text(x, "barn-indexes 1\n# site\nmine 5\nzebra 1024\n");
	indexes_free(x);
}

TEST(a_damaged_text_is_a_fault_with_its_place_and_changes_nothing)
{
	static const struct {
		const char *text;
		uint32_t line, column;
	} bad[] = {
		{ "", 1, 1 },
		{ "barn-indexes 2\n", 1, 1 },
		{ "barn-indexes 1\nftp\n", 2, 1 },
		{ "barn-indexes 1\nftp 0\n", 2, 5 },
		{ "barn-indexes 1\nftp 1025\n", 2, 5 },
		{ "barn-indexes 1\nftp 12x\n", 2, 5 },
		{ "barn-indexes 1\nftp 1\nftp 2\n", 3, 1 },
		{ "barn-indexes 1\nftp 7\nhttp 7\n", 3, 6 },
		{ "barn-indexes 1\nftp 7\nhttp 8", 3, 7 },
	};
	struct indexes *x;

	CHECK_EQ(indexes_new(&x), BARN_OK);
	CHECK_EQ(read_text(x, "barn-indexes 1\nkept 3\n"), BARN_OK);
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		CHECK_EQ(read_text(x, bad[i].text), BARN_ERR_TEXT);
		CHECK_EQ(faults.fault[0].line, bad[i].line);
		CHECK_EQ(faults.fault[0].column, bad[i].column);
		check_text(x, "barn-indexes 1\nkept 3\n");
	}
	indexes_free(x);
}
