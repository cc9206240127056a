/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/bounds.h"
#include "pdl/parse.h"
#include "pdl/sense.h"
#include "pdl/words.h"

#include <inttypes.h>

enum { TEXT_MAX = 1024, RANGES_MAX = 64 };

static const char test_wanted[] =
	"a test: \"text\", hex, /expression/, at, length, u8(...), u16be(...), ...";

bool
parse_term_begins(const struct parse *p)
{
	return parse_is(p, "client") || parse_is(p, "server") || parse_is(p, "any");
}

static bool
test_begins(const struct parse *p)
{
	return !p->lost &&
	       (p->token.kind == TOKEN_STRING || token_is(&p->token, "hex") ||
		token_is(&p->token, "at") || token_is(&p->token, "/") || parse_sum_begins(p));
}

static bool
text(struct parse *p, struct program_test *test)
{
	size_t len = bytes_left(&p->token.data);
	uint8_t *copy;

	if (len == 0 || len > TEXT_MAX) {
		parse_fault(p, p->token.pos,
			    len == 0 ? "the text is empty"
				     : "the text is longer than 1024 bytes");
		p->lost = true;
		return false;
	}
	copy = arena_copy(p->unit->arena, p->token.data.p, len);
	if (!copy) {
		p->no_memory = p->lost = true;
		return false;
	}
	test->kind = PROGRAM_TEXT;
	test->caseless = p->token.caseless;
	test->len = (uint32_t)len;
	test->text = copy;
	for (size_t i = 0; i < len && test->caseless; i++)
		if (copy[i] >= 'A' && copy[i] <= 'Z')
			copy[i] |= 0x20;
	parse_next(p);
	return true;
}

static bool
hex(struct parse *p, struct program_test *test)
{
	struct pdl_pos pos = p->token.pos;

	test->kind = PROGRAM_BYTES;
	if (!lex_hex(&p->lex, &test->sets, &test->len)) {
		p->lost = true;
		return false;
	}
	parse_next(p);
	if (test->len == 0)
		return parse_wrong(p, "bytes: 00 ff ?? 1? [20-7e] (01|02)");
	for (uint32_t i = 0; i < test->len; i++)
		if (byteset_count(&test->sets[i]) < 256)
			return true;
	parse_fault(p, pos, "all the bytes are ??: expected length, or at");
	return true;
}

/* Bytes of some traffic, with each value in it. */
static enum match_answer
matches_noise(struct parse *p, const struct regex *regex)
{
	struct regex_scratch *scratch = NULL;
	enum match_answer answer;
	uint8_t noise[256];

	for (unsigned i = 0; i < sizeof(noise); i++)
		noise[i] = (uint8_t)(i * 167 + 133);
	if (regex_scratch_new(&scratch) != BARN_OK) {
		p->no_memory = p->lost = true;
		return MATCH_NO;
	}
	answer = regex_run(regex, scratch, bytes_of(noise, sizeof(noise)), true, NULL);
	if (answer == MATCH_YES)
		answer = regex_run(regex, scratch, bytes_of(noise, 0), true, NULL);
	regex_scratch_free(scratch);
	return answer;
}

static bool
expression(struct parse *p, struct program_test *test)
{
	struct pdl_pos pos;

	test->kind = PROGRAM_REGEX;
	if (!parse_regex(p, &test->regex, &pos))
		return false;
	/* A negative look-ahead excludes one thing and holds for all others: that is meant. */
	if (test->regex && !strstr(regex_pattern(test->regex), "(?!") &&
	    matches_noise(p, test->regex) == MATCH_YES)
		parse_fault(p, pos, "the expression holds for anything, even for no bytes");
	return !p->lost;
}

static bool
one_range(struct parse *p, const struct program_range *ranges, struct program_range *range)
{
	struct pdl_pos pos = p->token.pos;

	if (!parse_sum_constant(p, "a number", &range->low))
		return false;
	range->high = range->low;
	if (parse_accept(p, "..") && !parse_sum_constant(p, "a number", &range->high))
		return false;
	if (range->high < range->low)
		parse_fault(p, pos, "the range is the wrong way round");
	for (const struct program_range *other = ranges; other < range; other++)
		if (range->low <= other->high && range->high >= other->low)
			parse_fault(p, pos, "%" PRId64 " is given twice",
				    range->low > other->low ? range->low : other->low);
	return true;
}

static bool
in(struct parse *p, struct program_test *test)
{
	struct program_range ranges[RANGES_MAX];
	bool many = parse_accept(p, "(");

	test->kind = PROGRAM_IN;
	do {
		if (test->len == RANGES_MAX) {
			parse_fault(p, p->token.pos, "more than %d ranges", RANGES_MAX);
			p->lost = true;
			return false;
		}
		if (!one_range(p, ranges, &ranges[test->len++]))
			return false;
	} while (many && parse_accept(p, ","));
	if (many && !parse_need(p, ")"))
		return false;
	test->ranges = arena_copy(p->unit->arena, ranges, test->len * sizeof(ranges[0]));
	p->no_memory |= !test->ranges;
	return test->ranges != NULL;
}

