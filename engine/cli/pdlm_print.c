/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum row { MODULE, MODULES, NO_NDPI, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	{ 0 },
};

static int
print(const struct modules_list *modules, unsigned first)
{
	struct barn_engine *engine;
	struct text text = { 0 };
	int status = 0;

	if (modules_load(&modules->options, &engine))
		return EXIT_FAILED;
	for (unsigned f = first; f < modules->options.file_count; f++)
		for (size_t i = 0; i < pdl_set_count(engine->modules); i++) {
			const struct pdl_protocol *p = pdl_set_at(engine->modules, i);

			if (strcmp(p->file, modules->files[f]) == 0)
				pdl_print(p, &text);
		}
	if (text.failed) {
		say_error("out of memory");
		status = EXIT_FAILED;
	} else {
		fputs(text_str(&text), stdout);
	}
	text_fini(&text);
	barn_engine_free(engine);
	return status;
}

static int
parse(const struct command *self, int argc, char **argv, struct modules_list *modules)
{
	const char *value;
	unsigned first;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (!modules_option(modules, &rows[row], value))
			return EXIT_FAILED;
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (optind == argc)
		return say_usage(self->name, "expected a file or a folder of modules");
	first = modules->options.file_count;
	for (; optind < argc; optind++)
		if (!modules_add(modules, argv[optind]))
			return EXIT_FAILED;
	return print(modules, first);
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct modules_list modules = { .options = { 0 } };
	int status = parse(self, argc, argv, &modules);

	modules_fini(&modules);
	return status;
}

const struct command command_pdlm_print = {
	.name = "pdlm print",
	.arguments = "[options] FILE|DIR...",
	.summary = "Print modules in their canonical form",
	.text = "Constants are worked out, items stand in a fixed order, and comments are "
		"gone.\n"
		"What is printed is a module of the same meaning, and prints to itself.\n",
	.options = rows,
	.run = run,
};
