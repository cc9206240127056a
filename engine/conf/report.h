/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_REPORT_H
#define CONF_REPORT_H

/*
 * What routers print of classes and policies, in the lines that scripts parse. Text alone: who
 * prints it, where the counters come from and whether they are live is the caller's.
 */

#include "policy/slot.h"
#include "policy/tally.h"

/* show class-map: `id` is the number that routers give it. */
void report_class(struct text *text, const struct policy_class *class_map, unsigned id);
/* show policy-map. */
void report_map(struct text *text, const struct policy_map *map);

/* Counters as slot_read has them. */
struct report {
	const struct policy_count *counts; /* by counter */
	const struct tally *tally;         /* NULL: rates are 0 */
	uint32_t interval_s;               /* that rates are over */
};

/*
 * show policy-map interface, behind the interface's line: the policy at one place, with its
 * child policies.
 */
void report_place(struct text *text, const struct report *report,
		  const struct policy_place_at *place);

/* "conformed": for others that print counters. */
const char *report_place_colour(enum policy_colour colour);

#endif
