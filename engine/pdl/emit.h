/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_EMIT_H
#define PDL_EMIT_H

/* A rule's tree to its program. */

#include "pdl/tree.h"

enum barn_err emit_rule(struct arena *arena, const struct pdl_node *body,
			const struct rule **rule);

#endif
