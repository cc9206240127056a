/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "lex.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fail_at(struct lex *l, unsigned line, unsigned column, const char *format, va_list ap)
{
	if (l->failed)
		return;
	l->failed = true;
	l->error_line = line;
	l->error_column = column;
	vsnprintf(l->error, sizeof(l->error), format, ap);
	l->kind = LEX_END;
	l->p = l->end;
}

void
lex_fail(struct lex *l, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fail_at(l, l->token_line, l->token_column, format, ap);
	va_end(ap);
}

/* A fault at the character being read, inside a token. */
static void fail_here(struct lex *l, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void
fail_here(struct lex *l, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	fail_at(l, l->line, l->column, format, ap);
	va_end(ap);
}

static int
peek(const struct lex *l)
{
	return l->p < l->end ? (unsigned char)*l->p : -1;
}

static void
step(struct lex *l)
{
	if (*l->p++ == '\n') {
		l->line++;
		l->column = 1;
	} else {
		l->column++;
	}
}

static void
keep(struct lex *l, int c)
{
	if (l->len == LEX_TEXT_MAX) {
		lex_fail(l, "longer than %d bytes", LEX_TEXT_MAX);
		return;
	}
	l->text[l->len++] = (char)c;
	l->text[l->len] = '\0';
}

static int
digit_value(int c)
{
	return isdigit(c) ? c - '0' : tolower(c) - 'a' + 10;
}

/* After a backslash. */
static void
read_escape(struct lex *l)
{
	static const char names[] = "rnt0\\\"", values[] = "\r\n\t\0\\\"";
	int c = peek(l);
	const char *at = c > 0 ? strchr(names, c) : NULL;

	if (at) {
		keep(l, values[at - names]);
		step(l);
		return;
	}
	if (c == 'x' && l->end - l->p >= 3 && isxdigit((unsigned char)l->p[1]) &&
	    isxdigit((unsigned char)l->p[2])) {
		keep(l, digit_value(l->p[1]) << 4 | digit_value(l->p[2]));
		for (int i = 0; i < 3 && !l->failed; i++)
			step(l);
		return;
	}
	fail_here(l,
		  "unknown escape: expected \\r \\n \\t \\0 \\\\ \\\" or \\x and two digits");
}

static void
read_string(struct lex *l)
{
	int c;

	l->kind = LEX_STRING;
	step(l);
	while (!l->failed && (c = peek(l)) != '"') {
		if (c == -1 || c == '\n') {
			lex_fail(l, "string without its closing \"");
			return;
		}
		if (c == '\\') {
			step(l);
			read_escape(l);
		} else {
			keep(l, c);
			if (!l->failed)
				step(l);
		}
	}
	if (!l->failed)
		step(l);
}

static bool
ends_word(int c)
{
	return c == -1 || isspace(c) || c == '"' || c == '(' || c == ')';
}

static void
skip_blanks(struct lex *l)
{
	for (int c; (c = peek(l)) != -1;) {
		if (c == '#') {
			while (peek(l) != -1 && peek(l) != '\n')
				step(l);
		} else if (isspace(c) && (c != '\n' || l->depth)) {
			step(l);
		} else {
			return;
		}
	}
}

void
lex_next(struct lex *l)
{
	int c;

	skip_blanks(l);
	l->token_line = l->line;
	l->token_column = l->column;
	l->len = 0;
	l->text[0] = '\0';
	c = peek(l);
	if (c == -1) {
		l->kind = LEX_END;
	} else if (c == '\n') {
		l->kind = LEX_NEWLINE;
		step(l);
	} else if (c == '(') {
		l->kind = LEX_OPEN;
		l->depth++;
		step(l);
	} else if (c == ')') {
		l->kind = LEX_CLOSE;
		if (l->depth)
			l->depth--;
		step(l);
	} else if (c == '"') {
		read_string(l);
	} else {
		l->kind = LEX_WORD;
		while (!l->failed && !ends_word(peek(l))) {
			keep(l, peek(l));
			if (!l->failed)
				step(l);
		}
	}
}

void
lex_init(struct lex *l, const char *text, size_t len)
{
	*l = (struct lex){ .p = text, .end = text + len, .line = 1, .column = 1 };
	lex_next(l);
}

bool
lex_is(const struct lex *l, const char *word)
{
	return l->kind == LEX_WORD && strcmp(l->text, word) == 0;
}

const char *
lex_show(const struct lex *l)
{
	switch (l->kind) {
	case LEX_WORD: return l->text;
	case LEX_STRING: return "a string";
	case LEX_OPEN: return "(";
	case LEX_CLOSE: return ")";
	case LEX_NEWLINE: return "the end of the line";
	case LEX_END: break;
	}
	return "the end of the file";
}

uint64_t
lex_number(struct lex *l, uint64_t max, const char *what)
{
	char *rest;
	unsigned long long value;
	bool hex = strncmp(l->text, "0x", 2) == 0;

	if (l->kind != LEX_WORD || !isdigit((unsigned char)l->text[0])) {
		lex_fail(l, "expected %s, not %s", what, lex_show(l));
		return 0;
	}
	errno = 0;
	value = strtoull(l->text, &rest, hex ? 16 : 10);
	if (*rest != '\0') {
		lex_fail(l, "expected %s, not %s", what, lex_show(l));
		return 0;
	}
	if (errno || value > max) {
		lex_fail(l, "%s is at most %llu", what, (unsigned long long)max);
		return 0;
	}
	lex_next(l);
	return value;
}
