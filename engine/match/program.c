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
	    term->count == 0 || term->place >= PROGRAM_PREFIX ||
	    (term->then && term->sides == 3))
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

enum barn_err
program_build(struct arena *arena, const struct program_step *steps, unsigned step_count,
	      const struct program_term *terms, unsigned term_count, struct rule **rule)
{
	unsigned tests = 0;
	enum barn_err err;
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
	err = need_find(arena, r);
	if (!err)
		*rule = r;
	return err;
}
