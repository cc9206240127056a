/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/program.h"

static bool
test_valid(const struct program_test *test)
{
	switch (test->kind) {
	case PROGRAM_TEXT:
	case PROGRAM_BYTES: return test->len > 0 && test->len <= UINT16_MAX;
	case PROGRAM_REGEX: return test->regex != NULL;
	case PROGRAM_COMPARE:
		return test->compare <= PROGRAM_GE && sum_valid(&test->left) &&
		       sum_valid(&test->right);
	case PROGRAM_AT:
	case PROGRAM_IN: return sum_valid(&test->left);
	default: return false;
	}
}

static bool
term_valid(const struct program_term *term, unsigned *tests)
{
	if (term->sides == 0 || term->sides > 3 || term->where > PROGRAM_LINE ||
	    term->count == 0 || term->place >= PROGRAM_PREFIX)
		return false;
	for (unsigned i = 0; i < term->count; i++) {
		const struct program_alternative *alternative = &term->alternatives[i];

		*tests += alternative->count;
		if (alternative->count == 0 || *tests > PROGRAM_TESTS)
			return false;
		for (unsigned j = 0; j < alternative->count; j++)
			if (!test_valid(&alternative->tests[j]))
				return false;
	}
	return true;
}

static bool
steps_valid(const struct program_step *steps, unsigned count, unsigned terms)
{
	unsigned top = 0;

	for (unsigned i = 0; i < count; i++) {
		switch (steps[i].kind) {
		case PROGRAM_TERM:
			if (steps[i].number >= terms || ++top > PROGRAM_STACK)
				return false;
			break;
		case PROGRAM_AND:
		case PROGRAM_OR:
			if (top-- < 2)
				return false;
			break;
		case PROGRAM_NOT:
			if (top < 1)
				return false;
			break;
		case PROGRAM_SKIP_NO:
		case PROGRAM_SKIP_YES:
			if (top < 1 || steps[i].number <= i || steps[i].number > count)
				return false;
			break;
		default: return false;
		}
	}
	return top == 1;
}

/* What a comparison of an integer at offset 0 with a number says of the first byte. */
static struct byteset
first_of_compare(const struct program_test *test)
{
	const struct sum_op *left = test->left.ops, *right = test->right.ops;
	struct byteset first = { 0 };
	int64_t number;
	unsigned width;

	if (test->compare != PROGRAM_EQ || test->left.count != 2 || test->right.count != 1 ||
	    left[0].kind != SUM_NUMBER || left[0].number != 0 || right[0].kind != SUM_NUMBER)
		return BYTESET_ALL;
	width = sum_width(left[1].kind);
	number = right[0].number;
	if (width == 0)
		return BYTESET_ALL;
	if (width == 8 || number >> 8 * width == 0)
		byteset_add(&first, (uint8_t)(sum_is_big_endian(left[1].kind)
						      ? number >> 8 * (width - 1)
						      : number));
	return first;
}

static struct byteset
first_of_in(const struct program_test *test)
{
	struct byteset first = { 0 };

	if (test->left.count != 2 || test->left.ops[0].kind != SUM_NUMBER ||
	    test->left.ops[0].number != 0 || test->left.ops[1].kind != SUM_U8)
		return BYTESET_ALL;
	for (unsigned i = 0; i < test->len; i++) {
		const struct program_range *range = &test->ranges[i];

		for (int64_t byte = 0; byte < 256; byte++)
			if (byte >= range->low && byte <= range->high)
				byteset_add(&first, (uint8_t)byte);
	}
	return first;
}

static struct byteset
first_of_alternative(const struct program_alternative *alternative)
{
	struct byteset all = BYTESET_ALL;
	bool at_start = true; /* the cursor is where the place begins */

	for (unsigned i = 0; i < alternative->count; i++) {
		const struct program_test *test = &alternative->tests[i];
		struct byteset first = BYTESET_ALL;

		switch (test->kind) {
		case PROGRAM_TEXT:
			if (at_start) {
				first = (struct byteset){ 0 };
				if (test->caseless)
					byteset_add_caseless(&first, test->text[0]);
				else
					byteset_add(&first, test->text[0]);
			}
			at_start = false;
			break;
		case PROGRAM_BYTES:
			first = at_start ? test->sets[0] : BYTESET_ALL;
			at_start = false;
			break;
		case PROGRAM_AT: at_start = false; break;
		case PROGRAM_REGEX:
			if (at_start)
				first = regex_first(test->regex);
			break;
		case PROGRAM_COMPARE: first = first_of_compare(test); break;
		case PROGRAM_IN: first = first_of_in(test); break;
		default: break;
		}
		all = byteset_and(all, first);
	}
	return all;
}

static void
first_of_term(const struct program_term *term, struct byteset first[2])
{
	struct byteset *mine = &first[term->sides >> 1];

	first[0] = first[1] = BYTESET_ALL;
	if (term->where != PROGRAM_AT_PLACE || term->place != 0 || term->sides == 3)
		return;
	*mine = (struct byteset){ 0 };
	for (unsigned i = 0; i < term->count; i++)
		*mine = byteset_or(*mine, first_of_alternative(&term->alternatives[i]));
}

/* The steps run once more, over first bytes instead of answers. */
static void
find_first(struct rule *rule)
{
	struct byteset stack[PROGRAM_STACK][2];
	unsigned top = 0;

	for (unsigned i = 0; i < rule->step_count; i++) {
		switch (rule->steps[i].kind) {
		case PROGRAM_TERM:
			first_of_term(&rule->terms[rule->steps[i].number], stack[top++]);
			break;
		case PROGRAM_AND:
			top--;
			for (unsigned s = 0; s < 2; s++)
				stack[top - 1][s] =
					byteset_and(stack[top - 1][s], stack[top][s]);
			break;
		case PROGRAM_OR:
			top--;
			for (unsigned s = 0; s < 2; s++)
				stack[top - 1][s] =
					byteset_or(stack[top - 1][s], stack[top][s]);
			break;
		case PROGRAM_NOT: stack[top - 1][0] = stack[top - 1][1] = BYTESET_ALL; break;
		default: break;
		}
	}
	rule->first[0] = stack[0][0];
	rule->first[1] = stack[0][1];
}

enum barn_err
program_build(struct arena *arena, const struct program_step *steps, unsigned step_count,
	      const struct program_term *terms, unsigned term_count, struct rule **rule)
{
	unsigned tests = 0;
	struct rule *r;

	if (step_count > UINT16_MAX || !steps_valid(steps, step_count, term_count))
		return BARN_ERR_ARGUMENT;
	for (unsigned i = 0; i < term_count; i++)
		if (!term_valid(&terms[i], &tests))
			return BARN_ERR_ARGUMENT;
	r = arena_alloc(arena, sizeof(*r));
	if (!r)
		return BARN_ERR_MEMORY;
	*r = (struct rule){ .steps = steps,
			    .step_count = step_count,
			    .terms = terms,
			    .term_count = term_count };
	find_first(r);
	*rule = r;
	return BARN_OK;
}
