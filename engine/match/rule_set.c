/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/rule_set.h"
#include "match/program.h"
#include "match/rule_scratch.h"

#include <stdlib.h>

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
	scan_free(set->loose);
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

static bool
has_bit(const uint64_t *bits, uint32_t bit)
{
	return bits[bit / 64] >> bit % 64 & 1;
}

/* The words of clauses in one database. Without Hyperscan there is none, and that is fine. */
static enum barn_err
compile_words(const struct rule_set *set, bool loose, struct scan **scan)
{
	const uint64_t *unplaced = rule_index_free_of(set->index, MARK_FULL);
	const struct need_clause *clause;
	struct scan_list *list = NULL;
	enum barn_err err = scan_list_new(&list);
	bool words;

	for (uint32_t i = 0; !err && (clause = rule_index_clause(set->index, i, &words)); i++) {
		if (!words || (loose && !has_bit(unplaced, rule_index_rule(set->index, i))))
			continue;
		for (unsigned k = 0; !err && k < clause->count; k++)
			err = scan_list_add(list, &clause->atoms[k].words, i);
	}
	if (!err)
		err = scan_new(list, scan);
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
		err = compile_words(set, false, &set->scan);
	if (!err && set->scan)
		err = compile_words(set, true, &set->loose);
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

void
rule_set_needs(const struct rule_set *set, uint32_t *rules, uint32_t *clauses,
	       const struct scan *scans[RULE_SET_SCANS])
{
	*rules = set->count;
	*clauses = rule_index_clauses(set->index);
	scans[0] = set->scan;
	scans[1] = set->loose;
}
