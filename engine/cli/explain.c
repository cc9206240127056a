/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/explain_step.h"
#include "cli/pdlm_test.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* barn explain: why a flow is what it is, and what policies did with it. */

enum row {
	FLOW,
	FILTER,
	PROTOCOL,
	POLICY,
	POLICY_OUT,
	ATTACHED,
	INTERFACE,
	CONF,
	MODULE,
	MODULES,
	NO_NDPI,
	ROWS
};

static const struct option_row rows[ROWS + 1] = {
	[FLOW] = { "flow", 0, "N",
		   "The flow of this number only, as barn read --flows has it" },
	[FILTER] = { "filter", 'f', "BPF", "Only packets that pass this filter" },
	[PROTOCOL] = { "protocol", 0, "NAME", "Only this protocol, or what runs over it" },
	[POLICY] = { "policy", 0, "NAME", "With this policy map of -c as input policy" },
	[POLICY_OUT] = { "policy-out", 0, "NAME", "The same as output policy" },
	[ATTACHED] = { "attached", 0, NULL,
		       "With the policies that -c applies to the interface" },
	[INTERFACE] = { "interface", 0, "NAME", "The interface that it is, else by the file" },
	[CONF] = { MODULES_ROW_CONF },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	{ 0 },
};

struct job {
	const struct command *self;
	struct modules_list modules;
	const char *filter, *protocol, *interface, *input, *output;
	bool attached;
	uint64_t flow; /* 0: all */
	struct barn_engine *engine;
	struct read_policy *policy; /* NULL: none is asked */
	struct explain_steps *steps;
	struct regex_scratch *scratch;
	struct talks talks;
	unsigned told;
};

static bool
is_wanted(const struct job *job, const struct barn_flow_info *info)
{
	if (job->flow && info->id != job->flow)
		return false;
	if (!job->protocol || strcmp(info->protocol, job->protocol) == 0)
		return true;
	for (unsigned i = 0; i < info->stack_len; i++)
		if (strcmp(info->stack[i], job->protocol) == 0)
			return true;
	return false;
}

/* "ftp: rule banner" is of module ftp, and of its rule. */
static const struct pdl_rule *
rule_of(const struct job *job, const char *by, const struct pdl_protocol **module)
{
	static const char between[] = ": rule ";
	const char *colon = strstr(by, between);

	for (size_t i = 0; colon && i < pdl_set_count(job->engine->modules); i++) {
		const struct pdl_protocol *p = pdl_set_at(job->engine->modules, i);

		if (strlen(p->name) != (size_t)(colon - by) ||
		    strncmp(p->name, by, strlen(p->name)) != 0)
			continue;
		for (unsigned r = 0; r < p->rule_count; r++)
			if (strcmp(p->rules[r].name, colon + strlen(between)) == 0) {
				*module = p;
				return &p->rules[r];
			}
	}
	return NULL;
}

static const char *
sureness(const struct barn_flow_info *info)
{
	if (strcmp(info->evidence, "expected") == 0)
		return "a control connection announced the flow";
	if (strcmp(info->evidence, "port") == 0)
		return "a guess: the port alone";
	if (strcmp(info->evidence, "learned") == 0)
		return "a guess: what other flows told of the server";
	if (strcmp(info->evidence, "none") == 0)
		return "nothing was recognised";
	if (strcmp(info->evidence, "ndpi") == 0)
		return "nDPI's answer";
	return info->sure ? "the flow's own bytes prove it" : "likely, by the flow's own bytes";
}

/* What an inspector had read when it was sure: its last packet until then. */
static void
add_deciding(struct text *text, const struct talk *talk)
{
	const struct talk_packet *found = NULL;

	for (unsigned i = 0; i < talk->count; i++) {
		const struct talk_packet *p = &talk->packets[i];

		if (p->number <= talk->info.decided_at && p->length)
			found = p;
	}
	if (!found)
		return;
	text_add(text, "  ");
	pdlm_test_text_packet(text, found);
	text_printf(text, ", %s's bytes:", found->dir == MATCH_CLIENT ? "client" : "server");
	pdlm_test_text_bytes(text, found->payload);
	text_char(text, '\n');
}

static enum barn_err
add_verdict(const struct job *job, struct text *text, const struct talk *talk)
{
	const struct pdl_protocol *module;
	const struct pdl_rule *rule = rule_of(job, talk->info.by, &module);
	struct trial trial;
	enum barn_err err;

	text_printf(text, "  how sure: %s\n", sureness(&talk->info));
	if (*talk->host)
		text_printf(text, "  server's name: %s\n", talk->host);
	if (!rule || !trial_applies(rule, talk)) {
		add_deciding(text, talk);
		return BARN_OK;
	}
	/* Lines of what a configuration is translated into are not its own. */
	if (job->modules.options.conf && strcmp(module->file, job->modules.conf.path) == 0)
		text_printf(text, "  %s\n", module->file);
	else
		text_printf(text, "  %s:%u\n", module->file, rule->line);
	err = trial_run(rule, talk, job->scratch, &trial);
	if (err)
		return err;
	pdlm_test_text_rule(text, module, &trial);
	trial_fini(&trial);
	return BARN_OK;
}

