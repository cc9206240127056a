/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_PROGRAM_H
#define MATCH_PROGRAM_H

/*
 * A rule, compiled. Its logic is a postfix program over answers (NO < LATER < YES: `and` is the
 * lesser, `or` the greater, `not` turns YES and NO round); its terms are tests of a window on
 * what one side sent:
 *
 *	rule ─► steps: TERM 0, SKIP_NO, TERM 1, AND     one answer at the end
 *	                    │
 *	        term ─► side and place give windows ─► alternatives, one must hold
 *	                                                  │
 *	                                                  tests in order, all must hold
 *
 * All of it lies in the arena of whoever builds it, and never changes once it is built. Nothing
 * here recurses or loops over anything but the rule's own length times the windows' bounds.
 */

#include "base/arena.h"
#include "match/byteset.h"
#include "match/need.h"
#include "match/regex.h"
#include "match/sum.h"

enum {
	PROGRAM_TESTS = 64,     /* tests of a rule */
	PROGRAM_DEPTH = 8,      /* groups in groups */
	PROGRAM_STACK = 16,     /* answers at once */
	PROGRAM_PREFIX = 16384, /* bytes of a stream that can be asked for */
	PROGRAM_DATAGRAMS = 8,  /* datagrams that are kept */
	PROGRAM_LINES = 64,     /* lines of a side that are looked at */
};

enum program_test_kind {
	PROGRAM_TEXT,    /* the bytes at the cursor, which moves over them */
	PROGRAM_BYTES,   /* same, a set for each byte */
	PROGRAM_AT,      /* the cursor goes to left */
	PROGRAM_REGEX,   /* holds for the bytes from the cursor on; the cursor stays */
	PROGRAM_COMPARE, /* left against right */
	PROGRAM_IN,      /* left in one of the ranges */
};

enum program_compare {
	PROGRAM_EQ,
	PROGRAM_NE,
	PROGRAM_LT,
	PROGRAM_LE,
	PROGRAM_GT,
	PROGRAM_GE,
};

struct program_range {
	int64_t low, high;
};

struct program_test {
	uint8_t kind;
	uint8_t compare;
	bool caseless; /* TEXT: text is in lower case */
	uint32_t len;  /* TEXT, BYTES: bytes; IN: ranges */
	union {
		const uint8_t *text;
		const struct byteset *sets;
		const struct regex *regex;
		const struct program_range *ranges;
	};
	struct sum left, right;
};

struct program_alternative {
	const struct program_test *tests;
	unsigned count;
};

enum program_place {
	PROGRAM_AT_PLACE, /* stream offset; over UDP number of a datagram */
	PROGRAM_ANYWHERE, /* searched in the stream; over UDP at the start of any datagram */
	PROGRAM_LINE,     /* any complete line */
};

struct program_term {
	uint8_t sides; /* 1 << enum match_dir, or'd: holds if it does for one of them */
	uint8_t where; /* enum program_place */
	bool then;     /* holds only if the other side was the first to send anything */
	uint32_t place;
	const struct program_alternative *alternatives;
	unsigned count;
};

enum program_step_kind {
	PROGRAM_TERM,     /* push the answer of term `number` */
	PROGRAM_NOT,      /* turn the top round */
	PROGRAM_AND,      /* replace the two on top by the lesser */
	PROGRAM_OR,       /* by the greater */
	PROGRAM_SKIP_NO,  /* go on at step `number` if the top is NO */
	PROGRAM_SKIP_YES, /* if it is YES */
};

struct program_step {
	uint8_t kind;
	uint16_t number;
};

struct rule {
	const struct program_step *steps;
	const struct program_term *terms;
	unsigned step_count, term_count;
	const struct need_clause *needs; /* what it needs at the least */
	unsigned need_count;
};

/* Checks the program, finds what the rule needs. BARN_ERR_ARGUMENT: it is malformed. */
enum barn_err program_build(struct arena *arena, const struct program_step *steps,
			    unsigned step_count, const struct program_term *terms,
			    unsigned term_count, struct rule **rule);

/* Answer of one term (term.c). */
enum match_answer term_run(const struct program_term *term, const struct match_view *view,
			   struct regex_scratch *scratch);

#endif
