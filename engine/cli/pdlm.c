/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/modules.h"
#include "cli/pdlm_list.h"
#include "cli/say.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum row { JSON, MODULE, MODULES, NO_NDPI, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[JSON] = { "json", 0, NULL, "List as a JSON array" },
	[MODULE] = { "module", 'm', "FILE", "Add the protocols of this module" },
	[MODULES] = { "modules", 'M', "DIR", "Take the modules of this folder instead" },
	[NO_NDPI] = { "no-ndpi", 0, NULL, "Do not ask nDPI" },
	{ 0 },
};

enum { FILES_MAX = 256 };

struct job {
	struct modules_options modules;
	const char *files[FILES_MAX];
	bool json;
};

/* Runs the module's test vectors; how many failed. */
static unsigned
run_tests(const struct registry *registry, const struct pdl_protocol *p)
{
	unsigned failed = 0;

	for (unsigned i = 0; i < p->test_count; i++) {
		const struct pdl_test *test = &p->tests[i];
		const char *got = "";
		enum barn_err err = worker_run_test(registry, test, &got);

		if (!err && strcmp(got, test->expect) == 0)
			continue;
		failed++;
		fprintf(stderr, "%s:%u:%u: test \"%s\": %s%s, expected %s\n", p->file,
			test->line, test->column, test->name, err ? "" : "taken for ",
			err ? barn_strerror(err) : got, test->expect);
	}
	return failed;
}

static bool
same_file(const char *a, const char *b)
{
	struct stat one, other;

	return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

/* Said where it may be a surprise: not of a module of the folder that is checked itself. */
static void
note_replaced(const struct pdl_protocol *p)
{
	if (p->replaces && !same_file(p->file, p->replaces->file))
		fprintf(stderr, "%s:%u: note: replaces %s of %s\n", p->file, p->line, p->name,
			p->replaces->file);
}

/* The protocols that came from this file, with their tests. */
static bool
check_file(const struct barn_engine *engine, const char *file)
{
	unsigned protocols = 0, tests = 0, failed = 0;

	for (size_t i = 0; i < pdl_set_count(engine->modules); i++) {
		const struct pdl_protocol *p = pdl_set_at(engine->modules, i);

		if (strcmp(p->file, file) != 0)
			continue;
		note_replaced(p);
		protocols++;
		tests += p->test_count;
		failed += run_tests(engine->registry, p);
	}
	printf("%s: %u protocol%s, %u of %u tests passed\n", file, protocols,
	       protocols == 1 ? "" : "s", tests - failed, tests);
	return failed == 0;
}

static int
check(const struct job *job)
{
	struct barn_engine *engine;
	bool good = true;

	if (modules_load(&job->modules, &engine))
		return EXIT_FAILED;
	for (unsigned i = 0; i < job->modules.file_count; i++)
		good = check_file(engine, job->modules.files[i]) && good;
	barn_engine_free(engine);
	return good ? 0 : EXIT_FAILED;
}

static int
list(const struct job *job)
{
	struct barn_engine *engine;

	if (modules_load(&job->modules, &engine))
		return EXIT_FAILED;
	if (job->json)
		pdlm_list_json(engine->registry);
	else
		pdlm_list(engine->registry);
	barn_engine_free(engine);
	return 0;
}

static bool
add_file(struct job *job, const char *file)
{
	if (job->modules.file_count == FILES_MAX)
		return false;
	job->files[job->modules.file_count++] = file;
	return true;
}

static int
parse(const struct command *self, int argc, char **argv, struct job *job)
{
	const char *value;
	int row;

	job->modules.files = job->files;
	while ((row = options_next(self, argc, argv, &value)) >= 0)
		switch ((enum row)row) {
		case JSON: job->json = true; break;
		case MODULE:
			if (add_file(job, value))
				break;
			say_usage(self->name, "too many modules");
			return OPTIONS_WRONG;
		case MODULES: job->modules.folder = value; break;
		case NO_NDPI: job->modules.no_ndpi = true; break;
		case ROWS: break;
		}
	return row;
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct job job = { .json = false };
	const char *verb;

	switch (parse(self, argc, argv, &job)) {
	case OPTIONS_HELP: return 0;
	case OPTIONS_WRONG: return EXIT_USAGE;
	default: break;
	}
	verb = optind < argc ? argv[optind++] : "";
	if (strcmp(verb, "list") == 0) {
		if (optind < argc)
			return say_usage(self->name, "'%s' is too much", argv[optind]);
		return list(&job);
	}
	if (strcmp(verb, "check") != 0)
		return say_usage(self->name,
				 *verb ? "no such command: %s" : "expected check or list%s",
				 verb);
	if (optind == argc)
		return say_usage(self->name, "check needs a file");
	for (; optind < argc; optind++)
		if (!add_file(&job, argv[optind]))
			return say_usage(self->name, "too many modules");
	return check(&job);
}

const struct command command_pdlm = {
	.name = "pdlm",
	.arguments = "check FILE... | list",
	.summary = "Check protocol modules, or list them",
	.text = "check compiles the files together with the other modules and runs their "
		"tests;\n"
		"what is wrong is told as file:line:column: message.\n",
	.options = rows,
	.run = run,
};
