/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "stream_rig.h"

TEST(a_gap_is_waited_for)
{
	begin();
	syn(0);
	CHECK_EQ(add(1, "ab"), 2);
	CHECK_EQ(add(5, "ef"), 0);
	CHECK_EQ(add(9, "ij"), 0);
	CHECK_EQ(add(7, "gh"), 0);
	check_data("ab");
	CHECK_EQ(add(3, "cd"), 8);
	check_data("abcdefghij");
	CHECK_EQ(stream.n_waiting, 0);
	finish();
}

TEST(numbers_wrap)
{
	begin();
	syn(UINT32_MAX - 3);
	CHECK_EQ(add(1, "ef"), 0);
	CHECK_EQ(add(UINT32_MAX - 2, "abcd"), 6);
	CHECK_EQ(add(3, "gh"), 2);
	check_data("abcdefgh");
	finish();
}

TEST(duplicates_add_nothing)
{
	begin();
	syn(0);
	add(1, "abcd");
	CHECK_EQ(add(1, "abcd"), 0);
	CHECK_EQ(add(2, "bc"), 0);
	CHECK_EQ(add(7, "gh"), 0);
	CHECK_EQ(add(7, "gh"), 0);
	CHECK_EQ(stream.n_waiting, 1);
	CHECK_EQ(add(5, "ef"), 4);
	check_data("abcdefgh");
	finish();
}

TEST(overlapping_data_keeps_the_first_bytes)
{
	begin();
	syn(0);
	add(1, "abcd");
	CHECK_EQ(add(3, "XXef"), 2);
	check_data("abcdef");
	finish();
}

TEST(overlapping_waiting_segments_keep_the_first_bytes)
{
	begin();
	syn(0);
	add(3, "cd");
	add(7, "gh");
	CHECK_EQ(add(2, "bXXefXXi"), 0);
	CHECK_EQ(add(1, "aY"), 9);
	check_data("abcdefghi");
	finish();
}

TEST(bytes_that_waited_stand_against_the_ones_that_fill_the_gap)
{
	begin();
	syn(0);
	add(3, "cd");
	CHECK_EQ(add(1, "abXXef"), 6);
	check_data("abcdef");
	finish();
}

TEST(a_retransmission_may_be_split_otherwise)
{
	begin();
	syn(0);
	add(1, "abc");
	add(7, "gh");
	CHECK_EQ(add(2, "bcdefg"), 5);
	CHECK_EQ(add(1, "abcdefghij"), 2);
	check_data("abcdefghij");
	finish();
}

TEST(wild_numbers_are_not_heeded)
{
	begin();
	syn(0);
	add(1, "ab");
	for (int i = 0; i < 100; i++) {
		CHECK_EQ(add(3 + (1u << 30) + (uint32_t)i, "xx"), 0);
		CHECK_EQ(add(3 - (1u << 30) - (uint32_t)i, "xx"), 0);
		CHECK_EQ(add(3 + (1u << 31), "xx"), 0);
	}
	CHECK_EQ(stream.n_waiting, 0);
	CHECK_EQ(add_raw(3 + (1u << 30), false, true, "", 0, 0), 0);
	CHECK(!stream.fin);
	CHECK(!stream.full);
	CHECK_EQ(add(3, "cd"), 2);
	check_data("abcd");
	finish();
}

TEST(bytes_beyond_the_window_are_not_waited_for)
{
	begin();
	syn(0);
	add(1, "ab");
	for (int i = 0; i < 15; i++)
		CHECK_EQ(add(3 + 16384, "xx"), 0);
	CHECK_EQ(stream.n_waiting, 0);
	CHECK_EQ(stream_store_stats(store)->refused, 30);
	CHECK_EQ(add(3, "cd"), 2);
	CHECK(!stream.full);
	finish();
}

TEST(many_segments_beyond_the_window_stop_a_stream)
{
	begin();
	syn(0);
	add(1, "ab");
	for (uint32_t i = 0; i < 16; i++)
		CHECK_EQ(add(100000 + 2 * i, "xx"), 0);
	CHECK(stream.full);
	CHECK_EQ(add(3, "cd"), 0);
	check_data("ab");
	finish();
}

