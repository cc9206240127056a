/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/parse.h"

#include "pdl/words.h"

#include <inttypes.h>

enum { OPS_MAX = 64, NESTED_MAX = 12 };

struct sum_parse {
	struct parse *p;
	struct sum_op ops[OPS_MAX];
	unsigned count, nested;
	unsigned groups;
	struct pdl_pos start;
};

static bool sum_from(struct sum_parse *s, unsigned level);

bool
parse_sum_begins(const struct parse *p)
{
	return !p->lost && (p->token.kind == TOKEN_NUMBER || token_is(&p->token, "-") ||
			    token_is(&p->token, "length") ||
			    words_reader(&p->token) != SUM_OPS || parse_constant(p, &p->token));
}

/* Overflow of numbers that are written so is nobody's wish; what is read may wrap. */
static bool
overflows(enum sum_op_kind kind, int64_t a, int64_t b)
{
	int64_t value;

	switch (kind) {
	case SUM_ADD: return __builtin_add_overflow(a, b, &value);
	case SUM_SUB: return __builtin_sub_overflow(a, b, &value);
	case SUM_MUL: return __builtin_mul_overflow(a, b, &value);
	case SUM_SHL: return a < 0 || a > INT64_MAX >> b;
	default: return false;
	}
}

/* A right operand that is a number, and has no value for any left one. */
static void
check_operand(struct sum_parse *s, enum sum_op_kind kind)
{
	const struct sum_op *left = &s->ops[s->count - 2], *right = &s->ops[s->count - 1];

	if (right->kind != SUM_NUMBER)
		return;
	if ((kind == SUM_DIV || kind == SUM_MOD) && right->number == 0)
		parse_fault(s->p, s->start, "a division by zero");
	else if ((kind == SUM_SHL || kind == SUM_SHR) &&
		 (right->number < 0 || right->number > 63))
		parse_fault(s->p, s->start, "a shift by %" PRId64 ": expected 0 to 63",
			    right->number);
	else if (left->kind == SUM_NUMBER && overflows(kind, left->number, right->number))
		parse_fault(s->p, s->start, "the number is too large for 64 bits");
}

static bool
push(struct sum_parse *s, enum sum_op_kind kind, int64_t number)
{
	int64_t value;

	if (kind >= SUM_MUL && s->count >= 2)
		check_operand(s, kind);
	if (kind >= SUM_MUL && s->count >= 2 && s->ops[s->count - 1].kind == SUM_NUMBER &&
	    s->ops[s->count - 2].kind == SUM_NUMBER &&
	    sum_combine(kind, s->ops[s->count - 2].number, s->ops[s->count - 1].number,
			&value)) {
		s->ops[--s->count - 1].number = value;
		return true;
	}
	if (s->count == OPS_MAX) {
		parse_fault(s->p, s->start, "the arithmetic is too long");
		s->p->lost = true;
		return false;
	}
	s->ops[s->count++] = (struct sum_op){ .kind = (uint8_t)kind, .number = number };
	return true;
}

static bool
nested(struct sum_parse *s)
{
	bool fine;

	if (s->nested == NESTED_MAX) {
		parse_fault(s->p, s->p->token.pos, "the arithmetic is nested too deeply");
		s->p->lost = true;
		return false;
	}
	s->nested++;
	fine = parse_need(s->p, "(") && sum_from(s, 0) && parse_need(s->p, ")");
	s->nested--;
	return fine;
}

static bool
capture(struct sum_parse *s)
{
	int64_t group = (int64_t)s->p->token.number;

	if (s->groups == 0)
		return parse_wrong(s->p, "a number: there is no expression to capture with");
	if (group == 0 || group > (int64_t)s->groups - 1) {
		parse_fault(s->p, s->p->token.pos, "$%d: the expression has no such capture",
			    (int)group);
		group = 1;
	}
	parse_next(s->p);
	return push(s, SUM_CAPTURE, group);
}

/* u16be($1): what stands in the capture as bytes. */
static bool
raw(struct sum_parse *s, enum sum_op_kind reader)
{
	struct parse *p = s->p;

	if (!parse_need(p, "("))
		return false;
	if (p->token.kind != TOKEN_CAPTURE)
		return parse_wrong(p, "a capture: $1");
	if (!capture(s) || !parse_need(p, ")"))
		return false;
	s->ops[s->count - 1] = (struct sum_op){
		.kind = SUM_RAW,
		.number = sum_raw((uint8_t)reader, (uint8_t)s->ops[s->count - 1].number),
	};
	return true;
}

