/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/next.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>

enum row { NEXT, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[NEXT] = { "next", 0, NULL, "Print what may come in place of the last word" },
	{ 0 },
};

static void
list(void)
{
	printf("usage: barn COMMAND [options] [arguments]\n\n"
	       "Names the protocol and the application of every flow.\n");
	options_commands(commands);
	printf("\n'barn help COMMAND' tells more; barn(1) tells all.\n");
}

/* For completion: a line each. */
static int
print_next(char *const *words, unsigned count)
{
	struct next next = { 0 };

	if (count)
		(void)next_find(&next, words, count - 1, words[count - 1], false);
	for (unsigned i = 0; i < next.count; i++)
		if (!next.words[i].meant)
			puts(next.words[i].word);
	next_fini(&next);
	return 0;
}

static int
run(const struct command *self, int argc, char **argv)
{
	const struct command *command;
	const char *value;
	bool several, next = false;
	int words, row;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		next |= row == NEXT;
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (next)
		return print_next(argv + optind, (unsigned)(argc - optind));
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
	.options = rows,
	.summary = "List the commands, or explain one",
	.run = run,
};
