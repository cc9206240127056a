/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Items that read the dialogue of a flow: fields and sub-classes, and what they all read. */
#include "pdl/parse.h"
#include "pdl/sense.h"

/* Whether the expression wants at least one byte. */
static bool
needs_bytes(struct parse *p, const struct regex *regex)
{
	struct regex_scratch *scratch = NULL;
	enum match_answer answer;

	if (regex_scratch_new(&scratch) != BARN_OK) {
		p->no_memory = p->lost = true;
		return true;
	}
	answer = regex_run(regex, scratch, bytes_of("", 0), true, NULL);
	regex_scratch_free(scratch);
	return answer != MATCH_YES;
}

bool
parse_source(struct parse *p, struct pdl_source *source)
{
	struct pdl_pos pos;
	uint64_t place;

	*source = (struct pdl_source){ 0 };
	if (!parse_side(p, &source->side))
		return false;
	source->next = parse_accept(p, "next");
	if (parse_accept(p, "line")) {
		source->line = true;
	} else if (source->next) {
		return parse_wrong(p, "'line'");
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
	if (source->regex && !p->lost && !needs_bytes(p, source->regex))
		parse_fault(p, pos, "the expression matches where there is nothing");
	return !p->lost;
}

void
parse_flow_field(struct parse *p, struct pdl_pos pos)
{
	const struct pdl_field *others = p->tree->fields.items;
	struct pdl_field field = { 0 }, *added;
	struct pdl_pos source_at;

	pos = p->token.pos;
	if (!parse_name(p, "a name for the field", &field.name))
		return;
	for (unsigned i = 0; i < p->tree->fields.count; i++)
		if (strcmp(others[i].name, field.name) == 0)
			parse_fault(p, pos, "field '%s' is given twice", field.name);
	if (!parse_need(p, ":"))
		return;
	source_at = p->token.pos;
	if (!parse_source(p, &field.source))
		return;
	if (field.source.regex && regex_groups(field.source.regex) > 1)
		parse_warn(p, source_at,
			   "the field is what the first (...) holds: expected (?:...) for the "
			   "others");
	if (field.source.next)
		parse_fault(p, source_at, "'next' belongs to a step of an upgrade");
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
	struct pdl_pos *at, field_at, value_at;

	pos = p->token.pos;
	if (!parse_name(p, "a name for the sub-class", &subclass.name))
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
	value_at = p->token.pos;
	if (subclass.kind == PDL_FLAG &&
	    !parse_string(p, "the field's value: \"...\"", &subclass.value))
		return;
	if (subclass.kind == PDL_FLAG && !*subclass.value)
		parse_fault(p, value_at, "no field is empty");
	at = parse_add(p, &p->tree->subclass_at, sizeof(*at));
	added = parse_add(p, &p->tree->subclasses, sizeof(*added));
	if (!at || !added)
		return;
	*at = field_at;
	*added = subclass;
}
