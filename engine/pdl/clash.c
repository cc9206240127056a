/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/clash.h"

enum { SEEN = 128 /* bytes from the start that are looked at */ };

/* What the bytes of a stream, or of one datagram, must be. */
struct demand {
	struct byteset byte[SEEN];
};

static struct byteset
wanted(const struct program_test *test, uint32_t i)
{
	struct byteset set = { 0 };

	if (test->kind == PROGRAM_BYTES)
		return test->sets[i];
	if (test->caseless)
		byteset_add_caseless(&set, test->text[i]);
	else
		byteset_add(&set, test->text[i]);
	return set;
}

static bool
is_number(const struct sum *sum)
{
	return sum->count == 1 && sum->ops[0].kind == SUM_NUMBER;
}

/* Adds what the term's only alternative wants, from `from` on; true: nothing can be both. */
static bool
add(struct demand *demand, const struct program_alternative *tests, uint32_t from)
{
	int64_t cursor = from;

	for (unsigned i = 0; i < tests->count; i++) {
		const struct program_test *test = &tests->tests[i];

		if (test->kind == PROGRAM_AT && !is_number(&test->left))
			return false;
		if (test->kind == PROGRAM_AT)
			cursor = from + test->left.ops[0].number;
		if (test->kind != PROGRAM_TEXT && test->kind != PROGRAM_BYTES)
			continue;
		for (uint32_t j = 0; j < test->len; j++, cursor++) {
			struct byteset *have;

			if (cursor < 0 || cursor >= SEEN)
				continue;
			have = &demand->byte[cursor];
			*have = byteset_and(*have, wanted(test, j));
			if (byteset_empty(have))
				return true;
		}
	}
	return false;
}

static bool
is_fixed(const struct pdl_node *node)
{
	return node->kind == PDL_TERM && node->term.where == PROGRAM_AT_PLACE &&
	       node->term.sides != 3 && node->term.count == 1;
}

static bool
clash_at(const struct pdl_node *const *kids, unsigned count, const struct pdl_node *first,
	 bool udp)
{
	struct demand demand;

	for (unsigned i = 0; i < SEEN; i++)
		demand.byte[i] = BYTESET_ALL;
	for (unsigned i = 0; i < count; i++) {
		const struct program_term *term = &kids[i]->term;

		if (!is_fixed(kids[i]) || term->sides != first->term.sides ||
		    (udp && term->place != first->term.place))
			continue;
		if (add(&demand, &term->alternatives[0], udp ? 0 : term->place))
			return true;
	}
	return false;
}

bool
clash_of_bytes(const struct pdl_node *rule, uint8_t transports)
{
	const struct pdl_node *const one[] = { rule };
	const struct pdl_node *const *kids = one;
	unsigned count = 1;

	if (rule->kind == PDL_ALL) {
		kids = (const struct pdl_node *const *)rule->kids;
		count = rule->kid_count;
	}
	for (unsigned i = 0; i < count; i++) {
		if (is_fixed(kids[i]) && clash_at(kids, count, kids[i], transports & PDL_UDP))
			return true;
	}
	return false;
}

/* The most that the length may be by this test; INT64_MAX: any. */
static int64_t
most(const struct program_test *test)
{
	int64_t high = INT64_MIN;

	if (test->left.count != 1 || test->left.ops[0].kind != SUM_LENGTH)
		return INT64_MAX;
	if (test->kind == PROGRAM_IN) {
		for (uint32_t i = 0; i < test->len; i++)
			high = test->ranges[i].high > high ? test->ranges[i].high : high;
		return high;
	}
	if (test->kind != PROGRAM_COMPARE || !is_number(&test->right))
		return INT64_MAX;
	switch (test->compare) {
	case PROGRAM_EQ:
	case PROGRAM_LE: return test->right.ops[0].number;
	case PROGRAM_LT: return test->right.ops[0].number - 1;
	default: return INT64_MAX;
	}
}

static bool
needs_more(const struct program_alternative *tests)
{
	int64_t cursor = 0, least = 0, length = INT64_MAX;

	for (unsigned i = 0; i < tests->count; i++) {
		const struct program_test *test = &tests->tests[i];
		int64_t high = most(test);

		length = high < length ? high : length;
		if (test->kind == PROGRAM_AT && !is_number(&test->left))
			return false;
		if (test->kind == PROGRAM_AT)
			cursor = test->left.ops[0].number;
		if (test->kind == PROGRAM_TEXT || test->kind == PROGRAM_BYTES)
			cursor += test->len;
		least = cursor > least ? cursor : least;
	}
	return least > length;
}

static bool
is_too_short(const struct program_term *term)
{
	if (term->where == PROGRAM_LINE)
		return false;
	for (unsigned i = 0; i < term->count; i++)
		if (!needs_more(&term->alternatives[i]))
			return false;
	return true;
}

bool
clash_with_length(const struct pdl_node *rule)
{
	if (rule->kind == PDL_TERM)
		return is_too_short(&rule->term);
	for (unsigned i = 0; rule->kind == PDL_ALL && i < rule->kid_count; i++)
		if (rule->kids[i]->kind == PDL_TERM && is_too_short(&rule->kids[i]->term))
			return true;
	return false;
}
