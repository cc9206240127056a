/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_SHELL_LINE_H
#define CLI_SHELL_LINE_H

/* A line of the shell: words, of which some stand in quotes, and what is to be done with the
 * output: show stats | include eth. */

#include "cli/next.h"

enum { SHELL_LINE_WORDS = 64 };

enum shell_filter {
	SHELL_ALL,
	SHELL_BEGIN,
	SHELL_COUNT,
	SHELL_EXCLUDE,
	SHELL_INCLUDE,
	SHELL_FILTERS
};

struct shell_line {
	char *words[SHELL_LINE_WORDS + 1]; /* the command's, and NULL */
	unsigned count;
	enum shell_filter filter;
	const char *pattern; /* "" where there is none */
	char *memory;
	const char *fault; /* NULL, or what is wrong with it */
};

/* shell_line_fini frees what it holds, whatever is wrong. */
void shell_line_read(struct shell_line *line, const char *text);
void shell_line_fini(struct shell_line *line);

/*
 * What may come at the end of this text, which is cut off there; *partial is how many bytes of
 * it are there already. Returns whether the text is a whole command as it is.
 */
bool shell_line_next(const char *text, bool all, struct next *next, unsigned *partial);

/* Whether a quote is open at the end of the text: there a ? is one. */
bool shell_line_quoted(const char *text);

#endif
