/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/twice.h"

#include <string.h>

static bool
same_sum(const struct sum *a, const struct sum *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		if (a->ops[i].kind != b->ops[i].kind || a->ops[i].number != b->ops[i].number)
			return false;
	return true;
}

static bool
same_content(const struct program_test *a, const struct program_test *b)
{
	switch ((enum program_test_kind)a->kind) {
	case PROGRAM_TEXT: return memcmp(a->text, b->text, a->len) == 0;
	case PROGRAM_BYTES: return memcmp(a->sets, b->sets, a->len * sizeof(*a->sets)) == 0;
	case PROGRAM_IN:
		return memcmp(a->ranges, b->ranges, a->len * sizeof(*a->ranges)) == 0 &&
		       same_sum(&a->left, &b->left);
	case PROGRAM_REGEX:
		return regex_caseless(a->regex) == regex_caseless(b->regex) &&
		       strcmp(regex_pattern(a->regex), regex_pattern(b->regex)) == 0;
	case PROGRAM_AT: return same_sum(&a->left, &b->left);
	case PROGRAM_COMPARE:
		return same_sum(&a->left, &b->left) && same_sum(&a->right, &b->right);
	}
	return false;
}

static bool
same_tests(const struct program_alternative *a, const struct program_alternative *b)
{
	if (a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++) {
		const struct program_test *x = &a->tests[i], *y = &b->tests[i];

		if (x->kind != y->kind || x->compare != y->compare ||
		    x->caseless != y->caseless || x->len != y->len || !same_content(x, y))
			return false;
	}
	return true;
}

static bool
same_term(const struct program_term *a, const struct program_term *b)
{
	if (a->sides != b->sides || a->where != b->where || a->place != b->place ||
	    a->then != b->then || a->count != b->count)
		return false;
	for (unsigned i = 0; i < a->count; i++)
		if (!same_tests(&a->alternatives[i], &b->alternatives[i]))
			return false;
	return true;
}

/* No deeper than the parser lets clauses stand in each other. */
static bool
same(const struct pdl_node *a, const struct pdl_node *b)
{
	if (a->kind != b->kind)
		return false;
	if (a->kind == PDL_TERM)
		return same_term(&a->term, &b->term);
	if (a->kid_count != b->kid_count)
		return false;
	for (unsigned i = 0; i < a->kid_count; i++)
		if (!same(a->kids[i], b->kids[i]))
			return false;
	return true;
}

/* The clauses of a rule that must all hold. */
struct clauses {
	const struct pdl_node *const *node;
	unsigned count;
};

static struct clauses
clauses_of(const struct pdl_node *const *rule)
{
	if ((*rule)->kind == PDL_ALL)
		return (struct clauses){ (const struct pdl_node *const *)(*rule)->kids,
					 (*rule)->kid_count };
	return (struct clauses){ rule, 1 };
}

static bool
has(const struct clauses *c, const struct pdl_node *node, unsigned until)
{
	for (unsigned i = 0; i < until; i++)
		if (same(c->node[i], node))
			return true;
	return false;
}

/* `not` before the clause. */
static bool
has_opposite(const struct clauses *c, const struct pdl_node *node)
{
	for (unsigned i = 0; i < c->count; i++)
		if (c->node[i]->kind == PDL_NOT && same(c->node[i]->kids[0], node))
			return true;
	return false;
}

enum twice_clause
twice_clauses(const struct pdl_node *rule)
{
	struct clauses c = clauses_of(&rule);

	for (unsigned i = 0; i < c.count; i++) {
		if (has(&c, c.node[i], i))
			return TWICE_SAME;
		if (has_opposite(&c, c.node[i]))
			return TWICE_OPPOSITE;
	}
	return TWICE_NONE;
}

bool
twice_rule(const struct pdl_rule *rule, const struct pdl_rule *other)
{
	struct clauses mine = clauses_of(&rule->body), theirs = clauses_of(&other->body);

	if (rule->strength > other->strength || (rule->transports & ~other->transports))
		return false;
	for (unsigned i = 0; i < theirs.count; i++)
		if (!has(&mine, theirs.node[i], mine.count))
			return false;
	return true;
}
