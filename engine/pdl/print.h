/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_PRINT_H
#define PDL_PRINT_H

/* Pieces of the canonical form that print.c puts together. */

#include "base/text.h"
#include "pdl/tree.h"

/* "...", with escapes where they are needed. */
void print_string(struct text *text, struct bytes data);

/* /.../i */
void print_regex(struct text *text, const struct regex *regex);

/*
 * Infix, with no parenthesis that the operators' levels do not ask for. `after_hex`: bytes
 * stand before it, of which a number in decimal could be one more.
 */
void print_sum(struct text *text, const struct sum *sum, bool after_hex);

/* One test, one term (print_rule.c). */
void print_test(struct text *text, const struct program_test *test, bool after_hex);
void print_term(struct text *text, const struct program_term *term);

/* The clauses of a rule, one a line (print_rule.c). */
void print_rule(struct text *text, const struct pdl_node *body);

/* What is said of a site's own application (print_custom.c); "10.0.0.0/8". */
void print_custom(struct text *text, const struct pdl_custom *custom);
void print_prefix(struct text *text, const struct pdl_prefix *prefix);

#endif
