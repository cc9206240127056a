/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/clash.h"
#include "pdl/emit.h"
#include "pdl/parse.h"
#include "pdl/sense.h"
#include "pdl/twice.h"
#include "pdl/words.h"

static const char *const clause_words[] = { "client", "server", "any", "not" };
static const char clause_wanted[] = "a clause: client, server, any, not or '('";

static struct pdl_node *clause(struct parse *p, unsigned nested);

static struct pdl_node *
new_node(struct parse *p, enum pdl_node_kind kind, const struct list *kids)
{
	struct pdl_node *node = arena_alloc(p->unit->arena, sizeof(*node));

	if (!node) {
		p->no_memory = p->lost = true;
		return NULL;
	}
	node->kind = (uint8_t)kind;
	if (kids) {
		node->kids = kids->items;
		node->kid_count = kids->count;
	}
	return node;
}

static bool
add_kid(struct parse *p, struct list *kids, const struct pdl_node *kid)
{
	const struct pdl_node **at = kid ? parse_add(p, kids, sizeof(*at)) : NULL;

	if (at)
		*at = kid;
	return at != NULL;
}

static bool
clause_begins(const struct parse *p)
{
	return parse_term_begins(p) || parse_is(p, "(") || parse_is(p, "not");
}

/* client ... then server ...: marks the second, which must be the other side's. */
static bool
follows(struct parse *p, const struct list *kids, struct pdl_node *kid, struct pdl_pos pos)
{
	const struct pdl_node *before = ((struct pdl_node **)kids->items)[kids->count - 2];

	if (before->kind != PDL_TERM || kid->kind != PDL_TERM || before->term.then ||
	    before->term.sides == 3 || (before->term.sides ^ kid->term.sides) != 3)
		parse_fault(p, pos,
			    "'then' stands between one client's and one server's clause");
	kid->term.then = true;
	return true;
}

/* Clauses side by side. */
static struct pdl_node *
clauses(struct parse *p, unsigned nested, unsigned *count)
{
	struct list kids = { 0 };

	if (!clause_begins(p)) {
		parse_misspelt(p, clause_words, 4, clause_wanted);
		return NULL;
	}
	do {
		struct pdl_pos pos = p->token.pos;
		bool then = parse_accept(p, "then");
		struct pdl_node *kid = clause(p, nested);

		if (!add_kid(p, &kids, kid) || (then && !follows(p, &kids, kid, pos)))
			return NULL;
	} while (clause_begins(p) || parse_is(p, "then"));
	*count = kids.count;
	if (kids.count == 1)
		return *(struct pdl_node **)kids.items;
	return new_node(p, PDL_ALL, &kids);
}

/*
 * Alternatives. In a group an alternative is any number of clauses; in the rule's own braces
 * one: there it would be hard to see how far an `or` reaches.
 */
static struct pdl_node *
alternatives(struct parse *p, unsigned nested)
{
	struct list kids = { 0 };
	struct pdl_pos or_at = { 0 };
	bool several = false;

	for (;;) {
		unsigned count = 0;

		if (!add_kid(p, &kids, clauses(p, nested, &count)))
			return NULL;
		several |= count > 1;
		if (!parse_is(p, "or"))
			break;
		or_at = p->token.pos;
		parse_next(p);
	}
	if (nested == 0 && several && kids.count > 1) {
		parse_fault(p, or_at,
			    "'or' between clauses: expected parentheses around what "
			    "it parts");
		p->lost = true;
		return NULL;
	}
	if (p->lost)
		return NULL;
	if (kids.count == 1)
		return *(struct pdl_node **)kids.items;
	return new_node(p, PDL_ONE_OF, &kids);
}

static struct pdl_node *
clause(struct parse *p, unsigned nested)
{
	struct list kids = { 0 };
	struct pdl_node *node;

	if (nested == PROGRAM_DEPTH) {
		parse_fault(p, p->token.pos, "clauses are nested more than %d deep",
			    PROGRAM_DEPTH);
		p->lost = true;
		return NULL;
	}
	if (parse_accept(p, "not"))
		return add_kid(p, &kids, clause(p, nested + 1)) ? new_node(p, PDL_NOT, &kids)
								: NULL;
	if (parse_accept(p, "(")) {
		node = alternatives(p, nested + 1);
		return node && parse_need(p, ")") ? node : NULL;
	}
	node = new_node(p, PDL_TERM, NULL);
	if (!node)
		return NULL;
	if (!parse_term_begins(p)) {
		parse_misspelt(p, clause_words, 4, clause_wanted);
		return NULL;
	}
	return parse_term(p, &node->term) ? node : NULL;
}

