/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_RULE_H
#define MATCH_RULE_H

/*
 * The rules of all modules, compiled for one transport, matched together. Immutable once
 * compiled and shared by all threads; each thread brings a scratch. The answers are those of
 * each rule alone (rule_run), but only the few rules that could say YES are run:
 *
 *	first bytes ─► rule_index ─► rules that these bytes do not forbid
 *	                                  │ if many of them need a word
 *	              all words ─► scan ─►┤
 *	                                  └─► rule_run: PCRE2 and arithmetic confirm
 */

#include "match/regex.h"
#include "match/view.h"

struct rule; /* one compiled rule; pdl's emit makes them with match/program.h */
struct rule_set;
struct rule_scratch;

/* One rule alone, as `barn pdlm test` wants it. */
enum match_answer rule_run(const struct rule *rule, const struct match_view *view,
			   struct regex_scratch *scratch);

struct rule_set_options {
	bool udp;     /* how the views are that the set will be asked about */
	bool no_scan; /* without Hyperscan, to compare */
};

enum barn_err rule_set_new(const struct rule_set_options *options, struct rule_set **set);
void rule_set_free(struct rule_set *set);

/* The rule stays the caller's and must outlive the set. `number` comes back in a match. */
enum barn_err rule_set_add(struct rule_set *set, const struct rule *rule, uint16_t number);
enum barn_err rule_set_compile(struct rule_set *set);

struct rule_set_info {
	uint32_t rules;
	uint32_t unplaced; /* no byte at a known place forbids them */
	uint32_t always;   /* neither that, nor does a word: run each time */
	bool scans;        /* with Hyperscan */
};

struct rule_set_info rule_set_info(const struct rule_set *set);

struct sieve;

/* What a thread's scratch is to serve, all of it compiled; no others. */
struct rule_scratch_options {
	const struct rule_set *const *sets;
	unsigned set_count;
	const struct sieve *const *sieves;
	unsigned sieve_count;
};

enum barn_err rule_scratch_new(const struct rule_scratch_options *options,
			       struct rule_scratch **scratch);
void rule_scratch_free(struct rule_scratch *scratch);
/* The scratch's own, for whatever else the thread has to match. */
struct regex_scratch *rule_scratch_regex(struct rule_scratch *scratch);

struct rule_work {
	uint64_t asked; /* times that a set was asked */
	uint64_t run;   /* rules that were run for that */
	uint64_t scans; /* sides that Hyperscan went through */
	uint64_t cuts;  /* expressions that tried too much, and were cut */
};

struct rule_work rule_scratch_work(const struct rule_scratch *scratch);

/*
 * What a set has found out about one flow, so that only what is new is looked at when it is
 * asked again: rules that may still hold, and words that were found. All zero at first, and
 * again where the bytes that were shown are not a beginning of those that come. The owner's;
 * only rule_set_run looks inside.
 */
enum { RULE_MEMORY_OPEN = 16, RULE_MEMORY_FOUND = 8 };

struct rule_memory {
	bool listed; /* a rule with places that is not in open does not hold with these sides */
	bool over;   /* nothing will ever hold */
	uint8_t sides; /* which had spoken, and which were closed, when it was listed */
	uint8_t open_count, found_count;
	uint16_t open[RULE_MEMORY_OPEN];   /* rules */
	uint16_t found[RULE_MEMORY_FOUND]; /* clauses of rules without a place */
	uint16_t datagrams[2];             /* that were looked at */
	uint32_t scanned[2];               /* bytes */
};

/*
 * Asks all the rules. `matched` is called for each that says YES, in the order of adding; it
 * returns false to stop. Returns LATER if some rule may still match, else NO; once stopped, the
 * return value says nothing. With a memory (which may be NULL) the answers are the same.
 */
enum match_answer rule_set_run(const struct rule_set *set, const struct match_view *view,
			       struct rule_scratch *scratch, struct rule_memory *memory,
			       bool (*matched)(void *self, uint16_t number), void *self);

#endif
