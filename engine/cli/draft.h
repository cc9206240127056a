/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_DRAFT_H
#define CLI_DRAFT_H

/*
 * A module drafted from what flows have in common, in steps:
 *
 *	talks ─► messages: what a side sent before the other answered, or a datagram
 *	             │ samples of each side: first messages; where they are few, later ones too
 *	             ▼
 *	         tests: a line of text as an expression, or bytes with wildcards, length fields,
 *	             │  fixed sizes
 *	             ▼
 *	         rules, ports, test vectors, as the text of a module with comments
 *
 * All in an arena of the draft's own; the talks stay the caller's and must outlive it.
 */

#include "base/text.h"
#include "cli/talk.h"

enum { DRAFT_MESSAGES = 16, DRAFT_MESSAGE = 4096 }; /* of a flow; bytes that are kept of one */

struct draft_message {
	uint8_t dir; /* enum match_dir */
	struct bytes data;
	uint32_t length; /* all of it, of which data may be the first part */
};

struct draft_flow {
	const struct talk *talk;
	struct draft_message messages[DRAFT_MESSAGES];
	unsigned count;
	bool from_start; /* not joined late: over TCP its SYN was seen */
	bool done;       /* a rule rests on it */
};

enum barn_err draft_flow_init(struct draft_flow *flow, const struct talk *talk,
			      struct arena *arena);
/* The n-th message of a side, from 0; NULL: there is none. */
const struct draft_message *draft_flow_message(const struct draft_flow *flow, unsigned dir,
					       unsigned n);

/* Messages of one side, from several flows. */
struct draft_samples {
	const struct draft_message **list;
	unsigned count;
	unsigned dir;      /* enum match_dir */
	unsigned flows;    /* how many flows they come from */
	unsigned distinct; /* of the first 64 bytes of each */
};

/* What the messages of one side have in common. */
struct draft_tests {
	struct text tests; /* as a term has them; empty: nothing */
	struct text notes; /* comments, a line each, without indent */
	unsigned flows;    /* that have this side */
	double bits;       /* chance fits once in two to the power of this */
	bool uses_length;
};

void draft_tests_fini(struct draft_tests *tests);

/* What flows have in common: the tests of both sides, draft_rule.c. */
struct draft_rule {
	struct draft_tests side[2];
	struct text notes; /* of both sides */
	unsigned flows;    /* it was looked for in */
};

enum barn_err draft_rule_find(struct draft_flow *const *flows, unsigned count,
			      struct draft_rule *rule);
void draft_rule_fini(struct draft_rule *rule);
/*
 * How much it tells: bits times flows, or 0: too little, whatever is done. Flows that it rests
 * on are those with a message of one of the sides that are enough.
 */
double draft_rule_score(const struct draft_rule *rule);
bool draft_rule_rests_on(const struct draft_rule *rule, const struct draft_flow *flow);
void draft_rule_print(struct text *text, const struct draft_rule *rule, unsigned number,
		      unsigned of, const char *transport);

/* draft_line.c: for text. False: it is none. */
bool draft_line(const struct draft_samples *samples, struct draft_tests *tests);
/* draft_bytes.c: `varying`, of which a bit stands for each of the first 32 bytes: those that
 * are known to be no constants. */
void draft_bytes(const struct draft_samples *samples, uint32_t varying,
		 struct draft_tests *tests);
/* draft_number.c: a length field's test, with the bytes that it takes; false: there is none. */
bool draft_number_length(const struct draft_samples *samples, struct draft_tests *tests,
			 uint32_t *varying);
void draft_number_sizes(const struct draft_samples *samples, struct draft_tests *tests);
/* Bytes of answers that equal those of their questions, and counters: told in notes. */
void draft_number_echo(struct draft_flow *const *flows, unsigned count,
		       struct draft_tests *tests, uint32_t varying[2]);

struct draft_options {
	const char *name;
	const char *source;  /* what the flows come from, for a comment */
	unsigned next_index; /* a free one, for a comment */
};

/* The module's text. BARN_ERR_MISSING: no flow has a message. */
enum barn_err draft_module(const struct draft_options *options, const struct talk *const *talks,
			   unsigned count, struct text *module);

/* draft_facts.c: what stands in the module besides rules: ports, servers' names. */
void draft_facts_ports(struct text *text, const struct draft_flow *flows, unsigned count);
/* Whether the flows are told apart by the names of their servers; then these are added. */
bool draft_facts_hosts(struct text *text, const struct draft_flow *flows, unsigned count);

/* draft_print.c */
void draft_print_bytes(struct text *text, struct bytes data, const char *newline);
void draft_print_vector(struct text *text, const char *name, const struct draft_flow *flow,
			const bool whole[2]);

#endif
