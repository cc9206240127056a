/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/notes.h"

#include "base/pool.h"

#include <stdlib.h>

/*
 * A flow's notes are one block, so that a value is one piece; the block moves to the next size
 * when it is full. The memory is shared out among the sizes in equal parts.
 */
static const uint32_t sizes[] = { 256, 1024, 4096, NOTES_BYTES + 16 };
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]), STORE_BYTES = 64 << 20 };

struct notes {
	uint32_t used; /* of data */
	uint32_t last; /* where the last note begins */
	uint8_t size;  /* index into sizes */
	uint8_t data[];
};

struct note {
	uint16_t field, len;
};

struct notes_store {
	struct pool *pools[SIZES];
	uint64_t refused; /* for want of memory, not by the bound of one flow */
};

enum barn_err
notes_store_new(uint32_t bytes, struct notes_store **store)
{
	struct notes_store *s = calloc(1, sizeof(*s));
	enum barn_err err = s ? BARN_OK : BARN_ERR_MEMORY;

	if (!bytes)
		bytes = STORE_BYTES;
	for (unsigned i = 0; i < SIZES && !err; i++) {
		uint32_t bound = bytes / SIZES / sizes[i];

		err = pool_new(sizes[i], bound ? bound : 1, &s->pools[i]);
	}
	if (err) {
		notes_store_free(s);
		return err;
	}
	*store = s;
	return BARN_OK;
}

void
notes_store_free(struct notes_store *store)
{
	if (!store)
		return;
	for (unsigned i = 0; i < SIZES; i++)
		pool_free(store->pools[i]);
	free(store);
}

uint64_t
notes_store_refused(const struct notes_store *store)
{
	return store->refused;
}

static uint32_t
room(const struct notes *notes)
{
	return sizes[notes->size] - (uint32_t)sizeof(*notes) - notes->used;
}

/* A block with at least `need` bytes of room, holding what *notes held; false if there is none.
 */
static bool
grow(struct notes **notes, struct notes_store *store, uint32_t need)
{
	struct notes *old = *notes;

	if (old && room(old) >= need)
		return true;
	need += (old ? old->used : 0) + (uint32_t)sizeof(*old);
	for (unsigned i = old ? old->size + 1u : 0; i < SIZES; i++) {
		struct notes *fresh = need <= sizes[i] ? pool_get(store->pools[i]) : NULL;

		if (!fresh)
			continue;
		fresh->used = old ? old->used : 0;
		fresh->last = old ? old->last : 0;
		fresh->size = (uint8_t)i;
		if (old)
			memcpy(fresh->data, old->data, old->used);
		notes_free(notes, store);
		*notes = fresh;
		return true;
	}
	return false;
}

static bool
repeats(const struct notes *notes, uint16_t field, struct bytes value)
{
	uint32_t at = notes ? notes->last : 0;
	uint16_t last_field;
	struct bytes last;

	return notes && notes->used && notes_next(notes, &at, &last_field, &last) &&
	       last_field == field && bytes_left(&last) == bytes_left(&value) &&
	       memcmp(last.p, value.p, bytes_left(&value)) == 0;
}

/* What a block must have to hold them and one more value. */
static uint32_t
bound_of(const struct notes *notes, uint16_t len)
{
	return (notes ? notes->used : 0) + (uint32_t)(sizeof(*notes) + sizeof(struct note)) +
	       len;
}

void
notes_add(struct notes **notes, struct notes_store *store, uint16_t field, struct bytes value)
{
	struct note note = { .field = field };
	struct notes *n;

	if (bytes_left(&value) > NOTE_MAX)
		value.end = value.p + NOTE_MAX;
	if (repeats(*notes, field, value))
		return;
	note.len = (uint16_t)bytes_left(&value);
	if (!grow(notes, store, (uint32_t)sizeof(note) + note.len)) {
		store->refused += bound_of(*notes, note.len) <= sizes[SIZES - 1];
		return;
	}
	n = *notes;
	n->last = n->used;
	memcpy(n->data + n->used, &note, sizeof(note));
	if (note.len)
		memcpy(n->data + n->used + sizeof(note), value.p, note.len);
	n->used += (uint32_t)sizeof(note) + note.len;
}

void
notes_free(struct notes **notes, struct notes_store *store)
{
	if (!*notes)
		return;
	pool_put(store->pools[(*notes)->size], *notes);
	*notes = NULL;
}

bool
notes_next(const struct notes *notes, uint32_t *at, uint16_t *field, struct bytes *value)
{
	struct note note;

	if (!notes || *at >= notes->used)
		return false;
	memcpy(&note, notes->data + *at, sizeof(note));
	*field = note.field;
	*value = bytes_of(notes->data + *at + sizeof(note), note.len);
	*at += (uint32_t)sizeof(note) + note.len;
	return true;
}
