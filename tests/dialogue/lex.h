/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * The tokens of a dialogue. A line ends a statement, except inside parentheses; # starts a
 * comment where a token could start. The first fault stops everything: it is kept with its
 * place, and from then on every token is LEX_END.
 */
#ifndef BARN_TESTS_DIALOGUE_LEX_H
#define BARN_TESTS_DIALOGUE_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lex_kind { LEX_WORD, LEX_STRING, LEX_OPEN, LEX_CLOSE, LEX_NEWLINE, LEX_END };

enum { LEX_TEXT_MAX = 4096 };

struct lex {
	const char *p, *end; /* what is not yet read; the text is the caller's */
	unsigned line, column;
	unsigned depth; /* of parentheses */

	/* The current token. A string's text has its escapes resolved and may hold zeros. */
	enum lex_kind kind;
	unsigned token_line, token_column;
	size_t len;
	char text[LEX_TEXT_MAX + 1];

	bool failed;
	unsigned error_line, error_column;
	char error[256];
};

/* Reads the first token. */
void lex_init(struct lex *l, const char *text, size_t len);

/* Goes on to the next token. */
void lex_next(struct lex *l);

/* True when the current token is this bare word. */
bool lex_is(const struct lex *l, const char *word);

/* Keeps this fault, at the current token, unless there is an earlier one. */
void lex_fail(struct lex *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Takes a decimal or 0x number up to max; what: its name for the message. */
uint64_t lex_number(struct lex *l, uint64_t max, const char *what);

/* The current token, as messages show it. */
const char *lex_show(const struct lex *l);

#endif
