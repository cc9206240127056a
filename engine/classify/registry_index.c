/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/registry_impl.h"

#include <stdlib.h>

/*
 * SNMP indexes: a module's own; else the one that is kept for the name; else, for what only
 * nDPI knows, 512 and its number; else the highest that is free, as modules that name their
 * index count from 1 on.
 */

struct indexing {
	struct indexes *kept;
	bool own[INDEXES_MAX + 1];
	enum barn_err err;
};

static bool
is_ndpi(const struct protocol *p)
{
	return !p->module && p->id_engine == REGISTRY_NDPI_ENGINE;
}

/* What the module says stands, and whoever was given that index gets another one. */
static void
take_own(struct indexing *x, const struct protocol *p)
{
	const char *holder;

	if (!p->module || !p->index || p->index > INDEXES_MAX)
		return;
	holder = indexes_holder(x->kept, p->index);
	if (holder)
		indexes_forget(x->kept, holder);
	indexes_forget(x->kept, p->name);
	x->own[p->index] = true;
}

static bool
give(struct indexing *x, struct protocol *p, unsigned index)
{
	if (index > INDEXES_MAX || x->own[index] || indexes_holder(x->kept, (uint16_t)index))
		return false;
	if (!x->err)
		x->err = indexes_set(x->kept, p->name, (uint16_t)index);
	p->index = (uint16_t)index;
	return true;
}

static void
give_any(struct indexing *x, struct registry *r, struct protocol *p)
{
	unsigned index = INDEXES_MAX;

	while (index && !give(x, p, index))
		index--;
	if (!index)
		r->unindexed++;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp((*(struct protocol *const *)a)->name,
		      (*(struct protocol *const *)b)->name);
}

enum barn_err
registry_index(struct registry *r, struct indexes *indexes)
{
	struct protocol **rest = calloc(r->protocol_count, sizeof(struct protocol *));
	struct indexing x = { .kept = indexes };
	unsigned count = 0, left = 0;

	if (!rest)
		return BARN_ERR_MEMORY;
	for (uint16_t i = 1; i < r->protocol_count; i++)
		take_own(&x, &r->protocols[i]);
	for (uint16_t i = 1; i < r->protocol_count; i++) {
		struct protocol *p = &r->protocols[i];

		if (!p->loaded || p->index || !(p->module || is_ndpi(p)))
			continue;
		p->index = indexes_find(indexes, p->name);
		if (!p->index)
			rest[count++] = p;
	}
	for (unsigned i = 0; i < count; i++)
		if (!is_ndpi(rest[i]) ||
		    !give(&x, rest[i], REGISTRY_NDPI_INDEX + rest[i]->id_selector))
			rest[left++] = rest[i];
	qsort(rest, left, sizeof(struct protocol *), by_name);
	for (unsigned i = 0; i < left; i++)
		give_any(&x, r, rest[i]);
	free(rest);
	return x.err;
}
