/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>

static void
list(void)
{
	printf("usage: barn COMMAND [options] [arguments]\n\n"
	       "Names the protocol and the application of every flow.\n");
	options_commands(commands);
	printf("\n'barn help COMMAND' tells more; barn(1) tells all.\n");
}

static int
run(const struct command *self, int argc, char **argv)
{
	const struct command *command;
	const char *value;
	bool several;
	int words;

	switch (options_next(self, argc, argv, &value)) {
	case OPTIONS_HELP: return 0;
	case OPTIONS_WRONG: return EXIT_USAGE;
	default: break;
	}
	if (optind == argc) {
		list();
		return 0;
	}
	words = argc - optind;
	command = commands_find(argv + optind, &words, &several);
	if (!command)
		return say_usage(NULL,
				 several ? "several commands begin with %s"
					 : "no such command: %s",
				 argv[optind + words - 1]);
	if (argc - optind > words)
		return say_usage(self->name, "one command at a time");
	options_help(command);
	return 0;
}

const struct command command_help = {
	.name = "help",
	.arguments = "[COMMAND [COMMAND]]",
	.summary = "List the commands, or explain one",
	.run = run,
};
