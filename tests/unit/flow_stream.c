/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "stream_rig.h"

TEST(segments_in_order_are_joined)
{
	begin();
	syn(999);
	CHECK_EQ(add(1000, "GET "), 4);
	CHECK_EQ(add(1004, "/ HT"), 4);
	CHECK_EQ(add(1008, "TP"), 2);
	check_data("GET / HTTP");
	CHECK_EQ(stream.offset, 0);
	CHECK(stream.synced);
	finish();
}

TEST(one_segment_is_lent_without_a_copy)
{
	const char text[] = "hello";

	begin();
	CHECK_EQ(stream_add(&stream, store, 1, false, false, bytes_of(text, 5), 5, false), 5);
	CHECK(stream.data == (const uint8_t *)text);
	stream_forget(&stream, 5);
	stream_keep(&stream, store);
	CHECK_EQ(stream_store_stats(store)->copied, 0);
	CHECK_EQ(stream_store_stats(store)->peak, 0);
	CHECK_EQ(stream.offset, 5);
	finish();
}

TEST(what_was_lent_and_not_kept_is_forgotten)
{
	begin();
	stream_add(&stream, store, 1, false, false, bytes_of("hello", 5), 5, false);
	CHECK_EQ(add(6, "world"), 5);
	check_data("world");
	CHECK_EQ(stream.offset, 5);
	finish();
}

TEST(syn_may_carry_data)
{
	begin();
	CHECK_EQ(add_raw(10, true, false, "abc", 3, 3), 3);
	CHECK_EQ(add_raw(10, true, false, "abc", 3, 3), 0);
	CHECK_EQ(add(14, "d"), 1);
	check_data("abcd");
	finish();
}

TEST(without_syn_the_first_payload_is_the_start)
{
	begin();
	CHECK_EQ(add(500, ""), 0);
	CHECK(!stream.started);
	CHECK_EQ(add(501, "ab"), 2);
	CHECK_EQ(add(503, "cd"), 2);
	check_data("abcd");
	CHECK(!stream.synced);
	finish();
}

TEST(earlier_bytes_are_put_in_front)
{
	begin();
	CHECK_EQ(add(105, "fgh"), 3);
	CHECK(!stream.fronted);
	CHECK_EQ(add(100, "abcde"), 8);
	check_data("abcdefgh");
	CHECK(stream.fronted);
	CHECK_EQ(stream.offset, 0);
	finish();
}

TEST(earlier_bytes_with_a_gap_wait_for_it)
{
	begin();
	CHECK_EQ(add(105, "fgh"), 3);
	CHECK_EQ(add(100, "ab"), 2);
	check_data("ab");
	CHECK_EQ(add(102, "cde"), 6);
	check_data("abcdefgh");
	finish();
}

TEST(a_late_syn_gives_the_start)
{
	begin();
	CHECK_EQ(add(105, "fgh"), 3);
	syn(99);
	CHECK(stream.synced);
	CHECK_EQ(stream.len, 0);
	CHECK_EQ(add(100, "abcde"), 8);
	check_data("abcdefgh");
	CHECK_EQ(add(90, "xxxxxxxxxx"), 0);
	check_data("abcdefgh");
	finish();
}

TEST(nothing_is_put_in_front_once_bytes_are_forgotten)
{
	begin();
	add(105, "fgh");
	stream_forget(&stream, 1);
	CHECK_EQ(add(100, "abcde"), 0);
	check_data("gh");
	CHECK_EQ(stream.offset, 1);
	finish();
}

TEST(nothing_is_put_in_front_of_a_syn)
{
	begin();
	syn(104);
	add(105, "fgh");
	CHECK_EQ(add(100, "abcde"), 0);
	check_data("fgh");
	finish();
}

TEST(nothing_from_far_behind_is_put_in_front)
{
	begin();
	add(200000, "fgh");
	CHECK_EQ(add(100000, "abcde"), 0);
	check_data("fgh");
	finish();
}

TEST(bytes_before_a_syn_are_an_older_connections)
{
	begin();
	add(100, "old");
	CHECK(!stream.fronted);
	syn(50000);
	CHECK(stream.fronted);
	CHECK_EQ(add(50001, "new"), 3);
	check_data("new");
	finish();
}

TEST(a_second_syn_elsewhere_is_not_heeded)
{
	begin();
	syn(0);
	add(1, "ab");
	syn(5000);
	CHECK_EQ(add_raw(5000, true, false, "zz", 2, 2), 0);
	CHECK_EQ(add(3, "cd"), 2);
	check_data("abcd");
	finish();
}

