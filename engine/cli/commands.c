/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "program/say.h"
#include <string.h>

const struct command *const commands[] = {
	&command_read,    &command_pdlm, &command_conf, &command_show,
	&command_version, &command_help, NULL,
};

static const struct command *
find(const struct command *const *list, const char *word)
{
	for (; *list; list++) {
		const char *last = strrchr((*list)->name, ' ');

		if (strcmp(last ? last + 1 : (*list)->name, word) == 0)
			return *list;
	}
	return NULL;
}

const struct command *
commands_find(char *const *words, int *count)
{
	const struct command *found = *count > 0 ? find(commands, words[0]) : NULL;
	int used = 1;

	while (found && found->commands && used < *count)
		found = find(found->commands, words[used++]);
	*count = used;
	return found;
}

/* A command of commands whose command is missing or none of its own. */
static int
run_none(const struct command *command, int argc, char **argv)
{
	const char *value;

	/* Where getopt stops at --help or at what is wrong. */
	switch (options_next(command, argc, argv, &value)) {
	case OPTIONS_HELP: return 0;
	case OPTIONS_WRONG: return EXIT_USAGE;
	default: break;
	}
	if (argc > 1)
		return say_usage(command->name, "no such command: %s", argv[1]);
	return say_usage(command->name, "expected a command");
}

int
commands_run(int argc, char **argv)
{
	static char help[] = "help", version[] = "version";
	const struct command *command;
	char *name = argc > 1 ? argv[1] : NULL;
	int words = 1, status;

	if (!name)
		return say_usage(NULL, "no command");
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = help;
	else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
		name = version;
	command = commands_find(&name, &words);
	if (!command)
		return say_usage(NULL, "no such command: %s", name);
	argc--;
	argv++;
	if (command->commands && argc > 1 && find(command->commands, argv[1])) {
		command = find(command->commands, argv[1]);
		argc--;
		argv++;
	}
	status = command->commands ? run_none(command, argc, argv)
				   : command->run(command, argc, argv);
	return say_flush() && !status ? EXIT_FAILED : status;
}
