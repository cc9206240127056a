/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/arena.h"
#include "unit.h"

#include <stddef.h>

static struct arena *
arena_of(size_t bound)
{
	struct arena *arena = NULL;

	CHECK_EQ(arena_new(bound, &arena), BARN_OK);
	return arena;
}

TEST(pieces_are_zeroed_aligned_and_apart)
{
	enum { N = 3000 };
	struct arena *arena = arena_of(0);
	uint8_t *pieces[N];

	for (size_t i = 0; i < N; i++) {
		size_t size = i % 100;

		pieces[i] = arena_alloc(arena, size);
		CHECK(pieces[i] != NULL);
		CHECK_EQ((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
		for (size_t j = 0; j < size; j++)
			CHECK_EQ(pieces[i][j], 0);
		memset(pieces[i], (int)i, size);
	}
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < i % 100; j++)
			CHECK_EQ(pieces[i][j], (uint8_t)i);
	arena_free(arena);
}

TEST(piece_larger_than_a_chunk_works)
{
	struct arena *arena = arena_of(0);
	uint8_t *big = arena_alloc(arena, 1000000);

	CHECK(big != NULL);
	big[0] = big[999999] = 1;
	CHECK(arena_alloc(arena, 10) != NULL);
	arena_free(arena);
}

TEST(bound_is_kept)
{
	struct arena *arena = arena_of(1024);

	CHECK(arena_alloc(arena, 1025) == NULL);
	CHECK(arena_alloc(arena, 1000) != NULL);
	CHECK(arena_alloc(arena, 100) == NULL);
	CHECK(arena_alloc(arena, 16) != NULL);
	CHECK_EQ(arena_used(arena), 1024);
	CHECK(arena_alloc(arena, 0) == NULL);
	arena_free(arena);
}

TEST(overflowing_sizes_are_refused)
{
	struct arena *arena = arena_of(0);

	CHECK(arena_alloc(arena, SIZE_MAX) == NULL);
	CHECK(arena_array(arena, SIZE_MAX / 2, 3) == NULL);
	CHECK(arena_copy(arena, "", SIZE_MAX) == NULL);
	CHECK(arena_array(arena, 0, 8) != NULL);
	CHECK(arena_array(arena, 8, 0) != NULL);
	arena_free(arena);
}

TEST(copies_are_their_own)
{
	struct arena *arena = arena_of(0);
	char text[] = "rtp audio";
	char *whole = arena_strdup(arena, text);
	char *part = arena_strndup(arena, text, 3);
	char *over = arena_strndup(arena, text, 99);
	char *bytes = arena_copy(arena, "a\0b", 3);

	text[0] = 'x';
	CHECK_STR(whole, "rtp audio");
	CHECK_STR(part, "rtp");
	CHECK_STR(over, "rtp audio");
	CHECK_MEM(bytes, "a\0b\0", 4);
	arena_free(arena);
	arena_free(NULL);
}