TEST(keep_alive_probes_add_nothing)
{
	begin();
	syn(0);
	add(1, "abcd");
	CHECK_EQ(add_raw(4, false, false, "\0", 1, 1), 0);
	CHECK_EQ(add_raw(4, false, false, "", 0, 0), 0);
	CHECK_EQ(add(5, "e"), 1);
	check_data("abcde");
	finish();
}

TEST(a_zero_window_probe_is_a_byte_of_the_stream)
{
	begin();
	syn(0);
	add(1, "abcd");
	CHECK_EQ(add(5, "e"), 1);
	CHECK_EQ(add(5, "efgh"), 3);
	check_data("abcdefgh");
	finish();
}

TEST(fin_ends_the_stream_when_all_before_it_is_there)
{
	begin();
	syn(0);
	add(1, "ab");
	CHECK_EQ(add_raw(5, false, true, "ef", 2, 2), 0);
	CHECK(stream.fin);
	CHECK(!stream.ended);
	CHECK_EQ(add(3, "cd"), 4);
	CHECK(stream.ended);
	CHECK_EQ(add(7, "after"), 0);
	check_data("abcdef");
	finish();
}

TEST(a_bare_fin_ends_the_stream)
{
	begin();
	syn(0);
	add(1, "ab");
	add_raw(3, false, true, "", 0, 0);
	CHECK(stream.ended);
	finish();
}

TEST(forgetting_moves_the_window)
{
	begin();
	syn(0);
	add(1, "abcdef");
	stream_forget(&stream, 2);
	check_data("cdef");
	CHECK_EQ(stream.offset, 2);
	CHECK_EQ(add(7, "gh"), 2);
	check_data("cdefgh");
	stream_forget(&stream, 100);
	CHECK_EQ(stream.len, 0);
	CHECK_EQ(stream.offset, 8);
	stream_keep(&stream, store);
	CHECK_EQ(stream_store_stats(store)->used, 0);
	CHECK_EQ(add(9, "ij"), 2);
	check_data("ij");
	finish();
}

TEST(a_consumer_reads_without_bound)
{
	static uint8_t bytes[4000], got;
	uint32_t seq = 77;

	begin();
	syn(76);
	for (unsigned i = 0; i < 2000; i++) {
		for (unsigned k = 0; k < sizeof(bytes); k++)
			bytes[k] = (uint8_t)(seq - 77 + k);
		CHECK_EQ(add_raw(seq, false, false, bytes, sizeof(bytes), sizeof(bytes)),
			 sizeof(bytes));
		seq += (uint32_t)sizeof(bytes);
		/* Never all of it. */
		while (stream.len > 1000) {
			CHECK_EQ(stream.data[0], got);
			got = (uint8_t)(got + 77);
			stream_forget(&stream, 77);
		}
	}
	CHECK(!stream.full);
	CHECK_EQ(stream.offset + stream.len, 2000 * 4000);
	CHECK(stream_store_stats(store)->peak <= 16384);
	finish();
}

TEST(the_window_is_the_most_that_is_kept)
{
	static const uint8_t zero[65000];

	begin_with((struct stream_store_options){ .window = 1000 });
	syn(0);
	CHECK_EQ(add_raw(1, false, false, zero, 600, 600), 600);
	CHECK_EQ(add_raw(601, false, true, zero, 65000, 65000), 65000);
	CHECK_EQ(stream.len, 1000);
	CHECK(stream.full);
	CHECK(!stream.ended);
	CHECK_EQ(stream_store_stats(store)->refused, 64600);
	CHECK_EQ(add_raw(1001, false, false, zero, 5, 5), 0);
	CHECK(stream_store_stats(store)->used <= 1024);
	finish();
}

TEST(a_payload_longer_than_the_window_is_seen_whole)
{
	static uint8_t bytes[65000];
	uint32_t grew;

	begin_with((struct stream_store_options){ .window = 1000 });
	syn(0);
	add(1, "abc");
	grew = stream_add(&stream, store, 4, false, false, bytes_of(bytes, 65000), 65000, true);
	CHECK_EQ(grew, 65000);
	CHECK_EQ(stream.len, 65003);
	stream_forget(&stream, 64999);
	stream_keep(&stream, store);
	CHECK_EQ(stream.len, 4);
	CHECK(!stream.full);
	CHECK_EQ(stream_store_stats(store)->used, 256);
	finish();
}

TEST(a_short_stream_holds_a_small_block)
{
	static const uint8_t zero[300];

	begin();
	syn(0);
	add_raw(1, false, false, zero, 300, 300);
	CHECK_EQ(stream_store_stats(store)->used, 512);
	finish();
}

