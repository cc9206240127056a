/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_PATTERN_SET_H
#define MATCH_PATTERN_SET_H

/*
 * Globs and expressions that are all asked about one value, such as the URLs of a thousand
 * custom protocols. How many there are matters little: a sieve leaves few over. Immutable once
 * compiled and shared by all threads; each brings a scratch that serves the set's sieve.
 */

#include "match/regex.h"
#include "match/sieve.h"

struct pattern_set;

enum barn_err pattern_set_new(struct pattern_set **set);
void pattern_set_free(struct pattern_set *set); /* of NULL: nothing */

/* The pattern's text is the caller's and must outlive the set; `number` comes back in a match.
 */
enum barn_err pattern_set_add_glob(struct pattern_set *set, const char *glob, uint16_t number);
enum barn_err pattern_set_add_regex(struct pattern_set *set, const struct regex *regex,
				    uint16_t number);
enum barn_err pattern_set_compile(struct pattern_set *set, bool no_scan);
const struct sieve *pattern_set_sieve(const struct pattern_set *set);

/*
 * Calls `matched` for each pattern that holds for the value, in the order of adding, with the
 * place where what it asks for ends: the value's end, unless the pattern leaves the end open
 * (a glob that ends in `*`, an expression without `$`).
 */
void pattern_set_run(const struct pattern_set *set, struct bytes value,
		     struct rule_scratch *scratch,
		     void (*matched)(void *self, uint16_t number, uint32_t end), void *self);

#endif
