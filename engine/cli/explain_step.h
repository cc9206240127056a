/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_EXPLAIN_STEP_H
#define CLI_EXPLAIN_STEP_H

/*
 * What policies did with each flow's packets: packets that were treated alike are one step,
 * in the order of the first of them. Bounded: EXPLAIN_STEPS a flow, of EXPLAIN_FLOWS flows.
 */

#include "cli/read_policy.h"

enum { EXPLAIN_STEPS = 16, EXPLAIN_FLOWS = 65536 };

struct explain_steps;

enum barn_err explain_step_new(struct explain_steps **steps);
void explain_step_free(struct explain_steps *steps); /* of NULL: nothing */

/* As struct read_policy_options' `decided`; self is the steps. */
void explain_step_add(void *self, const struct packet *packet, uint64_t flow, bool output,
		      const struct policy_verdict *verdict);

/* False: memory was short. */
bool explain_step_print(const struct explain_steps *steps, uint64_t flow, struct text *text);

#endif
