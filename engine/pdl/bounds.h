/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_BOUNDS_H
#define PDL_BOUNDS_H

/* What a comparison can come to, told from the bounds of what it reads. */

#include "match/program.h"

/* YES: it holds wherever its bytes are there; NO: it never holds; LATER: it depends. */
enum match_answer bounds_of(const struct program_test *test);

/* Whether the sum can have a value from low to high. */
bool bounds_may_be(const struct sum *sum, int64_t low, int64_t high);

#endif
