/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PDL_WHY_H
#define PDL_WHY_H

/* What match/explain.h finds, in words. For people who write modules; allocates. */

#include "base/text.h"
#include "match/explain.h"
#include "pdl/pdl.h"

/* The term as the canonical form has it: client 0: "ping" length == 6 */
void why_term(struct text *text, const struct program_term *term);

/*
 * Its answer, and for all but YES the test that does not hold, where, and what is there; in
 * one line without its end:
 *
 *	no: client's datagram 0, offset 6: length == 6, but it is 7
 */
void why_answer(struct text *text, const struct program_term *term,
		const struct explain_term *told, bool udp);

/*
 * All terms of a rule over what is in the view: for each a line `term`, and a line `answer`
 * below it, each begun with `indent`. BARN_ERR_MEMORY: nothing was added.
 */
enum barn_err why_rule(struct text *text, const struct pdl_rule *rule,
		       const struct match_view *view, const char *indent);

/*
 * For a test whose protocol was not found: each rule of `protocol` over the test's transport,
 * a line with its place and answer, and its terms.
 */
enum barn_err why_test(struct text *text, const struct pdl_protocol *protocol,
		       const struct pdl_test *test);

#endif
