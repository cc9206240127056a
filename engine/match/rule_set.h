/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_RULE_SET_H
#define MATCH_RULE_SET_H

/* The inside of rule.h's set: rule_set.c makes it, rule_ask.c asks. */

#include "match/rule_index.h"
#include "match/scan.h"

struct rule_set {
	struct rule_set_options options;
	const struct rule **rules;
	uint16_t *numbers;
	uint32_t count, room;
	struct rule_index *index; /* NULL: not compiled yet */
	struct scan *scan;        /* of clauses' words; NULL: without Hyperscan */
	struct scan *loose;       /* likewise, of rules without a place only */
};

#endif
