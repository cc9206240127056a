/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/ask.h"
#include "cli/commands.h"
#include "conf/report.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

/*
 * barn show class-map, barn show policy-map: those of a configuration, or, without one, those
 * that the daemon has in force; with `interface` what they have counted.
 */

/* interface NAME input */
enum { ASKED_MOST = 3 };

enum row { CONF, MODULE, MODULES, CONTROL, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[CONF] = { "conf", 'c', "FILE", "The configuration that they stand in" },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[CONTROL] = { ASK_ROW },
	{ 0 },
};

static const struct word_row words[] = {
	{ "", "NAME", "This one alone", NULL },
	{ 0 },
};

static bool
print_classes(const struct policy_model *model, const char *name)
{
	struct policy_class *const *classes = model->classes.items;
	struct text text = { 0 };
	bool found = !name;

	/* A router's own, whose number is 0. */
	if (!name || strcmp(name, "class-default") == 0) {
		text_add(&text, " Class Map match-any class-default (id 0)\n   Match any \n\n");
		found = true;
	}
	for (unsigned i = 0; i < model->classes.count; i++) {
		if (name && strcmp(classes[i]->name, name) != 0)
			continue;
		report_class(&text, classes[i], i + 1);
		found = true;
	}
	if (found)
		fputs(text_str(&text), stdout);
	else
		say_error("no such class map: %s", name);
	text_fini(&text);
	return found;
}

static bool
print_maps(const struct policy_model *model, const char *name)
{
	struct policy_map *const *maps = model->maps.items;
	struct text text = { 0 };
	bool found = !name;

	for (unsigned i = 0; i < model->maps.count; i++) {
		if (name && strcmp(maps[i]->name, name) != 0)
			continue;
		report_map(&text, maps[i]);
		found = true;
	}
	if (found)
		fputs(text_str(&text), stdout);
	else
		say_error("no such policy map: %s", name);
	text_fini(&text);
	return found;
}

static void
print_part(void *self, const void *data, size_t length)
{
	(void)self;
	fwrite(data, 1, length, stdout);
}

/* The daemon has the same command, and the same words behind it. */
static int
ask_daemon(const struct command *self, const char *control, int argc, char **argv)
{
	const char *asked[2 + ASKED_MOST] = { "show", strchr(self->name, ' ') + 1 };
	unsigned count = 2;

	for (int i = optind; i < argc && count < 2 + ASKED_MOST; i++)
		asked[count++] = argv[i];
	/* Only a map of that name is asked for by less than three letters. */
	if (count > 2 && strlen(asked[2]) > 2 &&
	    strncmp(asked[2], "interface", strlen(asked[2])) == 0)
		asked[2] = "interface";
	return ask(control, asked, count, print_part, NULL);
}

static int
show(const struct command *self, int argc, char **argv,
     bool (*print)(const struct policy_model *model, const char *name))
{
	struct modules_list modules = { .options.no_ndpi = true };
	struct barn_engine *engine = NULL;
	const char *control = NULL;
	const char *value;
	int row, status = EXIT_FAILED;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (row == CONTROL)
			control = value;
		else if (!modules_option(&modules, &rows[row], value))
			break;
	if (row != OPTIONS_END)
		status = row == OPTIONS_HELP ? 0 : row == OPTIONS_WRONG ? EXIT_USAGE : status;
	else if (optind + (modules.options.conf ? 1 : ASKED_MOST) < argc)
		status = say_usage(self->name, "'%s' is too much", argv[argc - 1]);
	else if (!modules.options.conf)
		status = ask_daemon(self, control, argc, argv);
	else if (!modules_load(&modules.options, &engine))
		status = print(conf_model(modules.options.conf->conf), argv[optind])
				 ? 0
				 : EXIT_FAILED;
	barn_engine_free(engine);
	modules_fini(&modules);
	return status;
}

static int
run_classes(const struct command *self, int argc, char **argv)
{
	return show(self, argc, argv, print_classes);
}

static int
run_maps(const struct command *self, int argc, char **argv)
{
	return show(self, argc, argv, print_maps);
}

const struct command command_show_class_map = {
	.name = "show class-map",
	.arguments = "[options] [NAME]",
	.summary = "The class maps of a configuration or of the daemon",
	.options = rows,
	.words = words,
	.run = run_classes,
};

const struct command command_show_policy_map = {
	.name = "show policy-map",
	.arguments = "[options] [NAME | interface [NAME [input|output]]]",
	.summary = "The policy maps of a configuration or of the daemon, or what they count",
	.options = rows,
	.words = words,
	.run = run_maps,
};
