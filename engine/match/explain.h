/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_EXPLAIN_H
#define MATCH_EXPLAIN_H

/*
 * Why a rule answers as it does: each of its terms asked on its own, with how far it got. For
 * people who write modules, not for packets: every term is asked, also those that rule_run
 * would skip, and what it did best is kept.
 *
 *	struct explain_term terms[PROGRAM_TESTS];
 *	enum match_answer answer = explain_rule(rule, &view, scratch, terms);
 *
 *	for (unsigned i = 0; i < rule->term_count; i++)
 *		terms[i].answer, terms[i].dir, terms[i].test, terms[i].offset, ...
 *
 * A window is what the tests of a term are worked out in: it begins at the term's place, at a
 * line, or at one of the bytes that are searched. Several may be tried, in both sides; the
 * one told of is the one that came farthest.
 */

#include "match/program.h"

struct explain_term {
	uint8_t answer;       /* enum match_answer, of the whole term */
	uint8_t dir;          /* enum match_dir of the window */
	bool tried;           /* there was a window; if not, what follows is zero */
	bool valued;          /* left and right are the values of a comparison */
	bool lesser;          /* the length may still grow: left or right is its least */
	uint16_t datagram;    /* UDP: its number */
	uint16_t line;        /* number of the line, from 0; of a term with `line` */
	uint32_t window;      /* where the window begins: in the stream, or in the datagram */
	uint32_t offset;      /* the cursor at `test`, counted as `window` is */
	uint32_t matched;     /* TEXT, BYTES: bytes of the test that were right */
	uint16_t alternative; /* of the term */
	uint16_t test;        /* the first that does not hold; alternative's count: all do */
	int64_t left, right;
	struct bytes there; /* what is there from the cursor on; points into the view */
};

/* `terms` has room for rule->term_count. The answer is that of rule_run. */
enum match_answer explain_rule(const struct rule *rule, const struct match_view *view,
			       struct regex_scratch *scratch, struct explain_term *terms);

/* One term (term.c). */
enum match_answer term_explain(const struct program_term *term, const struct match_view *view,
			       struct regex_scratch *scratch, struct explain_term *told);

#endif
