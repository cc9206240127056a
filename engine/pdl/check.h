/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_CHECK_H
#define PDL_CHECK_H

/* What can be checked only when all modules are there. */

#include "pdl/tree.h"

/* Names referred to, and what must be unique over the set. */
enum barn_err check_set(struct pdl_tree *const *trees, size_t count,
			struct barn_faults *faults);

#endif
