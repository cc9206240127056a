/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_MATCH_H
#define POLICY_MATCH_H

/*
 * One match statement of a class, compiled:
 *
 *	[match] [not] protocol NAME [SUB-CLASS [ARGUMENT | regex /EXPRESSION/[i]]]
 *
 * It holds for a flow if NAME is anywhere in the flow's stack and, with a sub-class, if any
 * value of the sub-class's field fits. Immutable once compiled and shared by all threads; each
 * brings its scratch.
 */

#include "classify/registry.h"

struct match;

struct match_fault {
	uint32_t column;
	char text[200];
};

/*
 * Words as conf/words.h splits a line, with their columns. BARN_ERR_TEXT: fault says what was
 * wrong. The registry must outlive the match.
 */
enum barn_err match_new(const struct registry *registry, const char *const *words,
			const uint32_t *columns, unsigned count, struct match **match,
			struct match_fault *fault);
void match_free(struct match *match);

/* Whether this value of this field is one that the sub-class asks for. */
bool match_value(const struct match *match, uint16_t field, struct bytes value,
		 struct regex_scratch *scratch);

/*
 * The field whose values the statement asks about; UINT16_MAX: none, it is about the protocol
 * alone. What such a value must hold to fit goes to needles.
 */
uint16_t match_field(const struct match *match, struct needles *needles);

/* Whether the statement holds for a flow; `fitted`: match_value was true for one of its values.
 */
bool match_holds(const struct match *match, const struct flow *flow, bool fitted);

#endif
