/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/twice.h"

#include "pdl/print.h"

#include <stdlib.h>

/* The clauses of a rule that must all hold, each as text. */
struct clauses {
	struct text *texts;
	unsigned count;
};

static void
forget(struct clauses *c)
{
	for (unsigned i = 0; i < c->count; i++)
		text_fini(&c->texts[i]);
	free(c->texts);
}

static enum barn_err
list(const struct pdl_node *rule, struct clauses *c)
{
	const struct pdl_node *const one[] = { rule };
	const struct pdl_node *const *nodes =
		rule->kind == PDL_ALL ? (const struct pdl_node *const *)rule->kids : one;
	bool failed = false;

	c->count = rule->kind == PDL_ALL ? rule->kid_count : 1;
	c->texts = calloc(c->count, sizeof(*c->texts));
	if (!c->texts) {
		c->count = 0;
		return BARN_ERR_MEMORY;
	}
	for (unsigned i = 0; i < c->count; i++) {
		print_rule(&c->texts[i], nodes[i]);
		failed |= c->texts[i].failed;
	}
	if (!failed)
		return BARN_OK;
	forget(c);
	return BARN_ERR_MEMORY;
}

static bool
has(const struct clauses *c, const char *text, unsigned until)
{
	for (unsigned i = 0; i < until; i++)
		if (strcmp(text_str(&c->texts[i]), text) == 0)
			return true;
	return false;
}

/* `not` before the clause, or the clause without it. */
static bool
has_opposite(const struct clauses *c, const char *text)
{
	for (unsigned i = 0; i < c->count; i++) {
		const char *other = text_str(&c->texts[i]);

		if (strncmp(other, "\t\tnot ", 6) == 0 && strcmp(other + 6, text + 2) == 0)
			return true;
	}
	return false;
}

enum barn_err
twice_clauses(const struct pdl_node *rule, enum twice_clause *twice)
{
	struct clauses c;
	enum barn_err err = list(rule, &c);

	*twice = TWICE_NONE;
	if (err)
		return err;
	for (unsigned i = 0; i < c.count && *twice == TWICE_NONE; i++) {
		const char *text = text_str(&c.texts[i]);

		if (has(&c, text, i))
			*twice = TWICE_SAME;
		else if (has_opposite(&c, text))
			*twice = TWICE_OPPOSITE;
	}
	forget(&c);
	return BARN_OK;
}

enum barn_err
twice_rule(const struct pdl_rule *rule, const struct pdl_rule *other, bool *pointless)
{
	struct clauses mine, theirs;
	enum barn_err err;

	*pointless = false;
	if (rule->strength > other->strength || (rule->transports & ~other->transports))
		return BARN_OK;
	err = list(rule->body, &mine);
	if (err)
		return err;
	err = list(other->body, &theirs);
	if (!err) {
		*pointless = true;
		for (unsigned i = 0; i < theirs.count; i++)
			*pointless &= has(&mine, text_str(&theirs.texts[i]), mine.count);
		forget(&theirs);
	}
	forget(&mine);
	return BARN_OK;
}
