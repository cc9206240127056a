/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/program.h"
#include "match/rule_scratch.h"

#include <stdlib.h>

struct rule_set {
	struct rule_set_options options;
	const struct rule **rules;
	uint16_t *numbers;
	uint32_t count, room;
	struct rule_index *index; /* NULL: not compiled yet */
	struct scan *scan;        /* of clauses' words; NULL: without Hyperscan */
};

/* So many rules are run in the time that a scan takes. */
enum { SCAN_PAYS = 4 };

enum barn_err
rule_set_new(const struct rule_set_options *options, struct rule_set **set)
{
	*set = calloc(1, sizeof(**set));
	if (!*set)
		return BARN_ERR_MEMORY;
	(*set)->options = *options;
	return BARN_OK;
}

void
rule_set_free(struct rule_set *set)
{
	if (!set)
		return;
	scan_free(set->scan);
	rule_index_free(set->index);
	free(set->rules);
	free(set->numbers);
	free(set);
}

static enum barn_err
grow(struct rule_set *set)
{
	uint32_t room = set->room ? set->room * 2 : 64;
	const struct rule **rules;
	uint16_t *numbers;

	if (set->room >= UINT16_MAX)
		return BARN_ERR_MEMORY;
	rules = realloc(set->rules, room * sizeof(const struct rule *));
	if (!rules)
		return BARN_ERR_MEMORY;
	set->rules = rules;
	numbers = realloc(set->numbers, room * sizeof(*numbers));
	if (!numbers)
		return BARN_ERR_MEMORY;
	set->numbers = numbers;
	set->room = room;
	return BARN_OK;
}

enum barn_err
rule_set_add(struct rule_set *set, const struct rule *rule, uint16_t number)
{
	enum barn_err err;

	if (set->index)
		return BARN_ERR_ARGUMENT;
	err = set->count == set->room ? grow(set) : BARN_OK;
	if (err)
		return err;
	set->rules[set->count] = rule;
	set->numbers[set->count++] = number;
	return BARN_OK;
}

/* The words of all clauses in one database. Without Hyperscan there is none, and that is fine.
 */
static enum barn_err
compile_words(struct rule_set *set)
{
	const struct need_clause *clause;
	struct scan_list *list = NULL;
	enum barn_err err = scan_list_new(&list);
	bool words;

	for (uint32_t i = 0; !err && (clause = rule_index_clause(set->index, i, &words)); i++)
		for (unsigned k = 0; words && !err && k < clause->count; k++)
			err = scan_list_add(list, &clause->atoms[k].words, i);
	if (!err)
		err = scan_new(list, &set->scan);
	scan_list_free(list);
	return err == BARN_ERR_MISSING ? BARN_OK : err;
}

enum barn_err
rule_set_compile(struct rule_set *set)
{
	enum barn_err err;

	if (set->index)
		return BARN_ERR_ARGUMENT;
	err = rule_index_new(set->rules, set->count, set->options.udp, &set->index);
	if (!err && !set->options.no_scan)
		err = compile_words(set);
	return err;
}

static uint32_t
count_bits(const uint64_t *a, const uint64_t *b, uint32_t words)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < words; i++)
		n += (uint32_t)__builtin_popcountll(b ? a[i] & b[i] : a[i]);
	return n;
}

struct rule_set_info
rule_set_info(const struct rule_set *set)
{
	const uint64_t *unplaced = rule_index_free_of(set->index, MARK_FULL);
	const uint64_t *unworded = rule_index_free_of(set->index, MARK_WORD);
	uint32_t words = set->count / 64 + 1;

	return (struct rule_set_info){
		.rules = set->count,
		.unplaced = count_bits(unplaced, NULL, words),
		.always = count_bits(unplaced, unworded, words),
		.scans = set->scan != NULL,
	};
}

const struct scan *
rule_set_needs(const struct rule_set *set, uint32_t *rules, uint32_t *clauses)
{
	*rules = set->count;
	*clauses = rule_index_clauses(set->index);
	return set->scan;
}

/* One question to a set. */
struct question {
	const struct rule_set *set;
	const struct match_view *view;
	struct rule_scratch *scratch;
	uint32_t words; /* of a set of rules, a bit each */
	bool scanned;   /* MARK_WORD was given */
};

/* Rules that may say YES, 64 at a time. */
static uint64_t
candidates(const struct question *q, uint32_t word)
{
	const struct rule_index *index = q->set->index;
	uint64_t rules = q->scratch->marks.rules[MARK_FULL][word] |
			 rule_index_free_of(index, MARK_FULL)[word];

	if (q->scanned)
		rules &= q->scratch->marks.rules[MARK_WORD][word] |
			 rule_index_free_of(index, MARK_WORD)[word];
	return rules;
}

