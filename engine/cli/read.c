/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/flows.h"
#include "cli/read_learned.h"
#include "cli/read_run.h"
#include "cli/read_stop.h"
#include "cli/read_table.h"
#include "cli/value.h"
#include "program/learned_file.h"
#include "program/say.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SHORT_INPUT = 256 * 1024 };

static const char text[] =
	"FILE is a capture, pcap or pcapng, plain or compressed with gzip or zstd; - is\n"
	"standard input. Several files are one stream in the order of time.\n";

/* Everything that the command holds while it runs. */
struct reading {
	struct read_options options;
	struct barn_engine *engine;
	struct read_select *select;
	struct read_input *input;
	struct read_write *write;
	struct savefile *save;
	struct flows *flows;
	struct read_policy *policy; /* NULL: none is asked */
	struct read_run *run;
	char **names; /* of the interfaces */
	uint16_t interfaces;
	_Atomic uint64_t selected; /* flows */
};

static void
ended(void *self, const struct barn_flow *flow)
{
	struct reading *r = self;
	struct barn_flow_info info;

	barn_flow_info(flow, &info);
	if (!read_select_flow(r->select, flow, &info))
		return;
	r->selected++;
	if (r->flows)
		flows_add(r->flows, flow, &info);
	if (r->write && !r->policy)
		read_write_want(r->write, info.id);
}

static void
value_found(void *self, struct flow *flow, uint16_t field, struct bytes value)
{
	read_select_value(((struct reading *)self)->select, flow, field, value);
}

/* A file's base name, as text that any terminal and JSON take. */
static char *
interface_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	struct text name = { 0 };

	value_add(&name, bytes_of(base, strlen(base)), VALUE_PLAIN);
	return text_steal(&name);
}

static bool
name_interfaces(struct reading *r)
{
	const struct read_options *o = &r->options;

	r->interfaces = o->interface ? 1 : (uint16_t)o->path_count;
	r->names = calloc(r->interfaces, sizeof(*r->names));
	for (uint16_t i = 0; r->names && i < r->interfaces; i++) {
		r->names[i] = interface_name(o->interface ? o->interface : o->paths[i]);
		if (!r->names[i])
			return false;
	}
	return r->names != NULL;
}

static bool
open_flows(struct reading *r)
{
	switch (r->options.display) {
	case READ_FLOWS: return !flows_new(FLOWS_TEXT, &r->flows);
	case READ_FLOWS_JSON: return !flows_new(FLOWS_JSON, &r->flows);
	case READ_FLOWS_CSV: return !flows_new(FLOWS_CSV, &r->flows);
	case READ_TABLE:
	case READ_TABLE_JSON:
	case READ_POLICY:
	case READ_POLICY_JSON:
	case READ_NOTHING: break;
	}
	return true;
}

static int
open_policy(struct reading *r)
{
	const struct read_options *o = &r->options;
	struct read_policy_options policy = {
		.engine = r->engine,
		.conf = o->conf.conf,
		.input = o->policy,
		.output = o->policy_out,
		.attached = o->attached,
		.inside = o->inside_count > 0,
		.names = (const char *const *)r->names,
		.interfaces = r->interfaces,
		.no_hyperscan = o->modules.no_hyperscan,
	};

	return read_options_policies(o) ? read_policy_new(&policy, &r->policy) : 0;
}

static int
open_write(struct reading *r)
{
	if (!r->options.write)
		return 0;
	if (read_input_has(r->input, r->options.write)) {
		say_error("%s: is being read, and is not overwritten", r->options.write);
		return EXIT_FAILED;
	}
	if (r->select || r->policy) {
		r->write = read_write_new();
		return r->write ? 0 : EXIT_FAILED;
	}
	if (savefile_open(r->options.write, &r->save)) {
		say_error("%s: %s", r->options.write, strerror(errno));
		return EXIT_FAILED;
	}
	return 0;
}

static int
open_run(struct reading *r)
{
	struct read_run_options run = {
		.read = &r->options,
		.engine = r->engine,
		.input = r->input,
		.interfaces = r->interfaces,
		.write = r->write,
		.save = r->save,
		.policy = r->policy,
		.ended = ended,
		.value = value_found,
		.self = r,
	};
	enum barn_err err = read_run_new(&run, &r->run);

	if (err)
		say_error("%s", barn_strerror(err));
	return err ? EXIT_FAILED : 0;
}

/*
 * Whether there is so little to read that to compile Hyperscan's database takes longer than it
 * saves. The results are the same.
 */
static bool
is_short(const struct read_options *o)
{
	off_t bytes = 0;

	for (unsigned i = 0; i < o->path_count; i++) {
		struct stat st;

		if (stat(o->paths[i], &st) || !S_ISREG(st.st_mode))
			return false;
		bytes += st.st_size;
	}
	return bytes < SHORT_INPUT;
}

static int
open_all(const struct command *self, struct reading *r)
{
	int status;

	if (is_short(&r->options))
		r->options.modules.no_hyperscan = true;
	if (modules_load(&r->options.modules, &r->engine))
		return EXIT_FAILED;
	r->engine->shared->no_learned = r->options.no_learned;
	if (r->options.learned_file && !learned_file_read(r->options.learned_file, r->engine))
		return EXIT_FAILED;
	status = read_select_new(self, r->engine->registry, &r->options, &r->select);
	if (status)
		return status;
	r->input = read_input_new(&(struct read_input_options){
		.paths = r->options.paths,
		.count = r->options.path_count,
		.filter = r->options.filter,
		.command = self->name,
		.twice = r->options.write && (r->select || read_options_policies(&r->options)),
	});
	if (!r->input)
		return EXIT_FAILED;
	if (!name_interfaces(r) || !open_flows(r)) {
		say_error("out of memory");
		return EXIT_FAILED;
	}
	status = open_policy(r);
	if (!status)
		status = open_write(r);
	return status ? status : open_run(r);
}

