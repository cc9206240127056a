/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/parse.h"
#include "pdl/words.h"

#include <inttypes.h>
#include <stdio.h>

/* In the order of words_items. */
static void (*const items[WORDS_ITEMS])(struct parse *p, struct pdl_pos pos) = {
	parse_item_title,
	parse_item_id,
	parse_item_index,
	parse_item_alias,
	parse_item_reference,
	parse_item_attribute,
	parse_item_port,
	parse_item_ip_protocol,
	parse_item_ethertype,
	parse_item_ndpi,
	parse_item_over,
	parse_item_host,
	parse_item_inspect,
	parse_rule,
	parse_flow_field,
	parse_flow_subclass,
	parse_expect,
	parse_upgrade,
	parse_custom_number,
	parse_custom_extends,
	parse_custom_value,
	parse_custom_resolved,
	parse_custom_endpoint,
	parse_custom_confine,
	parse_test,
};

/* Number of the item that the next token begins; WORDS_ITEMS: none. */
static unsigned
item_here(const struct parse *p)
{
	unsigned i = 0;

	while (i < WORDS_ITEMS && !token_is(&p->token, words_items[i]))
		i++;
	return i;
}

/*
 * After a fault: on to the next item or protocol that begins a line. One that does so inside
 * braces tells that a brace is missing; what begins a line inside a rule or a test is a side.
 */
static void
resume(struct parse *p)
{
	p->lex.faults = NULL; /* what is passed over has been told enough of */
	while (p->token.kind != TOKEN_END) {
		if (p->token.starts_line) {
			if (token_is(&p->token, "protocol")) {
				p->depth = 0;
				break;
			}
			if (p->depth > 0 && item_here(p) < WORDS_ITEMS) {
				p->depth = 1;
				break;
			}
			if (p->depth == 0 && token_is(&p->token, "const"))
				break;
		}
		if (token_is(&p->token, "}") && p->depth <= 1)
			break;
		if (token_is(&p->token, "{"))
			p->depth++;
		if (token_is(&p->token, "}"))
			p->depth--;
		lex_token(&p->lex, &p->token);
	}
	p->lex.faults = p->faults;
	p->lost = p->no_memory;
}

static void
unknown_item(struct parse *p)
{
	parse_misspelt(
		p, words_items, WORDS_ITEMS,
		"title, id, index, alias, reference, attribute, port, ip-protocol, "
		"ethertype, ndpi, over, host, inspect, rule, field, sub-class, expect, "
		"upgrade, number, extends, value, resolved, endpoint, confine, test or '}'");
}

/* The lists become the protocol's arrays. */
#define TAKE(array, counted, list)                         \
	do {                                               \
		tree->protocol.array = tree->list.items;   \
		tree->protocol.counted = tree->list.count; \
	} while (0)

static void
finish(struct pdl_tree *tree)
{
	TAKE(aliases, alias_count, aliases);
	TAKE(ndpi, ndpi_count, ndpi);
	TAKE(over, over_count, over);
	TAKE(hosts, host_count, hosts);
	TAKE(attributes, attribute_count, attributes);
	TAKE(ports, port_count, ports);
	TAKE(ip_protocols, ip_protocol_count, ip_protocols);
	TAKE(ethertypes, ethertype_count, ethertypes);
	TAKE(rules, rule_count, rules);
	TAKE(fields, field_count, fields);
	TAKE(subclasses, subclass_count, subclasses);
	TAKE(expects, expect_count, expects);
	TAKE(upgrades, upgrade_count, upgrades);
	TAKE(tests, test_count, tests);
	TAKE(custom.values, custom.value_count, values);
	TAKE(custom.resolved, custom.resolved_count, resolved);
	TAKE(custom.endpoints, custom.endpoint_count, endpoints);
	TAKE(custom.confines, custom.confine_count, confines);
	for (unsigned i = 0; i < tree->tests.count; i++) {
		struct pdl_test *test = (struct pdl_test *)tree->tests.items + i;

		test->custom = tree->values.count || tree->resolved.count ||
			       tree->endpoints.count || tree->confines.count;
	}
}

