/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/pdu.h"
#include "unit.h"

TEST(a_message_that_is_passed_over_ends_where_its_length_says_over_several_calls)
{
	struct pdu pdu = { .skip = 5 };
	struct bytes first = bytes_of("abc", 3), second = bytes_of("deF", 3);

	CHECK(!pdu_begins(&pdu, &first));
	CHECK_EQ(bytes_left(&first), 0);
	CHECK_EQ(pdu.skip, 2);
	CHECK(pdu_begins(&pdu, &second));
	CHECK_EQ(bytes_left(&second), 1);
	CHECK_EQ(*second.p, 'F');
}

TEST(no_message_begins_where_there_are_no_bytes)
{
	struct pdu pdu = { 0 };
	struct bytes none = bytes_of("", 0);

	CHECK(!pdu_begins(&pdu, &none));
}

TEST(a_stream_that_was_read_from_its_beginning_may_not_fail_once)
{
	struct pdu pdu = { 0 };
	struct bytes data = bytes_of("abc", 3), more = bytes_of("def", 3);

	CHECK(pdu_fail(&pdu, &data, 2));
	CHECK_EQ(bytes_left(&data), 0);
	CHECK(!pdu_begins(&pdu, &more));
	CHECK_EQ(bytes_left(&more), 0);
}

TEST(behind_a_gap_the_rest_of_a_message_is_not_waited_for_and_so_many_calls_may_fail)
{
	struct pdu pdu = { .skip = 100 };

	pdu_lost(&pdu);
	for (unsigned i = 0; i < 3; i++) {
		struct bytes data = bytes_of("abc", 3);

		CHECK(pdu_begins(&pdu, &data));
		CHECK_EQ(bytes_left(&data), 3);
		CHECK_EQ(pdu_fail(&pdu, &data, 2), i == 2);
	}
}

TEST(another_gap_gives_no_more_tries_and_no_hearing)
{
	struct pdu pdu = { .tries = 2, .blind = true };
	struct bytes data = bytes_of("abc", 3), more = bytes_of("def", 3);

	pdu_lost(&pdu);
	CHECK(pdu_fail(&pdu, &data, 2));
	pdu_lost(&pdu);
	CHECK(!pdu_begins(&pdu, &more));
}
