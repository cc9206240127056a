/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WORKER_ENGINE_H
#define WORKER_ENGINE_H

/*
 * The inside of <barn/barn.h>'s engine, for barn's own programs, which drive workers
 * themselves: one reader decodes and deals the packets out to several workers.
 */

#include "inspect/foreign.h"
#include "inspect/ndpi.h"
#include "pdl/pdl.h"
#include "wire/wire.h"
#include "worker/packs.h"
#include "worker/worker.h"

#include <pthread.h>

/*
 * What a load prepares stands in `staged` and is seen by nobody; a commit makes a registry of
 * it and publishes that. `registry` and `modules` are those in force, for threads that know
 * that nobody commits meanwhile.
 */
struct barn_engine {
	pthread_mutex_t loading;        /* of all that follows but seed, shared, current */
	struct pdl_set *staged;         /* NULL: nothing */
	struct foreign *staged_foreign; /* with it: inspectors that its modules may bind */
	struct registry *registry;      /* NULL before the first commit */
	const struct pdl_set *modules;
	const struct foreign *foreign;
	struct packs packs, staged_packs; /* those in force; what a commit takes */
	struct catalog *catalog;
	struct indexes *indexes;
	struct ndpi_bridge *names; /* whose list of names registries are made with */
	bool ndpi;
	struct pdl_set *trusted; /* modules whose tests need not be run; NULL: none */
	bool untested;           /* no tests are run: the program does that itself */
	struct current current;
	struct shared *shared;
	uint64_t seed[2];
	bool no_hyperscan;
	uint32_t opaque; /* encapsulations: wire_options */
};

/*
 * load.c: what is staged was tested when it was made, so that a commit does not run its tests:
 * the modules that barn comes with, and nothing else. A program's start is not the place to
 * test the program. What is staged later, even the same text, is tested.
 */
void engine_trust(struct barn_engine *engine);

/* load.c: opens what is staged: at first a copy of what is in force. */
enum barn_err engine_stage(struct barn_engine *engine);

/* load_inspectors.c: whether a module may bind it, and whether it then has this field. */
bool engine_knows(void *engine, const char *inspector, const char *field);
/* load_inspectors.c: what is staged has the inspectors that its modules bind, and no more. */
enum barn_err engine_bind(struct barn_engine *engine, struct barn_faults *faults);

/* load.c: what the next commit takes, for a program's one thread; NULL: no memory. */
const struct pdl_set *engine_staged(struct barn_engine *engine);

#endif
