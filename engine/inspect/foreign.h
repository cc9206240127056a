/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_FOREIGN_H
#define INSPECT_FOREIGN_H

/*
 * Inspectors that barn was not built with, and those that it was: the inspectors of one
 * generation of modules. A set is built by one thread; from then on it is immutable and shared.
 * A copy shares the modules, and a module is given back when the last set that has it is freed.
 */

#include "inspect/inspector.h"

#include <stdatomic.h>

struct foreign; /* the set; NULL: barn's own inspectors and no others */

/* Who opened the module; `release` is called once, by who frees the last set. */
struct foreign_owner {
	void (*release)(void *self); /* NULL: nobody asks */
	void *self;
};

/* Of NULL: an empty one. */
enum barn_err foreign_copy(const struct foreign *set, struct foreign **copy);
void foreign_free(struct foreign *set); /* of NULL: nothing */

/*
 * Adds a module's inspectors, in place of foreign ones of their names; not yet its owner, who
 * is not called before foreign_own. BARN_ERR_FORMAT: it breaks the contract, `why` tells how.
 */
enum barn_err foreign_add(struct foreign *set, const struct barn_inspector_module *module,
			  char *why, size_t why_size);
/* Of the module that was added last. */
void foreign_own(struct foreign *set, struct foreign_owner owner);
void foreign_undo(struct foreign *set);

/* By name; NULL if there is none. */
const struct inspector *foreign_find(const struct foreign *set, const char *name);

/* Lets go of modules none of whose inspectors is used. */
void foreign_keep(struct foreign *set, bool (*used)(void *self, const char *inspector),
		  void *self);

#endif
