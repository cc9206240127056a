/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_FOREIGN_CHECK_H
#define INSPECT_FOREIGN_CHECK_H

/*
 * Holds a module of others against the contract, and makes copies of its structs that have all
 * members that this barn knows. False: it is broken, and why.
 */

#include "inspect/inspector.h"

/* The struct as the contract's first release had it, up to feed; it may be no smaller. */
enum {
	FOREIGN_LEAST =
		offsetof(struct inspector, feed) + sizeof(((const struct inspector *)0)->feed)
};

struct foreign_why {
	char *text;
	size_t size;
};

bool foreign_check_module(const struct barn_inspector_module *given,
			  struct barn_inspector_module *module, struct foreign_why *why);
bool foreign_check_inspector(const struct inspector *given, struct inspector *inspector,
			     struct foreign_why *why);

#endif
