/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/text.h"
#include "unit.h"

#include <stdlib.h>

TEST(empty_text_is_an_empty_string)
{
	struct text t = { 0 };

	CHECK_STR(text_str(&t), "");
	CHECK_EQ(t.len, 0);
	text_fini(&t);
}

TEST(pieces_are_joined)
{
	struct text t = { 0 };

	text_add(&t, "port ");
	text_printf(&t, "%s %d", "tcp", 21);
	text_char(&t, '\n');
	text_add_n(&t, "abc", 2);
	text_add(&t, "");
	CHECK_STR(text_str(&t), "port tcp 21\nab");
	CHECK_EQ(t.len, 14);
	CHECK(!t.failed);
	text_fini(&t);
}

TEST(printf_of_every_length_around_the_room_is_whole)
{
	for (size_t before = 0; before < 70; before++)
		for (int width = 1; width < 200; width++) {
			struct text t = { 0 };

			for (size_t i = 0; i < before; i++)
				text_char(&t, '.');
			text_printf(&t, "%*d", width, 7);
			CHECK_EQ(t.len, before + (size_t)width);
			CHECK_EQ(t.s[t.len - 1], '7');
			CHECK_EQ(t.s[t.len], '\0');
			text_fini(&t);
		}
}

TEST(long_text_is_whole)
{
	struct text t = { 0 };

	for (int i = 0; i < 100000; i++)
		text_char(&t, (char)('a' + i % 26));
	CHECK_EQ(t.len, 100000);
	CHECK_EQ(strlen(text_str(&t)), 100000);
	for (int i = 0; i < 100000; i++)
		CHECK_EQ(t.s[i], 'a' + i % 26);
	text_fini(&t);
}

TEST(impossible_length_fails_and_sticks)
{
	struct text t = { 0 };

	text_add(&t, "kept");
	text_add_n(&t, "x", SIZE_MAX - 1);
	CHECK(t.failed);
	text_add(&t, "more");
	text_printf(&t, "%d", 1);
	CHECK_STR(text_str(&t), "kept");
	CHECK(text_steal(&t) == NULL);
	CHECK_EQ(t.len, 0);
	CHECK(!t.failed);
}

TEST(cleared_text_starts_again)
{
	struct text t = { 0 };

	text_clear(&t);
	text_add(&t, "first");
	text_clear(&t);
	CHECK_STR(text_str(&t), "");
	text_add(&t, "second");
	CHECK_STR(text_str(&t), "second");
	text_fini(&t);
	CHECK_STR(text_str(&t), "");
}

TEST(stolen_string_belongs_to_the_caller)
{
	struct text t = { 0 };
	char *s;

	s = text_steal(&t);
	CHECK_STR(s, "");
	free(s);
	text_add(&t, "mine");
	s = text_steal(&t);
	CHECK_STR(s, "mine");
	CHECK_STR(text_str(&t), "");
	free(s);
}
