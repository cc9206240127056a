/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POOL_POISONS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define POOL_POISONS 1
#endif

#ifdef POOL_POISONS
#include <sanitizer/asan_interface.h>
#include <sys/mman.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size)   ((void)(at), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(at), (void)(size))
#endif

/* Poison goes so many objects ahead of those that have been used. */
enum { LINE = 64, AHEAD = 64, NONE = UINT32_MAX };

/*
 * Objects below `fresh` have been used; those of them that are not in use form a
 * list through their first bytes, by number.
 */
struct pool {
	uint8_t *block;
	size_t size;
	uint32_t bound;
	uint32_t fresh;
	uint32_t poisoned; /* of all below it that are not in use */
	uint32_t free;
	uint32_t used;
	uint32_t peak;
};

static size_t
rounded(size_t size)
{
	size_t align = _Alignof(max_align_t);

	return (size + align - 1) / align * align;
}

/*
 * AddressSanitizer marks each byte that its malloc gives, which for a block of which little
 * gets used takes longer than all else. A mapping it leaves alone; a line behind the last
 * object is poisoned.
 */
#ifdef POOL_POISONS
static void *
new_block(size_t size)
{
	uint8_t *block = mmap(NULL, size + LINE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (block == MAP_FAILED)
		return NULL;
	ASAN_POISON_MEMORY_REGION(block + size, LINE);
	return block;
}

static void
free_block(void *block, size_t size)
{
	ASAN_UNPOISON_MEMORY_REGION((uint8_t *)block + size, LINE);
	(void)munmap(block, size + LINE);
}
#else
static void *
new_block(size_t size)
{
	void *block;

	return posix_memalign(&block, LINE, size) == 0 ? block : NULL;
}

static void
free_block(void *block, size_t size)
{
	(void)size;
	free(block);
}
#endif

/* Those that are next. */
static void
poison_ahead(struct pool *pool)
{
	uint32_t ahead =
		pool->bound - pool->poisoned < AHEAD ? pool->bound - pool->poisoned : AHEAD;

	ASAN_POISON_MEMORY_REGION(pool->block + pool->size * pool->poisoned,
				  pool->size * ahead);
	pool->poisoned += ahead;
}

enum barn_err
pool_new(size_t size, uint32_t bound, struct pool **pool)
{
	struct pool *p;
	void *block;

	if (size == 0 || bound == 0 || bound == NONE || size > SIZE_MAX / 2 / bound)
		return BARN_ERR_ARGUMENT;
	size = rounded(size);
	if (size > SIZE_MAX / 2 / bound)
		return BARN_ERR_ARGUMENT;
	p = malloc(sizeof(*p));
	block = p ? new_block(size * bound) : NULL;
	if (!block) {
		free(p);
		return BARN_ERR_MEMORY;
	}
	*p = (struct pool){ .block = block, .size = size, .bound = bound, .free = NONE };
	poison_ahead(p);
	*pool = p;
	return BARN_OK;
}

void
pool_free(struct pool *pool)
{
	if (!pool)
		return;
	ASAN_UNPOISON_MEMORY_REGION(pool->block, pool->size * pool->poisoned);
	free_block(pool->block, pool->size * pool->bound);
	free(pool);
}

void *
pool_get(struct pool *pool)
{
	void *object;

	if (pool->free != NONE) {
		object = pool_at(pool, pool->free);
		ASAN_UNPOISON_MEMORY_REGION(object, pool->size);
		memcpy(&pool->free, object, sizeof(pool->free));
	} else if (pool->fresh < pool->bound) {
		object = pool_at(pool, pool->fresh++);
		if (pool->fresh == pool->poisoned)
			poison_ahead(pool);
		ASAN_UNPOISON_MEMORY_REGION(object, pool->size);
	} else {
		return NULL;
	}
	pool->used++;
	if (pool->used > pool->peak)
		pool->peak = pool->used;
	return object;
}

void
pool_put(struct pool *pool, void *object)
{
	if (!object)
		return;
	memcpy(object, &pool->free, sizeof(pool->free));
	pool->free = pool_number(pool, object);
	pool->used--;
	ASAN_POISON_MEMORY_REGION(object, pool->size);
}

uint32_t
pool_number(const struct pool *pool, const void *object)
{
	return (uint32_t)((size_t)((const uint8_t *)object - pool->block) / pool->size);
}

void *
pool_at(const struct pool *pool, uint32_t number)
{
	return pool->block + (size_t)number * pool->size;
}

uint32_t
pool_bound(const struct pool *pool)
{
	return pool->bound;
}

uint32_t
pool_used(const struct pool *pool)
{
	return pool->used;
}

uint32_t
pool_peak(const struct pool *pool)
{
	return pool->peak;
}
