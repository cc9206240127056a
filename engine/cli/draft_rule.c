/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/draft.h"
#include <netinet/in.h>
#include <stdlib.h>

enum {
	FEW = 3,       /* flows; of fewer, later messages are looked at too */
	HEAD = 64,     /* bytes by which messages are told apart */
	STRONG = 24,   /* bits by which one side alone is known */
	WEAK = 12,     /* bits by which both together are */
	ENOUGH = 64,   /* bits; more are no better */
	SAMPLES = 256, /* messages */
};

static bool
same_head(const struct draft_message *a, const struct draft_message *b)
{
	size_t n = bytes_left(&a->data), m = bytes_left(&b->data);

	n = n < HEAD ? n : HEAD;
	m = m < HEAD ? m : HEAD;
	return n == m && memcmp(a->data.p, b->data.p, n) == 0;
}

static void
add_sample(struct draft_samples *s, const struct draft_message *m)
{
	bool known = false;

	if (s->count == SAMPLES)
		return;
	for (unsigned i = 0; i < s->count && !known; i++)
		known = same_head(s->list[i], m);
	s->distinct += !known;
	s->list[s->count++] = m;
}

static void
gather(struct draft_samples *s, struct draft_flow *const *flows, unsigned count, unsigned dir,
       bool all)
{
	const struct draft_message *m;

	s->count = s->flows = s->distinct = 0;
	s->dir = dir;
	for (unsigned i = 0; i < count; i++)
		for (unsigned n = 0; (m = draft_flow_message(flows[i], dir, n)); n++) {
			s->flows += n == 0;
			add_sample(s, m);
			if (!all)
				break;
		}
}

static void
find_numbers(const struct draft_samples *s, uint32_t varying, struct draft_tests *tests)
{
	struct draft_tests numbers = { .bits = 0 };

	bool length = draft_number_length(s, &numbers, &varying);

	draft_bytes(s, varying, tests);
	if (!length && tests->bits < STRONG)
		draft_number_sizes(s, &numbers);
	if (numbers.tests.len) {
		text_add(&tests->tests, tests->tests.len ? "  " : "");
		text_add(&tests->tests, text_str(&numbers.tests));
		text_add(&tests->notes, text_str(&numbers.notes));
		tests->bits += numbers.bits;
		tests->uses_length = numbers.uses_length;
	}
	draft_tests_fini(&numbers);
}

/* "- 3 first lines of the client, 2 different" */
static void
add_basis(struct draft_tests *tests, const struct draft_samples *s, const char *what)
{
	text_printf(&tests->notes, "%u %s%s of the %s", s->count, what,
		    s->count == 1 ? "" : "s", s->dir == MATCH_SERVER ? "server" : "client");
	if (s->count > 1)
		text_printf(&tests->notes, ", %u different", s->distinct);
	if (s->count > s->flows)
		text_printf(&tests->notes, ", in %u flow%s", s->flows,
			    s->flows == 1 ? "" : "s");
	text_char(&tests->notes, '\n');
}

/* The first messages; where there are few, their framing is what later ones have too. */
static void
find_side(struct draft_samples *s, struct draft_flow *const *flows, unsigned count,
	  unsigned dir, uint32_t varying, struct draft_tests *tests)
{
	struct draft_tests later = { .bits = 0 };

	gather(s, flows, count, dir, false);
	if (s->count == 0)
		return;
	tests->flows = s->flows;
	if (draft_line(s, tests)) {
		add_basis(tests, s, "first line");
		return;
	}
	if (s->flows < FEW) {
		gather(s, flows, count, dir, true);
		if (s->count > s->flows)
			find_numbers(s, varying, &later);
	}
	if (later.bits >= WEAK) {
		*tests = later;
		tests->flows = s->flows;
		add_basis(tests, s, "message");
		return;
	}
	draft_tests_fini(&later);
	gather(s, flows, count, dir, false);
	find_numbers(s, varying, tests);
	add_basis(tests, s, "first message");
}

enum barn_err
draft_rule_find(struct draft_flow *const *flows, unsigned count, struct draft_rule *rule)
{
	struct draft_samples s = { .list = calloc(SAMPLES,
						  sizeof(const struct draft_message *)) };
	struct draft_tests echo = { .bits = 0 };
	uint32_t varying[2] = { 0 };

	*rule = (struct draft_rule){ .flows = count };
	if (!s.list)
		return BARN_ERR_MEMORY;
	draft_number_echo(flows, count, &echo, varying);
	for (unsigned d = 0; d < 2; d++)
		find_side(&s, flows, count, d, varying[d], &rule->side[d]);
	text_add(&rule->notes, text_str(&echo.notes));
	draft_tests_fini(&echo);
	free(s.list);
	return BARN_OK;
}

