/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_WALK_H
#define CLI_WALK_H

/* Captures through the engine, by one worker, packet by packet: for commands that look on. */

#include "cli/read_policy.h"
#include "worker/engine.h"

struct walk_options {
	const char *command; /* its name, for what the user is told */
	struct barn_engine *engine;
	const char *const *paths;
	unsigned count;
	const char *filter;         /* NULL: all packets */
	struct meter *meter;        /* NULL: nobody asks what recognition costs */
	struct read_policy *policy; /* of one interface; NULL: none is asked */
	/* A packet was counted; flow is the number of its flow. May be NULL. */
	void (*packet)(void *self, const struct packet *packet, uint64_t flow);
	/* A flow ended; valid during the call. May be NULL. */
	void (*ended)(void *self, const struct barn_flow *flow);
	void *self;
};

/*
 * Returns 0, or an exit status: the user was told. EXIT_FAILED with *frames set: the capture
 * is damaged, and those are the frames before the fault.
 */
int walk(const struct walk_options *options, uint64_t *frames);

#endif
