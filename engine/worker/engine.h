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

struct barn_engine {
	struct pdl_set *modules;
	struct registry *registry; /* NULL until barn_engine_ready */
	struct ndpi_bridge *names; /* whose list of names the registry holds; NULL: no nDPI */
	struct shared *shared;
	uint64_t seed[2];
	bool ndpi;
	bool no_hyperscan;
};

#endif
