/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/known.h"
#include "unit.h"

static const uint64_t seed[2] = { 3, 4 };
static struct known *known;
static bool fresh, evicted;

static struct known_end
end(uint32_t n)
{
	return (struct known_end){ .addr = { .w = { n } }, .port = 80, .ip_version = 4 };
}

static void
put(uint32_t n, uint64_t value)
{
	struct known_end e = end(n);

	*(uint64_t *)known_put(known, &e, &fresh, &evicted) = value;
}

/* 0: nothing is known. */
static uint64_t
get(uint32_t n)
{
	struct known_end e = end(n);
	const uint64_t *value = known_get(known, &e);

	return value ? *value : 0;
}

TEST(what_was_put_in_is_found)
{
	CHECK_EQ(known_new(8, 8, seed, &known), BARN_OK);
	put(1, 11);
	CHECK(fresh);
	put(2, 22);
	put(1, 12);
	CHECK(!fresh);
	CHECK_EQ(get(1), 12);
	CHECK_EQ(get(2), 22);
	CHECK_EQ(get(3), 0);
	CHECK_EQ(known_count(known), 2);
	known_free(known);
}

TEST(every_part_of_an_end_counts)
{
	struct known_end e[6];

	CHECK_EQ(known_new(8, 8, seed, &known), BARN_OK);
	for (int i = 0; i < 6; i++)
		e[i] = end(1);
	e[1].addr.b[15] = 1;
	e[2].path = 1;
	e[3].port = 81;
	e[4].ip_version = 6;
	e[5].ip_proto = 6;
	for (int i = 0; i < 6; i++) {
		known_put(known, &e[i], &fresh, &evicted);
		CHECK(fresh);
	}
	known_free(known);
}

TEST(the_oldest_goes_at_the_bound)
{
	CHECK_EQ(known_new(3, 8, seed, &known), BARN_OK);
	for (uint32_t n = 1; n <= 3; n++)
		put(n, n);
	put(1, 1);
	CHECK(!evicted);
	put(4, 4);
	CHECK(evicted);
	CHECK_EQ(get(2), 0);
	CHECK_EQ(get(1), 1);
	put(5, 5);
	CHECK_EQ(get(3), 0);
	CHECK_EQ(known_count(known), 3);
	known_free(known);
}

TEST(a_dropped_place_is_used_again)
{
	struct known_end e = end(2);

	CHECK_EQ(known_new(3, 8, seed, &known), BARN_OK);
	for (uint32_t n = 1; n <= 3; n++)
		put(n, n);
	known_drop(known, &e);
	known_drop(known, &e);
	CHECK_EQ(known_count(known), 2);
	put(4, 4);
	CHECK(!evicted);
	CHECK_EQ(get(1) + get(2) + get(3) + get(4), 1 + 0 + 3 + 4);
	known_free(known);
}

TEST(a_new_entry_is_zeroed)
{
	struct known_end e = end(1);

	CHECK_EQ(known_new(1, 8, seed, &known), BARN_OK);
	put(2, UINT64_MAX);
	CHECK_EQ(*(uint64_t *)known_put(known, &e, &fresh, &evicted), 0);
	known_free(known);
}

/* Against an array: many rounds of putting and dropping with few ends. */
TEST(it_does_as_a_plain_list_would)
{
	enum { ENDS = 40, BOUND = 16 };
	uint64_t value[ENDS] = { 0 }, age[ENDS] = { 0 }, random = 5;

	CHECK_EQ(known_new(BOUND, 8, seed, &known), BARN_OK);
	for (uint64_t round = 1; round < 30000; round++) {
		uint32_t n, count = 0, oldest = ENDS;

		random = random * 6364136223846793005u + 1442695040888963407u;
		n = (uint32_t)(random >> 40) % ENDS;
		for (uint32_t i = 0; i < ENDS; i++) {
			count += age[i] != 0;
			if (age[i] && (oldest == ENDS || age[i] < age[oldest]))
				oldest = i;
		}
		if (random >> 62 == 0) {
			struct known_end e = end(n + 1);

			known_drop(known, &e);
			age[n] = value[n] = 0;
		} else {
			if (!age[n] && count == BOUND)
				age[oldest] = value[oldest] = 0;
			put(n + 1, round);
			age[n] = value[n] = round;
		}
		for (uint32_t i = 0; i < ENDS; i++)
			CHECK_EQ(get(i + 1), value[i]);
	}
	known_free(known);
}

TEST(a_bound_of_nothing_or_too_much_is_refused)
{
	CHECK_EQ(known_new(0, 8, seed, &known), BARN_ERR_ARGUMENT);
	CHECK_EQ(known_new(UINT32_MAX, 8, seed, &known), BARN_ERR_ARGUMENT);
	known_free(NULL);
}
