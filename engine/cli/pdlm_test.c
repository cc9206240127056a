/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/pdlm_test.h"
#include "cli/commands.h"
#include "cli/json_out.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>

enum row { ALL, FILTER, FLOW, JSON, CONF, MODULE, MODULES, NO_NDPI, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[ALL] = { "all", 'a', NULL, "Tell of all flows, not just those that may be meant" },
	[FILTER] = { "filter", 'f', "EXPRESSION",
		     "Read only packets that pass, as tcpdump(1)" },
	[FLOW] = { "flow", 0, "N", "Tell of the flow of this number only" },
	[JSON] = { "json", 0, NULL, "Print a JSON object" },
	[CONF] = { MODULES_ROW_CONF },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	{ 0 },
};

struct job {
	const struct command *self;
	struct modules_list modules;
	const char *file, *filter;
	uint64_t flow; /* 0: any */
	bool all, json;
	struct barn_engine *engine;
	const struct pdl_protocol **tested; /* those of the file */
	unsigned tested_count;
	struct regex_scratch *scratch;
	struct talks talks;
	struct json_object *vectors, *flows; /* NULL: text */
	unsigned tests, failed;              /* of the module's own tests */
	unsigned mine, missed, others;       /* flows */
};

static bool
is_tested(const struct job *job, const char *name)
{
	for (unsigned i = 0; i < job->tested_count; i++)
		if (strcmp(job->tested[i]->name, name) == 0)
			return true;
	return false;
}

/* The module's protocols, and what runs over them. */
static bool
is_mine(const struct job *job, const struct barn_flow_info *info)
{
	for (unsigned i = 0; i < info->stack_len; i++)
		if (is_tested(job, info->stack[i]))
			return true;
	return is_tested(job, info->protocol);
}

static bool
has_port(const struct pdl_protocol *p, const struct barn_flow_info *info)
{
	for (unsigned i = 0; i < p->port_count; i++) {
		const struct pdl_port *port = &p->ports[i];
		uint8_t transport = info->ip_proto == IPPROTO_TCP    ? PDL_TCP
				    : info->ip_proto == IPPROTO_UDP  ? PDL_UDP
				    : info->ip_proto == IPPROTO_SCTP ? PDL_SCTP
								     : 0;

		if (port->transport & transport && info->server.port >= port->low &&
		    info->server.port <= port->high)
			return true;
	}
	return false;
}

/* Whether the flow was meant, by its port or by a rule, even if it is another's. */
static enum barn_err
is_meant(const struct job *job, const struct talk *talk, bool *meant)
{
	*meant = false;
	for (unsigned i = 0; i < job->tested_count && !*meant; i++) {
		const struct pdl_protocol *p = job->tested[i];

		*meant = has_port(p, &talk->info);
		for (unsigned r = 0; r < p->rule_count && !*meant; r++) {
			struct trial trial;
			enum barn_err err;

			if (!trial_applies(&p->rules[r], talk))
				continue;
			err = trial_run(&p->rules[r], talk, job->scratch, &trial);
			if (err)
				return err;
			*meant = trial.answer == MATCH_YES;
			trial_fini(&trial);
		}
	}
	return BARN_OK;
}

static enum barn_err
tell(const struct job *job, const struct talk *talk, const char *vector,
     struct json_object *list)
{
	const struct pdlm_test_flow flow = {
		.talk = talk,
		.vector = vector,
		.modules = job->tested,
		.count = job->tested_count,
		.scratch = job->scratch,
	};
	struct json_object *object;
	enum barn_err err;

	if (!job->json)
		return pdlm_test_text(&flow);
	err = pdlm_test_json(&flow, &object);
	if (!err)
		json_object_array_add(list, object);
	return err;
}

static enum barn_err
run_vector(struct job *job, const struct pdl_protocol *p, const struct pdl_test *test)
{
	struct text text = { 0 };
	const char *got = "";
	struct talk talk;
	enum barn_err err = worker_run_test(job->engine->registry, test, &got);

	job->tests++;
	if (err || strcmp(got, test->expect) == 0)
		return err;
	job->failed++;
	text_printf(&text, "\"%s\" of %s:%u failed: taken for %s, expected %s", test->name,
		    p->file, test->line, got, test->expect);
	err = talk_of_test(test, job->talks.arena, &talk);
	if (!err)
		err = tell(job, &talk, text_str(&text), job->vectors);
	text_fini(&text);
	return err;
}

static enum barn_err
run_flows(struct job *job)
{
	enum barn_err err = BARN_OK;
	bool meant;

	for (unsigned i = 0; i < job->talks.count && !err; i++) {
		const struct talk *talk = &job->talks.list[i];
		bool mine = is_mine(job, &talk->info);

		if (job->flow && talk->info.id != job->flow)
			continue;
		err = is_meant(job, talk, &meant);
		if (mine)
			job->mine++;
		else if (meant)
			job->missed++;
		else
			job->others++;
		if (!err && (mine || meant || job->all || job->flow))
			err = tell(job, talk, NULL, job->flows);
	}
	return err;
}

