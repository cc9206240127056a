/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_MATCH_SET_H
#define POLICY_MATCH_SET_H

/*
 * Many match statements, asked together about each value that a flow yields: the statements
 * about the value's field pass a sieve, and the few that are left over are asked themselves.
 * Immutable once compiled and shared by all threads; each brings a scratch of the set's.
 */

#include "policy/match.h"

struct match_set;

/* `fields`: how many the registry has. */
enum barn_err match_set_new(uint16_t fields, struct match_set **set);
void match_set_free(struct match_set *set); /* of NULL: nothing */

/* The statement stays the caller's and must outlive the set; `number` comes back. */
enum barn_err match_set_add(struct match_set *set, const struct match *match, uint32_t number);
enum barn_err match_set_compile(struct match_set *set, bool no_scan);
enum barn_err match_set_scratch(const struct match_set *set, struct rule_scratch **scratch);

/* Calls `fits` for each statement that this value of this field fits, in the order of adding.
 */
void match_set_value(const struct match_set *set, uint16_t field, struct bytes value,
		     struct rule_scratch *scratch, void (*fits)(void *self, uint32_t number),
		     void *self);

#endif
