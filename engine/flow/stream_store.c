/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/stream_store.h"

#include <stdlib.h>

enum { BYTES_DEFAULT = 64 << 20, WINDOW_DEFAULT = 16 << 10, SEGMENTS_DEFAULT = 64 };
enum { WINDOW_MAX = 1 << 20, SEGMENTS_MAX = 4096, PAYLOAD_MAX = 65535 };
enum { STREAM_STORE_TAKEN = 0x80 };

/* Stands at the beginning of a free block. */
struct hole {
	uint32_t next, prev;
};

/*
 * The largest block has room for all that one stream can hold for a moment: a window, a
 * payload, what waited within a window, and a payload at its edge.
 */
static unsigned
top_for(uint32_t bytes, uint32_t window)
{
	uint64_t most = 2 * ((uint64_t)window + PAYLOAD_MAX);
	unsigned top = 0;

	while (top + 1 < STREAM_STORE_SIZES && ((uint64_t)STREAM_STORE_UNIT << top) < most &&
	       ((uint64_t)STREAM_STORE_UNIT << (top + 1)) <= bytes)
		top++;
	return top;
}

enum barn_err
stream_store_new(const struct stream_store_options *options, struct stream_store **store)
{
	uint32_t bytes = options->bytes ? options->bytes : BYTES_DEFAULT;
	uint32_t window = options->window ? options->window : WINDOW_DEFAULT;
	uint32_t segments = options->segments ? options->segments : SEGMENTS_DEFAULT;
	struct stream_store *s;

	if (window > WINDOW_MAX || segments > SEGMENTS_MAX || bytes < STREAM_STORE_UNIT)
		return BARN_ERR_ARGUMENT;
	s = calloc(1, sizeof(*s));
	if (!s)
		return BARN_ERR_MEMORY;
	s->window = window;
	s->segments = segments;
	s->top = top_for(bytes, window);
	s->units = bytes / STREAM_STORE_UNIT >> s->top << s->top;
	for (int i = 0; i < STREAM_STORE_SIZES; i++)
		s->free[i] = STREAM_STORE_NONE;
	s->area = malloc((size_t)s->units * STREAM_STORE_UNIT);
	s->size = malloc(s->units);
	if (!s->area || !s->size) {
		stream_store_free(s);
		return BARN_ERR_MEMORY;
	}
	*store = s;
	return BARN_OK;
}

void
stream_store_free(struct stream_store *store)
{
	if (!store)
		return;
	free(store->area);
	free(store->size);
	free(store);
}

const struct stream_store_stats *
stream_store_stats(const struct stream_store *store)
{
	return &store->stats;
}

static struct hole *
hole_at(const struct stream_store *store, uint32_t unit)
{
	return (struct hole *)(void *)(store->area + (size_t)unit * STREAM_STORE_UNIT);
}

static void
push_hole(struct stream_store *store, uint32_t unit, unsigned size)
{
	uint32_t next = store->free[size];

	*hole_at(store, unit) = (struct hole){ .next = next, .prev = STREAM_STORE_NONE };
	if (next != STREAM_STORE_NONE)
		hole_at(store, next)->prev = unit;
	store->free[size] = unit;
	store->size[unit] = (uint8_t)size;
}

static void
take_hole(struct stream_store *store, uint32_t unit, unsigned size)
{
	struct hole hole = *hole_at(store, unit);

	if (hole.prev == STREAM_STORE_NONE)
		store->free[size] = hole.next;
	else
		hole_at(store, hole.prev)->next = hole.next;
	if (hole.next != STREAM_STORE_NONE)
		hole_at(store, hole.next)->prev = hole.prev;
}

/* A block of this size that is in no list. */
static uint32_t
find_hole(struct stream_store *store, unsigned size)
{
	unsigned from = size;
	uint32_t unit;

	while (from <= store->top && store->free[from] == STREAM_STORE_NONE)
		from++;
	if (from <= store->top) {
		unit = store->free[from];
		take_hole(store, unit, from);
	} else if (store->fresh < store->units) {
		from = store->top;
		unit = store->fresh;
		store->fresh += 1u << from;
	} else {
		return STREAM_STORE_NONE;
	}
	while (from > size) {
		from--;
		push_hole(store, unit + (1u << from), from);
	}
	return unit;
}

void *
stream_store_get(struct stream_store *store, uint32_t want, uint32_t *capacity)
{
	unsigned size = 0;
	uint32_t unit;

	while (size <= store->top && ((uint32_t)STREAM_STORE_UNIT << size) < want)
		size++;
	unit = size <= store->top ? find_hole(store, size) : STREAM_STORE_NONE;
	if (unit == STREAM_STORE_NONE) {
		store->stats.failed++;
		return NULL;
	}
	store->size[unit] = (uint8_t)(size | STREAM_STORE_TAKEN);
	store->stats.used += (uint32_t)STREAM_STORE_UNIT << size;
	if (store->stats.used > store->stats.peak)
		store->stats.peak = store->stats.used;
	*capacity = (uint32_t)STREAM_STORE_UNIT << size;
	return hole_at(store, unit);
}

void
stream_store_put(struct stream_store *store, void *block)
{
	uint32_t unit;
	unsigned size;

	if (!block)
		return;
	unit = (uint32_t)((size_t)((uint8_t *)block - store->area) / STREAM_STORE_UNIT);
	size = store->size[unit] & ~(unsigned)STREAM_STORE_TAKEN;
	store->stats.used -= (uint32_t)STREAM_STORE_UNIT << size;
	while (size < store->top) {
		uint32_t half = unit ^ 1u << size;

		if (store->size[half] != size)
			break;
		take_hole(store, half, size);
		unit &= ~(1u << size);
		size++;
	}
	push_hole(store, unit, size);
}
