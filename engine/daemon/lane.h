/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_LANE_H
#define DAEMON_LANE_H

/*
 * One worker and its thread: it takes batches from its ways, decodes, counts and decides, and
 * gives the verdicts back.
 *
 * Other threads never touch what a lane owns. They look at copies that the lane makes five
 * times a second, or ask it to run a function between two batches.
 */

#include "daemon/pulse.h"
#include "daemon/ways.h"
#include "discovery/hosts.h"
#include "worker/engine.h"

struct lane;

struct lane_options {
	struct barn_engine *engine;
	const struct settings *settings;
	const struct ways *ways;
	struct pulse *pulse;
	struct policy_slot *policies;
	unsigned number;
};

enum barn_err lane_new(const struct lane_options *options, struct lane **lane);
bool lane_start(struct lane *lane);
/* Ends all flows, and the thread. */
void lane_stop(struct lane *lane);
void lane_free(struct lane *lane); /* of NULL: nothing */

struct lane_stats {
	uint64_t packets;
	uint64_t kernel_drops, send_failures, undecodable;
	uint64_t faults; /* of inspectors */
	struct table_stats table;
};

/* Names of servers that its flows had, for the thread that publishes. */
struct hosts_ring *lane_hosts(struct lane *lane);

/* Its counters, to be read while it counts on; and what it has shown at most 200 ms ago. */
const struct discovery *lane_look(struct lane *lane, struct lane_stats *stats);

/* Runs in the lane's thread, between batches; returns when it has. `worker` is the lane's. */
void lane_run(struct lane *lane, void (*run)(void *self, struct worker *worker), void *self);

#endif
