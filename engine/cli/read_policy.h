/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_POLICY_H
#define CLI_READ_POLICY_H

/*
 * What policies would have done to captures: each packet is asked about once, with its own
 * time, and what was said is counted, and noted for -w. One worker, since a policer depends on
 * the order of packets.
 *
 *	read_policy.c        maps to interfaces, the question, held packets
 *	read_policy_note.c   what -w writes
 *	read_policy_print.c  the table
 *	read_policy_json.c   the same as JSON
 */

#include "cli/read_input.h"
#include "cli/read_write.h"
#include "conf/conf.h"
#include "policy/tally.h"
#include "worker/engine.h"

struct read_policy;

struct read_policy_options {
	struct barn_engine *engine;
	const struct conf *conf;    /* that outlives it, as its file's name in it does */
	const char *input, *output; /* policy maps for all interfaces; NULL: none */
	bool attached;              /* those that the configuration applies to the interfaces */
	bool inside;                /* packets have a direction of their own */
	const char *const *names;   /* of the interfaces, as they are shown */
	uint16_t interfaces;
	bool no_hyperscan;
	/* For each packet that was decided. NULL: nobody asks. */
	void (*decided)(void *self, const struct packet *packet, uint64_t flow, bool output,
			const struct policy_verdict *verdict);
	void *self;
};

/* Returns 0, or an exit status: the user was told. */
int read_policy_new(const struct read_policy_options *options, struct read_policy **policy);
void read_policy_free(struct read_policy *policy); /* of NULL: nothing */

struct policy_slot *read_policy_slot(struct read_policy *policy);

/* Behind worker_packet, which has said which flow it is; `note` is for -w, or NULL. */
enum barn_err read_policy_packet(struct read_policy *policy, struct worker *worker,
				 const struct packet *packet, uint64_t flow, uint64_t *note);
/* Before the flows end: packets that are still held are decided. */
enum barn_err read_policy_finish(struct read_policy *policy, struct worker *worker,
				 uint64_t last_ns);

struct read_policy_sums {
	uint64_t packets, bytes; /* that a policy was asked about */
	uint64_t dropped, rejected, marked, logged;
	uint64_t undecided; /* passed before their protocol was known */
	uint64_t held;      /* until it was */
};

/* After read_policy_finish, for those who print. */
struct read_policy_view {
	const struct policy *policy;
	const struct policy_count *counts;
	const struct tally *tally;
	const char *const *names;    /* of the interfaces, by number */
	const uint32_t *intervals_s; /* the same */
	struct read_policy_sums sums;
};
struct read_policy_view read_policy_view(const struct read_policy *policy);

void read_policy_print(const struct read_policy *policy);
void read_policy_json(const struct read_policy *policy);

/* read_policy_note.c: what is to become of a packet, in a word; 0: it passes as it is. */
uint64_t read_policy_note(const struct packet *packet, const struct policy_verdict *verdict);
/* The second reading. Returns as read_write_flows. */
int read_policy_write(struct read_write *notes, struct read_input *input, const char *path,
		      uint64_t *packets);

#endif
