/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "program/options.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { SHORT = 9 };  /* the width of commands, if none is longer */
enum { HELP = 256 }; /* rows are given to getopt as 1 .. OPTIONS_MAX; letters are above */

struct tables {
	char letters[2 * OPTIONS_MAX + 4];
	struct option longs[OPTIONS_MAX + 2];
};

static int
kind(const struct option_row *row)
{
	if (!row->value)
		return no_argument;
	return row->value[0] == '[' ? optional_argument : required_argument;
}

static void
build(const struct command *command, struct tables *t)
{
	size_t n = 0, at = 0;

	t->letters[at++] = ':'; /* tells a missing value from an unknown option */
	for (const struct option_row *row = command->options; row && row->name; row++, n++) {
		t->longs[n] = (struct option){ row->name, kind(row), NULL, (int)(n + 1) };
		if (!row->letter)
			continue;
		t->letters[at++] = row->letter;
		if (row->value)
			t->letters[at++] = ':';
	}
	t->longs[n] = (struct option){ "help", no_argument, NULL, HELP };
	t->longs[n + 1] = (struct option){ 0 };
	t->letters[at++] = 'h';
	t->letters[at] = '\0';
}

static int
row_of_letter(const struct command *command, int letter)
{
	for (int i = 0; command->options && command->options[i].name; i++)
		if (command->options[i].letter == letter)
			return i;
	return OPTIONS_WRONG;
}

static int
wrong(const struct command *command, int answer, char *const *argv)
{
	/* getopt has stepped over a long option, but perhaps not over a group of letters. */
	const char *word = argv[optind - 1];

	if (answer == ':' && optopt > OPTIONS_MAX)
		say_usage(command->name, "option -%c needs a value", optopt);
	else if (answer == ':')
		say_usage(command->name, "option %s needs a value", word);
	else if (optopt == 0)
		say_usage(command->name, "no such option: %s", word);
	else if (optopt <= OPTIONS_MAX || optopt == HELP)
		say_usage(command->name, "option %s takes no value", word);
	else
		say_usage(command->name, "no such option: -%c", optopt);
	return OPTIONS_WRONG;
}

int
options_next(const struct command *command, int argc, char **argv, const char **value)
{
	struct tables t;
	int answer;

	build(command, &t);
	opterr = 0;
	optarg = NULL;
	answer = getopt_long(argc, argv, t.letters, t.longs, NULL);
	*value = optarg;
	if (answer == -1)
		return OPTIONS_END;
	if (answer == HELP || answer == 'h') {
		options_help(command);
		return OPTIONS_HELP;
	}
	if (answer == '?' || answer == ':')
		return wrong(command, answer, argv);
	return answer <= OPTIONS_MAX ? answer - 1 : row_of_letter(command, answer);
}

static const char *
last_word(const struct command *command)
{
	const char *last = strrchr(command->name, ' ');

	return last ? last + 1 : command->name;
}

void
options_commands(const struct command *const *commands)
{
	size_t width = SHORT;

	for (unsigned i = 0; commands[i]; i++)
		if (strlen(last_word(commands[i])) >= width)
			width = strlen(last_word(commands[i])) + 1;
	printf("\n");
	for (; *commands; commands++)
		printf("  %-*s %s\n", (int)width, last_word(*commands), (*commands)->summary);
}

static void
help_words(const struct word_row *row)
{
	if (row)
		printf("\n");
	for (; row && row->name; row++) {
		char word[64];

		snprintf(word, sizeof(word), "%s%s%s", row->name,
			 *row->name && row->value ? " " : "", row->value ? row->value : "");
		printf("  %-26s %s\n", word, row->help);
	}
}

void
options_help(const struct command *command)
{
	printf("usage: %s%s%s%s%s\n", say_program(), *command->name ? " " : "", command->name,
	       *command->arguments ? " " : "", command->arguments);
	printf("\n%s.\n", command->summary);
	if (command->text)
		printf("\n%s", command->text);
	if (command->commands)
		options_commands(command->commands);
	help_words(command->words);
	if (!command->options)
		return;
	printf("\n");
	for (const struct option_row *row = command->options; row->name; row++) {
		char word[64], letter[] = { '-', row->letter, ',', ' ', '\0' };

		snprintf(word, sizeof(word), "%s--%s%s%s", row->letter ? letter : "    ",
			 row->name, row->value && row->value[0] != '[' ? " " : "",
			 row->value ? row->value : "");
		printf("  %-26s %s\n", word, row->help);
	}
	printf("  %-26s %s\n", "-h, --help", "print this");
}
