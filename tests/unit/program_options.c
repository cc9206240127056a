/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "unit.h"

/* Each command of a list, and of the lists below it. */
static void
each(const struct command *const *list, void (*check)(const struct command *command))
{
	for (; *list; list++) {
		check(*list);
		if ((*list)->commands)
			each((*list)->commands, check);
	}
}

static void
check_command(const struct command *command)
{
	char name[64], *words[4];
	int count = 0, used;
	bool several;

	CHECK(!command->run == !!command->commands);
	CHECK(command->summary[0]);
	CHECK(command->arguments || command->commands);
	CHECK(strlen(command->name) < sizeof(name));
	strcpy(name, command->name);
	for (char *word = strtok(name, " "); word && count < 4; word = strtok(NULL, " "))
		words[count++] = word;
	used = count;
	CHECK(commands_find(words, &used, &several) == command);
	CHECK_EQ(used, count);
}

TEST(commands_have_names_of_their_own_and_a_summary)
{
	char *nothing[] = { (char[]){ "nothing" } };
	bool several;
	int count = 1;

	each(commands, check_command);
	CHECK(commands_find(nothing, &count, &several) == NULL);
}

static void
check_options(const struct command *command)
{
	const struct option_row *rows = command->options;
	unsigned count = 0;

	for (const struct option_row *a = rows; a && a->name; a++, count++) {
		CHECK(a->help && a->help[0]);
		CHECK(strcmp(a->name, "help") != 0 && a->letter != 'h');
		/* A letter's value cannot be left out: getopt would want -x VALUE too. */
		CHECK(!a->letter || !a->value || a->value[0] != '[');
		for (const struct option_row *b = a + 1; b->name; b++) {
			CHECK(strcmp(a->name, b->name) != 0);
			CHECK(!a->letter || a->letter != b->letter);
		}
	}
	CHECK(count <= OPTIONS_MAX);
}

TEST(options_are_unique_and_few_enough)
{
	each(commands, check_options);
}
