/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_WORDS_H
#define CLI_WORDS_H

/*
 * Words as at a router's console: each may be abbreviated as long as it is the only one that
 * begins so, and an argument has a word of its own before it, "interface eth0".
 */

#include "program/options.h"
#include <stdint.h>

/* What find returns of a word that several begin with. */
enum { WORDS_NONE = -1, WORDS_SEVERAL = -2 };

/*
 * Which of `count` names the word is, or is the beginning of: that of name(list, i).
 * WORDS_NONE, WORDS_SEVERAL.
 */
int words_find(const char *word, unsigned count,
	       const char *(*name)(const void *list, unsigned i), const void *list);

/* Words of argv that are the filler's, from the first on. */
unsigned words_filler(const char *filler, char *const *words, unsigned count);

/* A command's arguments, read one after the other. */
struct words {
	const struct command *command;
	char *const *argv; /* ends in NULL */
	uint32_t used;     /* rows, a bit each: none is given twice */
};

/* The next argument as a row of the command's words with its value (NULL: it takes none), or
 * OPTIONS_END, or OPTIONS_WRONG: the user was told. */
int words_next(struct words *words, const char **value);

#endif
