/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/catalog.h"

#include "base/hash.h"

#include <stdatomic.h>
#include <stdlib.h>

/* Names stand in chunks, which stay where they are: readers need no lock. */
enum { CHUNK = 256, CHUNKS = 256, BUCKETS = 4096, NONE = 0xffff };

struct chunk {
	char *names[CHUNK];
	uint16_t next[CHUNK]; /* in the bucket, the loading thread's */
};

struct names {
	struct chunk *chunks[CHUNKS];
	_Atomic uint32_t committed;
	uint32_t count;
	uint16_t buckets[BUCKETS]; /* the newest of each */
};

struct catalog {
	struct names kinds[CATALOG_KINDS];
};

/* Modules come from the machine's owner, not from strangers: the key need not be secret. */
static unsigned
bucket_of(const char *name)
{
	static const struct hash_key key = { { 0, 0 } };

	return (unsigned)(hash_bytes(&key, name, strlen(name)) % BUCKETS);
}

static char *
name_at(const struct names *names, uint32_t number)
{
	return names->chunks[number / CHUNK]->names[number % CHUNK];
}

static enum barn_err
append(struct names *names, const char *name, unsigned bucket)
{
	uint32_t n = names->count;
	struct chunk *chunk;
	char *copy;

	if (n == CATALOG_BOUND)
		return BARN_ERR_EXISTS;
	chunk = names->chunks[n / CHUNK];
	if (!chunk)
		chunk = names->chunks[n / CHUNK] = calloc(1, sizeof(*chunk));
	copy = chunk ? strdup(name) : NULL;
	if (!copy)
		return BARN_ERR_MEMORY;
	chunk->names[n % CHUNK] = copy;
	chunk->next[n % CHUNK] = names->buckets[bucket];
	names->buckets[bucket] = (uint16_t)n;
	names->count++;
	return BARN_OK;
}

enum barn_err
catalog_intern(struct catalog *catalog, enum catalog_kind kind, const char *name,
	       uint16_t *number)
{
	struct names *names = &catalog->kinds[kind];
	unsigned bucket = bucket_of(name);
	uint16_t n = names->buckets[bucket];
	enum barn_err err;

	while (n != NONE && strcmp(name_at(names, n), name) != 0)
		n = names->chunks[n / CHUNK]->next[n % CHUNK];
	*number = n;
	if (n != NONE)
		return BARN_OK;
	err = append(names, name, bucket);
	if (!err)
		*number = (uint16_t)(names->count - 1);
	return err;
}

void
catalog_commit(struct catalog *catalog)
{
	for (unsigned k = 0; k < CATALOG_KINDS; k++)
		atomic_store_explicit(&catalog->kinds[k].committed, catalog->kinds[k].count,
				      memory_order_release);
}

/* Newest first, so that each is the head of its bucket. */
static void
rewind_names(struct names *names, uint32_t count)
{
	while (names->count > count) {
		uint32_t n = --names->count;
		char *name = name_at(names, n);

		names->buckets[bucket_of(name)] = names->chunks[n / CHUNK]->next[n % CHUNK];
		free(name);
	}
}

void
catalog_rewind(struct catalog *catalog)
{
	for (unsigned k = 0; k < CATALOG_KINDS; k++)
		rewind_names(&catalog->kinds[k],
			     atomic_load_explicit(&catalog->kinds[k].committed,
						  memory_order_relaxed));
}

uint16_t
catalog_count(const struct catalog *catalog, enum catalog_kind kind)
{
	return (uint16_t)catalog->kinds[kind].count;
}

const char *
catalog_name(const struct catalog *catalog, enum catalog_kind kind, uint16_t number)
{
	const struct names *names = &catalog->kinds[kind];

	if (number >= atomic_load_explicit(&names->committed, memory_order_acquire))
		return "";
	return name_at(names, number);
}

enum barn_err
catalog_new(struct catalog **catalog)
{
	struct catalog *c = calloc(1, sizeof(*c));
	uint16_t number;
	enum barn_err err;

	if (!c)
		return BARN_ERR_MEMORY;
	for (unsigned k = 0; k < CATALOG_KINDS; k++)
		memset(c->kinds[k].buckets, 0xff, sizeof(c->kinds[k].buckets));
	err = catalog_intern(c, CATALOG_PROTOCOLS, "unknown", &number);
	if (!err)
		err = catalog_intern(c, CATALOG_RULES, "", &number);
	if (err) {
		catalog_free(c);
		return err;
	}
	catalog_commit(c);
	*catalog = c;
	return BARN_OK;
}

void
catalog_free(struct catalog *catalog)
{
	if (!catalog)
		return;
	for (unsigned k = 0; k < CATALOG_KINDS; k++) {
		rewind_names(&catalog->kinds[k], 0);
		for (unsigned i = 0; i < CHUNKS; i++)
			free(catalog->kinds[k].chunks[i]);
	}
	free(catalog);
}
