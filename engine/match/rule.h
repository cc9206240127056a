/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_RULE_H
#define MATCH_RULE_H

/*
 * The rules of all modules, compiled for one transport, matched together. Immutable once
 * compiled and shared by all threads; each thread brings a scratch.
 */

#include "match/regex.h"
#include "match/view.h"

struct rule; /* one compiled rule; pdl's emit makes them with match/program.h */
struct rule_set;

/* One rule alone, as `barn pdlm test` wants it. */
enum match_answer rule_run(const struct rule *rule, const struct match_view *view,
			   struct regex_scratch *scratch);

enum barn_err rule_set_new(struct rule_set **set);
void rule_set_free(struct rule_set *set);

/* The rule stays the caller's and must outlive the set. `number` comes back in a match. */
enum barn_err rule_set_add(struct rule_set *set, const struct rule *rule, uint16_t number);
enum barn_err rule_set_compile(struct rule_set *set);

/*
 * Asks all the rules. `matched` is called for each that says YES, in the order of adding; it
 * returns false to stop. Returns LATER if some rule may still match, else NO.
 */
enum match_answer rule_set_run(const struct rule_set *set, const struct match_view *view,
			       struct regex_scratch *scratch,
			       bool (*matched)(void *self, uint16_t number), void *self);

#endif