TEST(without_memory_a_stream_is_full_and_has_what_it_has)
{
	static const uint8_t zero[600];

	begin_with((struct stream_store_options){ .bytes = 512 });
	syn(0);
	add_raw(1, false, false, zero, 200, 200);
	CHECK_EQ(add_raw(201, false, false, zero, 600, 600), 0);
	CHECK(stream.full);
	CHECK_EQ(stream.len, 200);
	finish();
}

TEST(without_memory_a_lent_payload_is_seen_once)
{
	static const uint8_t zero[600];

	begin_with((struct stream_store_options){ .bytes = 512 });
	syn(0);
	CHECK_EQ(add_raw(1, false, false, zero, 600, 600), 600);
	CHECK(stream.full);
	CHECK_EQ(stream.len, 0);
	CHECK_EQ(stream.offset, 600);
	CHECK_EQ(stream_store_stats(store)->refused, 600);
	finish();
}

static void
datagram(const char *text)
{
	uint32_t n = (uint32_t)strlen(text);
	uint8_t *packet = malloc(n + 1);

	memcpy(packet, text, n);
	stream_datagram(&stream, store, bytes_of(packet, n));
	stream_keep(&stream, store);
	free(packet);
}

TEST(datagrams_stand_one_behind_the_other)
{
	begin();
	datagram("abc");
	datagram("");
	datagram("defg");
	check_data("abcdefg");
	CHECK_EQ(stream.datagrams, 3);
	CHECK_EQ(stream.kept, 3);
	CHECK_EQ(stream.ends[0], 3);
	CHECK_EQ(stream.ends[1], 3);
	CHECK_EQ(stream.ends[2], 7);
	finish();
}

TEST(a_ninth_datagram_is_counted_and_not_kept)
{
	begin();
	for (int i = 0; i < 9; i++)
		datagram("ab");
	CHECK_EQ(stream.datagrams, 9);
	CHECK_EQ(stream.kept, 8);
	CHECK_EQ(stream.len, 16);
	CHECK(stream.full);
	finish();
}

TEST(a_datagram_is_kept_whole_or_not_at_all)
{
	begin_with((struct stream_store_options){ .window = 10 });
	datagram("abcdef");
	datagram("ghijk");
	check_data("abcdef");
	CHECK_EQ(stream.kept, 1);
	CHECK_EQ(stream.datagrams, 2);
	CHECK(stream.full);
	datagram("g");
	check_data("abcdef");
	finish();
}

TEST(forgotten_datagrams_leave_their_boundaries)
{
	begin();
	datagram("abc");
	datagram("de");
	datagram("fgh");
	stream_forget(&stream, 4);
	check_data("efgh");
	CHECK_EQ(stream.kept, 2);
	CHECK_EQ(stream.ends[0], 1);
	CHECK_EQ(stream.ends[1], 4);
	CHECK_EQ(stream.datagrams, 3);
	finish();
}

TEST(data_that_has_the_number_of_its_syn_is_whole)
{
	begin();
	syn(999);
	CHECK_EQ(add(999, "GET "), 4);
	CHECK_EQ(add(1003, "/"), 1);
	check_data("GET /");
	CHECK_EQ(stream.offset, 0);
	finish();
}

static void
part(const char *text)
{
	char packet[64];
	size_t n = strlen(text);

	memcpy(packet, text, n);
	stream_part(&stream, store, bytes_of(packet, n));
	stream_keep(&stream, store);
	memset(packet, '#', sizeof(packet));
}

TEST(the_first_part_of_a_datagram_stands_if_no_other_comes)
{
	begin();
	CHECK(!stream_part_stands(&stream));
	part("abc");
	part("xyz"); /* of another datagram: the first is kept */
	CHECK_EQ(stream.datagrams, 0);
	CHECK(stream_part_stands(&stream));
	check_data("abc");
	CHECK_EQ(stream.datagrams, 1);
	CHECK_EQ(stream.kept, 1);
	CHECK_EQ(stream.ends[0], 3);
	CHECK(!stream_part_stands(&stream));
	finish();
}

TEST(a_whole_datagram_or_segment_takes_the_place_of_a_part)
{
	begin();
	part("abc");
	datagram("abcdef");
	check_data("abcdef");
	CHECK_EQ(stream.datagrams, 1);
	CHECK(!stream_part_stands(&stream));
	part("ghi"); /* something came before it */
	check_data("abcdef");
	finish();
	begin();
	part("abc");
	CHECK_EQ(add(1000, "abcdef"), 6);
	check_data("abcdef");
	CHECK(!stream_part_stands(&stream));
	finish();
}
