/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WORKER_PACKS_H
#define WORKER_PACKS_H

/*
 * The packs that are loaded, in order of loading, each with the modules that came with it. A
 * list and its copy share the packs; all lists of an engine belong to who loads.
 */

#include "pdl/set.h"
#include <barn/pack.h>

struct packs_item {
	unsigned refs;              /* lists that have it */
	struct barn_pack_info info; /* of which `replaced` is not kept */
	struct pdl_set *modules;
};

struct packs {
	struct packs_item **items;
	unsigned count;
};

enum barn_err packs_copy(const struct packs *packs, struct packs *copy);
void packs_fini(struct packs *packs); /* empty then */

/* NULL: there is none of this name. */
struct packs_item *packs_find(const struct packs *packs, const char *name);

/* The pack that this very module came with; NULL: none. */
const struct packs_item *packs_owner(const struct packs *packs,
				     const struct pdl_protocol *module);

/*
 * Puts `in` (NULL: nothing) at the end, which is the list's then, and takes `out` (NULL:
 * nothing) out. On an error nothing was done.
 */
enum barn_err packs_exchange(struct packs *packs, const struct packs_item *out,
			     struct packs_item *in);

void packs_free_item(struct packs_item *item); /* one that no list has; of NULL: nothing */

#endif
