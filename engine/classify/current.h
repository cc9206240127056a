/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_CURRENT_H
#define CLASSIFY_CURRENT_H

/*
 * The registry in force, and those before it that somebody still uses.
 *
 *	the loader    current_publish ──► in force
 *	a worker      current_is: one load, no lock; if it says no: current_take, under a lock
 *	              ... registry_drop, when its last flow of that registry is decided
 *	the loader    current_collect: frees what nobody holds
 *
 * So a registry is freed by the loader, never on a packet's way.
 */

#include "classify/registry.h"

#include <stdatomic.h>

struct current {
	_Atomic(const struct registry *) registry; /* NULL before the first */
	struct current_list *list;
};

enum barn_err current_init(struct current *current);
/* Frees the registries but for those that somebody still holds. */
void current_fini(struct current *current);

/* Takes over the caller's reference. On an error nothing has changed. */
enum barn_err current_publish(struct current *current, struct registry *registry);

/* A reference to the registry in force; NULL before the first. Any thread. */
struct registry *current_take(struct current *current);

/* Frees those that are neither in force nor held; how many are left, the one in force too. */
unsigned current_collect(struct current *current);

/* Whether this one is in force: a guess, which is right soon after a publication. */
static inline bool
current_is(const struct current *current, const struct registry *registry)
{
	return atomic_load_explicit(&current->registry, memory_order_relaxed) == registry;
}

#endif
