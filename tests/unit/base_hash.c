/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/hash.h"
#include "unit.h"

/* The key of the paper's appendix A: bytes 0 to 15. */
static struct hash_key
paper_key(void)
{
	uint8_t bytes[16];

	for (uint8_t i = 0; i < 16; i++)
		bytes[i] = i;
	return hash_key_of(bytes);
}

TEST(key_is_read_in_little_endian)
{
	struct hash_key key = paper_key();

	CHECK_EQ(key.k[0], 0x0706050403020100);
	CHECK_EQ(key.k[1], 0x0f0e0d0c0b0a0908);
}

TEST(siphash_2_4_gives_the_papers_value)
{
	const struct hash_key key = paper_key();
	uint8_t message[15];

	for (size_t i = 0; i < sizeof(message); i++)
		message[i] = (uint8_t)i;
	CHECK_EQ(hash_bytes_24(&key, message, sizeof(message)), 0xa129ca6149be45e5);
}

/* The paper has no value for 1-3; these are CPython 3.11's hash() with PYTHONHASHSEED=0. */
TEST(siphash_1_3_agrees_with_another_implementation)
{
	const struct hash_key zero = { { 0, 0 } };

	CHECK_EQ(hash_bytes(&zero, "a", 1), 0x407448d2b89b1813);
	CHECK_EQ(hash_bytes(&zero, "hello", 5), 0xe2e77b41cb4e1f9e);
	CHECK_EQ(hash_bytes(&zero, "0123456789abcdef0", 17), 0xf738bb4f30801228);
}

TEST(words_hash_as_their_little_endian_bytes)
{
	const struct hash_key key = paper_key();
	uint8_t bytes[48];
	uint64_t words[6] = { 0 };

	for (size_t i = 0; i < sizeof(bytes); i++) {
		bytes[i] = (uint8_t)(i * 37 + 11);
		words[i / 8] |= (uint64_t)bytes[i] << (i % 8 * 8);
	}
	for (size_t n = 0; n <= 6; n++)
		CHECK_EQ(hash_words(&key, words, n), hash_bytes(&key, bytes, n * 8));
}

TEST(every_byte_of_data_and_key_counts)
{
	const struct hash_key key = paper_key();
	uint8_t data[40] = { 0 };
	uint64_t whole = hash_bytes(&key, data, sizeof(data));

	for (size_t i = 0; i < sizeof(data); i++) {
		data[i] ^= 1;
		CHECK(hash_bytes(&key, data, sizeof(data)) != whole);
		data[i] ^= 1;
		CHECK(hash_bytes(&key, data, i) != whole);
	}
	for (int i = 0; i < 128; i++) {
		struct hash_key other = key;

		other.k[i / 64] ^= (uint64_t)1 << (i % 64);
		CHECK(hash_bytes(&other, data, sizeof(data)) != whole);
	}
}

TEST(mix_changes_about_half_the_bits)
{
	for (int i = 0; i < 64; i++) {
		uint64_t diff = hash_mix(12345) ^ hash_mix(12345 ^ (uint64_t)1 << i);
		int bits = __builtin_popcountll(diff);

		CHECK(bits > 12 && bits < 52);
	}
}
