/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_PARENT_H
#define DAEMON_PARENT_H

/*
 * The outer process, root's: it reads files, opens what needs root, and starts the inner
 * process, which looks at packets and has no rights; it starts another when that ends or
 *sticks.
 *
 *	parent: files, sockets, watch ──fork──► inner: serves, publishes, decides (child.h)
 *		│	▲			      │
 *		└───────┴── link.h, pulse.h ◄─────────┘
 *
 * All that takes time is done before the fork, so a new inner process looks at packets within
 * milliseconds: modules are compiled in the parent, and the child has them as they are.
 */

#include <stdbool.h>

struct parent_options {
	const char *conf;       /* the configuration's path */
	const char *folder;     /* of modules; NULL: search */
	const char *index_file; /* NULL: none */
	bool foreground;
	/* Is closed when packets are looked at, after a byte was written; until then all that
	 * is wrong is said on standard error. -1: nobody waits. */
	int ready;
};

/* Until it is told to end; the exit status. */
int parent_run(const struct parent_options *options);

#endif
