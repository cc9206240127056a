/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/shell_run.h"
#include "cli/commands.h"
#include "program/say.h"
#include <errno.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void
run_child(const struct shell_line *line, int out)
{
	static char name[] = "barn";
	char *argv[SHELL_LINE_WORDS + 2] = { name };
	int status;

	(void)signal(SIGINT, SIG_DFL);
	/* Lines that come after it are the shell's. */
	if (!isatty(STDIN_FILENO) && !freopen("/dev/null", "r", stdin))
		_exit(EXIT_FAILED);
	if (out >= 0) {
		(void)dup2(out, STDOUT_FILENO);
		(void)close(out);
	}
	for (unsigned i = 0; i < line->count; i++)
		argv[i + 1] = line->words[i];
	status = commands_run((int)line->count + 1, argv);
	(void)fflush(NULL);
	_exit(status);
}

static bool
keeps(const struct shell_line *line, bool fits, bool *begun)
{
	switch (line->filter) {
	case SHELL_INCLUDE: return fits;
	case SHELL_EXCLUDE: return !fits;
	case SHELL_BEGIN: *begun |= fits; return *begun;
	case SHELL_COUNT:
	case SHELL_ALL:
	case SHELL_FILTERS: break;
	}
	return false;
}

static void
copy(const struct shell_line *line, const regex_t *pattern, FILE *in)
{
	char *text = NULL;
	size_t room = 0, count = 0;
	bool begun = false;

	while (getline(&text, &room, in) > 0) {
		bool fits;

		text[strcspn(text, "\n")] = '\0';
		fits = !regexec(pattern, text, 0, NULL, 0);
		count += fits;
		if (keeps(line, fits, &begun))
			puts(text);
	}
	if (line->filter == SHELL_COUNT)
		printf("Number of lines which match regexp = %zu\n", count);
	free(text);
}

static int
wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_FAILED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
}

static int
failed(const char *what)
{
	say_error("cannot %s: %s", what, strerror(errno));
	return EXIT_FAILED;
}

static int
run_filtered(const struct shell_line *line, const regex_t *pattern)
{
	int ends[2];
	pid_t child;
	FILE *in;

	if (pipe(ends))
		return failed("make a pipe");
	child = fork();
	if (!child) {
		(void)close(ends[0]);
		run_child(line, ends[1]);
	}
	(void)close(ends[1]);
	in = child < 0 ? NULL : fdopen(ends[0], "r");
	if (in) {
		copy(line, pattern, in);
		(void)fclose(in);
	} else {
		(void)close(ends[0]);
	}
	return child < 0 ? failed("make a process") : wait_for(child);
}

int
shell_run(struct shell_line *line)
{
	char text[128];
	regex_t pattern;
	pid_t child;
	int status;

	(void)fflush(NULL);
	if (line->filter == SHELL_ALL) {
		child = fork();
		if (!child)
			run_child(line, -1);
		return child < 0 ? failed("make a process") : wait_for(child);
	}
	status = regcomp(&pattern, line->pattern, REG_EXTENDED | REG_NOSUB);
	if (status) {
		regerror(status, &pattern, text, sizeof(text));
		say_error("'%s': %s", line->pattern, text);
		return EXIT_USAGE;
	}
	status = run_filtered(line, &pattern);
	regfree(&pattern);
	return status;
}
