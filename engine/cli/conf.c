/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "policy/policy.h"
#include "program/conf_file.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

/* barn conf check | show | modules */

enum row { MODULE, MODULES, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	{ 0 },
};

/* 0: argv is at the files; else the status to exit with, less one. */
static int
parse(const struct command *self, int argc, char **argv, struct modules_list *modules)
{
	const char *value;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (!modules_option(modules, &rows[row], value))
			return OPTIONS_WRONG;
	if (row == OPTIONS_END && optind == argc) {
		say_usage(self->name, "no configuration file");
		return OPTIONS_WRONG;
	}
	return row;
}

/* Also those that no interface has: only the compiler knows all protocols and fields. */
static bool
compile_policies(const struct conf_file *file, struct barn_engine *engine)
{
	const struct policy_options options = { .check = true };
	struct barn_faults faults = { 0 };
	struct policy *policy = NULL;
	enum barn_err err;

	err = policy_new(conf_model(file->conf), engine->registry, &options, &policy, &faults);
	policy_free(policy);
	if (err == BARN_ERR_TEXT)
		say_faults(&faults);
	else if (err)
		say_error("%s: %s", file->path, barn_strerror(err));
	return !err;
}

/* Compiles it with the other modules; what it is translated into stays in file->text. */
static bool
compile(struct modules_list *modules, struct conf_file *file)
{
	struct barn_engine *engine = NULL;
	bool good;

	modules->options.conf = file;
	if (modules_load(&modules->options, &engine))
		return false;
	good = compile_policies(file, engine);
	barn_engine_free(engine);
	return good;
}

/* Each file, with `print` for those that are well. */
static int
run_all(const struct command *self, int argc, char **argv, bool one,
	void (*print)(const struct conf_file *file))
{
	struct modules_list modules = { .room = 0 };
	int status = 0;

	switch (parse(self, argc, argv, &modules)) {
	case OPTIONS_END: break;
	case OPTIONS_HELP: modules_fini(&modules); return 0;
	default: modules_fini(&modules); return EXIT_USAGE;
	}
	if (one && optind + 1 < argc) {
		modules_fini(&modules);
		return say_usage(self->name, "'%s' is too much", argv[optind + 1]);
	}
	for (; optind < argc; optind++) {
		struct conf_file file = { .path = argv[optind] };

		if (compile(&modules, &file))
			print(&file);
		else
			status = EXIT_FAILED;
		conf_file_fini(&file);
	}
	modules_fini(&modules);
	return status;
}

static void
print_good(const struct conf_file *file)
{
	printf("%s: no faults\n", file->path);
}

static int
check(const struct command *self, int argc, char **argv)
{
	return run_all(self, argc, argv, false, print_good);
}

static void
print_running(const struct conf_file *file)
{
	struct text text = { 0 };

	conf_print(file->conf, &text);
	fputs(text_str(&text), stdout);
	text_fini(&text);
}

static int
show(const struct command *self, int argc, char **argv)
{
	return run_all(self, argc, argv, true, print_running);
}

static void
print_modules(const struct conf_file *file)
{
	fputs(text_str(&file->text), stdout);
}

static int
print_translated(const struct command *self, int argc, char **argv)
{
	return run_all(self, argc, argv, true, print_modules);
}

const struct command command_conf_check = {
	.name = "conf check",
	.arguments = "[options] FILE...",
	.summary = "Check configuration files",
	.text = "What is wrong is told as file:line:column: message.\n",
	.options = rows,
	.run = check,
};

const struct command command_conf_show = {
	.name = "conf show",
	.arguments = "[options] FILE",
	.summary = "Print the running configuration that a file makes",
	.options = rows,
	.run = show,
};

const struct command command_conf_modules = {
	.name = "conf modules",
	.arguments = "[options] FILE",
	.summary = "Print the modules that a file is translated into",
	.options = rows,
	.run = print_translated,
};

static const struct command *const all[] = {
	&command_conf_check,
	&command_conf_show,
	&command_conf_modules,
	NULL,
};

const struct command command_conf = {
	.name = "conf",
	.arguments = "COMMAND [options] FILE",
	.summary = "Check a configuration, or print what it makes",
	.text = "barn.conf(5) tells what stands in it.\n",
	.commands = all,
};
