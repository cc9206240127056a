/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16 * 1024, ALIGN = _Alignof(max_align_t) };

struct chunk {
	struct chunk *older;
	_Alignas(max_align_t) unsigned char bytes[];
};

/* next and left are of the newest chunk; a piece that is larger than a chunk gets its own. */
struct arena {
	struct chunk *chunks;
	unsigned char *next;
	size_t left;
	size_t used;
	size_t bound;
};

enum barn_err
arena_new(size_t bound, struct arena **arena)
{
	struct arena *a = calloc(1, sizeof(*a));

	if (!a)
		return BARN_ERR_MEMORY;
	a->bound = bound ? bound : SIZE_MAX;
	*arena = a;
	return BARN_OK;
}

void
arena_free(struct arena *arena)
{
	if (!arena)
		return;
	for (struct chunk *c = arena->chunks, *older; c; c = older) {
		older = c->older;
		free(c);
	}
	free(arena);
}

static bool
grow(struct arena *arena, size_t size)
{
	size_t room = size > CHUNK ? size : CHUNK;
	struct chunk *c;

	if (room > SIZE_MAX - sizeof(*c))
		return false;
	c = calloc(1, sizeof(*c) + room);
	if (!c)
		return false;
	c->older = arena->chunks;
	arena->chunks = c;
	arena->next = c->bytes;
	arena->left = room;
	return true;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	void *at;

	if (size > SIZE_MAX - ALIGN)
		return NULL;
	size = size ? (size + ALIGN - 1) / ALIGN * ALIGN : ALIGN;
	if (size > arena->bound - arena->used)
		return NULL;
	if (size > arena->left && !grow(arena, size))
		return NULL;
	at = arena->next;
	arena->next += size;
	arena->left -= size;
	arena->used += size;
	return at;
}

void *
arena_array(struct arena *arena, size_t n, size_t size)
{
	if (size != 0 && n > SIZE_MAX / size)
		return NULL;
	return arena_alloc(arena, n * size);
}

void *
arena_copy(struct arena *arena, const void *data, size_t n)
{
	char *copy = n < SIZE_MAX ? arena_alloc(arena, n + 1) : NULL;

	if (copy && n > 0)
		memcpy(copy, data, n);
	return copy;
}

char *
arena_strndup(struct arena *arena, const char *text, size_t n)
{
	return arena_copy(arena, text, strnlen(text, n));
}

char *
arena_strdup(struct arena *arena, const char *text)
{
	return arena_copy(arena, text, strlen(text));
}

size_t
arena_used(const struct arena *arena)
{
	return arena->used;
}