static enum barn_err
tell(struct job *job, const struct talk *talk)
{
	const struct pdlm_test_flow flow = { .talk = talk };
	struct text text = { 0 };
	enum barn_err err;

	pdlm_test_text_head(&text, &flow);
	err = add_verdict(job, &text, talk);
	if (!err && job->policy && !explain_step_print(job->steps, talk->info.id, &text))
		err = BARN_ERR_MEMORY;
	text_char(&text, '\n');
	if (text.failed)
		err = BARN_ERR_MEMORY;
	if (!err)
		fputs(text_str(&text), stdout);
	text_fini(&text);
	job->told++;
	return err;
}

/* 0, or an exit status. */
static int
open_policy(struct job *job, const char *const *paths)
{
	const char *slash = strrchr(paths[0], '/');
	const char *name = job->interface ? job->interface : slash ? slash + 1 : paths[0];
	struct read_policy_options options = {
		.engine = job->engine,
		.conf = job->modules.conf.conf,
		.input = job->input,
		.output = job->output,
		.attached = job->attached,
		.names = &name,
		.interfaces = 1,
		.decided = explain_step_add,
	};

	if (!job->input && !job->output && !job->attached)
		return 0;
	if (explain_step_new(&job->steps)) {
		say_error("out of memory");
		return EXIT_FAILED;
	}
	options.self = job->steps;
	return read_policy_new(&options, &job->policy);
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

	if (modules_load(&job->modules.options, &job->engine) || open_policy(job, paths))
		return EXIT_FAILED;
	walk.engine = job->engine;
	walk.policy = job->policy;
	status = talk_read(&walk, &job->talks);
	if (status == EXIT_USAGE || (status && !job->talks.count))
		return status;
	err = regex_scratch_new(&job->scratch);
	for (unsigned i = 0; i < job->talks.count && !err; i++)
		if (is_wanted(job, &job->talks.list[i].info))
			err = tell(job, &job->talks.list[i]);
	if (err) {
		say_error("%s", barn_strerror(err));
		return EXIT_FAILED;
	}
	if (!job->told) {
		say_error("no such flow in the capture; 'barn read --flows' has them");
		return EXIT_FAILED;
	}
	return status;
}

/* False: it is wrong, and the user was told. */
static bool
set(struct job *job, enum row row, const char *value, int *status)
{
	char *end;

	switch (row) {
	case FLOW:
		job->flow = strtoull(value, &end, 10);
		if (*end || !job->flow || *value == '-') {
			*status = say_usage(job->self->name, "--flow %s: expected a number",
					    value);
			return false;
		}
		break;
	case FILTER: job->filter = value; break;
	case PROTOCOL: job->protocol = value; break;
	case POLICY: job->input = value; break;
	case POLICY_OUT: job->output = value; break;
	case ATTACHED: job->attached = true; break;
	case INTERFACE: job->interface = value; break;
	default:
		if (!modules_option(&job->modules, &rows[row], value)) {
			*status = EXIT_FAILED;
			return false;
		}
	}
	return true;
}

static int
parse(const struct command *self, int argc, char **argv, struct job *job)
{
	const char *value;
	int row, status = 0;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (!set(job, (enum row)row, value, &status))
			return status;
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (optind == argc)
		return say_usage(self->name, "no capture file");
	if (job->attached && (job->input || job->output))
		return say_usage(self->name, "--attached has the policies of the "
					     "configuration, not --policy");
	if ((job->attached || job->input || job->output) && !job->modules.options.conf)
		return say_usage(self->name,
				 "policies stand in a configuration: expected -c FILE");
	return run_all(job, (const char *const *)argv + optind, (unsigned)(argc - optind));
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct job job = { .self = self };
	int status = parse(self, argc, argv, &job);

	regex_scratch_free(job.scratch);
	talk_free(&job.talks);
	read_policy_free(job.policy);
	explain_step_free(job.steps);
	barn_engine_free(job.engine);
	modules_fini(&job.modules);
	return status;
}

const struct command command_explain = {
	.name = "explain",
	.arguments = "[options] FILE...",
	.summary = "Tell why flows are what they are, and what policies do with them",
	.text = "For each flow: what decided, on which bytes of which packet, how sure that\n"
		"is, and with a policy which lines of it held and what was done.\n",
	.options = rows,
	.run = run,
};
