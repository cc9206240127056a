/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Numbers by seed, the same on every machine (splitmix64). */
#ifndef BARN_BENCH_EMIX_RNG_H
#define BARN_BENCH_EMIX_RNG_H

#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline uint64_t
rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* Below n, which is at least 1 and small against 2^64. */
static inline uint64_t
rng_below(struct rng *r, uint64_t n)
{
	return rng_next(r) % n;
}

/* A generator of its own for each (seed, stream). */
static inline struct rng
rng_stream(uint64_t seed, uint64_t stream)
{
	struct rng r = { seed };

	r.state = rng_next(&r) ^ stream * 0xd1342543de82ef95;
	r.state = rng_next(&r);
	return r;
}

#endif
