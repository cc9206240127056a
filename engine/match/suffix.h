/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_SUFFIX_H
#define MATCH_SUFFIX_H

/*
 * Names of servers to numbers, by their last labels: "*.netflix.com" holds for netflix.com and
 * for every name below it, "www.netflix.com" for itself alone. The longest suffix wins, so the
 * cost of a look-up is the name's labels, not the number of patterns. Without regard to case; a
 * final dot is cut.
 */

#include "base/bytes.h"
#include <barn/err.h>

struct suffix_table;

enum barn_err suffix_new(struct suffix_table **table);
void suffix_free(struct suffix_table *table);

/* BARN_ERR_EXISTS if the same pattern has another number; BARN_ERR_ARGUMENT if it is no name.
 */
enum barn_err suffix_add(struct suffix_table *table, const char *pattern, uint16_t number);

/* Whether suffix_add takes it: "www.example.com" or "*.example.com". */
bool suffix_is_pattern(const char *pattern);

/* 0 if no pattern holds. */
uint16_t suffix_find(const struct suffix_table *table, struct bytes name);

#endif
