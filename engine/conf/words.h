/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CONF_WORDS_H
#define CONF_WORDS_H

/*
 * A line of IOS-like text as words. Blanks and tabs part them; what stands between double
 * quotes is one word, blanks and all; a backslash takes the next character as it is, except
 * before what is no quote, backslash or blank: then it stands for itself, for patterns' sake. A
 * comment is `!` where a word could begin, to the end of the line.
 */

#include <barn/err.h>
#include <stddef.h>
#include <stdint.h>

enum { WORDS_MAX = 64, WORDS_BYTES = 2048 };

struct words {
	unsigned count;
	const char *text[WORDS_MAX];
	uint32_t column[WORDS_MAX]; /* from 1, in characters (UTF-8) */
	char bytes[WORDS_BYTES];
};

/* BARN_ERR_TEXT: *fault says what is wrong at *column. */
enum barn_err words_split(struct words *words, const char *line, size_t len, uint32_t *column,
			  const char **fault);

#endif
