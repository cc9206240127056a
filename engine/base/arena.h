/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

/*
 * Memory that grows piece by piece and is freed at once: for a parsed module and
 * all that hangs on it. Not for the packet path. The arena owns every piece; what
 * it gave out lives, at its place, until the arena is freed. One thread at a time.
 */

#include <barn/err.h>
#include <stddef.h>

struct arena;

/* An arena that gives out at most `bound` bytes (rounded up pieces count); 0: no bound. */
enum barn_err arena_new(size_t bound, struct arena **arena);

/* Of NULL: nothing. */
void arena_free(struct arena *arena);

/* Zeroed, aligned for any type; of 0 bytes a valid pointer. NULL: out of memory or bound. */
void *arena_alloc(struct arena *arena, size_t size);

/* n objects of this size; NULL also when their product overflows. */
void *arena_array(struct arena *arena, size_t n, size_t size);

/* Copies that end in NUL; arena_strndup copies at most n bytes, up to a NUL. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t n);

/* n bytes as they are, with a NUL after them that is not counted. */
void *arena_copy(struct arena *arena, const void *data, size_t n);

/* Bytes given out. */
size_t arena_used(const struct arena *arena);

#endif
