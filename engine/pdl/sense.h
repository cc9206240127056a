/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_SENSE_H
#define PDL_SENSE_H

/* Tests that no traffic could pass, and rules that all traffic would. */

#include "pdl/tree.h"

/* Whether it holds only for bytes with a CR or LF, of which a line has none. */
bool sense_needs_line_end(const struct program_test *test);
bool sense_pattern_needs_line_end(const char *pattern);

/* Whether the rule holds for whatever a side sends; BARN_ERR_MEMORY, or all right. */
enum barn_err sense_claims_all(const struct pdl_node *rule, bool *all);

#endif
