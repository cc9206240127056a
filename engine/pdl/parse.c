/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/parse.h"

#include "pdl/words.h"

#include <inttypes.h>
#include <stdio.h>

enum { SHOWN = 48 };

void
parse_next(struct parse *p)
{
	lex_token(&p->lex, &p->token);
	p->no_memory |= p->lex.no_memory;
	/* A fault that the lexer told is the fault of whatever needed the token. */
	if (p->token.kind == TOKEN_BAD)
		p->lost = true;
}

bool
parse_is(const struct parse *p, const char *text)
{
	return !p->lost && token_is(&p->token, text);
}

bool
parse_accept(struct parse *p, const char *text)
{
	if (!parse_is(p, text))
		return false;
	parse_next(p);
	return true;
}

bool
parse_wrong(struct parse *p, const char *what)
{
	char shown[SHOWN];

	if (!p->lost)
		diag_add(p->faults, p->lex.file, p->token.pos, "%s: expected %s",
			 token_show(&p->token, shown, sizeof(shown)), what);
	p->lost = true;
	return false;
}

bool
parse_misspelt(struct parse *p, const char *const *words, size_t count, const char *what)
{
	const char *word, *nearest = NULL;

	if (!p->lost && p->token.kind == TOKEN_WORD) {
		word = parse_copy(p, &p->token);
		nearest = word ? words_nearest(words, count, word) : NULL;
	}
	if (!nearest)
		return parse_wrong(p, what);
	parse_fault(p, p->token.pos, "'%.*s': expected '%s'?", (int)p->token.len, p->token.at,
		    nearest);
	p->lost = true;
	return false;
}

bool
parse_need(struct parse *p, const char *text)
{
	char what[SHOWN];

	if (parse_accept(p, text))
		return !p->lost;
	snprintf(what, sizeof(what), "'%s'", text);
	return parse_wrong(p, what);
}

void
parse_fault(struct parse *p, struct pdl_pos pos, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diag_vadd(p->faults, p->lex.file, pos, format, args);
	va_end(args);
}

void
parse_warn(struct parse *p, struct pdl_pos pos, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	diag_vadd(p->warnings, p->lex.file, pos, format, args);
	va_end(args);
}

char *
parse_copy(struct parse *p, const struct token *token)
{
	char *copy = arena_copy(p->unit->arena, token->at, token->len);

	p->no_memory |= !copy;
	p->lost |= !copy;
	return copy;
}

void *
parse_add(struct parse *p, struct list *list, size_t size)
{
	void *item = list_add(list, p->unit->arena, size);

	p->no_memory |= !item;
	p->lost |= !item;
	return item;
}

bool
parse_word(struct parse *p, const char *what, const char **word)
{
	if (p->lost || p->token.kind != TOKEN_WORD)
		return parse_wrong(p, what);
	*word = parse_copy(p, &p->token);
	parse_next(p);
	return *word != NULL;
}

bool
parse_name(struct parse *p, const char *what, const char **name)
{
	struct pdl_pos pos = p->token.pos;

	if (!parse_word(p, what, name))
		return false;
	if (strlen(*name) > PARSE_NAME)
		parse_fault(p, pos, "'%.16s...': the name is longer than %d characters", *name,
			    PARSE_NAME);
	return true;
}

struct parse_constant *
parse_constant(const struct parse *p, const struct token *token)
{
	struct parse_constant *constants = p->constants.items;

	if (token->kind != TOKEN_WORD)
		return NULL;
	for (unsigned i = 0; i < p->constants.count; i++)
		if (token_is(token, constants[i].name))
			return &constants[i];
	return NULL;
}

