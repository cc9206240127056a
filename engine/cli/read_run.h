/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_RUN_H
#define CLI_READ_RUN_H

/*
 * The loop of `barn read`: frames to packets to workers, and the counters as time passes. What
 * the packets lead to, flows and tables, is the caller's.
 */

#include "cli/read_input.h"
#include "cli/read_limits.h"
#include "cli/read_options.h"
#include "cli/read_policy.h"
#include "cli/read_workers.h"
#include "cli/read_write.h"
#include "io/savefile.h"

struct read_run;

struct read_run_options {
	const struct read_options *read;
	struct barn_engine *engine;
	struct read_input *input;
	uint16_t interfaces;
	struct read_write *write;   /* NULL: nobody asks for the packets' flows, or notes */
	struct read_policy *policy; /* NULL: none; then `write` is for its notes */
	struct savefile *save;      /* NULL; else every packet is written to it */
	void (*ended)(void *self, const struct barn_flow *flow); /* from any thread */
	/* A field's value was found; from any thread. */
	void (*value)(void *self, struct flow *flow, uint16_t field, struct bytes value);
	void *self;
};

enum barn_err read_run_new(const struct read_run_options *options, struct read_run **run);
void read_run_free(struct read_run *run);

/* Reads all and ends all flows. Returns 0, or an exit status: the user was told. */
int read_run(struct read_run *run);

struct read_run_result {
	const struct discovery *sum;
	const struct rates *rates;
	uint64_t packets, flows, span_ns;
	uint64_t cuts;      /* expressions that tried too much */
	uint64_t faults;    /* of inspectors, against their contract */
	const char *faulty; /* the protocol of one of them; NULL: none */
	struct read_limits limits;
	uint64_t last_ns;            /* the latest time of a packet */
	struct json_object *learned; /* read_table.h */
};
/* Valid until read_run_free. */
struct read_run_result read_run_result(const struct read_run *run);

#endif
