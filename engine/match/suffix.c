/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/suffix.h"

#include <stdlib.h>

enum { NAME_MAX_LEN = 253, LABEL_MAX_LEN = 63, LABELS_MAX = 128 };

/* One name: what stands for itself, and what stands for it and all below it. 0: nothing. */
struct entry {
	char *name;
	uint32_t hash;
	uint16_t exact, below;
};

/* Open addressing, at most half full. */
struct suffix_table {
	struct entry *entries;
	uint32_t count, room; /* room: a power of two */
};

enum barn_err
suffix_new(struct suffix_table **table)
{
	struct suffix_table *t = calloc(1, sizeof(*t));

	if (!t)
		return BARN_ERR_MEMORY;
	t->room = 64;
	t->entries = calloc(t->room, sizeof(*t->entries));
	if (!t->entries) {
		free(t);
		return BARN_ERR_MEMORY;
	}
	*table = t;
	return BARN_OK;
}

void
suffix_free(struct suffix_table *table)
{
	if (!table)
		return;
	for (uint32_t i = 0; i < table->room; i++)
		free(table->entries[i].name);
	free(table->entries);
	free(table);
}

/*
 * FNV-1a from the last character to the first, so that one walk over a name gives the hashes of
 * all its suffixes. The table holds our own names, not strangers': a look-up that collides only
 * compares, so it needs no key.
 */
static uint32_t
hash_step(uint32_t hash, char c)
{
	return (hash ^ (uint8_t)c) * 16777619U;
}

enum { HASH_START = 0x1c9dc5 };

static struct entry *
find(const struct suffix_table *table, const char *name, size_t len, uint32_t hash)
{
	uint32_t i = hash & (table->room - 1);

	for (; table->entries[i].name; i = (i + 1) & (table->room - 1)) {
		struct entry *entry = &table->entries[i];

		if (entry->hash == hash && strlen(entry->name) == len &&
		    memcmp(entry->name, name, len) == 0)
			break;
	}
	return &table->entries[i];
}

static bool
grow(struct suffix_table *table)
{
	struct suffix_table larger = { .count = table->count, .room = table->room * 2 };

	if (table->count * 2 < table->room)
		return true;
	larger.entries = calloc(larger.room, sizeof(*larger.entries));
	if (!larger.entries)
		return false;
	for (uint32_t i = 0; i < table->room; i++) {
		struct entry *entry = &table->entries[i];

		if (entry->name)
			*find(&larger, entry->name, strlen(entry->name), entry->hash) = *entry;
	}
	free(table->entries);
	*table = larger;
	return true;
}

/* Lower case, without a final dot, into `out`; its length, or 0 if it is no name. */
static size_t
fold(struct bytes name, char out[NAME_MAX_LEN + 1])
{
	size_t len = 0, label = 0;

	while (bytes_left(&name) > 0) {
		uint8_t c = bytes_u8(&name);

		if (c == '.' && bytes_left(&name) == 0)
			break;
		if (len == NAME_MAX_LEN || c <= ' ' || c == 0x7f || (c == '.' && label == 0))
			return 0;
		label = c == '.' ? 0 : label + 1;
		if (label > LABEL_MAX_LEN)
			return 0;
		out[len++] = (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
	}
	return label > 0 ? len : 0;
}

static bool
is_name(const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		bool plain = (name[i] >= 'a' && name[i] <= 'z') ||
			     (name[i] >= '0' && name[i] <= '9') || name[i] == '-' ||
			     name[i] == '_' || name[i] == '.';

		if (!plain)
			return false;
	}
	return len > 0;
}

bool
suffix_is_pattern(const char *pattern)
{
	char name[NAME_MAX_LEN + 1] = "";
	size_t len;

	if (pattern[0] == '*' && pattern[1] == '.')
		pattern += 2;
	len = fold(bytes_of(pattern, strlen(pattern)), name);
	return is_name(name, len);
}

static uint32_t
hash_name(const char *name, size_t len)
{
	uint32_t hash = HASH_START;

	while (len > 0)
		hash = hash_step(hash, name[--len]);
	return hash;
}

enum barn_err
suffix_add(struct suffix_table *table, const char *pattern, uint16_t number)
{
	bool below = pattern[0] == '*' && pattern[1] == '.';
	char name[NAME_MAX_LEN + 1];
	struct entry *entry;
	uint16_t *place;
	uint32_t hash;
	size_t len;

	if (number == 0 || !suffix_is_pattern(pattern))
		return BARN_ERR_ARGUMENT;
	if (below)
		pattern += 2;
	len = fold(bytes_of(pattern, strlen(pattern)), name);
	name[len] = '\0';
	hash = hash_name(name, len);
	if (!grow(table))
		return BARN_ERR_MEMORY;
	entry = find(table, name, len, hash);
	if (!entry->name) {
		entry->name = strdup(name);
		if (!entry->name)
			return BARN_ERR_MEMORY;
		entry->hash = hash;
		table->count++;
	}
	place = below ? &entry->below : &entry->exact;
	if (*place != 0 && *place != number)
		return BARN_ERR_EXISTS;
	*place = number;
	return BARN_OK;
}

uint16_t
suffix_find(const struct suffix_table *table, struct bytes name)
{
	struct {
		uint32_t hash;
		uint16_t at;
	} suffix[LABELS_MAX];
	char text[NAME_MAX_LEN + 1];
	size_t len = fold(name, text);
	uint32_t hash = HASH_START, count = 0;

	if (len == 0)
		return 0;
	for (size_t i = len; i-- > 0 && count < LABELS_MAX;) {
		hash = hash_step(hash, text[i]);
		if (i == 0 || text[i - 1] == '.') {
			suffix[count].hash = hash;
			suffix[count++].at = (uint16_t)i;
		}
	}
	for (uint32_t i = count; i-- > 0;) {
		const struct entry *entry =
			find(table, text + suffix[i].at, len - suffix[i].at, suffix[i].hash);

		if (suffix[i].at == 0 && entry->exact != 0)
			return entry->exact;
		if (entry->below != 0)
			return entry->below;
	}
	return 0;
}
