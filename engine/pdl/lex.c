/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/lex.h"

#include "pdl/lex_text.h"

enum { TEXT_MAX = 1024 * 1024, SHOW_MAX = 32 };

/* Bytes of the UTF-8 character at p (RFC 3629, section 4), or 0. */
static size_t
character(const uint8_t *p, const uint8_t *end)
{
	size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	uint8_t low = p[0] == 0xe0 ? 0xa0 : p[0] == 0xf0 ? 0x90 : 0x80;
	uint8_t high = p[0] == 0xed ? 0x9f : p[0] == 0xf4 ? 0x8f : 0xbf;

	if (p[0] > 0xf4 || n == 0 || (size_t)(end - p) < n)
		return 0;
	for (size_t i = 1; i < n; i++)
		if (p[i] < (i == 1 ? low : 0x80) || p[i] > (i == 1 ? high : 0xbf))
			return 0;
	return n;
}

bool
lex_is_plain(struct bytes text)
{
	while (bytes_left(&text) > 0) {
		size_t n = character(text.p, text.end);

		if (n == 0 || text.p[0] < ' ' || text.p[0] == 0x7f)
			return false;
		bytes_skip(&text, n);
	}
	return true;
}

static bool
check_text(const struct lex *lex)
{
	const uint8_t *p = (const uint8_t *)lex->p, *end = (const uint8_t *)lex->end;
	struct pdl_pos pos = lex->pos;

	while (p < end) {
		size_t n = character(p, end);

		if (n == 0 || *p == 0) {
			diag_add(lex->faults, lex->file, pos, "byte 0x%02x: expected %s", *p,
				 n == 0 ? "UTF-8" : "text, not NUL");
			return false;
		}
		pos.column++;
		if (*p == '\n')
			pos = (struct pdl_pos){ pos.line + 1, 1 };
		p += n;
	}
	return true;
}

bool
lex_start(struct lex *lex, struct arena *arena, const char *file, const char *text, size_t len,
	  struct barn_faults *faults)
{
	bool marked = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;

	*lex = (struct lex){ .file = file,
			     .text = text,
			     .p = text + (marked ? 3 : 0), /* a byte order mark is no text */
			     .end = text + len,
			     .pos = { 1, 1 },
			     .arena = arena,
			     .faults = faults };
	if (len > TEXT_MAX) {
		diag_add(faults, file, lex->pos, "the file is larger than 1 MiB");
		return false;
	}
	return check_text(lex);
}

void
lex_advance(struct lex *lex, size_t n)
{
	for (; n > 0; n--, lex->p++) {
		if (*lex->p == '\n')
			lex->pos = (struct pdl_pos){ lex->pos.line + 1, 1 };
		else if (((uint8_t)*lex->p & 0xc0) != 0x80)
			lex->pos.column++;
	}
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

static bool
is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

static char
peek(const struct lex *lex, size_t n)
{
	return (size_t)(lex->end - lex->p) > n ? lex->p[n] : '\0';
}

/* Over white space and comments. */
static void
skip(struct lex *lex, struct token *token)
{
	while (lex->p < lex->end && (is_blank(*lex->p) || *lex->p == '#')) {
		token->after_blank = true;
		if (*lex->p == '#') {
			while (lex->p < lex->end && *lex->p != '\n')
				lex_advance(lex, 1);
			continue;
		}
		lex_advance(lex, 1);
	}
}

static bool
starts_line(const struct lex *lex)
{
	const char *p = lex->p;

	while (p > lex->text && is_blank(p[-1]))
		if (*--p == '\n')
			return true;
	return p == lex->text;
}

static int
digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* Whether these n characters are a number; one too large is UINT64_MAX. */
static bool
number(const char *s, size_t n, uint64_t *value)
{
	int base = n > 2 && s[0] == '0' && (s[1] | 0x20) == 'x' ? 16 : 10;
	bool large = false;

	*value = 0;
	for (size_t i = base == 16 ? 2 : 0; i < n; i++) {
		int d = digit(s[i]);

		if (d >= base)
			return false;
		large |= *value > (INT64_MAX - (uint64_t)d) / (uint64_t)base;
		*value = *value * (uint64_t)base + (uint64_t)d;
	}
	if (large)
		*value = UINT64_MAX;
	return n > 0;
}

static void
word_or_number(struct lex *lex, struct token *token)
{
	size_t n = 0;

	while (is_word(peek(lex, n)))
		n++;
	token->kind = TOKEN_NUMBER;
	if (!number(lex->p, n, &token->number)) {
		token->kind = TOKEN_WORD;
		while (is_word(peek(lex, n)) || ((peek(lex, n) == '-' || peek(lex, n) == '.') &&
						 is_word(peek(lex, n + 1))))
			n++;
	}
	token->len = n;
	lex_advance(lex, n);
	if (token->kind == TOKEN_NUMBER && token->number == UINT64_MAX) {
		diag_add(lex->faults, lex->file, token->pos, "%.*s: the number is too large",
			 (int)(n < SHOW_MAX ? n : SHOW_MAX), token->at);
		token->kind = TOKEN_BAD;
	}
}

static void
sign(struct lex *lex, struct token *token)
{
	static const char two[][3] = { "==", "!=", "<=", ">=", "=>", "<<", ">>", ".." };
	char next = peek(lex, 1);

	token->kind = TOKEN_SIGN;
	token->len = 1;
	for (size_t i = 0; i < sizeof(two) / sizeof(two[0]); i++)
		if (*lex->p == two[i][0] && next == two[i][1])
			token->len = 2;
	if (*lex->p == '$' && next >= '0' && next <= '9') {
		token->kind = TOKEN_CAPTURE;
		token->number = (uint64_t)(next - '0');
		token->len = 2;
	} else if (((uint8_t)*lex->p & 0x80) || !strchr("{}(),:=<>+-*/%&|.!", *lex->p)) {
		char shown[SHOW_MAX];

		while ((peek(lex, token->len) & 0xc0) == 0x80) /* the whole character */
			token->len++;
		token_show(token, shown, sizeof(shown));
		diag_add(lex->faults, lex->file, token->pos, "%s: no such sign", shown);
		token->kind = TOKEN_BAD;
	}
	lex_advance(lex, token->len);
}

void
lex_token(struct lex *lex, struct token *token)
{
	*token = (struct token){ .kind = TOKEN_END };
	skip(lex, token);
	token->pos = lex->pos;
	token->at = lex->p;
	token->starts_line = starts_line(lex);
	if (lex->p == lex->end)
		return;
	if (*lex->p == '"' || (*lex->p == 'i' && peek(lex, 1) == '"'))
		lex_string(lex, token);
	else if (is_word(*lex->p))
		word_or_number(lex, token);
	else
		sign(lex, token);
	token->before_blank = lex->p == lex->end || is_blank(*lex->p) || *lex->p == '#';
}
