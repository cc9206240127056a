/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WORKER_VECTOR_H
#define WORKER_VECTOR_H

/*
 * Runs modules' own test vectors through a worker without nDPI. One thread; the registry need
 * not be in force, and stays the caller's, who keeps it until vector_free.
 */

#include "worker/worker.h"

struct vector;

enum barn_err vector_new(struct registry *registry, struct vector **vector);
void vector_free(struct vector *vector); /* of NULL: nothing */

/* What the test's conversation is taken for, or, with `promise` (NULL: none), the flow that it
 * announces: a name of the registry's. */
const char *vector_run(struct vector *vector, const struct pdl_test *test,
		       const struct pdl_promise *promise);

#endif
