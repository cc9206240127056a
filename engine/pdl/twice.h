/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_TWICE_H
#define PDL_TWICE_H

/* What a module says twice, in a rule or in two: compared as it is written, by clauses. */

#include "pdl/tree.h"

enum twice_clause {
	TWICE_NONE,
	TWICE_SAME,     /* one of the clauses that all must hold stands there twice */
	TWICE_OPPOSITE, /* one stands there with `not` as well */
};

enum twice_clause twice_clauses(const struct pdl_node *rule);

/*
 * Whether `rule` can add nothing to `other`: it is no stronger, over no other transport, and
 * asks for all that `other` asks for.
 */
bool twice_rule(const struct pdl_rule *rule, const struct pdl_rule *other);

#endif