/* What the rule says when none of its terms holds. */
static bool
holds_for_nothing(const struct pdl_node *node)
{
	if (node->kind == PDL_TERM)
		return false;
	if (node->kind == PDL_NOT)
		return !holds_for_nothing(node->kids[0]);
	for (unsigned i = 0; i < node->kid_count; i++)
		if (holds_for_nothing(node->kids[i]) != (node->kind == PDL_ALL))
			return node->kind == PDL_ONE_OF;
	return node->kind == PDL_ALL;
}

static bool
strength(struct parse *p, uint8_t *strength)
{
	for (*strength = PDL_HINT; *strength <= PDL_SURE; (*strength)++)
		if (parse_accept(p, words_strengths[*strength]))
			return true;
	return parse_misspelt(p, words_strengths, 3, "sure, likely or hint");
}

static bool
compile(struct parse *p, struct pdl_rule *rule, struct pdl_pos name_at, uint32_t faults)
{
	enum twice_clause twice;
	enum barn_err err;
	bool all = false;

	if (p->faults->count > faults) /* an expression may be missing: nothing to compile */
		return true;
	err = emit_rule(p->unit->arena, rule->body, &rule->rule);
	if (!err && rule->strength != PDL_HINT)
		err = sense_claims_all(rule->body, &all);
	if (err == BARN_ERR_MEMORY) {
		p->no_memory = p->lost = true;
		return false;
	}
	if (err) {
		parse_fault(p, name_at, "the rule is too complicated");
		return true;
	}
	twice = twice_clauses(rule->body);
	if (need_never(rule->rule))
		parse_fault(p, name_at,
			    "the rule can never hold: its terms want different first bytes");
	else if (clash_of_bytes(rule->body, rule->transports))
		parse_fault(p, name_at,
			    "the rule can never hold: its terms want different bytes at one "
			    "place");
	if (rule->transports == PDL_UDP && clash_with_length(rule->body))
		parse_fault(
			p, name_at,
			"the rule can never hold: it wants more bytes than the length allows");
	if (twice == TWICE_OPPOSITE)
		parse_fault(p, name_at,
			    "the rule can never hold: it has a clause and its 'not'");
	if (twice == TWICE_SAME)
		parse_fault(p, name_at, "the rule has a clause twice");
	if (all)
		parse_fault(p, name_at,
			    "the rule holds for any bytes: it needs some that are fixed");
	if (holds_for_nothing(rule->body))
		parse_fault(p, name_at,
			    "the rule holds where none of its terms does: it needs one "
			    "without 'not'");
	return true;
}

static void
check_name(struct parse *p, const char *name, struct pdl_pos pos)
{
	const struct pdl_rule *others = p->tree->rules.items;

	for (unsigned i = 0; i < p->tree->rules.count; i++)
		if (strcmp(others[i].name, name) == 0)
			parse_fault(p, pos, "rule '%s' is given twice: first in line %u", name,
				    others[i].line);
}

void
parse_rule(struct parse *p, struct pdl_pos pos)
{
	struct pdl_pos name_at = p->token.pos;
	struct pdl_rule rule = { .line = pos.line }, *added;
	struct pdl_pos *at;
	uint32_t faults = p->faults->count;

	if (!parse_name(p, "a name for the rule", &rule.name))
		return;
	check_name(p, rule.name, name_at);
	if (!parse_over(p, &rule.transports) || !parse_need(p, "{"))
		return;
	p->depth++;
	p->tests = 0;
	p->transports = rule.transports;
	rule.body = alternatives(p, 0);
	if (!rule.body)
		return;
	if (!parse_is(p, "}")) {
		parse_misspelt(p, clause_words, 4, "a clause, a test or '}'");
		return;
	}
	p->depth--;
	parse_next(p);
	if (!parse_need(p, "=>") || !strength(p, &rule.strength) ||
	    !compile(p, &rule, name_at, faults))
		return;
	added = parse_add(p, &p->tree->rules, sizeof(*added));
	at = parse_add(p, &p->tree->rule_at, sizeof(*at));
	if (!added || !at)
		return;
	*added = rule;
	*at = name_at;
}

/* Rules that hold only where another one holds, which is as strong. */
void
parse_rule_check(struct parse *p)
{
	const struct pdl_rule *rules = p->tree->rules.items;
	const struct pdl_pos *at = p->tree->rule_at.items;
	unsigned count = p->tree->rules.count;

	for (unsigned i = 0; i < count; i++)
		for (unsigned j = 0; j < count; j++) {
			if (i == j || !rules[i].rule || !rules[j].rule ||
			    !twice_rule(&rules[i], &rules[j]))
				continue;
			parse_fault(
				p, at[i],
				"rule '%s' adds nothing: wherever it holds, '%s' of line %u "
				"does",
				rules[i].name, rules[j].name, rules[j].line);
			return;
		}
}
