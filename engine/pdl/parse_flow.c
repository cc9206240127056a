/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Items that read the dialogue of a flow: fields, sub-classes, announced flows, upgrades. */
#include "pdl/bounds.h"
#include "pdl/parse.h"
#include "pdl/sense.h"
#include "pdl/words.h"

enum { LIFE_MAX = 24 * 60 * 60 };

/* SIDE (line | PLACE:) /expression/ */
static bool
source(struct parse *p, struct pdl_source *source)
{
	struct pdl_pos pos;
	uint64_t place;

	*source = (struct pdl_source){ 0 };
	if (!parse_side(p, &source->side))
		return false;
	if (parse_accept(p, "line")) {
		source->line = true;
	} else {
		if (p->token.kind != TOKEN_NUMBER && !parse_constant(p, &p->token))
			return parse_wrong(p, "'line' or a place: '0:'");
		if (!parse_number(p, "a place", 0, PROGRAM_PREFIX - 1, &place) ||
		    !parse_need(p, ":"))
			return false;
		source->place = (uint32_t)place;
	}
	if (!parse_regex(p, &source->regex, &pos))
		return false;
	if (source->line && source->regex &&
	    sense_pattern_needs_line_end(regex_pattern(source->regex)))
		parse_fault(p, pos, "a line has no CR or LF: this can never hold");
	return true;
}

void
parse_flow_field(struct parse *p, struct pdl_pos pos)
{
	const struct pdl_field *others = p->tree->fields.items;
	struct pdl_field field, *added;

	pos = p->token.pos;
	if (!parse_word(p, "a name for the field", &field.name))
		return;
	for (unsigned i = 0; i < p->tree->fields.count; i++)
		if (strcmp(others[i].name, field.name) == 0)
			parse_fault(p, pos, "field '%s' is given twice", field.name);
	if (!parse_need(p, ":") || !source(p, &field.source))
		return;
	added = parse_add(p, &p->tree->fields, sizeof(*added));
	if (added)
		*added = field;
}

void
parse_flow_subclass(struct parse *p, struct pdl_pos pos)
{
	const struct pdl_subclass *others = p->tree->subclasses.items;
	static const char *const kinds[] = { "glob", "numbers", "flag" };
	struct pdl_subclass subclass = { 0 }, *added;
	struct pdl_pos *at, field_at;

	pos = p->token.pos;
	if (!parse_word(p, "a name for the sub-class", &subclass.name))
		return;
	for (unsigned i = 0; i < p->tree->subclasses.count; i++)
		if (strcmp(others[i].name, subclass.name) == 0)
			parse_fault(p, pos, "sub-class '%s' is given twice", subclass.name);
	if (parse_accept(p, "glob")) {
		subclass.kind = PDL_GLOB;
	} else if (parse_accept(p, "numbers")) {
		subclass.kind = PDL_NUMBERS;
	} else if (parse_accept(p, "flag")) {
		subclass.kind = PDL_FLAG;
	} else {
		parse_misspelt(p, kinds, 3, "glob, numbers or flag");
		return;
	}
	field_at = p->token.pos;
	if (!parse_word(p, "the name of a field", &subclass.field))
		return;
	if (subclass.kind == PDL_FLAG &&
	    !parse_string(p, "the field's value: \"...\"", &subclass.value))
		return;
	at = parse_add(p, &p->tree->subclass_at, sizeof(*at));
	added = parse_add(p, &p->tree->subclasses, sizeof(*added));
	if (!at || !added)
		return;
	*at = field_at;
	*added = subclass;
}

static bool
group(struct parse *p, const struct pdl_source *source, uint8_t *group)
{
	unsigned groups = source->regex ? regex_groups(source->regex) : REGEX_GROUPS - 1;

	if (p->lost || p->token.kind != TOKEN_CAPTURE)
		return parse_wrong(p, "a capture: $1");
	if (p->token.number == 0 || p->token.number > groups)
		parse_fault(p, p->token.pos, "$%u: the expression has no such capture",
			    (unsigned)p->token.number);
	*group = (uint8_t)p->token.number;
	parse_next(p);
	return true;
}

