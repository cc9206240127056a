/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/json_out.h"
#include "policy/policy.h"
#include "program/conf_file.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* barn conf check | show | modules */

enum row { MODULE, MODULES, JSON, ROWS };

static const struct option_row rows[] = {
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	{ 0 },
};

static const struct option_row show_rows[ROWS + 1] = {
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[JSON] = { "json", 0, NULL, "Print it as JSON: lines, and those that stand in them" },
	{ 0 },
};

/* 0: argv is at the files; else the status to exit with, less one. */
static int
parse(const struct command *self, int argc, char **argv, struct modules_list *modules,
      bool *json)
{
	const char *value;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (row == JSON)
			*json = true;
		else if (!modules_option(modules, &rows[row], value))
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
	void (*print)(const struct conf_file *file, bool json))
{
	bool json = false;
	struct modules_list modules = { .room = 0 };
	int status = 0;

	switch (parse(self, argc, argv, &modules, &json)) {
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
			print(&file, json);
		else
			status = EXIT_FAILED;
		conf_file_fini(&file);
	}
	modules_fini(&modules);
	return status;
}

static void
print_good(const struct conf_file *file, bool json)
{
	const struct barn_faults *notes = conf_notes(file->conf);

	(void)json;
	for (uint32_t i = 0; i < notes->count && i < BARN_FAULTS; i++)
		say_fault(&notes->fault[i], "warning: ");
	if (notes->count > BARN_FAULTS)
		say_error("%s: %u more lines have no effect", file->path,
			  notes->count - BARN_FAULTS);
	printf("%s: no faults\n", file->path);
}

static int
check(const struct command *self, int argc, char **argv)
{
	return run_all(self, argc, argv, false, print_good);
}

/* Lines, each with those that are indented below it: what is in a mode is in its array. */
static void
print_json(const char *text)
{
	enum { DEEPEST = 8 };
	struct json_object *whole = json_object_new_object();
	struct json_object *lists[DEEPEST] = { json_out_list(whole, "lines") };
	struct json_object *last[DEEPEST] = { NULL };

	for (const char *end; *text; text = end + 1) {
		size_t depth = strspn(text, " ");
		char *line;

		end = strchr(text, '\n');
		if (text[depth] == '!' || depth >= DEEPEST)
			continue;
		line = strndup(text + depth, (size_t)(end - text) - depth);
		if (!line)
			break;
		if (depth && last[depth - 1])
			lists[depth] = json_out_list(last[depth - 1], "lines");
		if (depth)
			last[depth - 1] = NULL;
		last[depth] = json_object_new_object();
		json_out_string(last[depth], "line", line);
		json_object_array_add(lists[depth], last[depth]);
		free(line);
	}
	json_out_print(whole);
}

static void
print_running(const struct conf_file *file, bool json)
{
	struct text text = { 0 };

	conf_print(file->conf, &text);
	if (json)
		print_json(text_str(&text));
	else
		fputs(text_str(&text), stdout);
	text_fini(&text);
}

static int
show(const struct command *self, int argc, char **argv)
{
	return run_all(self, argc, argv, true, print_running);
}

static void
print_modules(const struct conf_file *file, bool json)
{
	(void)json;
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
	.options = show_rows,
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
	&command_conf_check, &command_conf_show, &command_conf_modules, &command_conf_tc, NULL,
};

const struct command command_conf = {
	.name = "conf",
	.arguments = "COMMAND [options] FILE",
	.summary = "Check a configuration, or print what it makes",
	.text = "barn.conf(5) tells what stands in it.\n",
	.commands = all,
};