static enum barn_err
run_vectors(struct job *job)
{
	enum barn_err err = BARN_OK;

	for (unsigned i = 0; i < job->tested_count; i++)
		for (unsigned t = 0; t < job->tested[i]->test_count && !err; t++)
			err = run_vector(job, job->tested[i], &job->tested[i]->tests[t]);
	return err;
}

static void
sum_up(struct job *job)
{
	struct json_object *object, *names;

	if (!job->json) {
		printf("%u of %u tests passed\n", job->tests - job->failed, job->tests);
		printf("flows: %u recognised, %u missed (its port or a rule fits), %u others\n",
		       job->mine, job->missed, job->others);
		return;
	}
	object = json_object_new_object();
	names = json_out_list(object, "protocols");
	for (unsigned i = 0; i < job->tested_count; i++)
		json_object_array_add(names, json_object_new_string(job->tested[i]->name));
	json_out_number(object, "tests", job->tests);
	json_out_number(object, "failed", job->failed);
	json_out_number(object, "recognised", job->mine);
	json_out_number(object, "missed", job->missed);
	json_out_number(object, "others", job->others);
	json_object_object_add(object, "failed_tests", job->vectors);
	json_object_object_add(object, "flows", job->flows);
	json_out_print(object);
}

static bool
find_tested(struct job *job)
{
	size_t count = pdl_set_count(job->engine->modules);

	job->tested = calloc(count + 1, sizeof(*job->tested));
	for (size_t i = 0; job->tested && i < count; i++) {
		const struct pdl_protocol *p = pdl_set_at(job->engine->modules, i);

		if (strcmp(p->file, job->file) == 0)
			job->tested[job->tested_count++] = p;
	}
	return job->tested != NULL;
}

static int
run_all(struct job *job, const char *const *paths, unsigned count)
{
	struct walk_options walk = {
		.command = job->self->name,
		.paths = paths,
		.count = count,
		.filter = job->filter,
	};
	enum barn_err err = BARN_OK;
	int status;

	job->modules.options.untested = true;
	if (modules_load(&job->modules.options, &job->engine))
		return EXIT_FAILED;
	walk.engine = job->engine;
	status = talk_read(&walk, &job->talks);
	if (status == EXIT_USAGE || (status && !job->talks.count))
		return status;
	if (job->json) {
		job->vectors = json_object_new_array();
		job->flows = json_object_new_array();
	}
	if (!find_tested(job) || regex_scratch_new(&job->scratch))
		err = BARN_ERR_MEMORY;
	if (!err)
		err = run_vectors(job);
	if (!err)
		err = run_flows(job);
	if (err) {
		say_error("%s", barn_strerror(err));
		return EXIT_FAILED;
	}
	if (job->flow && !job->mine && !job->missed && !job->others) {
		say_error("no flow %ju in the capture; 'barn read --flows' has the numbers",
			  (uintmax_t)job->flow);
		status = EXIT_FAILED;
	}
	sum_up(job);
	return status || job->failed || !job->mine ? EXIT_FAILED : 0;
}

static int
parse(const struct command *self, int argc, char **argv, struct job *job)
{
	const char *value;
	char *end;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0) {
		job->all |= row == ALL;
		job->json |= row == JSON;
		if (row == FILTER)
			job->filter = value;
		if (row == FLOW) {
			job->flow = strtoull(value, &end, 10);
			if (*end || !job->flow || *value == '-')
				return say_usage(self->name, "--flow %s: expected a number",
						 value);
		}
		if (!modules_option(&job->modules, &rows[row], value))
			return EXIT_FAILED;
	}
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (argc - optind < 2)
		return say_usage(self->name, "expected a module and a capture");
	job->file = argv[optind++];
	if (!modules_file(&job->modules, job->file))
		return EXIT_FAILED;
	return run_all(job, (const char *const *)argv + optind, (unsigned)(argc - optind));
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct job job = { .self = self };
	int status = parse(self, argc, argv, &job);

	regex_scratch_free(job.scratch);
	talk_free(&job.talks);
	free(job.tested);
	barn_engine_free(job.engine);
	modules_fini(&job.modules);
	return status;
}

const struct command command_pdlm_test = {
	.name = "pdlm test",
	.arguments = "[options] FILE CAPTURE...",
	.summary = "Tell which rules of a module hold in a capture's flows, and why not",
	.text = "For each flow that the module recognises, or that its port or a rule makes "
		"it\n"
		"likely to be meant: the verdict, and for each term of each rule with which\n"
		"packet it became true, on which bytes, or what was there instead.\n",
	.options = rows,
	.run = run,
};
