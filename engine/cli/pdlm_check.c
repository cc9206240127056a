/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "pdl/why.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <json-c/json.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum row { JSON, MODULE, MODULES, NO_NDPI, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[JSON] = { "json", 0, NULL, "Print what was found as a JSON object" },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	{ 0 },
};

/* A run: the modules, and in which of them, from `first` on, are those to check. */
struct job {
	struct modules_list modules;
	unsigned first;
	bool json;
	struct json_object *files, *faults; /* NULL: text */
};

/* What was found in one file. */
struct found {
	unsigned protocols, tests, failed;
	struct json_object *names; /* NULL: text */
};

static void
add_string(struct json_object *object, const char *name, const char *value)
{
	json_object_object_add(object, name, json_object_new_string(value));
}

static void
add_number(struct json_object *object, const char *name, uint64_t value)
{
	json_object_object_add(object, name, json_object_new_uint64(value));
}

static void
tell(struct job *job, const char *kind, const struct barn_fault *fault)
{
	struct json_object *object;

	if (!job->json) {
		say_fault(fault, strcmp(kind, "warning") == 0 ? "warning: " : "");
		return;
	}
	object = json_object_new_object();
	add_string(object, "kind", kind);
	add_string(object, "file", fault->file);
	add_number(object, "line", fault->line);
	add_number(object, "column", fault->column);
	add_string(object, "text", fault->text);
	json_object_array_add(job->faults, object);
}

/*
 * Why a test failed, by the rules of the protocol that was expected, or of the one that should
 * not have been found. One that only nDPI knows has none.
 */
static void
tell_why(const struct job *job, const struct registry *registry, const struct pdl_test *test,
	 const char *got)
{
	const char *name = strcmp(test->expect, "unknown") == 0 ? got : test->expect;
	const struct protocol *p = registry_protocol(registry, registry_find(registry, name));
	struct text text = { 0 };

	if (!job->json && p && p->module && !why_test(&text, p->module, test))
		fputs(text_str(&text), stderr);
	text_fini(&text);
}

/* A flow that the test's dialogue should have announced. */
static bool
keeps_promise(struct job *job, struct registry *registry, const struct pdl_protocol *p,
	      const struct pdl_test *test, const struct pdl_promise *promise)
{
	struct barn_fault fault = { .line = promise->line, .column = promise->column };
	const char *got = "";
	enum barn_err err = worker_run_promise(registry, test, promise, &got);

	if (!err && strcmp(got, promise->protocol) == 0)
		return true;
	snprintf(fault.file, sizeof(fault.file), "%s", p->file);
	snprintf(fault.text, sizeof(fault.text),
		 "test \"%s\": the flow to the %s's port %u: %s%s, expected %s", test->name,
		 promise->dir ? "server" : "client", promise->port, err ? "" : "taken for ",
		 err ? barn_strerror(err) : got, promise->protocol);
	tell(job, "test", &fault);
	return false;
}

