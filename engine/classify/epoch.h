/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_EPOCH_H
#define CLASSIFY_EPOCH_H

/*
 * What a worker has of one registry: a reference to it, and all memory whose layout follows
 * from it. New flows begin in the newest epoch; a flow under inspection stays in the one it
 * began in, and an older epoch ends with its last flow. The worker's own; no other thread sees
 * it.
 */

#include "base/pool.h"
#include "classify/registry.h"

struct epoch {
	struct epoch *older; /* classify's list */
	struct registry *registry;
	const struct custom *custom; /* the registry's; NULL: none, or none is asked */
	struct rule_scratch *rules;  /* the registry's, and no other's */
	struct pool **states; /* by number of the protocol: its inspector's; NULL: none */
	uint8_t *trial;       /* a state on trial, as large as the largest */
	uint16_t *passed;     /* protocols that the gate lets pass; room for all */
	uint16_t protocols;   /* of the registry */
	uint32_t works;       /* flows under inspection that began in it */
};

/* Takes over the caller's reference, if it succeeds. inspected: flows at once. */
enum barn_err epoch_new(struct registry *registry, uint32_t inspected, struct epoch **epoch);
/* Of NULL: nothing. Drops the reference; the registry is its loader's to free. */
void epoch_free(struct epoch *epoch);

#endif
