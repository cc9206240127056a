/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WORKER_ENGINE_H
#define WORKER_ENGINE_H

/*
 * The inside of <barn/barn.h>'s engine, for barn's own programs, which drive workers
 * themselves: one reader decodes and deals the packets out to several workers.
 */

#include "inspect/ndpi.h"
#include "pdl/pdl.h"
#include "wire/wire.h"
#include "worker/worker.h"

#include <pthread.h>

/*
 * What a load prepares stands in `staged` and is seen by nobody; a commit makes a registry of
 * it and publishes that. `registry` and `modules` are those in force, for threads that know
 * that nobody commits meanwhile.
 */
struct barn_engine {
	pthread_mutex_t loading;   /* of all that follows but seed, shared, current */
	struct pdl_set *staged;    /* NULL: nothing */
	struct registry *registry; /* NULL before the first commit */
	const struct pdl_set *modules;
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
};

/* load.c: what is staged was tested when it was made: the modules that barn comes with. */
void engine_trust(struct barn_engine *engine);

/* load.c: what the next commit takes, for a program's one thread; NULL: no memory. */
const struct pdl_set *engine_staged(struct barn_engine *engine);

#endif
