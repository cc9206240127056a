/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/inside.h"
#include "flow/key.h"

/*
 * The two buckets of a hash, and the tag, come from bits of it that do not overlap (but one, in
 * the largest table). Bit 0 is left to struct ahead.
 */
static struct bucket *
first_of(const struct table *table, uint64_t hash)
{
	return &table->buckets[hash >> 1 & table->mask];
}

static struct bucket *
second_of(const struct table *table, uint64_t hash)
{
	uint64_t n = hash >> 25 & table->mask;

	return &table->buckets[n == (hash >> 1 & table->mask) ? n ^ 1 : n];
}

static uint16_t
tag_of(uint64_t hash)
{
	uint16_t tag = (uint16_t)(hash >> 48);

	return tag ? tag : 1;
}

static uint32_t
find_in(const struct table *table, const struct bucket *bucket, const struct flow_key *key,
	uint16_t tag)
{
	unsigned places = bucket_match(bucket, tag);

	for (; places; places &= places - 1) {
		uint32_t n = bucket->index[bucket_first(places)];

		if (key_equal(&table->flows[n].key, key))
			return n;
	}
	return INSIDE_NONE;
}

uint32_t
place_find(const struct table *table, const struct flow_key *key, uint64_t hash)
{
	const struct bucket *first = first_of(table, hash);
	uint32_t n = find_in(table, first, key, tag_of(hash));

	if (n == INSIDE_NONE && first->away)
		n = find_in(table, second_of(table, hash), key, tag_of(hash));
	return n;
}

static unsigned
all_in(const struct table *table, const struct bucket *bucket, const struct flow_key *key,
       uint16_t tag, uint32_t *found)
{
	unsigned places = bucket_match(bucket, tag), count = 0;

	for (; places; places &= places - 1) {
		uint32_t n = bucket->index[bucket_first(places)];

		if (key_equal(&table->flows[n].key, key))
			found[count++] = n;
	}
	return count;
}

unsigned
place_all(const struct table *table, const struct flow_key *key, uint64_t hash,
	  uint32_t found[2 * BUCKET_PLACES])
{
	const struct bucket *first = first_of(table, hash);
	unsigned count = all_in(table, first, key, tag_of(hash), found);

	if (first->away)
		count +=
			all_in(table, second_of(table, hash), key, tag_of(hash), found + count);
	return count;
}

void
place_prefetch(const struct table *table, uint64_t hash)
{
	__builtin_prefetch(first_of(table, hash));
}

uint32_t
place_guess(const struct table *table, uint64_t hash)
{
	const struct bucket *bucket = first_of(table, hash);
	unsigned places = bucket_match(bucket, tag_of(hash));

	if (!places && bucket->away) {
		bucket = second_of(table, hash);
		places = bucket_match(bucket, tag_of(hash));
	}
	return places ? bucket->index[bucket_first(places)] : 0;
}

/*
 * The first bucket while it is at most half full, so that most flows are found in one look;
 * then the emptier of the two.
 */
bool
place_put(struct table *table, uint64_t hash, uint32_t n, uint64_t serial, uint32_t *victim)
{
	struct bucket *bucket = first_of(table, hash), *second = second_of(table, hash);
	unsigned left = bucket_match(bucket, 0), other = bucket_match(second, 0), place;

	if (!left && !other) {
		*victim = evict_of(table, bucket, second, serial);
		return false;
	}
	if (bucket_count(left) < BUCKET_PLACES / 2 &&
	    bucket_count(other) > bucket_count(left)) {
		bucket->away++;
		bucket = second;
		left = other;
	}
	place = bucket_first(left);
	bucket->tag[place] = tag_of(hash);
	bucket->index[place] = n;
	return true;
}

void
place_remove(struct table *table, uint32_t n)
{
	uint64_t hash = key_hash(&table->flows[n].key, &table->seed);
	struct bucket *first = first_of(table, hash), *second = second_of(table, hash);

	for (unsigned i = 0; i < BUCKET_PLACES; i++) {
		if (first->tag[i] && first->index[i] == n) {
			first->tag[i] = 0;
			return;
		}
		if (second->tag[i] && second->index[i] == n) {
			second->tag[i] = 0;
			first->away--;
			return;
		}
	}
}
