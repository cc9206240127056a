/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "worker/packs.h"

#include <stdlib.h>
#include <string.h>

void
packs_free_item(struct packs_item *item)
{
	if (!item)
		return;
	pdl_set_free(item->modules);
	free(item);
}

static void
drop(struct packs_item *item)
{
	if (--item->refs == 0)
		packs_free_item(item);
}

enum barn_err
packs_copy(const struct packs *packs, struct packs *copy)
{
	struct packs_item **items = calloc(packs->count + 1u, sizeof(*items));

	if (!items)
		return BARN_ERR_MEMORY;
	packs_fini(copy);
	for (unsigned i = 0; i < packs->count; i++) {
		items[i] = packs->items[i];
		items[i]->refs++;
	}
	*copy = (struct packs){ .items = items, .count = packs->count };
	return BARN_OK;
}

void
packs_fini(struct packs *packs)
{
	for (unsigned i = 0; i < packs->count; i++)
		drop(packs->items[i]);
	free(packs->items);
	*packs = (struct packs){ .count = 0 };
}

struct packs_item *
packs_find(const struct packs *packs, const char *name)
{
	for (unsigned i = 0; i < packs->count; i++)
		if (strcmp(packs->items[i]->info.name, name) == 0)
			return packs->items[i];
	return NULL;
}

const struct packs_item *
packs_owner(const struct packs *packs, const struct pdl_protocol *module)
{
	for (unsigned i = 0; i < packs->count; i++)
		if (pdl_set_has(packs->items[i]->modules, module))
			return packs->items[i];
	return NULL;
}

enum barn_err
packs_exchange(struct packs *packs, const struct packs_item *out, struct packs_item *in)
{
	struct packs_item **items = calloc(packs->count + 1u, sizeof(*items));
	unsigned n = 0;

	if (!items)
		return BARN_ERR_MEMORY;
	for (unsigned i = 0; i < packs->count; i++) {
		if (packs->items[i] == out)
			drop(packs->items[i]);
		else
			items[n++] = packs->items[i];
	}
	if (in) {
		in->refs++;
		items[n++] = in;
	}
	free(packs->items);
	*packs = (struct packs){ .items = items, .count = n };
	return BARN_OK;
}