static bool
comparison(struct parse *p, struct program_test *test)
{
	struct pdl_pos pos = p->token.pos;
	enum match_answer bounds;

	if (!parse_sum(p, &test->left, 0))
		return false;
	test->kind = PROGRAM_COMPARE;
	if (parse_accept(p, "in")) {
		if (!in(p, test))
			return false;
	} else {
		while (test->compare <= PROGRAM_GE &&
		       !parse_is(p, words_compares[test->compare]))
			test->compare++;
		if (test->compare > PROGRAM_GE)
			return parse_wrong(p, "a comparison: ==, !=, <, <=, >, >= or in");
		parse_next(p);
		if (!parse_sum(p, &test->right, 0))
			return false;
	}
	bounds = bounds_of(test);
	if (bounds == MATCH_NO)
		parse_fault(p, pos, "the comparison can never hold");
	if (bounds == MATCH_YES)
		parse_fault(p, pos, "the comparison holds for any bytes");
	return true;
}

static bool
one_test(struct parse *p, struct program_test *test)
{
	struct pdl_pos pos;

	if (p->tests++ == PROGRAM_TESTS) {
		parse_fault(p, p->token.pos, "the rule has more than %d tests", PROGRAM_TESTS);
		p->lost = true;
		return false;
	}
	if (p->token.kind == TOKEN_STRING)
		return text(p, test);
	if (parse_is(p, "hex"))
		return hex(p, test);
	if (parse_is(p, "/"))
		return expression(p, test);
	if (!parse_accept(p, "at"))
		return comparison(p, test);
	test->kind = PROGRAM_AT;
	pos = p->token.pos;
	if (!parse_sum(p, &test->left, 0))
		return false;
	if (!bounds_may_be(&test->left, 0, UINT16_MAX))
		parse_fault(p, pos, "'at' leads to where there is never a byte");
	return true;
}

/* What searching a stream from every byte cannot do. */
static void
check_search(struct parse *p, const struct program_test *test, const struct program_test *first,
	     struct pdl_pos pos)
{
	if (test == first && test->kind == PROGRAM_AT)
		parse_fault(p, pos, "'at' needs a place, or something to be found first");
	if (test != first && test->kind == PROGRAM_REGEX && first->kind != PROGRAM_REGEX)
		parse_fault(p, pos,
			    "an expression after what is searched for: expected a "
			    "place (client 0: ...) or one expression for both");
}

static bool
tests(struct parse *p, struct program_alternative *alternative, uint8_t where)
{
	bool searched = where == PROGRAM_ANYWHERE && (p->transports & PDL_TCP);
	struct list list = { 0 };
	struct pdl_pos at = { 0 };
	bool at_end = false;

	if (parse_is(p, "port"))
		return parse_wrong(p,
				   "a test: rules see no ports; the item 'port' and a hint do");
	if (!test_begins(p))
		return parse_wrong(p, test_wanted);
	do {
		struct pdl_pos pos = p->token.pos;
		struct program_test *test = parse_add(p, &list, sizeof(*test));

		if (!test || !one_test(p, test))
			return false;
		if (searched)
			check_search(p, test, list.items, pos);
		if (where == PROGRAM_LINE && sense_needs_line_end(test))
			parse_fault(p, pos, "a line has no CR or LF: this can never hold");
		at_end = test->kind == PROGRAM_AT;
		at = pos;
	} while (test_begins(p));
	if (at_end)
		parse_fault(p, at, "'at' with nothing behind it: expected a test");
	*alternative = (struct program_alternative){ .tests = list.items, .count = list.count };
	return !p->lost;
}

static bool
place(struct parse *p, struct program_term *term)
{
	struct pdl_pos pos = p->token.pos;
	bool udp = p->transports & PDL_UDP;
	uint64_t number;

	if (parse_accept(p, "line")) {
		term->where = PROGRAM_LINE;
		return true;
	}
	term->where = PROGRAM_ANYWHERE;
	if (parse_accept(p, ":"))
		return true;
	if (p->token.kind != TOKEN_NUMBER && !parse_constant(p, &p->token))
		return parse_wrong(p, "a place: '0:', ':' or 'line'");
	if (!parse_number(p, "a place", 0, UINT32_MAX, &number))
		return false;
	if (udp && number >= PROGRAM_DATAGRAMS)
		parse_fault(p, pos, "place over udp: expected a datagram's number from 0 to %d",
			    PROGRAM_DATAGRAMS - 1);
	else if (number >= PROGRAM_PREFIX)
		parse_fault(p, pos, "place: expected an offset in the stream from 0 to %d",
			    PROGRAM_PREFIX - 1);
	else
		term->place = (uint32_t)number;
	term->where = PROGRAM_AT_PLACE;
	return parse_need(p, ":");
}

/* An `or` that a side, a group or `not` follows parts clauses, not tests. */
static bool
parts_tests(struct parse *p)
{
	struct token after;

	if (!parse_is(p, "or"))
		return false;
	after = parse_peek(p);
	return !token_is(&after, "client") && !token_is(&after, "server") &&
	       !token_is(&after, "any") && !token_is(&after, "(") && !token_is(&after, "not");
}

bool
parse_term(struct parse *p, struct program_term *term)
{
	struct list list = { 0 };
	uint8_t side;

	*term = (struct program_term){ 0 };
	if (!parse_side(p, &side) || !place(p, term))
		return false;
	term->sides = (uint8_t)(side == PDL_ANY ? 3 : 1 << side);
	for (;;) {
		struct program_alternative *alternative =
			parse_add(p, &list, sizeof(*alternative));

		if (!alternative || !tests(p, alternative, term->where))
			return false;
		if (!parts_tests(p))
			break;
		parse_next(p);
	}
	term->alternatives = list.items;
	term->count = list.count;
	return !p->lost;
}
