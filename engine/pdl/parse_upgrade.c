/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Words after which another protocol goes on in the same connection. */
#include "pdl/parse.h"
#include "pdl/words.h"

enum { UPGRADES_MAX = 4, STEPS_MAX = 16 /* classify watches for so many */ };

static bool
steps(struct parse *p, struct list *steps)
{
	do {
		struct pdl_pos pos = p->token.pos;
		struct pdl_source *step = parse_add(p, steps, sizeof(*step));

		if (!step || !parse_source(p, step))
			return false;
		if (step->next && steps->count == 1)
			parse_fault(p, pos, "'next' in the first step: next after what?");
		if (!step->line && step->side == PDL_ANY)
			parse_fault(p, pos, "a step with a place: expected client or server");
		if (steps->count > STEPS_MAX) {
			parse_fault(p, pos, "more than %d steps", STEPS_MAX);
			p->lost = true;
			return false;
		}
	} while (parse_term_begins(p));
	return !p->lost;
}

void
parse_upgrade(struct parse *p, struct pdl_pos pos)
{
	struct pdl_upgrade upgrade = { 0 }, *added;
	struct list list = { 0 };

	if (!parse_accept(p, "any") && !parse_reference(p, &upgrade.protocol))
		return;
	if (!parse_need(p, "{"))
		return;
	p->depth++;
	if (!steps(p, &list))
		return;
	if (!parse_is(p, "}")) {
		parse_misspelt(p, words_sides, 3, "client, server, any or '}'");
		return;
	}
	p->depth--;
	parse_next(p);
	if (p->tree->upgrades.count == UPGRADES_MAX)
		parse_fault(p, pos, "more than %d upgrades", UPGRADES_MAX);
	upgrade.steps = list.items;
	upgrade.step_count = list.count;
	added = parse_add(p, &p->tree->upgrades, sizeof(*added));
	if (added)
		*added = upgrade;
}
