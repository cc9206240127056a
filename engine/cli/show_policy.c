/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "conf/report.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

/* barn show class-map, barn show policy-map: those of a configuration. */

enum row { CONF, MODULE, MODULES, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[CONF] = { "conf", 'c', "FILE", "The configuration that they stand in" },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
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

static int
show(const struct command *self, int argc, char **argv,
     bool (*print)(const struct policy_model *model, const char *name))
{
	struct modules_list modules = { .options.no_ndpi = true };
	struct barn_engine *engine = NULL;
	const char *value;
	int row, status = EXIT_FAILED;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (!modules_option(&modules, &rows[row], value))
			break;
	if (row != OPTIONS_END)
		status = row == OPTIONS_HELP ? 0 : row == OPTIONS_WRONG ? EXIT_USAGE : status;
	else if (optind + 1 < argc)
		status = say_usage(self->name, "'%s' is too much", argv[optind + 1]);
	else if (!modules.options.conf)
		status = say_usage(self->name, "no configuration: expected -c FILE");
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
	.summary = "The class maps of a configuration, or one",
	.options = rows,
	.words = words,
	.run = run_classes,
};

const struct command command_show_policy_map = {
	.name = "show policy-map",
	.arguments = "[options] [NAME]",
	.summary = "The policy maps of a configuration, or one",
	.options = rows,
	.words = words,
	.run = run_maps,
};
