/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_NEXT_H
#define CLI_NEXT_H

/*
 * What may come next in a command that is being written: for completion and the `?` of the
 * shell, and for bash. From the tables that the commands themselves are read by; names of
 * interfaces and protocols are those of the daemon.
 */

#include <stdbool.h>

struct next_word {
	char *word;
	const char *help; /* lives as long as the program */
	bool meant;       /* no word, but what it stands for: FILE */
};

/* All zero is empty. */
struct next {
	struct next_word *words; /* in the order of the tables */
	unsigned count, room;
};

/*
 * Adds what `partial` may become behind `count` whole words. `all`: options too, where none is
 * begun. Words that are no command have nothing behind them. Returns whether the words are a
 * command, and no value is missing.
 */
bool next_find(struct next *next, char *const *words, unsigned count, const char *partial,
	       bool all);

/* If it begins with `partial`. */
void next_add(struct next *next, const char *word, const char *help, const char *partial);

void next_fini(struct next *next);

#endif
