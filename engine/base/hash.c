/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/hash.h"

static uint64_t
little(const uint8_t *p, size_t n)
{
	uint64_t word = 0;

	for (size_t i = 0; i < n; i++)
		word |= (uint64_t)p[i] << (8 * i);
	return word;
}

struct hash_key
hash_key_of(const uint8_t bytes[16])
{
	return (struct hash_key){ .k = { little(bytes, 8), little(bytes + 8, 8) } };
}

uint64_t
hash_bytes(const struct hash_key *key, const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t v[4];
	size_t left = len;

	hash_start(key, v);
	for (; left >= 8; p += 8, left -= 8)
		hash_word(v, little(p, 8));
	hash_word(v, little(p, left) | (uint64_t)len << 56);
	return hash_end(v);
}

static void
word_24(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	hash_round(v);
	hash_round(v);
	v[0] ^= word;
}

uint64_t
hash_bytes_24(const struct hash_key *key, const void *data, size_t len)
{
	const uint8_t *p = data;
	uint64_t v[4];
	size_t left = len;

	hash_start(key, v);
	for (; left >= 8; p += 8, left -= 8)
		word_24(v, little(p, 8));
	word_24(v, little(p, left) | (uint64_t)len << 56);
	v[2] ^= 0xff;
	for (int i = 0; i < 4; i++)
		hash_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}
