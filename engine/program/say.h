/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PROGRAM_SAY_H
#define PROGRAM_SAY_H

/* What the programs say on standard error, and how they exit. */

#include <barn/fault.h>

enum { EXIT_FAILED = 1, EXIT_USAGE = 2 };

/*
 * Where lines go instead of standard error, as in a daemon's log: with their level of
 * syslog(3), without the program's name. Before other threads run; NULL: standard error again.
 */
void say_to(void (*line)(int level, const char *text));

/* The program that speaks, "barn" if it does not say; before other threads run. One without
 * commands of its own has their help by --help. */
void say_as(const char *program);
const char *say_program(void);

/* "barn: ..." and a newline. Any thread. */
void say_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A command is used wrongly: one line, which ends in where to read more. Returns EXIT_USAGE. */
int say_usage(const char *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* file:line:column: message; or file: message, if it is the file as a whole. `kind` comes
 * before the message: "" or "warning: ". */
void say_fault(const struct barn_fault *fault, const char *kind);
/* A line each. */
void say_faults(const struct barn_faults *faults);

/* Flushes standard output. EXIT_FAILED, after a line, if anything could not be written; without
 * a line if the reader has gone away. */
int say_flush(void);

#endif
