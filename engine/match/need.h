/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_NEED_H
#define MATCH_NEED_H

/*
 * What a rule needs, read from its program: clauses that must all hold, of each of which one
 * atom must hold. An atom is an alternative of a term, reduced to what is cheap to look for:
 *
 *	bytes	byte values at places counted from the stream's start, or from a datagram's;
 *		they forbid the rule as soon as one is there and wrong
 *	words	of which one must be found in what the side sent: the set scan's
 *
 * A rule whose needs say NO never holds. What lies behind `not`, or in no clause, is not here.
 */

#include "base/arena.h"
#include "match/byteset.h"
#include "match/needles.h"
#include "match/view.h"
#include <barn/err.h>

enum { NEED_REACH = 64, NEED_BYTES = 12 };

struct need_byte {
	uint16_t at; /* from the atom's place */
	struct byteset set;
};

struct need_atom {
	uint8_t sides;                 /* 1 << enum match_dir, or'd: one of them */
	uint8_t where;                 /* enum program_place */
	uint8_t byte_count;            /* 0: none known */
	uint32_t place;                /* as in the term */
	const struct need_byte *bytes; /* the most telling first */
	struct needles words;
};

struct need_clause {
	const struct need_atom *atoms;
	unsigned count;
	bool worded; /* each atom has words */
};

struct rule;
struct program_term;

/* Sets the rule's clauses. */
enum barn_err need_find(struct arena *arena, struct rule *rule);

/* Whether the bytes of this atom tell anything: over UDP `:` is the start of a datagram. */
bool need_placed(const struct need_atom *atom, bool udp);
bool need_clause_placed(const struct need_clause *clause, bool udp);

/* The most that the atom's bytes allow: NO, LATER (bytes are missing), YES. */
enum match_answer need_atom_may(const struct need_atom *atom, const struct match_view *view);
enum match_answer need_may(const struct rule *rule, const struct match_view *view);

/*
 * Whether a rule that does not hold now surely may do so later: one that is about words
 * anywhere, or about lines, and has not been shown as much as it looks at.
 */
bool need_waits(const struct rule *rule, const struct match_view *view);

/* Its clauses want different first bytes of one side, so that it never holds. */
bool need_never(const struct rule *rule);

#endif