/* One that names the flow, and so is known of it. */
static bool
is_value(const struct pdl_custom *custom, const char *field)
{
	for (unsigned i = 0; i < custom->value_count; i++)
		for (unsigned k = 0; k < custom->values[i].count; k++)
			if (strcmp(custom->values[i].patterns[k].field, field) == 0)
				return true;
	return false;
}

/* A sub-class asks for a field of the module, of its inspector, or of its `value`. */
static void
check_subclasses(struct parse *p)
{
	const struct pdl_protocol *protocol = &p->tree->protocol;
	const struct pdl_pos *at = p->tree->subclass_at.items;
	const struct pdl_options *options = p->options;
	const char **names =
		arena_alloc(p->unit->arena, (protocol->field_count + 1) * sizeof(*names));

	if (!names) {
		p->no_memory = p->lost = true;
		return;
	}
	for (unsigned i = 0; i < protocol->field_count; i++)
		names[i] = protocol->fields[i].name;
	for (unsigned i = 0; i < protocol->subclass_count; i++) {
		const char *nearest;
		const char *field = protocol->subclasses[i].field;
		bool found = protocol->inspect &&
			     (!options->inspector ||
			      options->inspector(options->self, protocol->inspect, field));

		for (unsigned j = 0; j < protocol->field_count; j++)
			found |= strcmp(protocol->fields[j].name, field) == 0;
		if (found || is_value(&protocol->custom, field))
			continue;
		nearest = words_nearest(names, protocol->field_count, field);
		if (nearest)
			parse_fault(p, at[i], "'%s': there is no such field, expected '%s'?",
				    field, nearest);
		else
			parse_fault(p, at[i], "'%s': there is no such field", field);
	}
}

/* What a configuration or a listing says where it means no module's protocol. */
static bool
is_taken(const char *name)
{
	static const char *const words[] = { "any", "ip", "tcp", "udp", "unknown" };

	/* As barn calls a protocol of IP that has no module. */
	return words_has(words, 5, name) || strncmp(name, "ip-protocol-", 12) == 0;
}

/* NBAR's own names are of a-z, 0-9 and '-'; its users name custom protocols as they please. */
static bool
valid_name(const char *name)
{
	for (const char *c = name; *c; c++)
		if (*c == '.')
			return false;
	return *name != '-';
}

static void
check_twice(struct parse *p, const struct pdl_tree *tree)
{
	struct pdl_tree *const *trees = p->unit->trees.items;

	for (unsigned i = 0; i < p->unit->trees.count; i++)
		if (trees[i] != tree &&
		    strcmp(trees[i]->protocol.name, tree->protocol.name) == 0) {
			parse_fault(p, tree->name_at,
				    "protocol '%s' is given twice: first in line %" PRIu32,
				    tree->protocol.name, trees[i]->protocol.line);
			return;
		}
}

/* Where another item, or the protocol's end, should be. */
static void
no_item(struct parse *p)
{
	char what[160];

	if (p->token.kind != TOKEN_END && !parse_is(p, "protocol")) {
		unknown_item(p);
		return;
	}
	snprintf(what, sizeof(what), "'}' to end protocol '%.64s' of line %" PRIu32,
		 p->tree->protocol.name, p->tree->protocol.line);
	parse_wrong(p, what);
}

static void
body(struct parse *p)
{
	uint32_t faults = p->faults->count;

	while (!p->lost && !parse_is(p, "}") && p->token.kind != TOKEN_END) {
		unsigned item = item_here(p);
		struct pdl_pos pos = p->token.pos;

		if (item < WORDS_ITEMS) {
			parse_next(p);
			if (!p->lost)
				items[item](p, pos);
		} else {
			no_item(p);
		}
		if (p->lost && !p->no_memory && !p->lex.no_memory)
			resume(p);
		p->no_memory |= p->lex.no_memory;
		p->lost |= p->no_memory;
		/* The next protocol began inside this one: its brace is missing. */
		if (p->depth == 0)
			return;
	}
	/* A fault before may have taken the brace with it. */
	if (p->token.kind == TOKEN_END && p->faults->count == faults)
		no_item(p);
	p->lost |= p->token.kind == TOKEN_END;
	if (parse_accept(p, "}"))
		p->depth = 0;
}

static void
protocol(struct parse *p)
{
	enum { MOST = 4096 };
	struct pdl_tree *tree = arena_alloc(p->unit->arena, sizeof(*tree)), **at;

