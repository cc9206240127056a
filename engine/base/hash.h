/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BASE_HASH_H
#define BASE_HASH_H

/*
 * A keyed hash of 64 bits: SipHash-c-d (Aumasson and Bernstein, "SipHash: a fast
 * short-input PRF", 2012). barn's tables are indexed by what strangers send, so
 * their hash must not be guessable: the key is random and chosen by the caller,
 * once for each table. SipHash-1-3 is what Linux, Rust and Python use for hash
 * tables; -2-4 is the paper's, for whoever wants its margin.
 *
 * The result is the same on machines of either byte order. No state, no memory.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct hash_key {
	uint64_t k[2];
};

/* The key whose little-endian bytes are these; 16 random bytes are a good key. */
struct hash_key hash_key_of(const uint8_t bytes[16]);

/* SipHash-1-3 of len bytes. */
uint64_t hash_bytes(const struct hash_key *key, const void *data, size_t len);

/* SipHash-2-4 of len bytes. */
uint64_t hash_bytes_24(const struct hash_key *key, const void *data, size_t len);

static inline uint64_t
hash_rotate(uint64_t x, unsigned int n)
{
	return x << n | x >> (64 - n);
}

/* One SipRound (section 2.2). */
static inline void
hash_round(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = hash_rotate(v[1], 13) ^ v[0];
	v[3] = hash_rotate(v[3], 16) ^ v[2];
	v[0] = hash_rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = hash_rotate(v[1], 17) ^ v[2];
	v[3] = hash_rotate(v[3], 21) ^ v[0];
	v[2] = hash_rotate(v[2], 32);
}

static inline void
hash_start(const struct hash_key *key, uint64_t v[4])
{
	v[0] = key->k[0] ^ 0x736f6d6570736575;
	v[1] = key->k[1] ^ 0x646f72616e646f6d;
	v[2] = key->k[0] ^ 0x6c7967656e657261;
	v[3] = key->k[1] ^ 0x7465646279746573;
}

static inline void
hash_word(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	hash_round(v);
	v[0] ^= word;
}

static inline uint64_t
hash_end(uint64_t v[4])
{
	v[2] ^= 0xff;
	hash_round(v);
	hash_round(v);
	hash_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

/*
 * SipHash-1-3 of n words, for keys on the packet path: equal to hash_bytes over
 * the words' little-endian bytes. With n a constant the loop unrolls.
 */
static inline uint64_t
hash_words(const struct hash_key *key, const uint64_t *words, size_t n)
{
	uint64_t v[4];

	hash_start(key, v);
	for (size_t i = 0; i < n; i++)
		hash_word(v, words[i]);
	hash_word(v, (uint64_t)(n * 8) << 56);
	return hash_end(v);
}

/*
 * A fixed mix of 64 bits, for joining numbers that are hashed with a key later:
 * every bit of the result depends on every bit of x, and none are lost. The
 * finaliser of Steele's SplitMix64. Not keyed: never index a table with it.
 */
static inline uint64_t
hash_mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

#endif
