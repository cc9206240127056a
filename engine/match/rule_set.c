/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/program.h"
#include "match/rule.h"

#include <stdlib.h>

/*
 * For each side and each value of its first byte, a row of bits tells which rules could still
 * hold: a flow's candidates are two rows and-ed. A row costs a word for 64 rules, and rules
 * that cannot hold cost nothing more, however many there are.
 */
struct rule_set {
	const struct rule **rules;
	uint16_t *numbers;
	uint32_t count, room;
	uint32_t words; /* of a row */
	uint64_t *rows; /* [2][257][words]; row 256: no byte yet */
};

enum { ROWS = 257, NO_BYTE = 256 };

enum barn_err
rule_set_new(struct rule_set **set)
{
	*set = calloc(1, sizeof(**set));
	return *set ? BARN_OK : BARN_ERR_MEMORY;
}

void
rule_set_free(struct rule_set *set)
{
	if (!set)
		return;
	free(set->rules);
	free(set->numbers);
	free(set->rows);
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

	if (set->rows)
		return BARN_ERR_ARGUMENT;
	err = set->count == set->room ? grow(set) : BARN_OK;
	if (err)
		return err;
	set->rules[set->count] = rule;
	set->numbers[set->count++] = number;
	return BARN_OK;
}

static uint64_t *
row(const struct rule_set *set, unsigned dir, unsigned byte)
{
	return set->rows + (size_t)(dir * ROWS + byte) * set->words;
}

enum barn_err
rule_set_compile(struct rule_set *set)
{
	if (set->rows)
		return BARN_ERR_ARGUMENT;
	set->words = set->count / 64 + 1;
	set->rows = calloc((size_t)2 * ROWS * set->words, sizeof(*set->rows));
	if (!set->rows)
		return BARN_ERR_MEMORY;
	for (uint32_t i = 0; i < set->count; i++)
		for (unsigned dir = 0; dir < 2; dir++)
			for (unsigned byte = 0; byte < ROWS; byte++)
				if (byte == NO_BYTE ||
				    byteset_has(&set->rules[i]->first[dir], (uint8_t)byte))
					row(set, dir, byte)[i / 64] |= 1ULL << i % 64;
	return BARN_OK;
}

static unsigned
first_byte(const struct match_side *side, bool udp)
{
	struct bytes data;

	if (side->len == 0 || (udp && (side->datagrams == 0 || side->ends[0] == 0)))
		return NO_BYTE;
	data = bytes_of(side->data, side->len);
	return bytes_u8(&data);
}

enum match_answer
rule_set_run(const struct rule_set *set, const struct match_view *view,
	     struct regex_scratch *scratch, bool (*matched)(void *self, uint16_t number),
	     void *self)
{
	const uint64_t *client, *server;
	enum match_answer all = MATCH_NO;

	if (!set->rows)
		return MATCH_NO;
	client = row(set, MATCH_CLIENT, first_byte(&view->side[MATCH_CLIENT], view->udp));
	server = row(set, MATCH_SERVER, first_byte(&view->side[MATCH_SERVER], view->udp));
	for (uint32_t word = 0; word < set->words; word++) {
		for (uint64_t left = client[word] & server[word]; left; left &= left - 1) {
			uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(left);
			enum match_answer answer = rule_run(set->rules[i], view, scratch);

			if (answer == MATCH_LATER)
				all = MATCH_LATER;
			if (answer == MATCH_YES && !matched(self, set->numbers[i]))
				return all;
		}
	}
	return all;
}