TEST(many_segments_beyond_the_window_are_gone_on_with)
{
	begin();
	syn(0);
	add(1, "ab");
	skip_gaps = true;
	for (uint32_t i = 0; i < 15; i++)
		CHECK_EQ(add(100000 + 2 * i, "xx"), 0);
	CHECK_EQ(add(100030, "yy"), 2);
	CHECK(stream.lost);
	CHECK_EQ(stream.offset, 100029);
	CHECK_EQ(add(100032, "zz"), 2);
	check_data("yyzz");
	finish();
}

static uint32_t
fill_waiting(unsigned n)
{
	uint32_t grew = 0;

	for (unsigned i = 0; i < n; i++)
		grew = add(10 + 2 * i, "x");
	return grew;
}

TEST(too_many_waiting_segments_stop_a_stream)
{
	begin_with((struct stream_store_options){ .segments = 4 });
	syn(0);
	add(1, "ab");
	CHECK_EQ(fill_waiting(4), 0);
	CHECK(!stream.full);
	CHECK_EQ(add(18, "x"), 0);
	CHECK(stream.full);
	CHECK_EQ(stream.n_waiting, 0);
	check_data("ab");
	CHECK_EQ(add(3, "cdefghi"), 0);
	finish();
}

TEST(too_many_waiting_segments_give_the_gap_up)
{
	begin_with((struct stream_store_options){ .segments = 4 });
	syn(0);
	skip_gaps = true;
	add(1, "ab");
	CHECK_EQ(fill_waiting(5), 1);
	CHECK(stream.lost);
	CHECK(!stream.full);
	check_data("x");
	CHECK_EQ(stream.offset, 9);
	CHECK_EQ(stream_store_stats(store)->gaps, 1);
	CHECK_EQ(add(11, "y"), 2);
	check_data("xyx");
	finish();
}

TEST(a_full_stream_starts_again_behind_what_was_refused)
{
	begin_with((struct stream_store_options){ .segments = 2 });
	syn(0);
	add(1, "ab");
	fill_waiting(3);
	CHECK(stream.full);
	skip_gaps = true;
	CHECK_EQ(add(30, "cd"), 2);
	CHECK(!stream.full);
	CHECK(stream.lost);
	CHECK_EQ(stream.offset, 29);
	check_data("cd");
	finish();
}

TEST(a_gap_is_given_up_on_demand)
{
	begin();
	syn(0);
	add(1, "ab");
	CHECK_EQ(stream_skip(&stream, store), 0);
	CHECK(!stream.lost);
	add(5, "ef");
	add_raw(8, false, true, "h", 1, 1);
	CHECK_EQ(stream_skip(&stream, store), 2);
	check_data("ef");
	CHECK(stream.lost);
	CHECK_EQ(stream.offset, 4);
	CHECK(!stream.ended);
	CHECK_EQ(stream_skip(&stream, store), 1);
	CHECK(stream.ended);
	finish();
}

TEST(snapped_bytes_stop_a_stream)
{
	begin();
	syn(0);
	CHECK_EQ(add_raw(1, false, false, "ab", 2, 100), 2);
	CHECK(stream.full);
	CHECK_EQ(add(101, "cd"), 0);
	check_data("ab");
	CHECK_EQ(add_raw(103, false, true, "", 0, 0), 0);
	CHECK(!stream.ended);
	finish();
}

TEST(snapped_bytes_are_given_up_at_once)
{
	begin();
	syn(0);
	skip_gaps = true;
	CHECK_EQ(add_raw(1, false, false, "ab", 2, 100), 2);
	CHECK_EQ(add_raw(101, false, false, "cd", 2, 100), 2);
	check_data("cd");
	CHECK(stream.lost);
	CHECK_EQ(stream.offset, 100);
	stream.lost = 0;
	CHECK_EQ(add(151, "late"), 4);
	CHECK(stream.lost);
	CHECK_EQ(stream.offset, 150);
	finish();
}

TEST(snapped_bytes_of_a_waiting_segment_are_given_up_too)
{
	begin();
	syn(0);
	skip_gaps = true;
	CHECK_EQ(add_raw(5, false, false, "ef", 2, 10), 0);
	CHECK_EQ(add(1, "abcd"), 6);
	check_data("abcdef");
	CHECK_EQ(add(15, "op"), 2);
	check_data("op");
	CHECK_EQ(stream.offset, 14);
	finish();
}

