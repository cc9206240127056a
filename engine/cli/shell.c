/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/shell.h"
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/counters.h"
#include "cli/shell_edit.h"
#include "cli/shell_line.h"
#include "cli/shell_run.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum row { STATS, CONTROL, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[STATS] = { COUNTERS_ROW },
	[CONTROL] = { ASK_ROW },
	{ 0 },
};

void
shell_help(const char *text)
{
	struct next next = { 0 };
	bool whole;
	unsigned partial;

	whole = shell_line_next(text, true, &next, &partial);
	for (unsigned i = 0; i < next.count; i++)
		printf("  %-28s %s\n", next.words[i].word, next.words[i].help);
	if (whole)
		printf("  %-28s %s\n  %-28s %s\n", "|", "Choose lines of the output", "<cr>",
		       "That is all");
	else if (!next.count)
		printf("  nothing is known that may come here\n");
	next_fini(&next);
}

/* A line that ends in a question mark asks what may come in its place. */
static bool
asks(const char *text)
{
	size_t length = strlen(text);
	char *before;

	if (!length || text[length - 1] != '?')
		return false;
	before = strndup(text, length - 1);
	if (!before || shell_line_quoted(before) || strchr(before, '|')) {
		free(before);
		return false;
	}
	shell_help(before);
	free(before);
	return true;
}

static bool
leaves(const struct shell_line *line)
{
	return line->count == 1 &&
	       (strcmp(line->words[0], "exit") == 0 || strcmp(line->words[0], "quit") == 0 ||
		strcmp(line->words[0], "end") == 0);
}

/* A command's exit status; `leave`: it was the last one. */
static int
obey(const char *text, bool *leave)
{
	struct shell_line line;
	int status = 0;

	text += strspn(text, " \t");
	if (*text == '!' || *text == '#' || asks(text))
		return 0;
	shell_line_read(&line, text);
	if (line.fault) {
		say_error("%s", line.fault);
		status = EXIT_USAGE;
	} else if (leaves(&line)) {
		*leave = true;
	} else if (line.count) {
		status = shell_run(&line);
	}
	shell_line_fini(&line);
	return status;
}

static int
run_terminal(void)
{
	struct shell_edit *edit = shell_edit_new("barn# ");
	bool leave = false;
	const char *text;

	if (!edit) {
		say_error("out of memory");
		return EXIT_FAILED;
	}
	while (!leave && (text = shell_edit_line(edit)))
		(void)obey(text, &leave);
	if (!leave)
		putchar('\n');
	shell_edit_free(edit);
	return 0;
}

/* The status is that of the last command that failed. */
static int
run_input(void)
{
	int status = 0, one;
	bool leave = false;
	char *text = NULL;
	size_t room = 0;

	while (!leave && getline(&text, &room, stdin) > 0) {
		text[strcspn(text, "\r\n")] = '\0';
		one = obey(text, &leave);
		status = one ? one : status;
	}
	free(text);
	return status;
}

static int
run(const struct command *self, int argc, char **argv)
{
	const char *value;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (setenv(row == STATS ? "BARN_STATS" : "BARN_CONTROL", value, 1))
			return EXIT_FAILED;
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (optind != argc)
		return say_usage(self->name, "'%s' is too much", argv[optind]);
	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) ? run_terminal() : run_input();
}

const struct command command_console = {
	.name = "console",
	.arguments = "[options]",
	.summary = "Take commands one after the other; barn alone does so, too",
	.options = rows,
	.run = run,
};
