/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_SIEVE_H
#define MATCH_SIEVE_H

/*
 * Which of many patterns a text may match: all their needles are looked for in one scan, so
 * that a thousand patterns cost about as much as ten. Who is left over is asked itself.
 * Immutable once compiled and shared by all threads; each brings a scratch.
 */

#include "match/needles.h"
#include "match/rule.h"

struct sieve;

enum barn_err sieve_new(struct sieve **sieve);
void sieve_free(struct sieve *sieve); /* of NULL: nothing */

/* Patterns are numbered from 0 in the order of adding. No needles: it is always left over. */
enum barn_err sieve_add(struct sieve *sieve, const struct needles *needles);
enum barn_err sieve_compile(struct sieve *sieve, bool no_scan);

struct scan;
const struct scan *sieve_scan(const struct sieve *sieve); /* NULL: it has none */
uint32_t sieve_words(const struct sieve *sieve);

/*
 * The patterns that are left over, a bit each, in sieve_words words; they stay until the
 * scratch is used again.
 */
const uint64_t *sieve_run(const struct sieve *sieve, struct bytes text,
			  struct rule_scratch *scratch);

#endif
