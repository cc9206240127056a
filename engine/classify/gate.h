/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_GATE_H
#define CLASSIFY_GATE_H

/*
 * Which inspectors are to be asked about a side's first bytes, without asking each: the starts
 * that they tell (inspect/inspector.h) are bits, and each place and value of a byte has the set
 * of those that it allows. A few sets are intersected, whatever the number of inspectors:
 *
 *	16 03 01 ... ─► allowed[0][0x16] & allowed[1][0x03] & ... ─► starts ─► inspectors
 *
 * Same answer as inspector_may of each. Immutable, and part of a registry.
 */

#include "base/arena.h"
#include "inspect/inspector.h"

struct gate;

struct gate_entry {
	const struct inspector *inspector;
	uint16_t number; /* of the protocol that is bound to it */
};

/* For one transport, whose inspectors these are, in the order in which they are asked. */
enum barn_err gate_new(struct arena *arena, const struct gate_entry *entries, unsigned count,
		       enum inspect_transport transport, struct gate **gate);

/* Numbers of those to be asked, in order; room for all. Returns how many. */
unsigned gate_pass(const struct gate *gate, const struct inspect_view *view, uint16_t *numbers);

#endif
