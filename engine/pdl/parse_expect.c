/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Flows that a dialogue announces. */
#include "pdl/bounds.h"
#include "pdl/parse.h"
#include "pdl/words.h"

enum { LIFE_MAX = 24 * 60 * 60 };

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

/* Whether an announcement before it keeps an address of that side. */
static bool
tells_address(const struct parse *p, uint8_t side)
{
	const struct pdl_expect *others = p->tree->expects.items;

	for (unsigned i = 0; i < p->tree->expects.count; i++)
		if (others[i].address && (others[i].source.side == side || side == PDL_ANY ||
					  others[i].source.side == PDL_ANY))
			return true;
	return false;
}

/* Bytes that may be any: `.` leaves one out. */
static void
check_binary(struct parse *p, const struct regex *regex, struct pdl_pos pos)
{
	const char *pattern = regex ? regex_pattern(regex) : "";

	if (strchr(pattern, '.') && !strstr(pattern, "(?s"))
		parse_fault(p, pos,
			    "'.' is any byte but LF: begin the expression with (?s) where it "
			    "captures bytes");
}

static bool
has_raw(const struct sum *sum)
{
	for (unsigned i = 0; i < sum->count; i++)
		if (sum->ops[i].kind == SUM_RAW)
			return true;
	return false;
}

/* $1, raw $1 or $1.$2.$3.$4 */
static bool
captured(struct parse *p, struct pdl_expect *expect)
{
	struct pdl_pos pos = p->token.pos;
	bool raw = parse_accept(p, "raw");

	expect->at = raw ? PDL_AT_RAW : PDL_AT_TEXT;
	if (raw)
		check_binary(p, expect->source.regex, pos);
	if (!group(p, &expect->source, &expect->group[0]))
		return false;
	if (raw || !parse_is(p, "."))
		return true;
	expect->at = PDL_AT_DOTTED;
	for (unsigned i = 1; i < 4; i++)
		if (!parse_need(p, ".") || !group(p, &expect->source, &expect->group[i]))
			return false;
	return true;
}

/* client, server, address, or what was captured */
static bool
address(struct parse *p, struct pdl_expect *expect)
{
	static const struct {
		const char *word;
		uint8_t at;
	} words[] = { { "client", PDL_AT_CLIENT },
		      { "server", PDL_AT_SERVER },
		      { "address", PDL_AT_ADDRESS } };

	for (unsigned i = 0; i < 3; i++)
		if (parse_accept(p, words[i].word)) {
			expect->at = words[i].at;
			return true;
		}
	if (!parse_is(p, "raw") && (p->lost || p->token.kind != TOKEN_CAPTURE))
		return parse_wrong(p, "an address: client, server, address, $1, raw $1 or "
				      "$1.$2.$3.$4");
	return captured(p, expect);
}

static bool
port(struct parse *p, struct pdl_expect *expect)
{
	struct pdl_sum *port = arena_alloc(p->unit->arena, sizeof(*port));
	const struct regex *regex = expect->source.regex;
	unsigned groups = regex ? regex_groups(regex) : REGEX_GROUPS - 1;
	struct pdl_pos port_at;

	if (!port) {
		p->no_memory = p->lost = true;
		return false;
	}
	if (!parse_need(p, "port"))
		return false;
	port_at = p->token.pos;
	if (!parse_sum(p, &port->sum, (groups < REGEX_GROUPS ? groups : REGEX_GROUPS - 1) + 1))
		return false;
	if (!bounds_may_be(&port->sum, 1, UINT16_MAX))
		parse_fault(p, port_at, "expected a port from 1 to 65535");
	if (has_raw(&port->sum))
		check_binary(p, regex, port_at);
	expect->port = port;
	return true;
}

static bool
announcement(struct parse *p, struct pdl_expect *expect)
{
	static const char *const words[] = { "at", "address" };
	struct pdl_pos pos = p->token.pos;
	uint64_t life;

	if (!parse_source(p, &expect->source))
		return false;
	if (expect->source.next)
		parse_fault(p, pos, "'next' belongs to a step of an upgrade");
	if (parse_accept(p, "address")) {
		expect->address = true;
		return captured(p, expect);
	}
	if (!parse_accept(p, "at"))
		return parse_misspelt(p, words, 2, "at or address");
	pos = p->token.pos;
	if (!address(p, expect) || !port(p, expect))
		return false;
	if (expect->at == PDL_AT_ADDRESS && !tells_address(p, expect->source.side))
		parse_fault(p, pos,
			    "no line before tells the %s's address: expected one as "
			    "server line /.../ address $1",
			    expect->source.side == PDL_ANY ? "side"
							   : words_sides[expect->source.side]);
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

void
parse_expect(struct parse *p, struct pdl_pos pos)
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
	} while (parse_term_begins(p));
	if (!parse_is(p, "}")) {
		parse_misspelt(p, more, 5, "client, server, any, life, many or '}'");
		return;
	}
	p->depth--;
	parse_next(p);
}
