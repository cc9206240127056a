/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_RULE_SCRATCH_H
#define MATCH_RULE_SCRATCH_H

/* The inside of rule.h's scratch, for the files of this folder that use it. */

#include "match/rule.h"
#include "match/rule_index.h"
#include "match/scan.h"

struct rule_scratch {
	struct regex_scratch *regex;
	struct scan_scratch *scan;
	struct rule_marks marks;
	uint64_t *sieved;    /* what the largest sieve leaves over */
	uint32_t witness[2]; /* the rule that said LATER last, by transport */
	struct rule_work work;
};

/* How much a set asks of a scratch, and its scans (NULL: none). */
enum { RULE_SET_SCANS = 2 };
void rule_set_needs(const struct rule_set *set, uint32_t *rules, uint32_t *clauses,
		    const struct scan *scans[RULE_SET_SCANS]);

#endif
