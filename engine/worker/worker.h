/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WORKER_WORKER_H
#define WORKER_WORKER_H

/*
 * The way of a packet through one worker: flow, classify, discovery. A worker owns its flow
 * table, pools and counters, and belongs to one thread; workers share the registry, which is
 * immutable, and struct shared, which has what one flow tells of another.
 */

#include "classify/registry.h"
#include "discovery/discovery.h"
#include "flow/table.h"
#include <barn/barn.h>

struct worker;
struct shared; /* expectations and learned names of all workers, under a lock */

struct worker_options {
	const struct registry *registry;
	struct shared *shared;
	uint16_t interfaces;
	bool ndpi;
	uint32_t flows; /* bound of the table; 0: the default */
	uint64_t seed[2];
	/* A flow ended; info lives during the call. NULL: nobody asks. */
	void (*ended)(void *self, const struct barn_flow *flow);
	void *self;
	/*
	 * Called before a worker looks up what other flows have told, with the packet's serial:
	 * returns when all workers have finished the packets before it, so that results
	 * do not depend on how many workers there are. NULL with one worker.
	 */
	void (*settle)(void *self, uint64_t serial);
};

enum barn_err shared_new(const uint64_t seed[2], struct shared **shared);
void shared_free(struct shared *shared);

enum barn_err worker_new(const struct worker_options *options, struct worker **worker);
void worker_free(struct worker *worker);

/* A decoded packet. Returns the id of its flow (the serial of the flow's first packet). */
uint64_t worker_packet(struct worker *worker, const struct packet *packet);

/* Ends all flows; now_ns is the time of the last packet of the whole input. */
void worker_close(struct worker *worker, uint64_t now_ns);

const struct discovery *worker_discovery(const struct worker *worker);
const struct table_stats *worker_table_stats(const struct worker *worker);

#endif
