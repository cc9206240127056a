/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/lex_text.h"

enum { HEX_MAX = 1024 };

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static char
peek(const struct lex *lex, size_t n)
{
	return (size_t)(lex->end - lex->p) > n ? lex->p[n] : '\0';
}

/* One escape, from the backslash on: its value, or -1; moves over it. */
static int
escape(struct lex *lex)
{
	static const char names[] = "rnt0\"\\", values[] = "\r\n\t\0\"\\";
	const char *name = peek(lex, 1) ? strchr(names, peek(lex, 1)) : NULL;
	int high, low;

	if (name) {
		lex_advance(lex, 2);
		return values[name - names];
	}
	if (peek(lex, 1) != 'x')
		return -1;
	high = hex_digit(peek(lex, 2));
	low = hex_digit(peek(lex, 3));
	if (high < 0 || low < 0)
		return -1;
	lex_advance(lex, 4);
	return high << 4 | low;
}

void
lex_string(struct lex *lex, struct token *token)
{
	uint8_t *out;
	size_t n = 0, line = 0;

	token->kind = TOKEN_STRING;
	token->caseless = *lex->p == 'i';
	lex_advance(lex, token->caseless ? 2 : 1);
	while (peek(lex, line) && peek(lex, line) != '\n')
		line++;
	out = arena_alloc(lex->arena, line + 1); /* decoding makes nothing longer */
	lex->no_memory |= !out;
	while (out && peek(lex, 0) && *lex->p != '"' && *lex->p != '\n') {
		struct pdl_pos pos = lex->pos;
		int byte;

		if (*lex->p != '\\') {
			out[n++] = (uint8_t)*lex->p;
			lex_advance(lex, 1);
			continue;
		}
		byte = escape(lex);
		if (byte < 0) {
			if (token->kind != TOKEN_BAD)
				diag_add(lex->faults, lex->file, pos,
					 "unknown escape: expected \\r, \\n, \\t, \\0, \\xHH, "
					 "\\\" or \\\\");
			token->kind = TOKEN_BAD;
			lex_advance(lex, peek(lex, 1) && peek(lex, 1) != '\n' ? 2 : 1);
			continue;
		}
		out[n++] = (uint8_t)byte;
	}
	if (!out) {
		token->kind = TOKEN_BAD;
	} else if (peek(lex, 0) == '"') {
		lex_advance(lex, 1);
	} else {
		if (token->kind != TOKEN_BAD)
			diag_add(lex->faults, lex->file, token->pos,
				 "the string does not end in its line: expected '\"'");
		token->kind = TOKEN_BAD;
	}
	token->len = (size_t)(lex->p - token->at);
	token->data = out ? bytes_of(out, n) : bytes_of("", 0);
}

void
lex_regex(struct lex *lex, struct token *token, const char **pattern, size_t *len,
	  bool *caseless)
{
	size_t n = 0;

	/* The token is one character long and the lexer stands behind it. */
	while (peek(lex, n) && peek(lex, n) != '/' && peek(lex, n) != '\n')
		n += peek(lex, n) == '\\' && peek(lex, n + 1) && peek(lex, n + 1) != '\n' ? 2
											  : 1;
	*pattern = lex->p;
	*len = n;
	*caseless = false;
	if (peek(lex, n) != '/') {
		diag_add(lex->faults, lex->file, token->pos,
			 "the expression does not end in its line: expected '/'");
		token->kind = TOKEN_BAD;
		lex_advance(lex, n);
		return;
	}
	if (peek(lex, n + 1) == 'i') {
		*caseless = true;
		n++;
	}
	lex_advance(lex, n + 1);
	token->len = (size_t)(lex->p - token->at);
}

/*
 * The values that two characters at p stand for: "1f", "1?", "?f", "??". False if they are
 * none.
 */
static bool
pair(const char *p, const char *end, struct byteset *set)
{
	int high, low;

	if (end - p < 2)
		return false;
	high = hex_digit(p[0]);
	low = hex_digit(p[1]);
	if ((high < 0 && p[0] != '?') || (low < 0 && p[1] != '?'))
		return false;
	for (int h = high < 0 ? 0 : high; h <= (high < 0 ? 15 : high); h++)
		for (int l = low < 0 ? 0 : low; l <= (low < 0 ? 15 : low); l++)
			byteset_add(set, (uint8_t)(h << 4 | l));
	return true;
}

