/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WORKER_WORKER_H
#define WORKER_WORKER_H

/*
 * The way of a packet through one worker: flow, classify, discovery. A worker owns its flow
 * table, pools and counters, and belongs to one thread; workers share the registry, which is
 * immutable, and struct shared, which has what one flow tells of another.
 */

#include "classify/current.h"
#include "discovery/discovery.h"
#include "flow/table.h"
#include "policy/decide.h"
#include "worker/shared.h"
#include <barn/barn.h>

struct worker;
struct meter;

struct worker_options {
	struct current *current; /* the registry in force, which there is */
	struct shared *shared;
	uint16_t interfaces;
	bool ndpi;
	struct meter *meter; /* classify/meter.h; NULL: nobody asks what recognition costs */
	bool dir_by_client;  /* client to server is in; else packet.dir says */
	uint32_t flows;      /* bound of the table; 0: the default */
	uint64_t seed[2];
	/* A flow ended; info lives during the call. NULL: nobody asks. */
	void (*ended)(void *self, const struct barn_flow *flow);
	/*
	 * A field's value was found, kept in the flow's notes or not; flow->policy is the
	 * caller's. NULL: nobody asks.
	 */
	void (*value)(void *self, struct flow *flow, uint16_t field, struct bytes value);
	void *self;
	/*
	 * Called before a worker looks up what other flows have told, with the packet's serial:
	 * returns when all workers have finished the packets before it, so that results
	 * do not depend on how many workers there are. NULL with one worker.
	 */
	void (*settle)(void *self, uint64_t serial);
	struct policy_slot *policies; /* that outlives the worker; NULL: there are none */
};

enum barn_err worker_new(const struct worker_options *options, struct worker **worker);
void worker_free(struct worker *worker);

/* A decoded packet. Returns the id of its flow (the serial of the flow's first packet). */
uint64_t worker_packet(struct worker *worker, const struct packet *packet);

/*
 * What the policies say of the packet that worker_packet has just had, or (ask->redo) of one
 * that was held: once for the interface that it came by, once for that by which it goes. A
 * held packet whose flow is gone is forwarded. Without policies: forward.
 */
void worker_decide(struct worker *worker, const struct packet *packet,
		   const struct decide_ask *ask, struct policy_verdict *verdict);
/* enum packet_dir of the packet that worker_packet has just had; without policies, its own. */
uint8_t worker_dir(const struct worker *worker, const struct packet *packet);
const struct decide_work *worker_decide_work(const struct worker *worker);

/*
 * Ends the flows whose idle time is over at now_ns, and looks for a new registry. A packet
 * whose clock_ns has moved on does the same first: so flows end by the clock of the whole
 * input, whichever packets a worker sees.
 */
void worker_tick(struct worker *worker, uint64_t now_ns);

/* Ends all flows; now_ns is the time of the last packet of the whole input. */
void worker_close(struct worker *worker, uint64_t now_ns);

/* What is known of a flow, as the public header has it. */
struct barn_flow {
	const struct worker *worker;
	const struct flow *flow;
	enum flow_end end;
};

/* Every flow that is in the table, in no order; `visit` must not use the worker otherwise. */
void worker_each(const struct worker *worker,
		 void (*visit)(void *self, const struct barn_flow *flow), void *self);

/* That of new flows. It, and the discovery, may be others after the next packet or tick. */
const struct registry *worker_registry(const struct worker *worker);
const struct discovery *worker_discovery(const struct worker *worker);
/* Whether custom protocols are asked about new flows; at first they are. */
void worker_ask_custom(struct worker *worker, bool ask);
const struct table_stats *worker_table_stats(const struct worker *worker);

/* What the bounds have cost: all 0 as long as none was reached (ARCHITECTURE.md, "Bounds"). */
struct worker_limits {
	uint64_t flows_evicted;
	uint64_t given_up; /* inspections that ended early */
	uint64_t blocks;   /* of streams, that found no room */
	uint64_t values;   /* of fields, and encapsulations, that found no room */
};
struct worker_limits worker_limits(const struct worker *worker);
uint64_t worker_faults(const struct worker *worker); /* of inspectors: classify_stats */
/* Whose inspector was at fault last; "unknown": none. */
const char *worker_faulty(const struct worker *worker);
uint64_t worker_cuts(const struct worker *worker); /* classify_cuts */

/* How often a new registry could not be taken up for want of memory; it is tried again. */
uint64_t worker_missed(const struct worker *worker);

/*
 * Runs a module's own test vector through a worker without nDPI, and says what it was taken
 * for: a name of the registry's. vector.h runs many at less cost.
 */
enum barn_err worker_run_test(struct registry *registry, const struct pdl_test *test,
			      const char **protocol);

/* The same, then the flow that the vector says is announced: what that one is taken for. */
enum barn_err worker_run_promise(struct registry *registry, const struct pdl_test *test,
				 const struct pdl_promise *promise, const char **protocol);

#endif
