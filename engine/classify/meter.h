/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_METER_H
#define CLASSIFY_METER_H

/*
 * What recognition costs, protocol by protocol, for people who write modules. Only a
 * classify that was given a meter measures; without one the packet path tests one pointer. The
 * library asks no clock of its own: whoever makes the meter gives one.
 *
 * Inspectors are timed call by call. Rules are matched all together, so that no time is one
 * rule's: the whole is timed, and divided among the protocols in the proportion of what their
 * rules cost when they are run alone on the same bytes, which is timed as well, and not part of
 * the whole. What the clock itself takes is found when the meter is made, and taken off.
 *
 * One meter a worker.
 */

#include "classify/registry.h"

struct meter_clock {
	uint64_t (*now_ns)(void *self); /* never goes back */
	void *self;
};

struct meter_cell {
	uint64_t calls; /* its inspector was shown something, or one of its rules run */
	uint64_t inspector_ns;
	uint64_t alone_ns; /* its rules, each run alone */
};

struct meter;

enum { METER_PROTOCOLS = 65536 };

enum barn_err meter_new(const struct meter_clock *clock, struct meter **meter);
void meter_free(struct meter *meter); /* of NULL: nothing */

/* Now; 0 without a meter. */
uint64_t meter_start(const struct meter *meter);

/* What began at start was an inspector's call. */
void meter_inspector(struct meter *meter, uint16_t protocol, uint64_t start);
/* ... nDPI's. */
void meter_ndpi(struct meter *meter, uint64_t start);
/* ... all the rules', of which each is now run alone. A rule that the bytes at hand forbid was
 * not called. */
void meter_rules(struct meter *meter, const struct registry *registry,
		 const struct match_view *view, struct regex_scratch *scratch, uint64_t start);

const struct meter_cell *meter_cell(const struct meter *meter, uint16_t protocol);

struct meter_sum {
	uint64_t asked;    /* times that the rules were asked */
	uint64_t rules_ns; /* in all */
	uint64_t alone_ns; /* each alone, added up */
	uint64_t ndpi_calls, ndpi_ns;
};

struct meter_sum meter_sum(const struct meter *meter);

/* The protocol's time: its inspector's, and its part of the rules'. */
uint64_t meter_ns(const struct meter *meter, uint16_t protocol);

#endif
