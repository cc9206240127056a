/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/emit.h"

struct emit {
	struct arena *arena;
	struct list steps, terms;
};

static bool
step(struct emit *e, enum program_step_kind kind, unsigned number)
{
	struct program_step *s = list_add(&e->steps, e->arena, sizeof(*s));

	if (s)
		*s = (struct program_step){ .kind = (uint8_t)kind, .number = (uint16_t)number };
	return s != NULL;
}

/* The skips of one group, which all lead to its end. */
static void
close_skips(struct emit *e, unsigned from, enum program_step_kind skip)
{
	struct program_step *steps = e->steps.items;

	for (unsigned i = from; i < e->steps.count; i++)
		if (steps[i].kind == skip && steps[i].number == 0)
			steps[i].number = (uint16_t)e->steps.count;
}

/* Depth is that of the text, which the parser bounds. */
static bool
node(struct emit *e, const struct pdl_node *n)
{
	bool all = n->kind == PDL_ALL;
	unsigned from = e->steps.count;
	struct program_term *term;

	if (n->kind == PDL_NOT)
		return node(e, n->kids[0]) && step(e, PROGRAM_NOT, 0);
	if (n->kind == PDL_TERM) {
		term = list_add(&e->terms, e->arena, sizeof(*term));
		if (term)
			*term = n->term;
		return term && step(e, PROGRAM_TERM, e->terms.count - 1);
	}
	for (unsigned i = 0; i < n->kid_count; i++) {
		if (i > 0 && !step(e, all ? PROGRAM_SKIP_NO : PROGRAM_SKIP_YES, 0))
			return false;
		if (!node(e, n->kids[i]))
			return false;
		if (i > 0 && !step(e, all ? PROGRAM_AND : PROGRAM_OR, 0))
			return false;
	}
	close_skips(e, from, all ? PROGRAM_SKIP_NO : PROGRAM_SKIP_YES);
	return true;
}

enum barn_err
emit_rule(struct arena *arena, const struct pdl_node *body, const struct rule **rule)
{
	struct emit e = { .arena = arena };
	struct rule *built = NULL;
	enum barn_err err;

	if (!node(&e, body))
		return BARN_ERR_MEMORY;
	err = program_build(arena, e.steps.items, e.steps.count, e.terms.items, e.terms.count,
			    &built);
	*rule = built;
	return err;
}
