/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "program/say.h"
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

void
say_error(const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	fprintf(stderr, "barn: %s\n", line);
}

int
say_usage(const char *command, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (command)
		fprintf(stderr, "barn %s: %s; see 'barn help %s'\n", command, line, command);
	else
		fprintf(stderr, "barn: %s; see 'barn help'\n", line);
	return EXIT_USAGE;
}

void
say_fault(const struct barn_fault *fault, const char *kind)
{
	fputs(fault->file, stderr);
	if (fault->line)
		fprintf(stderr, ":%u:%u", fault->line, fault->column);
	fprintf(stderr, ": %s%s\n", kind, fault->text);
}

void
say_faults(const struct barn_faults *faults)
{
	uint32_t kept = faults->count < BARN_FAULTS ? faults->count : BARN_FAULTS;

	for (uint32_t i = 0; i < kept; i++) {
		const struct barn_fault *f = &faults->fault[i];

		say_fault(f, "");
	}
	if (faults->count > kept)
		fprintf(stderr, "barn: %u more faults\n", faults->count - kept);
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
