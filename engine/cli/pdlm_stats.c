/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/meter.h"
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/walk.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum row { ALL, CONF, FILTER, JSON, MODULE, MODULES, NO_NDPI, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[ALL] = { "all", 'a', NULL, "List modules too that were never called" },
	[CONF] = { MODULES_ROW_CONF },
	[FILTER] = { "filter", 'f', "EXPRESSION",
		     "Read only packets that pass, as tcpdump(1)" },
	[JSON] = { "json", 0, NULL, "Print a JSON object" },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	{ 0 },
};

/* A module's part of the run. */
struct line {
	const struct protocol *protocol;
	uint64_t calls, ns;
	uint64_t matches; /* flows that were proven to be its, or to run over it */
	uint64_t guesses; /* flows that only their port or their server told of */
	uint64_t packets; /* sum, over the matches, of the number of the deciding packet */
	uint32_t first;   /* the least of these */
};

struct job {
	const struct command *self;
	struct modules_list modules;
	const char *filter;
	bool all, json;
	struct barn_engine *engine;
	struct meter *meter;
	struct line *lines; /* by the registry's numbers, then sorted */
	unsigned count;
	uint64_t flows, total_ns;
};

static uint64_t
now(void *self)
{
	struct timespec t;

	(void)self;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

static void
credit(struct job *job, const char *name, const struct barn_flow_info *info)
{
	uint16_t number = registry_find(job->engine->registry, name);
	struct line *line = &job->lines[number];
	bool guess =
		strcmp(info->evidence, "port") == 0 || strcmp(info->evidence, "learned") == 0;

	if (number == 0)
		return;
	if (guess) {
		line->guesses++;
		return;
	}
	line->matches++;
	line->packets += info->decided_at;
	if (!line->first || info->decided_at < line->first)
		line->first = info->decided_at;
}

/* Both the application and what it runs over: one found the other's name. */
static void
flow_ended(void *self, const struct barn_flow *flow)
{
	struct job *job = self;
	struct barn_flow_info info;

	barn_flow_info(flow, &info);
	job->flows++;
	if (strcmp(info.evidence, "none") == 0)
		return;
	credit(job, info.protocol, &info);
	for (unsigned i = 0; i < info.stack_len; i++)
		if (strcmp(info.stack[i], info.protocol) != 0)
			credit(job, info.stack[i], &info);
}

static int
by_time(const void *a, const void *b)
{
	const struct line *one = a, *other = b;

	if (one->ns != other->ns)
		return one->ns < other->ns ? 1 : -1;
	if (one->matches != other->matches)
		return one->matches < other->matches ? 1 : -1;
	return strcmp(one->protocol->name, other->protocol->name);
}

/* The registry's lines become those that are shown, the dearest first. */
static void
sort_lines(struct job *job)
{
	const struct registry *registry = job->engine->registry;
	uint16_t count = registry_count(registry);
	struct meter_sum sum = meter_sum(job->meter);

	job->total_ns = sum.ndpi_ns;
	for (uint16_t i = 1; i < count; i++) {
		struct line line = job->lines[i];

		line.protocol = registry_protocol(registry, i);
		line.calls = meter_cell(job->meter, i)->calls;
		line.ns = meter_ns(job->meter, i);
		job->total_ns += line.ns;
		if (line.calls || line.matches || line.guesses ||
		    (job->all && line.protocol->module))
			job->lines[job->count++] = line;
	}
	qsort(job->lines, job->count, sizeof(*job->lines), by_time);
}

static double
share(const struct job *job, uint64_t ns)
{
	return job->total_ns ? 100.0 * (double)ns / (double)job->total_ns : 0;
}

static void
print_line(const struct job *job, const struct line *line)
{
	printf("%-20s %9" PRIu64 " %9" PRIu64 " %9" PRIu64, line->protocol->name, line->calls,
	       line->matches, line->guesses);
	if (line->matches)
		printf(" %7u %7.1f", line->first,
		       (double)line->packets / (double)line->matches);
	else
		printf(" %7s %7s", "-", "-");
	printf(" %11.1f %6.1f%%\n", (double)line->ns / 1000, share(job, line->ns));
}

static void
print_text(const struct job *job)
{
	struct meter_sum sum = meter_sum(job->meter);

	printf("%-20s %9s %9s %9s %7s %7s %11s %7s\n", "PROTOCOL", "CALLS", "MATCHES",
	       "GUESSES", "FIRST", "AVERAGE", "TIME us", "SHARE");
	for (unsigned i = 0; i < job->count; i++)
		print_line(job, &job->lines[i]);
	printf("%-20s %9" PRIu64 " %9s %9s %7s %7s %11.1f %6.1f%%\n", "(nDPI)", sum.ndpi_calls,
	       "-", "-", "-", "-", (double)sum.ndpi_ns / 1000, share(job, sum.ndpi_ns));
	printf("\n%" PRIu64 " flows; rules were asked %" PRIu64
	       " times, in %.1f us; all of it %.1f us\n",
	       job->flows, sum.asked, (double)sum.rules_ns / 1000,
	       (double)job->total_ns / 1000);
}

static struct json_object *
object_of(const struct job *job, const struct line *line)
{
	struct json_object *object = json_object_new_object();

	json_out_string(object, "protocol", line->protocol->name);
	json_out_number(object, "calls", line->calls);
	json_out_number(object, "matches", line->matches);
	json_out_number(object, "guesses", line->guesses);
	if (line->matches) {
		json_out_number(object, "first_packet", line->first);
		json_object_object_add(
			object, "average_packet",
			json_object_new_double((double)line->packets / (double)line->matches));
	}
	json_out_number(object, "time_ns", line->ns);
	json_object_object_add(object, "share_percent",
			       json_object_new_double(share(job, line->ns)));
	return object;
}

static void
print_json(const struct job *job)
{
	struct json_object *object = json_object_new_object(), *protocols;
	struct meter_sum sum = meter_sum(job->meter);

	json_out_number(object, "flows", job->flows);
	json_out_number(object, "time_ns", job->total_ns);
	json_out_number(object, "rules_asked", sum.asked);
	json_out_number(object, "rules_ns", sum.rules_ns);
	json_out_number(object, "ndpi_calls", sum.ndpi_calls);
	json_out_number(object, "ndpi_ns", sum.ndpi_ns);
	protocols = json_out_list(object, "protocols");
	for (unsigned i = 0; i < job->count; i++)
		json_object_array_add(protocols, object_of(job, &job->lines[i]));
	json_out_print(object);
}

static int
run_all(struct job *job, const char *const *paths, unsigned count)
{
	const struct meter_clock clock = { .now_ns = now };
	struct walk_options options = {
		.command = job->self->name,
		.paths = paths,
		.count = count,
		.filter = job->filter,
		.ended = flow_ended,
		.self = job,
	};
	uint64_t frames;
	int status;

	if (modules_load(&job->modules.options, &job->engine))
		return EXIT_FAILED;
	job->lines = calloc(METER_PROTOCOLS, sizeof(*job->lines));
	if (!job->lines || meter_new(&clock, &job->meter)) {
		say_error("out of memory");
		return EXIT_FAILED;
	}
	options.engine = job->engine;
	options.meter = job->meter;
	status = walk(&options, &frames);
	if (status && !frames)
		return status;
	sort_lines(job);
	if (job->json)
		print_json(job);
	else
		print_text(job);
	return status;
}

static int
parse(const struct command *self, int argc, char **argv, struct job *job)
{
	const char *value;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0) {
		job->all |= row == ALL;
		job->json |= row == JSON;
		if (row == FILTER)
			job->filter = value;
		if (!modules_option(&job->modules, &rows[row], value))
			return EXIT_FAILED;
	}
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (optind == argc)
		return say_usage(self->name, "no capture file");
	return run_all(job, (const char *const *)argv + optind, (unsigned)(argc - optind));
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct job job = { .self = self };
	int status = parse(self, argc, argv, &job);

	free(job.lines);
	meter_free(job.meter);
	barn_engine_free(job.engine);
	modules_fini(&job.modules);
	return status;
}

const struct command command_pdlm_stats = {
	.name = "pdlm stats",
	.arguments = "[options] CAPTURE...",
	.summary = "Tell what each module costs and finds over captures",
	.text = "For each protocol: how often its inspector or a rule was called, the flows "
		"that\n"
		"were proven or guessed to be its, with which packet, and its share of the "
		"time.\n",
	.options = rows,
	.run = run,
};