static void
run_test(struct job *job, struct registry *registry, const struct pdl_protocol *p,
	 const struct pdl_test *test, struct found *found)
{
	struct barn_fault fault = { .line = test->line, .column = test->column };
	const char *got = "";
	enum barn_err err = worker_run_test(registry, test, &got);

	found->tests++;
	if (!err && strcmp(got, test->expect) == 0) {
		bool kept = true;

		for (unsigned i = 0; i < test->promise_count; i++)
			kept = keeps_promise(job, registry, p, test, &test->promises[i]) &&
			       kept;
		found->failed += !kept;
		return;
	}
	found->failed++;
	snprintf(fault.file, sizeof(fault.file), "%s", p->file);
	snprintf(fault.text, sizeof(fault.text), "test \"%s\": %s%s, expected %s", test->name,
		 err ? "" : "taken for ", err ? barn_strerror(err) : got, test->expect);
	tell(job, "test", &fault);
	if (!err)
		tell_why(job, registry, test, got);
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
note_replaced(const struct job *job, const struct pdl_protocol *p)
{
	if (!job->json && p->replaces && !same_file(p->file, p->replaces))
		fprintf(stderr, "%s:%u: note: replaces %s of %s\n", p->file, p->line, p->name,
			p->replaces);
}

static void
sum_up(struct job *job, const char *file, const struct found *found)
{
	struct json_object *object;

	if (!job->json) {
		printf("%s: %u protocol%s, %u of %u tests passed\n", file, found->protocols,
		       found->protocols == 1 ? "" : "s", found->tests - found->failed,
		       found->tests);
		return;
	}
	object = json_object_new_object();
	add_string(object, "file", file);
	json_object_object_add(object, "protocols", found->names);
	add_number(object, "tests", found->tests);
	add_number(object, "failed", found->failed);
	json_object_array_add(job->files, object);
}

/* Whether a module came from this file, or from a file of this pack. */
static bool
is_from(const char *file, const char *path)
{
	size_t n = strlen(path);

	return strncmp(file, path, n) == 0 && (file[n] == '\0' || file[n] == '/');
}

/* What is no fault, of this file alone. */
static void
warn(struct job *job, const struct barn_engine *engine, const char *file)
{
	const struct barn_faults *warnings = pdl_set_warnings(engine->modules);

	for (uint32_t i = 0; i < warnings->count && i < BARN_FAULTS; i++)
		if (is_from(warnings->fault[i].file, file))
			tell(job, "warning", &warnings->fault[i]);
}

/* The protocols that came from this file, with their tests. */
static bool
check_file(struct job *job, const struct barn_engine *engine, const char *file)
{
	struct found found = { .names = job->json ? json_object_new_array() : NULL };

	for (size_t i = 0; i < pdl_set_count(engine->modules); i++) {
		const struct pdl_protocol *p = pdl_set_at(engine->modules, i);

		if (!is_from(p->file, file))
			continue;
		note_replaced(job, p);
		found.protocols++;
		if (job->json)
			json_object_array_add(found.names, json_object_new_string(p->name));
		for (unsigned t = 0; t < p->test_count; t++)
			run_test(job, engine->registry, p, &p->tests[t], &found);
	}
	warn(job, engine, file);
	sum_up(job, file, &found);
	return found.failed == 0;
}

static bool
check(struct job *job)
{
	struct barn_faults faults = { 0 };
	struct barn_engine *engine = NULL;
	bool good = modules_try(&job->modules.options, &faults, &engine) == BARN_OK;

	for (uint32_t i = 0; i < faults.count && i < BARN_FAULTS; i++)
		tell(job, "error", &faults.fault[i]);
	if (!job->json && faults.count > BARN_FAULTS)
		say_error("%u more faults", faults.count - BARN_FAULTS);
	for (unsigned i = job->first; engine && i < job->modules.options.file_count; i++)
		good = check_file(job, engine, job->modules.files[i]) && good;
	barn_engine_free(engine);
	return good;
}

static int
check_json(struct job *job)
{
	struct json_object *object = json_object_new_object();
	bool good;

	job->files = json_object_new_array();
	job->faults = json_object_new_array();
	good = check(job);
	json_object_object_add(object, "good", json_object_new_boolean(good));
	json_object_object_add(object, "files", job->files);
	json_object_object_add(object, "faults", job->faults);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
							    JSON_C_TO_STRING_SPACED |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
	return good ? 0 : EXIT_FAILED;
}

static int
parse(const struct command *self, int argc, char **argv, struct job *job)
{
	const char *value;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0) {
		job->json |= row == JSON;
		if (!modules_option(&job->modules, &rows[row], value))
			return EXIT_FAILED;
	}
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (optind == argc)
		return say_usage(self->name, "expected a file or a folder of modules");
	job->first = job->modules.options.file_count;
	job->modules.options.untested = true;
	for (; optind < argc; optind++)
		if (!modules_add(&job->modules, argv[optind]))
			return EXIT_FAILED;
	if (job->json)
		return check_json(job);
	return check(job) ? 0 : EXIT_FAILED;
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct job job = { .json = false };
	int status = parse(self, argc, argv, &job);

	modules_fini(&job.modules);
	return status;
}

const struct command command_pdlm_check = {
	.name = "pdlm check",
	.arguments = "[options] FILE|DIR...",
	.summary = "Compile modules and run their tests",
	.text = "The files, and those of the folders, are compiled together with the other\n"
		"modules; what is wrong is told as file:line:column: message.\n",
	.options = rows,
	.run = run,
};
