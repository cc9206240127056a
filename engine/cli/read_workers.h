/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_WORKERS_H
#define CLI_READ_WORKERS_H

/*
 * The engine's workers: one in the reader's own thread, or several in threads of their own
 * (crew.h). The reader decodes, and deals the packets out by address, so that both directions
 * of a flow come to one worker. Flows and counters do not depend on how many there are.
 */

#include "worker/engine.h"

struct read_workers;

struct read_workers_options {
	struct barn_engine *engine;
	unsigned jobs;
	uint16_t interfaces;
	bool dir_by_client;
	struct meter *meter; /* with one job only; NULL: nobody asks */
	void (*ended)(void *self, const struct barn_flow *flow); /* from any thread */
	/* A field's value was found; from any thread. */
	void (*value)(void *self, struct flow *flow, uint16_t field, struct bytes value);
	/* Policies, with one job only, and what is to be asked of them about each packet that
	 * the worker has just had. NULL: there are none. */
	struct policy_slot *policies;
	enum barn_err (*decide)(void *self, struct worker *worker, const struct packet *packet,
				uint64_t flow, uint64_t *slot);
	/* Before all flows end. */
	enum barn_err (*closing)(void *self, struct worker *worker, uint64_t now_ns);
	void *self;
};

enum barn_err read_workers_new(const struct read_workers_options *options,
			       struct read_workers **workers);
void read_workers_free(struct read_workers *workers);

/* Where slot is not NULL, the packet's flow is put there before the next quiet. */
enum barn_err read_workers_packet(struct read_workers *workers, const struct packet *packet,
				  uint64_t *slot);

/* When all packets so far are finished, and flows that are idle at now_ns ended: the counters,
 * added up in `sum`, which is the same in every call. */
void read_workers_sum(struct read_workers *workers, uint64_t now_ns, struct discovery *sum);

/* Ends all flows. */
enum barn_err read_workers_close(struct read_workers *workers, uint64_t now_ns);

uint64_t read_workers_flows(const struct read_workers *workers);
/* Of inspectors; `faulty` is the protocol of one of them, unless there are none. */
uint64_t read_workers_faults(const struct read_workers *workers, const char **faulty);
uint64_t read_workers_cuts(const struct read_workers *workers);
struct worker_limits read_workers_limits(const struct read_workers *workers);

#endif
