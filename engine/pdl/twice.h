/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_TWICE_H
#define PDL_TWICE_H

/* What a module says twice, in a rule or in two: compared by its canonical form. */

#include "pdl/tree.h"

enum twice_clause {
	TWICE_NONE,
	TWICE_SAME,     /* one of the clauses that all must hold stands there twice */
	TWICE_OPPOSITE, /* one stands there with `not` as well */
};

/* BARN_ERR_MEMORY, or all right. */
enum barn_err twice_clauses(const struct pdl_node *rule, enum twice_clause *twice);

/*
 * Whether `rule` can add nothing to `other`: it is no stronger, over no other transport, and
 * asks for all that `other` asks for.
 */
enum barn_err twice_rule(const struct pdl_rule *rule, const struct pdl_rule *other,
			 bool *pointless);

#endif
