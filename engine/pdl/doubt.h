/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_DOUBT_H
#define PDL_DOUBT_H

/*
 * What is not wrong but most likely not meant, over all modules: told as warnings, at the
 * protocol's name. A set with warnings is as good as one without.
 */

#include "pdl/tree.h"

enum barn_err doubt_set(struct pdl_tree *const *trees, size_t count,
			struct barn_faults *warnings);

#endif
