/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/words.h"
#include "program/say.h"
#include <getopt.h>
#include <string.h>

const struct command *const commands[] = {
	&command_read,    &command_explain,
	&command_pdlm,    &command_conf,
	&command_show,    &command_clear,
	&command_load,    &command_unload,
	&command_reload,  &command_top,
	&command_console, &command_version,
	&command_help,    NULL,
};

const char *
commands_word(const struct command *command)
{
	const char *last = strrchr(command->name, ' ');

	return last ? last + 1 : command->name;
}

static const char *
word_at(const void *list, unsigned i)
{
	return commands_word(((const struct command *const *)list)[i]);
}

/* NULL: none, or several; `several` says which. */
static const struct command *
find(const struct command *const *list, const char *word, bool *several)
{
	unsigned count = 0;
	int found;

	while (list[count])
		count++;
	found = words_find(word, count, word_at, list);
	*several = found == WORDS_SEVERAL;
	return found < 0 ? NULL : list[found];
}

const struct command *
commands_find(char *const *words, int *count, bool *several)
{
	const struct command *found = NULL, *next;
	const struct command *const *list = commands;
	int used = 0;

	*several = false;
	while (list && used < *count) {
		used += (int)words_filler(found ? found->filler : NULL, words + used,
					  (unsigned)(*count - used));
		if (used == *count || words[used][0] == '-')
			break;
		next = find(list, words[used++], several);
		if (!next) {
			*count = used;
			return NULL;
		}
		found = next;
		list = found->commands;
	}
	*count = used;
	return found;
}

/* A command of commands whose command is missing. */
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
	return say_usage(command->name, "expected a command");
}

/* The command that the words before this one have found. */
static int
no_command(char *const *words, int used, bool several)
{
	const struct command *above = NULL;
	bool ignored;
	int count = used - 1;

	if (count > 0)
		above = commands_find(words, &count, &ignored);
	return say_usage(above ? above->name : NULL,
			 several ? "several commands begin with %s" : "no such command: %s",
			 words[used - 1]);
}

int
commands_run(int argc, char **argv)
{
	static char help[] = "help", version[] = "version", console[] = "console";
	char *alone[] = { argv[0], console, NULL };
	const struct command *command;
	bool several;
	int used, status;

	if (argc < 2) {
		argv = alone;
		argc = 2;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		argv[1] = help;
	else if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		argv[1] = version;
	used = argc - 1;
	command = commands_find(argv + 1, &used, &several);
	if (!command)
		return used ? no_command(argv + 1, used, several)
			    : say_usage(NULL, "no such command: %s", argv[1]);
	argc -= used;
	argv += used;
	optind = 0; /* a shell runs several: getopt begins anew */
	status = command->commands ? run_none(command, argc, argv)
				   : command->run(command, argc, argv);
	return say_flush() && !status ? EXIT_FAILED : status;
}
