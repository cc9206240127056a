/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WORKER_SHARED_H
#define WORKER_SHARED_H

/*
 * What one flow tells of another, whichever worker sees it: announced flows and names of
 * servers. The one thing that workers write together, under one lock; it is taken for a new
 * flow and for an announcement, never for a packet of a flow with a verdict.
 */

#include "flow/expect.h"
#include "flow/learn.h"

#include <pthread.h>

struct shared {
	pthread_mutex_t lock;
	struct expect_table *expect;
	struct learn_table *learn;
	bool no_learned; /* nothing is learned but what the site says of names; set at first */
};

enum barn_err shared_new(const uint64_t seed[2], struct shared **shared);
void shared_free(struct shared *shared);

bool shared_meet(struct shared *shared, const struct packet *packet,
		 struct expect_entry *entry);
void shared_announce(struct shared *shared, const struct expect_entry *entry);
bool shared_recall(struct shared *shared, const struct learn_entry *wanted, uint64_t time_ns,
		   struct learn_entry *found);
void shared_learn(struct shared *shared, const struct learn_entry *entry);

/* While no worker runs, or as of a moment ago. */
struct expect_stats shared_announced(struct shared *shared);
uint64_t shared_forgotten(struct shared *shared); /* learned, that went at the bound */

#endif