struct find {
	struct rule_marks *marks;
	const struct rule_index *index;
};

static void
found_word(void *self, uint32_t clause)
{
	const struct find *find = self;

	rule_index_mark(find->marks, find->index, clause, MARK_WORD);
}

/* A rule that looks everywhere costs as much as the scan does. */
static bool
scan_pays(const struct question *q)
{
	const uint64_t *unworded = rule_index_free_of(q->set->index, MARK_WORD);
	const uint64_t *unplaced = rule_index_free_of(q->set->index, MARK_FULL);
	uint32_t count = 0;

	for (uint32_t i = 0; i < q->words && count < SCAN_PAYS; i++) {
		uint64_t worded = candidates(q, i) & ~unworded[i];

		count += (uint32_t)__builtin_popcountll(worded);
		if (worded & unplaced[i])
			count = SCAN_PAYS;
	}
	return count >= SCAN_PAYS;
}

/*
 * What both sides sent is scanned from the start each time. It is asked for only while the flow
 * is under inspection, whose packets and bytes have a bound, and goes through a gigabyte a
 * second; to keep Hyperscan's state between packets would cost each flow kilobytes.
 */
static void
scan_if_it_pays(struct question *q)
{
	struct find find = { &q->scratch->marks, q->set->index };

	if (!q->set->scan || !scan_pays(q))
		return;
	for (unsigned dir = 0; dir < 2; dir++) {
		const struct match_side *side = &q->view->side[dir];

		if (side->len == 0)
			continue;
		q->scratch->work.scans++;
		scan_run(q->set->scan, q->scratch->scan, bytes_of(side->data, side->len),
			 found_word, &find);
	}
	q->scanned = true;
}

static enum match_answer
run_one(const struct question *q, uint32_t rule)
{
	q->scratch->work.run++;
	return rule_run(q->set->rules[rule], q->view, q->scratch->regex);
}

static bool
is_candidate(const struct question *q, uint32_t rule)
{
	return candidates(q, rule / 64) >> rule % 64 & 1;
}

/* Of a rule that is no candidate, so that it does not say YES. */
static bool
says_later(const struct question *q, uint32_t rule)
{
	return need_waits(q->set->rules[rule], q->view) || run_one(q, rule) == MATCH_LATER;
}

/* Whether a rule that cannot say YES now may do so later: one is enough. */
static bool
any_later(const struct question *q)
{
	const struct rule_marks *marks = &q->scratch->marks;
	const struct rule_index *index = q->set->index;
	uint32_t *witness = &q->scratch->witness[q->view->udp];

	if (q->view->side[0].closed && q->view->side[1].closed)
		return false;
	if (*witness < q->set->count && !is_candidate(q, *witness) && says_later(q, *witness))
		return true;
	rule_index_waiting(index, q->view, &q->scratch->marks);
	for (uint32_t word = 0; word < q->words; word++) {
		uint64_t left = (marks->rules[MARK_POSSIBLE][word] |
				 rule_index_free_of(index, MARK_POSSIBLE)[word]) &
				~candidates(q, word);

		for (; left; left &= left - 1) {
			uint32_t rule = word * 64 + (uint32_t)__builtin_ctzll(left);

			if (!says_later(q, rule))
				continue;
			*witness = rule;
			return true;
		}
	}
	return false;
}

static enum match_answer
ask(struct question *q, bool (*matched)(void *self, uint16_t number), void *self)
{
	enum match_answer all = MATCH_NO;

	rule_index_present(q->set->index, q->view, &q->scratch->marks);
	scan_if_it_pays(q);
	for (uint32_t word = 0; word < q->words; word++) {
		for (uint64_t left = candidates(q, word); left; left &= left - 1) {
			uint32_t rule = word * 64 + (uint32_t)__builtin_ctzll(left);
			enum match_answer answer = run_one(q, rule);

			if (answer == MATCH_LATER)
				all = MATCH_LATER;
			if (answer == MATCH_YES && !matched(self, q->set->numbers[rule]))
				return all;
		}
	}
	return all == MATCH_LATER || any_later(q) ? MATCH_LATER : MATCH_NO;
}

enum match_answer
rule_set_run(const struct rule_set *set, const struct match_view *view,
	     struct rule_scratch *scratch, bool (*matched)(void *self, uint16_t number),
	     void *self)
{
	struct question q = { .set = set, .view = view, .scratch = scratch };
	enum match_answer all;

	if (!set->index || set->count == 0)
		return MATCH_NO;
	q.words = (set->count + 63) / 64;
	scratch->work.asked++;
	all = ask(&q, matched, self);
	rule_index_clear(&scratch->marks, set->index);
	return all;
}
