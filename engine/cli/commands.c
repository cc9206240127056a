/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/say.h"
#include <string.h>

const struct command *const commands[] = {
	&command_read, &command_pdlm, &command_version, &command_help, NULL,
};

const struct command *
commands_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

int
commands_run(int argc, char **argv)
{
	const struct command *command;
	const char *name = argc > 1 ? argv[1] : NULL;
	int status;

	if (!name)
		return say_usage(NULL, "no command");
	if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		name = "help";
	else if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0)
		name = "version";
	command = commands_find(name);
	if (!command)
		return say_usage(NULL, "no such command: %s", name);
	status = command->run(command, argc - 1, argv + 1);
	return say_flush() && !status ? EXIT_FAILED : status;
}