/* client, server, $1 or $1.$2.$3.$4 */
static bool
address(struct parse *p, struct pdl_expect *expect)
{
	if (parse_accept(p, "client")) {
		expect->at = PDL_AT_CLIENT;
		return true;
	}
	if (parse_accept(p, "server")) {
		expect->at = PDL_AT_SERVER;
		return true;
	}
	if (p->lost || p->token.kind != TOKEN_CAPTURE)
		return parse_wrong(p, "an address: client, server, $1 or $1.$2.$3.$4");
	expect->at = PDL_AT_TEXT;
	if (!group(p, &expect->source, &expect->group[0]))
		return false;
	if (!parse_is(p, "."))
		return true;
	expect->at = PDL_AT_DOTTED;
	for (unsigned i = 1; i < 4; i++)
		if (!parse_need(p, ".") || !group(p, &expect->source, &expect->group[i]))
			return false;
	return true;
}

static bool
announcement(struct parse *p, struct pdl_expect *expect)
{
	struct pdl_sum *port = arena_alloc(p->unit->arena, sizeof(*port));
	struct pdl_pos port_at;
	unsigned groups;
	uint64_t life;

	if (!port) {
		p->no_memory = p->lost = true;
		return false;
	}
	if (!source(p, &expect->source) || !parse_need(p, "at") || !address(p, expect) ||
	    !parse_need(p, "port"))
		return false;
	groups = expect->source.regex ? regex_groups(expect->source.regex) : REGEX_GROUPS - 1;
	port_at = p->token.pos;
	if (!parse_sum(p, &port->sum, (groups < REGEX_GROUPS ? groups : REGEX_GROUPS - 1) + 1))
		return false;
	if (!bounds_may_be(&port->sum, 1, UINT16_MAX))
		parse_fault(p, port_at, "expected a port from 1 to 65535");
	expect->port = port;
	for (;;) {
		if (parse_accept(p, "many")) {
			expect->many = true;
		} else if (parse_accept(p, "life")) {
			if (!parse_number(p, "seconds", 1, LIFE_MAX, &life))
				return false;
			expect->life_s = (uint32_t)life;
		} else {
			return !p->lost;
		}
	}
}

static bool
begins_source(const struct parse *p)
{
	return parse_is(p, "client") || parse_is(p, "server") || parse_is(p, "any");
}

void
parse_flow_expect(struct parse *p, struct pdl_pos pos)
{
	static const char *const more[] = { "client", "server", "any", "life", "many" };
	const char *protocol;
	uint8_t transports;

	(void)pos;
	if (!parse_reference(p, &protocol) || !parse_over(p, &transports) ||
	    !parse_need(p, "{"))
		return;
	p->depth++;
	do {
		struct pdl_expect expect = { .protocol = protocol, .transports = transports };
		struct pdl_expect *added;

		if (!announcement(p, &expect))
			return;
		added = parse_add(p, &p->tree->expects, sizeof(*added));
		if (!added)
			return;
		*added = expect;
	} while (begins_source(p));
	if (!parse_is(p, "}")) {
		parse_misspelt(p, more, 5, "client, server, any, life, many or '}'");
		return;
	}
	p->depth--;
	parse_next(p);
}

void
parse_flow_upgrade(struct parse *p, struct pdl_pos pos)
{
	struct pdl_upgrade upgrade = { 0 }, *added;
	struct list steps = { 0 };

	(void)pos;
	if (!parse_accept(p, "any") && !parse_reference(p, &upgrade.protocol))
		return;
	if (!parse_need(p, "{"))
		return;
	p->depth++;
	do {
		struct pdl_source *step = parse_add(p, &steps, sizeof(*step));

		if (!step || !source(p, step))
			return;
	} while (begins_source(p));
	if (!parse_is(p, "}")) {
		parse_misspelt(p, words_sides, 3, "client, server, any or '}'");
		return;
	}
	upgrade.steps = steps.items;
	upgrade.step_count = steps.count;
	p->depth--;
	parse_next(p);
	added = parse_add(p, &p->tree->upgrades, sizeof(*added));
	if (added)
		*added = upgrade;
}