static int
finish_write(struct reading *r, const struct read_run_result *result)
{
	uint64_t packets = result->packets;
	uint64_t flows = r->write && !r->policy ? r->selected : result->flows;
	int status = 0;

	if (r->policy && r->write) {
		status = read_policy_write(r->write, r->input, r->options.write, &packets);
	} else if (r->write) {
		status = read_write_flows(r->write, r->input, r->options.write, &packets);
	} else if (r->save) {
		if (savefile_close(r->save)) {
			say_error("%s: %s", r->options.write, strerror(errno));
			status = EXIT_FAILED;
		}
		r->save = NULL;
	}
	if (!status && r->options.write && strcmp(r->options.write, "-") != 0)
		fprintf(stderr, "barn: %ju packets of %ju flows written to %s\n",
			(uintmax_t)packets, (uintmax_t)flows, r->options.write);
	return status;
}

static void
print_table(const struct reading *r, const struct read_run_result *result, double seconds)
{
	struct read_table table = {
		.registry = r->engine->registry,
		.sum = result->sum,
		.rates = result->rates,
		.names = (const char *const *)r->names,
		.interfaces = r->interfaces,
		.top = r->options.top,
		.select = r->select,
		.span_ns = result->span_ns,
		.packets = result->packets,
		.flows = result->flows,
		.cuts = result->cuts,
		.limits = result->limits,
		.learned = result->learned,
		.seconds = seconds,
	};

	if (r->options.display == READ_TABLE_JSON) {
		read_table_json(&table);
	} else if (r->options.display == READ_TABLE) {
		read_table_print(&table);
		read_table_totals(&table);
	} else if (r->options.display == READ_POLICY_JSON) {
		read_policy_json(r->policy);
	} else if (r->options.display == READ_POLICY) {
		read_policy_print(r->policy);
	}
}

/* JSON has a member for it. */
static void
tell_cuts(const struct reading *r, uint64_t cuts)
{
	if (cuts && r->options.display != READ_TABLE_JSON)
		fprintf(stderr, "barn: expressions tried too much %ju times, and were cut\n",
			(uintmax_t)cuts);
}

static void
tell_faults(const struct read_run_result *result)
{
	if (result->faults)
		fprintf(stderr,
			"barn: inspectors broke their contract in %ju flows, that of %s among "
			"them\n",
			(uintmax_t)result->faults, result->faulty);
}

static int
read_all(struct reading *r)
{
	struct read_run_result result;
	int status, write_status;

	read_stop_catch();
	status = read_run(r->run);

	/* A table of zeros would look like an answer. */
	if (!status && read_input_failed(r->input))
		return EXIT_FAILED;
	if (r->flows && flows_close(r->flows)) {
		say_error("out of memory: flows are missing");
		status = status ? status : EXIT_FAILED;
	}
	r->flows = NULL;
	if (status)
		return status;
	result = read_run_result(r->run);
	result.cuts += read_select_cuts(r->select);
	if (r->options.learned && r->options.display == READ_TABLE_JSON)
		result.learned = read_learned_json(r->engine, result.last_ns);
	print_table(r, &result, progress_seconds(read_input_progress(r->input)));
	tell_cuts(r, result.cuts);
	tell_faults(&result);
	if (r->options.learned && r->options.display == READ_FLOWS_JSON)
		read_learned_line(r->engine, result.last_ns);
	else if (r->options.learned && r->options.display != READ_TABLE_JSON)
		read_learned_print(r->engine, result.last_ns);
	if (r->options.learned_file &&
	    !learned_file_write(r->options.learned_file, r->engine, result.last_ns))
		status = EXIT_FAILED;
	write_status = finish_write(r, &result);
	status = status ? status : write_status;
	return status ? status : read_input_damaged(r->input) ? EXIT_FAILED : 0;
}

static void
close_all(struct reading *r)
{
	read_run_free(r->run);
	read_policy_free(r->policy);
	if (r->flows)
		flows_drop(r->flows);
	if (r->save)
		savefile_drop(r->save);
	read_write_free(r->write);
	read_input_free(r->input);
	read_select_free(r->select);
	for (uint16_t i = 0; r->names && i < r->interfaces; i++)
		free(r->names[i]);
	free(r->names);
	barn_engine_free(r->engine);
	conf_file_fini(&r->options.conf);
	free(r);
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct reading *r = calloc(1, sizeof(*r));
	int status;

	if (!r) {
		say_error("out of memory");
		return EXIT_FAILED;
	}
	switch (read_options_parse(self, argc, argv, &r->options)) {
	case 0: status = open_all(self, r); break;
	case OPTIONS_HELP: free(r); return 0;
	default: free(r); return EXIT_USAGE;
	}
	if (!status)
		status = read_all(r);
	close_all(r);
	return status;
}

const struct command command_read = {
	.name = "read",
	.arguments = "[options] FILE...",
	.summary = "Classify captures, and print the discovery table or the flows",
	.text = text,
	.options = read_options_rows,
	.run = run,
};