static bool
primary(struct sum_parse *s)
{
	struct parse *p = s->p;
	struct parse_constant *constant = parse_constant(p, &p->token);
	enum sum_op_kind reader = words_reader(&p->token);
	int64_t number = constant ? constant->value : (int64_t)p->token.number;

	if (p->lost)
		return false;
	if (constant)
		constant->used = true;
	if (p->token.kind == TOKEN_NUMBER || constant) {
		parse_next(p);
		return push(s, SUM_NUMBER, number);
	}
	if (p->token.kind == TOKEN_CAPTURE)
		return capture(s);
	if (parse_is(p, "("))
		return nested(s);
	if (s->groups == 0 && parse_accept(p, "length"))
		return push(s, SUM_LENGTH, 0);
	if (s->groups == 0 && reader != SUM_OPS) {
		parse_next(p);
		return nested(s) && push(s, reader, 0);
	}
	if (s->groups > 0 && reader != SUM_OPS) {
		parse_next(p);
		return raw(s, reader);
	}
	if (s->groups > 0 && parse_accept(p, "client-port"))
		return push(s, SUM_CLIENT_PORT, 0);
	if (s->groups > 0 && parse_accept(p, "server-port"))
		return push(s, SUM_SERVER_PORT, 0);
	return parse_wrong(
		p, s->groups > 0 ? "a number, a capture, u16be($1), client-port or server-port"
				 : "a number, a constant, length, u8(...), u16be(...), ...");
}

static bool
unary(struct sum_parse *s)
{
	unsigned minuses = 0;

	while (parse_accept(s->p, "-"))
		minuses++;
	if (minuses % 2 == 0)
		return primary(s);
	return push(s, SUM_NUMBER, 0) && primary(s) && push(s, SUM_SUB, 0);
}

/* The infix that the next token is, of this level of words_operators; NULL: none. */
static const struct words_operator *
operator_here(const struct sum_parse *s, unsigned level)
{
	const struct token *token = &s->p->token;

	/* `u8(0) == 1 /x/` begins an expression, `u8(0) / 2` divides. */
	if (s->p->lost || (token_is(token, "/") && token->after_blank && !token->before_blank))
		return NULL;
	for (size_t i = 0; i < words_operator_count; i++)
		if (words_operators[i].level == level &&
		    token_is(token, words_operators[i].sign))
			return &words_operators[i];
	return NULL;
}

static bool
sum_from(struct sum_parse *s, unsigned level)
{
	const struct words_operator *infix;

	if (level == WORDS_LEVELS)
		return unary(s);
	if (!sum_from(s, level + 1))
		return false;
	while ((infix = operator_here(s, level))) {
		parse_next(s->p);
		if (!sum_from(s, level + 1) || !push(s, infix->kind, 0))
			return false;
	}
	return !s->p->lost;
}

bool
parse_sum(struct parse *p, struct sum *sum, unsigned groups)
{
	struct sum_parse s = { .p = p, .groups = groups, .start = p->token.pos };

	if (!sum_from(&s, 0))
		return false;
	sum->ops = arena_copy(p->unit->arena, s.ops, s.count * sizeof(s.ops[0]));
	sum->count = s.count;
	if (!sum->ops) {
		p->no_memory = p->lost = true;
		return false;
	}
	if (!sum_valid(sum)) {
		parse_fault(p, s.start, "the arithmetic is nested too deeply");
		p->lost = true;
		return false;
	}
	return true;
}

bool
parse_sum_constant(struct parse *p, const char *what, int64_t *value)
{
	struct pdl_pos start = p->token.pos;
	struct sum sum;

	if (!parse_sum(p, &sum, 0))
		return false;
	if (sum.count != 1 || sum.ops[0].kind != SUM_NUMBER) {
		parse_fault(p, start, "expected %s that does not depend on the flow", what);
		p->lost = true;
		return false;
	}
	*value = sum.ops[0].number;
	return true;
}
