/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_GUARD_H
#define CLASSIFY_GUARD_H

/*
 * Holds inspectors to their contract, barn's own and others, as far as C allows: what they
 * answer, consume and tell is looked at, not what they write to memory. One that breaks it is
 * counted, and is not asked about that flow again.
 */

#include "classify/step.h"

/*
 * After a call of s->probe's inspector, which was given `given`: takes its answer and what it
 * has consumed, unless that, or what it told meanwhile (s->fault), is against the contract.
 */
void guard_answer(struct step *s, struct probe *p, const struct inspect_view *given,
		  const struct inspect_view *view, int answer);

/* Whether the protocol's inspector was at fault in this flow. */
bool guard_bars(const struct work *w, uint16_t protocol);

#endif
