/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/pool.h"
#include "unit.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#endif
#ifdef POISONS
#include <sanitizer/asan_interface.h>
#endif

static struct pool *
pool_of(size_t size, uint32_t bound)
{
	struct pool *pool = NULL;

	CHECK_EQ(pool_new(size, bound, &pool), BARN_OK);
	return pool;
}

TEST(get_at_the_bound_is_null)
{
	struct pool *pool = pool_of(24, 3);
	void *last = NULL;

	for (int i = 0; i < 3; i++) {
		last = pool_get(pool);
		CHECK(last != NULL);
	}
	CHECK(pool_get(pool) == NULL);
	pool_put(pool, last);
	CHECK(pool_get(pool) == last);
	CHECK(pool_get(pool) == NULL);
	pool_free(pool);
}

TEST(objects_do_not_overlap)
{
	enum { N = 50, SIZE = 33 };
	struct pool *pool = pool_of(SIZE, N);
	uint8_t *objects[N];

	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < N; i++) {
			objects[i] = pool_get(pool);
			memset(objects[i], i, SIZE);
		}
		for (int i = 0; i < N; i++)
			for (int j = 0; j < SIZE; j++)
				CHECK_EQ(objects[i][j], i);
		for (int i = 0; i < N; i++)
			pool_put(pool, objects[(i * 7) % N]);
	}
	pool_free(pool);
}

TEST(objects_of_one_byte_work)
{
	struct pool *pool = pool_of(1, 2);
	void *a = pool_get(pool), *b = pool_get(pool);

	CHECK(a && b && a != b);
	pool_put(pool, a);
	pool_put(pool, b);
	CHECK(pool_get(pool) == b);
	CHECK(pool_get(pool) == a);
	pool_free(pool);
}

TEST(used_and_peak_are_counted)
{
	struct pool *pool = pool_of(8, 10);
	void *a = pool_get(pool), *b = pool_get(pool);

	CHECK_EQ(pool_bound(pool), 10);
	CHECK_EQ(pool_used(pool), 2);
	pool_put(pool, a);
	pool_put(pool, NULL);
	CHECK_EQ(pool_used(pool), 1);
	CHECK_EQ(pool_peak(pool), 2);
	pool_put(pool, b);
	CHECK_EQ(pool_used(pool), 0);
	CHECK_EQ(pool_peak(pool), 2);
	pool_free(pool);
}

TEST(refused_get_counts_nothing)
{
	struct pool *pool = pool_of(8, 1);

	pool_get(pool);
	pool_get(pool);
	CHECK_EQ(pool_used(pool), 1);
	CHECK_EQ(pool_peak(pool), 1);
	pool_free(pool);
}

TEST(numbers_name_objects)
{
	struct pool *pool = pool_of(40, 5);

	for (uint32_t i = 0; i < 5; i++) {
		void *object = pool_get(pool);

		CHECK_EQ(pool_number(pool, object), i);
		CHECK(pool_at(pool, i) == object);
	}
	pool_free(pool);
}

TEST(cache_line_sizes_are_cache_line_aligned)
{
	struct pool *pool = pool_of(128, 4);

	for (int i = 0; i < 4; i++)
		CHECK_EQ((uintptr_t)pool_get(pool) % 64, 0);
	pool_free(pool);
}

/* Nothing is claimed of a build that poisons nothing. */
TEST(what_is_not_in_use_is_poisoned)
{
#ifdef POISONS
	enum { N = 300, SIZE = 48 };
	struct pool *pool = pool_of(SIZE, N);
	uint8_t *objects[N];

	CHECK(__asan_address_is_poisoned(pool_at(pool, 0)));
	for (int i = 0; i < N; i++) {
		objects[i] = pool_get(pool);
		CHECK(!__asan_region_is_poisoned(objects[i], SIZE));
		CHECK(__asan_address_is_poisoned(objects[i] + SIZE));
	}
	pool_put(pool, objects[N / 2]);
	CHECK(__asan_address_is_poisoned(objects[N / 2] + SIZE - 1));
	CHECK(!__asan_address_is_poisoned(objects[N / 2] - 1));
	CHECK(!__asan_address_is_poisoned(objects[N / 2] + SIZE));
	pool_free(pool);
#endif
}

TEST(impossible_sizes_are_refused)
{
	struct pool *pool;

	CHECK_EQ(pool_new(0, 1, &pool), BARN_ERR_ARGUMENT);
	CHECK_EQ(pool_new(1, 0, &pool), BARN_ERR_ARGUMENT);
	CHECK_EQ(pool_new(SIZE_MAX, 1, &pool), BARN_ERR_ARGUMENT);
	CHECK_EQ(pool_new(SIZE_MAX / 4, 5, &pool), BARN_ERR_ARGUMENT);
	pool_free(NULL);
}
