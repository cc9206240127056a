/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BASE_POOL_H
#define BASE_POOL_H

/*
 * Objects of one size out of one block of memory. The bound is stated when the
 * pool is made; after that nothing is allocated, and get and put take constant
 * time. The kernel backs the block page by page as objects are first used, and
 * the object that was put last is the next one got, warm in the cache.
 *
 * The pool owns its objects; freeing the pool frees them all. One thread.
 * Under AddressSanitizer an object that is not in use is poisoned.
 */

#include <barn/err.h>
#include <stddef.h>
#include <stdint.h>

struct pool;

/*
 * A pool of `bound` (at least 1) objects of `size` bytes (at least 1), aligned
 * as malloc aligns, and to cache lines of 64 bytes where size is a multiple of 64.
 */
enum barn_err pool_new(size_t size, uint32_t bound, struct pool **pool);

/* Of NULL: nothing. */
void pool_free(struct pool *pool);

/* An object with undefined contents, or NULL at the bound. */
void *pool_get(struct pool *pool);

/* Of NULL: nothing. The object must be of this pool, and in use. */
void pool_put(struct pool *pool, void *object);

/* Objects have numbers from 0 to bound - 1, for references of 32 bits. */
uint32_t pool_number(const struct pool *pool, const void *object);
void *pool_at(const struct pool *pool, uint32_t number);

uint32_t pool_bound(const struct pool *pool);
uint32_t pool_used(const struct pool *pool);
uint32_t pool_peak(const struct pool *pool); /* most in use at once */

#endif