	if (p->unit->trees.count == MOST) {
		parse_wrong(p, "at most 4096 protocols");
		return;
	}
	if (!tree) {
		p->no_memory = p->lost = true;
		return;
	}
	tree->name_at = p->token.pos;
	tree->protocol.line = p->token.pos.line;
	tree->protocol.file = p->lex.file;
	p->tree = tree;
	if (!parse_name(p, "a name for the protocol", &tree->protocol.name))
		return;
	if (!valid_name(tree->protocol.name))
		parse_fault(p, tree->name_at,
			    "'%.64s': expected a name of letters, digits, '-' and '_'",
			    tree->protocol.name);
	if (is_taken(tree->protocol.name))
		parse_fault(p, tree->name_at, "'%.64s' is a name of barn's own",
			    tree->protocol.name);
	if (!parse_need(p, "{"))
		return;
	p->depth = 1;
	body(p);
	if (p->no_memory)
		return;
	finish(tree);
	check_subclasses(p);
	if (tree->confines.count == 0) /* else where they are asked may differ */
		parse_rule_check(p);
	check_twice(p, tree);
	at = list_add(&p->unit->trees, p->unit->arena, sizeof(struct pdl_tree *));
	if (at)
		*at = tree;
	p->no_memory |= !at;
}

static void
constant(struct parse *p)
{
	enum { MOST = 256 };
	struct parse_constant constant = { .pos = p->token.pos }, *added;
	const struct parse_constant *other = parse_constant(p, &p->token);

	if (other)
		parse_fault(p, p->token.pos,
			    "constant '%s' is given twice: first in line %" PRIu32, other->name,
			    other->pos.line);
	if (p->constants.count == MOST) {
		parse_wrong(p, "at most 256 constants");
		return;
	}
	if (!parse_name(p, "a name for the constant", &constant.name))
		return;
	if (words_has(words_reserved, words_reserved_count, constant.name))
		parse_fault(p, constant.pos, "'%s' is a word of the language", constant.name);
	if (!parse_need(p, "=") || !parse_sum_constant(p, "a number", &constant.value))
		return;
	added = parse_add(p, &p->constants, sizeof(*added));
	if (added)
		*added = constant;
}

static void
check_constants(struct parse *p)
{
	const struct parse_constant *constants = p->constants.items;

	for (unsigned i = 0; i < p->constants.count; i++)
		if (!constants[i].used)
			parse_warn(p, constants[i].pos, "constant '%s' is never used",
				   constants[i].name);
}

enum barn_err
parse_file(struct pdl_unit *unit, const struct pdl_options *options, const char *file,
	   const char *text, size_t len, struct barn_faults *faults,
	   struct barn_faults *warnings)
{
	static const char *const outermost[] = { "protocol", "const" };
	struct parse p = {
		.options = options, .faults = faults, .warnings = warnings, .unit = unit
	};
	uint32_t before = faults->count;

	file = arena_strdup(unit->arena, file);
	if (!file)
		return BARN_ERR_MEMORY;
	if (!lex_start(&p.lex, unit->arena, file, text, len, faults))
		return BARN_ERR_TEXT;
	parse_next(&p);
	while (p.token.kind != TOKEN_END && !p.no_memory && !p.lex.no_memory) {
		if (parse_accept(&p, "protocol"))
			protocol(&p);
		else if (parse_accept(&p, "const"))
			constant(&p);
		else
			parse_misspelt(&p, outermost, 2, "protocol or const");
		if (p.lost && !p.no_memory) {
			p.depth = 0;
			resume(&p);
			if (token_is(&p.token, "}")) { /* of what could not be read */
				lex_token(&p.lex, &p.token);
				p.lost = p.token.kind == TOKEN_BAD;
			}
		}
	}
	if (p.no_memory || p.lex.no_memory) {
		faults->count = before; /* what seemed to be missing was there */
		return BARN_ERR_MEMORY;
	}
	check_constants(&p);
	if (faults->count == before && unit->trees.count == 0)
		parse_fault(&p, p.token.pos, "there is no protocol in the file");
	return faults->count > before ? BARN_ERR_TEXT : BARN_OK;
}
