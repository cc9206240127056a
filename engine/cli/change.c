/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/words.h"
#include "program/modules.h"
#include "program/say.h"
#include <barn/ctl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Commands that change something in the daemon: reload, load, unload, clear. */

enum row { CONTROL, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[CONTROL] = { ASK_ROW },
	{ 0 },
};

/* What the daemon says of faults, line by line. */
static void
tell(void *self, const void *data, size_t length)
{
	(void)self;
	(void)fwrite(data, 1, length, stderr);
}

/* The option and the words; *given is the one word's value, NULL if there is none. Not 0: an
 * exit status, less than 0 for help. */
static int
parse(const struct command *self, int argc, char **argv, const char **path, const char **given)
{
	struct words w = { .command = self };
	const char *value;
	int row, word;

	*path = *given = NULL;
	while ((row = options_next(self, argc, argv, &value)) >= 0)
		*path = value;
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? -1 : EXIT_USAGE;
	w.argv = argv + optind;
	while ((word = words_next(&w, &value)) >= 0)
		*given = value;
	return word == OPTIONS_END ? 0 : EXIT_USAGE;
}

static int
run_reload(const struct command *self, int argc, char **argv)
{
	const char *path, *given;
	int status = parse(self, argc, argv, &path, &given);

	if (status)
		return status < 0 ? 0 : status;
	return ask(path, (const char *[]){ "reload" }, 1, tell, NULL);
}

const struct command command_reload = {
	.name = "reload",
	.arguments = "[options]",
	.summary = "Have the daemon read its configuration and modules again",
	.options = rows,
	.run = run_reload,
};

static const struct word_row clear_words[] = {
	{ "interface", "INTERFACE", "Of this interface alone", NULL },
	{ 0 },
};

static int
run_clear(const struct command *self, int argc, char **argv)
{
	const char *words[] = {
		"clear", "ip", "nbar", "protocol-discovery", "interface", NULL
	};
	const char *path;
	int status = parse(self, argc, argv, &path, &words[5]);

	if (status)
		return status < 0 ? 0 : status;
	return ask(path, words, words[5] ? 6 : 4, tell, NULL);
}

static const struct command clear_discovery = {
	.name = "clear protocol-discovery",
	.arguments = "[interface INTERFACE] [options]",
	.summary = "Let the counters begin anew",
	.options = rows,
	.words = clear_words,
	.run = run_clear,
};

static const struct command *const clears[] = { &clear_discovery, NULL };

const struct command command_clear = {
	.name = "clear",
	.arguments = "[ip nbar] COMMAND [arguments] [options]",
	.summary = "Let the daemon's counters begin anew",
	.commands = clears,
	.filler = "ip nbar",
};

static const struct word_row load_words[] = {
	{ "", "FILE", "The module's text", NULL },
	{ 0 },
};

/* The daemon cannot read what its user may not: the text goes over the socket. */
static int
run_load(const struct command *self, int argc, char **argv)
{
	const char *words[] = { "load", "pdlm", NULL, NULL }, *path, *file;
	int status = parse(self, argc, argv, &path, &file);
	char *data, *text;
	size_t length;

	if (status)
		return status < 0 ? 0 : status;
	if (!file)
		return say_usage(self->name, "expected a file");
	data = modules_read(file, &length);
	if (!data)
		return EXIT_FAILED;
	text = strndup(data, length);
	words[2] = file;
	words[3] = text;
	status = EXIT_FAILED;
	if (!text)
		say_error("out of memory");
	else if (strlen(text) < length)
		say_error("%s: it is no text", file);
	else if (strlen(file) + length > BARN_CTL_LENGTH - 64)
		say_error("%s: it is too long to be sent to barnd: put it into its folder of "
			  "modules, and reload",
			  file);
	else
		status = ask(path, words, 4, tell, NULL);
	free(data);
	free(text);
	return status;
}

static const struct command load_pdlm = {
	.name = "load pdlm",
	.arguments = "FILE [options]",
	.summary = "Put a module in force, until the daemon ends",
	.options = rows,
	.words = load_words,
	.run = run_load,
};

static const struct command *const loads[] = { &load_pdlm, NULL };

const struct command command_load = {
	.name = "load",
	.arguments = "[ip nbar] COMMAND [arguments] [options]",
	.summary = "Put a module in force in the daemon",
	.commands = loads,
	.filler = "ip nbar",
};

static const struct word_row unload_words[] = {
	{ "", "PROTOCOL", "The module's name", NULL },
	{ 0 },
};

static int
run_unload(const struct command *self, int argc, char **argv)
{
	const char *words[] = { "unload", "pdlm", NULL }, *path;
	int status = parse(self, argc, argv, &path, &words[2]);

	if (status)
		return status < 0 ? 0 : status;
	if (!words[2])
		return say_usage(self->name, "expected a protocol");
	return ask(path, words, 3, tell, NULL);
}

static const struct command unload_pdlm = {
	.name = "unload pdlm",
	.arguments = "PROTOCOL [options]",
	.summary = "Take a module out of force, until the daemon ends",
	.options = rows,
	.words = unload_words,
	.run = run_unload,
};

static const struct command *const unloads[] = { &unload_pdlm, NULL };

const struct command command_unload = {
	.name = "unload",
	.arguments = "[ip nbar] COMMAND [arguments] [options]",
	.summary = "Take a module out of force in the daemon",
	.commands = unloads,
	.filler = "ip nbar",
};
