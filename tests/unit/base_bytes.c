/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/bytes.h"
#include "unit.h"

static const uint8_t DATA[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9 };

static struct bytes
text(const char *s)
{
	return bytes_of(s, strlen(s));
}

static void
check_text(struct bytes b, const char *want)
{
	CHECK_EQ(bytes_left(&b), strlen(want));
	CHECK_MEM(b.p, want, strlen(want));
}

TEST(numbers_are_read_in_their_byte_order)
{
	struct bytes b = bytes_of(DATA, sizeof(DATA));
	struct bytes r = b;

	CHECK_EQ(bytes_u8(&r), 1);
	r = b;
	CHECK_EQ(bytes_be16(&r), 0x0102);
	r = b;
	CHECK_EQ(bytes_le16(&r), 0x0201);
	r = b;
	CHECK_EQ(bytes_be24(&r), 0x010203);
	r = b;
	CHECK_EQ(bytes_be32(&r), 0x01020304);
	r = b;
	CHECK_EQ(bytes_le32(&r), 0x04030201);
	r = b;
	CHECK_EQ(bytes_be64(&r), 0x0102030405060708);
	r = b;
	CHECK_EQ(bytes_le64(&r), 0x0807060504030201);
	CHECK(!r.bad);
	CHECK_EQ(bytes_left(&r), 1);
}

TEST(high_bits_stay_positive)
{
	const uint8_t high[] = { 0xff, 0xfe, 0xfd, 0xfc };
	struct bytes b = bytes_of(high, 4), l = b;

	CHECK_EQ(bytes_be32(&b), 0xfffefdfc);
	CHECK_EQ(bytes_le32(&l), 0xfcfdfeff);
}

TEST(short_read_is_zero_and_bad)
{
	for (size_t n = 0; n < 8; n++) {
		struct bytes b = bytes_of(DATA, n);

		CHECK_EQ(bytes_be64(&b), 0);
		CHECK(b.bad);
	}
}

TEST(bad_reader_stays_bad)
{
	struct bytes b = bytes_of(DATA, 3);

	CHECK_EQ(bytes_be32(&b), 0);
	CHECK_EQ(bytes_u8(&b), 0);
	CHECK(b.bad);
	CHECK(bytes_next(&b, 0) == NULL);
}

TEST(read_to_the_last_byte_is_good)
{
	struct bytes b = bytes_of(DATA, 4);

	CHECK_EQ(bytes_be32(&b), 0x01020304);
	CHECK(!b.bad);
	CHECK_EQ(bytes_left(&b), 0);
}

TEST(huge_length_does_not_wrap)
{
	struct bytes b = bytes_of(DATA, sizeof(DATA));

	bytes_u8(&b);
	CHECK(bytes_next(&b, SIZE_MAX) == NULL);
	CHECK(b.bad);
}

TEST(taken_window_is_cut_at_its_length)
{
	struct bytes b = bytes_of(DATA, sizeof(DATA));
	struct bytes w = bytes_take(&b, 2);

	CHECK_EQ(bytes_left(&w), 2);
	CHECK_EQ(bytes_be16(&w), 0x0102);
	CHECK_EQ(bytes_u8(&w), 0);
	CHECK(w.bad);
	CHECK(!b.bad);
	CHECK_EQ(bytes_u8(&b), 3);
}

TEST(window_longer_than_the_rest_is_empty_and_bad)
{
	struct bytes b = bytes_of(DATA, 3);
	struct bytes w = bytes_take(&b, 4);

	CHECK(w.bad);
	CHECK(b.bad);
	CHECK_EQ(bytes_left(&w), 0);
}

TEST(start_is_compared_and_not_consumed)
{
	struct bytes b = text("GET /");

	CHECK(bytes_starts(&b, "GET"));
	CHECK(bytes_starts(&b, ""));
	CHECK(!bytes_starts(&b, "get"));
	CHECK(!bytes_starts(&b, "GET / "));
	CHECK_EQ(bytes_left(&b), 5);
}

TEST(lines_end_in_lf_or_cr_lf)
{
	struct bytes b = text("one\r\ntwo\n\n\r\nr\rest"), line;

	CHECK(bytes_line(&b, &line));
	check_text(line, "one");
	CHECK(bytes_line(&b, &line));
	check_text(line, "two");
	CHECK(bytes_line(&b, &line));
	check_text(line, "");
	CHECK(bytes_line(&b, &line));
	check_text(line, "");
	CHECK(!bytes_line(&b, &line));
	check_text(b, "r\rest");
}

TEST(line_without_its_end_is_no_line)
{
	struct bytes b = text("one\r"), none = { 0 }, line;

	CHECK(!bytes_line(&b, &line));
	CHECK_EQ(bytes_left(&b), 4);
	CHECK(!bytes_line(&none, &line));
}

TEST(equality_ignores_case_of_ascii_only)
{
	struct bytes b = text("Content-Length");
	struct bytes at = text("@[`{"), high = text("\xc4");

	CHECK(bytes_is(&b, "content-length"));
	CHECK(bytes_is(&b, "CONTENT-LENGTH"));
	CHECK(!bytes_is(&b, "content-lengt"));
	CHECK(!bytes_is(&b, "content-lengths"));
	CHECK(bytes_is(&at, "@[`{"));
	CHECK(!bytes_is(&at, "`{@["));
	CHECK(!bytes_is(&high, "\xe4"));
}

TEST(trim_takes_blanks_and_tabs_from_both_ends)
{
	check_text(bytes_trim(text(" \t a b\t ")), "a b");
	check_text(bytes_trim(text("a")), "a");
	check_text(bytes_trim(text(" \t ")), "");
	check_text(bytes_trim(text("")), "");
	check_text(bytes_trim(text("\na\r")), "\na\r");
}