void
draft_rule_fini(struct draft_rule *rule)
{
	for (unsigned d = 0; d < 2; d++)
		draft_tests_fini(&rule->side[d]);
	text_fini(&rule->notes);
}

void
draft_tests_fini(struct draft_tests *tests)
{
	text_fini(&tests->tests);
	text_fini(&tests->notes);
}

/* Flows that have both sides are hardly fewer than those of the rarer one. */
static unsigned
both(const struct draft_rule *rule)
{
	unsigned a = rule->side[0].flows, b = rule->side[1].flows;

	return a < b ? a : b;
}

static bool
is_strong(const struct draft_rule *rule, unsigned dir)
{
	return rule->side[dir].bits >= STRONG;
}

/* Only both sides together tell enough. */
static bool
is_weak(const struct draft_rule *rule)
{
	return !is_strong(rule, 0) && !is_strong(rule, 1) &&
	       rule->side[0].bits + rule->side[1].bits >= WEAK;
}

double
draft_rule_score(const struct draft_rule *rule)
{
	double score = 0;

	if (is_weak(rule))
		return (rule->side[0].bits + rule->side[1].bits) * both(rule) / 4;
	if (!is_strong(rule, 0) && !is_strong(rule, 1))
		return 0;
	for (unsigned d = 0; d < 2; d++)
		score += (rule->side[d].bits < ENOUGH ? rule->side[d].bits : ENOUGH) *
			 rule->side[d].flows;
	return score;
}

bool
draft_rule_rests_on(const struct draft_rule *rule, const struct draft_flow *flow)
{
	bool client = draft_flow_message(flow, MATCH_CLIENT, 0) != NULL;
	bool server = draft_flow_message(flow, MATCH_SERVER, 0) != NULL;

	if (is_weak(rule))
		return (client || !rule->side[0].tests.len) &&
		       (server || !rule->side[1].tests.len);
	return (client && is_strong(rule, 0)) || (server && is_strong(rule, 1));
}

static void
add_notes(struct text *text, const struct text *notes)
{
	const char *line = text_str(notes), *end;

	while ((end = strchr(line, '\n'))) {
		text_printf(text, "    # - %.*s\n", (int)(end - line), line);
		line = end + 1;
	}
}

static void
add_head(struct text *text, const struct draft_rule *rule, unsigned flows, unsigned of)
{
	text_printf(text, "\n    # Rests on %u of %u flow%s:\n", flows, of, of == 1 ? "" : "s");
	add_notes(text, &rule->notes);
}

static void
add_chance(struct text *text, double bits)
{
	text_printf(text, "    # Bytes at random would fit once in 2^%u.\n", (unsigned)bits);
}

static void
add_rule(struct text *text, const struct draft_rule *rule, const char *name, unsigned number,
	 const char *transport, unsigned sides)
{
	text_printf(text, "    rule %s", name);
	if (number > 1)
		text_printf(text, "-%u", number);
	text_printf(text, " over %s {\n", transport);
	for (unsigned d = 0; d < 2; d++)
		if (sides >> d & 1)
			text_printf(text, "        %s 0: %s\n", d ? "server" : "client",
				    text_str(&rule->side[d].tests));
	text_add(text, "    } => likely\n");
}

/* Where a side alone is enough, so that a flow of which one side is seen is known too. */
void
draft_rule_print(struct text *text, const struct draft_rule *rule, unsigned number, unsigned of,
		 const char *transport)
{
	static const char *const names[] = { "client", "server" };

	if (is_weak(rule)) {
		add_head(text, rule, both(rule), of);
		for (unsigned d = 0; d < 2; d++)
			add_notes(text, &rule->side[d].notes);
		add_chance(text, rule->side[0].bits + rule->side[1].bits);
		add_rule(text, rule, "dialogue", number, transport,
			 (rule->side[0].tests.len ? 1u : 0) |
				 (rule->side[1].tests.len ? 2u : 0));
		return;
	}
	for (unsigned d = 0; d < 2; d++) {
		if (!is_strong(rule, d))
			continue;
		add_head(text, rule, rule->side[d].flows, of);
		add_notes(text, &rule->side[d].notes);
		add_chance(text, rule->side[d].bits);
		add_rule(text, rule, names[d], number, transport, 1u << d);
	}
}