static void
blanks(struct lex *lex)
{
	for (;;) {
		while (peek(lex, 0) && strchr(" \t\r\n", *lex->p))
			lex_advance(lex, 1);
		if (peek(lex, 0) != '#')
			return;
		while (peek(lex, 0) && *lex->p != '\n')
			lex_advance(lex, 1);
	}
}

/* [20-7e] */
static bool
range(struct lex *lex, struct byteset *set)
{
	int digits[4] = { hex_digit(peek(lex, 1)), hex_digit(peek(lex, 2)),
			  hex_digit(peek(lex, 4)), hex_digit(peek(lex, 5)) };
	int low = digits[0] * 16 + digits[1], high = digits[2] * 16 + digits[3];

	if (digits[0] < 0 || digits[1] < 0 || digits[2] < 0 || digits[3] < 0 ||
	    peek(lex, 3) != '-' || peek(lex, 6) != ']' || low > high) {
		diag_add(lex->faults, lex->file, lex->pos,
			 "malformed range of bytes: expected [20-7e], low before high");
		return false;
	}
	byteset_add_range(set, (uint8_t)low, (uint8_t)high);
	lex_advance(lex, 7);
	return true;
}

/* (01|02|[10-1f]), from after the parenthesis on. */
static bool
choice(struct lex *lex, struct byteset *set)
{
	for (;;) {
		blanks(lex);
		if (peek(lex, 0) == '[') {
			if (!range(lex, set))
				return false;
		} else if (pair(lex->p, lex->end, set)) {
			lex_advance(lex, 2);
		} else {
			break;
		}
		blanks(lex);
		if (peek(lex, 0) != '|' && peek(lex, 0) != ')')
			break;
		lex_advance(lex, 1);
		if (lex->p[-1] == ')')
			return true;
	}
	diag_add(lex->faults, lex->file, lex->pos,
		 "malformed choice of bytes: expected (01|02|[10-1f])");
	return false;
}

/* A parenthesis after bytes holds either a choice or clauses; "01 |" or "01 )" tells. */
static bool
begins_choice(const struct lex *lex)
{
	struct byteset ignored = { 0 };
	const char *p = lex->p + 1;

	while (p < lex->end && strchr(" \t", *p))
		p++;
	if (p < lex->end && *p == '[')
		return true;
	if (!pair(p, lex->end, &ignored))
		return false;
	p += 2;
	while (p < lex->end && strchr(" \t", *p))
		p++;
	return p < lex->end && (*p == '|' || *p == ')');
}

/* Length of a run of digits and `?` here, if it is whole pairs and no word's beginning. */
static size_t
run_length(const struct lex *lex)
{
	size_t n = 0;

	while (peek(lex, n) == '?' || hex_digit(peek(lex, n)) >= 0)
		n++;
	if (n % 2 != 0 || (peek(lex, n) && strchr("_.-", peek(lex, n))) ||
	    ((peek(lex, n) | 0x20) >= 'g' && (peek(lex, n) | 0x20) <= 'z'))
		return 0;
	return n;
}

/* The next set, empty. */
static struct byteset *
next_set(struct byteset *sets, uint32_t *count)
{
	sets[*count] = (struct byteset){ 0 };
	return &sets[(*count)++];
}

static bool
hex_element(struct lex *lex, struct byteset *sets, uint32_t *count, bool *more)
{
	size_t run;

	blanks(lex);
	*more = true;
	if (peek(lex, 0) == '[')
		return *count < HEX_MAX && range(lex, next_set(sets, count));
	if (peek(lex, 0) == '(' && begins_choice(lex)) {
		lex_advance(lex, 1);
		return *count < HEX_MAX && choice(lex, next_set(sets, count));
	}
	run = run_length(lex);
	*more = run > 0;
	for (; run > 0 && *count < HEX_MAX; run -= 2) {
		pair(lex->p, lex->end, next_set(sets, count));
		lex_advance(lex, 2);
	}
	return run == 0;
}

bool
lex_hex(struct lex *lex, const struct byteset **sets, uint32_t *count)
{
	struct byteset found[HEX_MAX];
	struct pdl_pos start = lex->pos;
	uint32_t n = 0;
	bool more = true;

	while (more) {
		if (hex_element(lex, found, &n, &more))
			continue;
		if (n == HEX_MAX)
			diag_add(lex->faults, lex->file, start, "more than %d bytes", HEX_MAX);
		return false;
	}
	*count = n;
	*sets = arena_copy(lex->arena, found, n * sizeof(found[0]));
	lex->no_memory |= !*sets;
	return *sets != NULL;
}