TEST(a_retransmission_fills_what_was_snapped)
{
	begin();
	syn(0);
	skip_gaps = true;
	CHECK_EQ(add_raw(1, false, false, "ab", 2, 6), 2);
	CHECK_EQ(add(3, "cd"), 2);
	check_data("abcd");
	CHECK_EQ(add(7, "gh"), 2);
	check_data("gh");
	CHECK_EQ(stream.offset, 6);
	finish();
}

TEST(without_memory_nothing_waits)
{
	static const uint8_t zero[600];

	begin_with((struct stream_store_options){ .bytes = 512 });
	syn(0);
	CHECK_EQ(add_raw(100, false, false, zero, 600, 600), 0);
	CHECK(stream.full);
	stream_clear(&stream, store);
	syn(0);
	skip_gaps = true;
	CHECK_EQ(add_raw(100, false, false, zero, 600, 600), 600);
	CHECK(stream.lost);
	finish();
}

TEST(small_pieces_share_a_block)
{
	begin();
	syn(0);
	for (uint32_t i = 0; i < 100; i++)
		CHECK_EQ(add(200 - i, "x"), 0);
	for (uint32_t i = 0; i < 50; i++)
		CHECK_EQ(add(201 + i, "y"), 0);
	CHECK_EQ(stream.n_waiting, 1);
	CHECK_EQ(stream_store_stats(store)->used, 256);
	finish();
}

TEST(datagrams_that_are_read_at_once_are_never_too_many)
{
	begin();
	for (int i = 0; i < 100; i++) {
		stream_datagram(&stream, store, bytes_of("abc", 3));
		CHECK_EQ(stream.kept, 1);
		CHECK_EQ(stream.ends[0], 3);
		check_data("abc");
		stream_forget(&stream, 3);
		stream_keep(&stream, store);
	}
	CHECK_EQ(stream.datagrams, 100);
	CHECK(!stream.full);
	finish();
}

TEST(progress_forgives_segments_that_were_too_far_ahead)
{
	begin();
	syn(0);
	for (uint32_t round = 0; round < 4; round++) {
		for (int i = 0; i < 15; i++)
			add(100000, "xx");
		CHECK_EQ(add(1 + round, "a"), 1);
	}
	CHECK(!stream.full);
	check_data("aaaa");
	finish();
}

TEST(nothing_is_put_in_front_when_too_much_waits)
{
	begin_with((struct stream_store_options){ .segments = 2 });
	add(100, "aa");
	add(110, "b");
	add(120, "c");
	CHECK_EQ(add(90, "front"), 0);
	check_data("aa");
	CHECK_EQ(stream.n_waiting, 2);
	finish();
}

TEST(a_gap_behind_snapped_bytes_is_waited_for)
{
	begin();
	syn(0);
	skip_gaps = true;
	add_raw(1, false, false, "ab", 2, 100);
	CHECK_EQ(add(101, "cd"), 2);
	CHECK_EQ(add(105, "gh"), 0);
	CHECK_EQ(stream.n_waiting, 1);
	CHECK_EQ(add(103, "ef"), 4);
	check_data("cdefgh");
	finish();
}

TEST(what_waits_within_snapped_bytes_is_not_passed_over)
{
	begin();
	syn(0);
	skip_gaps = true;
	add_raw(5, false, false, "ef", 2, 20);
	add(17, "qr");
	CHECK_EQ(add(1, "abcd"), 6);
	CHECK_EQ(add(30, "xy"), 2);
	check_data("qr");
	CHECK_EQ(stream.offset, 16);
	finish();
}

TEST(bytes_that_waited_fill_a_part_of_what_was_snapped)
{
	begin();
	syn(0);
	skip_gaps = true;
	add_raw(5, false, false, "ef", 2, 6);
	add(7, "gh");
	CHECK_EQ(add(1, "abcd"), 8);
	check_data("abcdefgh");
	CHECK_EQ(stream.missing, 2);
	CHECK_EQ(add(11, "kl"), 2);
	check_data("kl");
	CHECK_EQ(stream.offset, 10);
	finish();
}
