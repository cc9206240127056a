/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PROGRAM_OPTIONS_H
#define PROGRAM_OPTIONS_H

/*
 * A command's options are a table: what getopt_long reads, what --help prints, and what the
 * tests hold the manual page and the completion against.
 */

#include <stddef.h>

struct option_row {
	const char *name;  /* "write" for --write */
	char letter;       /* 'w' for -w; 0: none */
	const char *value; /* "FILE"; "[=FORMAT]" if it may be left out; NULL: takes none */
	const char *help;
};

/* An argument that a word names, as "interface NAME", or that stands for itself, as "NAME". */
struct word_row {
	const char *name;  /* "": it stands for itself */
	const char *value; /* "NAME", as in the text of the manual; NULL: none follows */
	const char *help;
	const char *const *choices; /* what the value is one of, ends in NULL; NULL: anything */
};

struct command {
	const char *name;                 /* "": the program has no commands */
	const char *arguments;            /* "[options] FILE..." */
	const char *summary;              /* for the list of commands */
	const char *text;                 /* for its own help, or NULL */
	const struct option_row *options; /* ends in one without a name; NULL: none */
	const struct word_row *words;     /* likewise */
	/* A command of commands, as pdlm: the rest of their names, "pdlm check", is their own.
	 * Ends in NULL; NULL: none. Then it has neither options nor run. */
	const struct command *const *commands;
	const char *filler; /* words that may stand before its commands: "ip nbar"; or NULL */
	int (*run)(const struct command *command, int argc, char **argv);
};

enum {
	OPTIONS_MAX = 32,
	OPTIONS_END = -1,   /* optind is at the first argument that is no option */
	OPTIONS_WRONG = -2, /* the user was told; exit EXIT_USAGE */
	OPTIONS_HELP = -3,  /* the help was printed */
};

/* The next option as a row of the table, with its value (NULL: none), or one of the above. */
int options_next(const struct command *command, int argc, char **argv, const char **value);

/* A line for each: the last word of its name, and what it does. */
void options_commands(const struct command *const *commands);

/* Usage, text, commands and options of a command, on standard output. */
void options_help(const struct command *command);

#endif
