/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "program/say.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>

static void (*to)(int level, const char *text);
static const char *program = "barn";

void
say_as(const char *name)
{
	program = name;
}

const char *
say_program(void)
{
	return program;
}

void
say_to(void (*line)(int level, const char *text))
{
	to = line;
}

void
say_error(const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (to)
		to(LOG_ERR, line);
	else
		fprintf(stderr, "%s: %s\n", program, line);
}

int
say_usage(const char *command, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (command && *command)
		fprintf(stderr, "%s %s: %s; see '%s help %s'\n", program, command, line,
			program, command);
	else
		fprintf(stderr, "%s: %s; see '%s %s'\n", program, line, program,
			command ? "--help" : "help");
	return EXIT_USAGE;
}

void
say_fault(const struct barn_fault *fault, const char *kind)
{
	char line[2048], at[32] = "";

	if (fault->line)
		snprintf(at, sizeof(at), ":%u:%u", fault->line, fault->column);
	snprintf(line, sizeof(line), "%s%s: %s%s", fault->file, at, kind, fault->text);
	if (to)
		to(*kind ? LOG_WARNING : LOG_ERR, line);
	else
		fprintf(stderr, "%s\n", line);
}

void
say_faults(const struct barn_faults *faults)
{
	uint32_t kept = faults->count < BARN_FAULTS ? faults->count : BARN_FAULTS;

	for (uint32_t i = 0; i < kept; i++)
		say_fault(&faults->fault[i], "");
	if (faults->count > kept)
		say_error("%u more faults", faults->count - kept);
}

int
say_flush(void)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (fflush(stdout) == 0 && !failed)
		return 0;
	if (errno != EPIPE)
		say_error("cannot write to standard output%s%s", errno ? ": " : "",
			  errno ? strerror(errno) : "");
	return EXIT_FAILED;
}