bool
parse_number(struct parse *p, const char *what, uint64_t low, uint64_t high, uint64_t *number)
{
	struct parse_constant *constant = parse_constant(p, &p->token);

	if (constant)
		constant->used = true;
	if (p->lost || (p->token.kind != TOKEN_NUMBER && !constant))
		return parse_wrong(p, what);
	*number = constant ? (uint64_t)constant->value : p->token.number;
	if (*number < low || *number > high) {
		parse_fault(p, p->token.pos,
			    "%" PRIi64 ": expected %s from %" PRIu64 " to %" PRIu64,
			    (int64_t)*number, what, low, high);
		*number = low;
	}
	parse_next(p);
	return true;
}

bool
parse_string(struct parse *p, const char *what, const char **string)
{
	if (p->lost || p->token.kind != TOKEN_STRING)
		return parse_wrong(p, what);
	if (p->token.caseless || !lex_is_plain(p->token.data))
		return parse_wrong(p, "a plain string, of characters that can be shown");
	*string = (const char *)p->token.data.p;
	parse_next(p);
	return true;
}

struct token
parse_peek(struct parse *p)
{
	struct lex ahead = p->lex;
	struct token token;

	ahead.faults = NULL;
	lex_token(&ahead, &token);
	return token;
}

bool
parse_reference(struct parse *p, const char **name)
{
	struct pdl_pos pos = p->token.pos;
	struct pdl_reference *reference;

	if (!parse_word(p, "the name of a protocol", name))
		return false;
	reference = parse_add(p, &p->tree->references, sizeof(*reference));
	if (reference)
		*reference = (struct pdl_reference){ .name = *name, .pos = pos };
	return reference != NULL;
}

bool
parse_over(struct parse *p, uint8_t *transports)
{
	*transports = 0;
	if (!parse_need(p, "over"))
		return false;
	do {
		uint8_t one = parse_is(p, "tcp") ? PDL_TCP : PDL_UDP;

		if (!parse_is(p, "tcp") && !parse_is(p, "udp"))
			return parse_wrong(p, "tcp or udp");
		if (*transports & one)
			parse_fault(p, p->token.pos, "'%s' is given twice",
				    one == PDL_TCP ? "tcp" : "udp");
		*transports |= one;
		parse_next(p);
	} while (parse_accept(p, ","));
	return !p->lost;
}

bool
parse_side(struct parse *p, uint8_t *side)
{
	if (parse_is(p, "client"))
		*side = PDL_CLIENT;
	else if (parse_is(p, "server"))
		*side = PDL_SERVER;
	else if (parse_is(p, "any"))
		*side = PDL_ANY;
	else
		return parse_misspelt(p, words_sides, 3, "client, server or any");
	parse_next(p);
	return true;
}

bool
parse_regex(struct parse *p, const struct regex **regex, struct pdl_pos *pos)
{
	struct regex_fault fault = { 0 };
	struct regex *compiled = NULL, **kept;
	const char *pattern;
	bool caseless;
	size_t len;
	enum barn_err err;

	*regex = NULL;
	if (!parse_is(p, "/"))
		return parse_wrong(p, "an expression: /.../");
	*pos = p->token.pos;
	lex_regex(&p->lex, &p->token, &pattern, &len, &caseless);
	if (p->token.kind == TOKEN_BAD) {
		p->lost = true;
		return false;
	}
	if (len == 0) {
		parse_fault(p, *pos, "the expression is empty");
		parse_next(p);
		return true;
	}
	kept = parse_add(p, &p->unit->regexes, sizeof(struct regex *));
	err = kept ? regex_new(pattern, len, caseless, &compiled, &fault) : BARN_ERR_MEMORY;
	if (err == BARN_ERR_MEMORY) {
		p->no_memory = p->lost = true;
		return false;
	}
	*kept = compiled;
	*regex = compiled;
	if (err) {
		struct lex at = { .p = pattern,
				  .end = pattern + len,
				  .pos = { pos->line, pos->column + 1 } };

		lex_advance(&at, fault.offset);
		parse_fault(p, at.pos, "in the expression: %s", fault.text);
	}
	parse_next(p);
	return !p->lost;
}
