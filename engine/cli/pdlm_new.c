/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/draft.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

enum row { ALL, FILTER, MODULE, CONF, MODULES, NO_NDPI, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[ALL] = { "all", 'a', NULL, "From all flows, not just those that nothing recognises" },
	[FILTER] = { "filter", 'f', "EXPRESSION",
		     "Read only packets that pass, as tcpdump(1)" },
	[MODULE] = { MODULES_ROW_FILE },
	[CONF] = { MODULES_ROW_CONF },
	[MODULES] = { MODULES_ROW_FOLDER },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	{ 0 },
};

struct job {
	const struct command *self;
	struct modules_list modules;
	const char *name, *filter;
	const char *const *paths;
	unsigned path_count;
	bool all;
	struct barn_engine *engine, *with; /* without the draft, and with it */
	struct talks talks, again;
	const struct talk **chosen;
	unsigned chosen_count;
	struct text draft;
};

static bool
is_name(const char *name)
{
	if (*name < 'a' || *name > 'z')
		return false;
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* The next index that no module has. */
static unsigned
next_index(const struct barn_engine *engine)
{
	unsigned highest = 0;

	for (size_t i = 0; i < pdl_set_count(engine->modules); i++)
		if (pdl_set_at(engine->modules, i)->index > highest)
			highest = pdl_set_at(engine->modules, i)->index;
	return highest + 1;
}

/* Nobody knows it, but for its port or what was learned of its server. */
static bool
is_unknown(const struct barn_flow_info *info)
{
	return strcmp(info->evidence, "none") == 0 || strcmp(info->evidence, "port") == 0 ||
	       strcmp(info->evidence, "learned") == 0;
}

static bool
choose(struct job *job)
{
	job->chosen = calloc(job->talks.count + 1, sizeof(const struct talk *));
	for (unsigned i = 0; job->chosen && i < job->talks.count; i++) {
		const struct talk *talk = &job->talks.list[i];

		if (talk->info.ip_proto != IPPROTO_TCP && talk->info.ip_proto != IPPROTO_UDP)
			continue;
		if (talk->count && (job->all || is_unknown(&talk->info)))
			job->chosen[job->chosen_count++] = talk;
	}
	return job->chosen != NULL;
}

static bool
is_taken(const struct job *job)
{
	const struct registry *registry = job->engine->registry;
	uint16_t number = registry_find(registry, job->name);
	const struct protocol *p = number ? registry_protocol(registry, number) : NULL;

	if (!p)
		return false;
	if (p->module)
		say_error("%s is the module %s already; with -M it can be left out", job->name,
			  p->module->file);
	else
		say_error("%s is a protocol of nDPI's; take another name, or --no-ndpi",
			  job->name);
	return true;
}

/* What the draft does with the capture. */
struct found {
	unsigned chosen, guessed, others; /* flows: chosen ones by rules, by port; others */
};

static bool
is_chosen(const struct job *job, uint64_t id)
{
	for (unsigned i = 0; i < job->chosen_count; i++)
		if (job->chosen[i]->info.id == id)
			return true;
	return false;
}

static struct found
count_found(const struct job *job)
{
	struct found found = { 0 };

	for (unsigned i = 0; i < job->again.count; i++) {
		const struct barn_flow_info *info = &job->again.list[i].info;

		if (strcmp(info->protocol, job->name) != 0)
			continue;
		if (!is_chosen(job, info->id))
			found.others++;
		else if (is_unknown(info))
			found.guessed++;
		else
			found.chosen++;
	}
	return found;
}

static struct walk_options
walk_of(const struct job *job, struct barn_engine *engine)
{
	return (struct walk_options){
		.command = job->self->name,
		.engine = engine,
		.paths = job->paths,
		.count = job->path_count,
		.filter = job->filter,
	};
}

static unsigned
failed_tests(const struct job *job)
{
	unsigned failed = 0;

	for (size_t i = 0; i < pdl_set_count(job->with->modules); i++) {
		const struct pdl_protocol *p = pdl_set_at(job->with->modules, i);

		for (unsigned t = 0; strcmp(p->name, job->name) == 0 && t < p->test_count;
		     t++) {
			const char *got = "";
			enum barn_err err =
				worker_run_test(job->with->registry, &p->tests[t], &got);

			failed += err || strcmp(got, p->tests[t].expect) != 0;
		}
	}
	return failed;
}

/* The draft as a module among the others: what it does with the same capture. */
static int
try_draft(struct job *job)
{
	struct barn_engine *engine;
	struct walk_options walk;
	struct found found;
	unsigned failed;

	if (modules_load_text(&job->modules.options, job->name, text_str(&job->draft),
			      job->draft.len, &engine))
		return EXIT_FAILED;
	job->with = engine;
	walk = walk_of(job, engine);
	if (talk_read(&walk, &job->again) && !job->again.count)
		return EXIT_FAILED;
	found = count_found(job);
	failed = failed_tests(job);
	say_error("%s: recognises %u of %u flows, %u more by port alone, and %u other%s",
		  job->name, found.chosen, job->chosen_count, found.guessed, found.others,
		  found.others == 1 ? "" : "s");
	if (failed)
		say_error("%s: %u of its tests fail, as other modules are surer of them",
			  job->name, failed);
	return 0;
}

static int
draft(struct job *job)
{
	const struct draft_options options = {
		.name = job->name,
		.source = job->paths[0],
		.next_index = next_index(job->engine),
	};
	enum barn_err err = BARN_ERR_MEMORY;

	if (choose(job))
		err = draft_module(&options, job->chosen, job->chosen_count, &job->draft);
	if (err == BARN_ERR_MISSING)
		say_error(job->all ? "no flow over TCP or UDP has a payload"
				   : "every flow is recognised already; see --all and -M");
	else if (err)
		say_error("%s", barn_strerror(err));
	if (err)
		return EXIT_FAILED;
	fputs(text_str(&job->draft), stdout);
	return try_draft(job);
}

static int
run_all(struct job *job)
{
	struct barn_engine *engine;
	struct walk_options walk;
	int status;

	if (modules_load(&job->modules.options, &engine))
		return EXIT_FAILED;
	job->engine = engine;
	if (is_taken(job))
		return EXIT_FAILED;
	walk = walk_of(job, engine);
	status = talk_read(&walk, &job->talks);
	if (status == EXIT_USAGE || (status && !job->talks.count))
		return status;
	if (draft(job))
		return EXIT_FAILED;
	return status;
}

static int
parse(const struct command *self, int argc, char **argv, struct job *job)
{
	const char *value;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0) {
		job->all |= row == ALL;
		if (row == FILTER)
			job->filter = value;
		if (!modules_option(&job->modules, &rows[row], value))
			return EXIT_FAILED;
	}
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (argc - optind < 2)
		return say_usage(self->name, "expected a name and a capture");
	job->name = argv[optind++];
	if (!is_name(job->name))
		return say_usage(self->name, "%s: a name has only a-z, 0-9 and -", job->name);
	for (int i = optind; i < argc; i++)
		if (strcmp(argv[i], "-") == 0)
			return say_usage(self->name,
					 "a capture is read twice: no standard input");
	job->paths = (const char *const *)argv + optind;
	job->path_count = (unsigned)(argc - optind);
	return run_all(job);
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct job job = { .self = self };
	int status = parse(self, argc, argv, &job);

	free(job.chosen);
	talk_free(&job.talks);
	talk_free(&job.again);
	text_fini(&job.draft);
	barn_engine_free(job.engine);
	barn_engine_free(job.with);
	modules_fini(&job.modules);
	return status;
}

const struct command command_pdlm_new = {
	.name = "pdlm new",
	.arguments = "[options] NAME CAPTURE...",
	.summary = "Draft a module from what a capture's flows have in common",
	.text = "The module is printed, with comments on what each rule rests on; what it "
		"does\n"
		"with the capture is told on standard error. It is a draft: read it.\n",
	.options = rows,
	.run = run,
};
