/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/rule_scratch.h"

#include "match/sieve.h"

#include <stdlib.h>

static uint32_t
larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static enum barn_err
make(const struct rule_scratch_options *o, const struct scan **scans, struct rule_scratch *s)
{
	const struct scan *const *first = scans;
	uint32_t rules = 0, clauses = 0, words = 1;
	enum barn_err err;

	for (unsigned i = 0; i < o->set_count; i++) {
		uint32_t r, c;

		rule_set_needs(o->sets[i], &r, &c, scans);
		scans += RULE_SET_SCANS;
		rules = larger(rules, r);
		clauses = larger(clauses, c);
	}
	for (unsigned i = 0; i < o->sieve_count; i++) {
		*scans++ = sieve_scan(o->sieves[i]);
		words = larger(words, sieve_words(o->sieves[i]));
	}
	s->sieved = calloc(words, sizeof(*s->sieved));
	err = s->sieved ? regex_scratch_new(&s->regex) : BARN_ERR_MEMORY;
	if (!err)
		err = rule_index_marks_new(rules, clauses, &s->marks);
	if (!err)
		err = scan_scratch_new(first, (unsigned)(scans - first), &s->scan);
	return err;
}

enum barn_err
rule_scratch_new(const struct rule_scratch_options *options, struct rule_scratch **scratch)
{
	const struct scan **scans =
		calloc((size_t)options->set_count * RULE_SET_SCANS + options->sieve_count + 1,
		       sizeof(const struct scan *));
	struct rule_scratch *s = calloc(1, sizeof(*s));
	enum barn_err err = s && scans ? make(options, scans, s) : BARN_ERR_MEMORY;

	free(scans);
	if (err)
		rule_scratch_free(s);
	else
		*scratch = s;
	return err;
}

void
rule_scratch_free(struct rule_scratch *scratch)
{
	if (!scratch)
		return;
	regex_scratch_free(scratch->regex);
	scan_scratch_free(scratch->scan);
	rule_index_marks_free(&scratch->marks);
	free(scratch->sieved);
	free(scratch);
}

struct regex_scratch *
rule_scratch_regex(struct rule_scratch *scratch)
{
	return scratch->regex;
}

struct rule_work
rule_scratch_work(const struct rule_scratch *scratch)
{
	struct rule_work work = scratch->work;

	work.cuts = regex_scratch_cuts(scratch->regex);
	return work;
}
