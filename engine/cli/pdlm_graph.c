/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/graph.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>

enum row { ALL, JSON, MODULE, CONF, MODULES, NO_NDPI, TEXT, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[ALL] = { "all", 'a', NULL, "Show protocols too that stand alone" },
	[JSON] = { "json", 0, NULL, "Print a JSON object with protocols and edges" },
	[MODULE] = { MODULES_ROW_FILE },
	[CONF] = { MODULES_ROW_CONF },
	[MODULES] = { MODULES_ROW_FOLDER },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	[TEXT] = { "text", 0, NULL, "Print a tree instead of Graphviz's language" },
	{ 0 },
};

struct job {
	const struct command *self;
	struct modules_list modules;
	struct barn_engine *engine;
	struct graph graph;
	const char *name; /* NULL: all */
	bool all, json, text;
};

static int
print(struct job *job)
{
	struct barn_engine *engine;

	if (modules_load(&job->modules.options, &engine))
		return EXIT_FAILED;
	job->engine = engine;
	if (graph_init(&job->graph, job->engine->modules)) {
		say_error("out of memory");
		return EXIT_FAILED;
	}
	if (!job->name) {
		graph_show_all(&job->graph, job->all);
	} else if (!graph_show(&job->graph, job->name)) {
		say_error("%s: no module has this name; 'barn pdlm list' has them", job->name);
		return EXIT_FAILED;
	}
	if (job->json)
		graph_print_json(&job->graph);
	else if (job->text)
		graph_print_text(&job->graph, job->name);
	else
		graph_print_dot(&job->graph);
	return 0;
}

static int
parse(const struct command *self, int argc, char **argv, struct job *job)
{
	const char *value;
	int row;

	while ((row = options_next(self, argc, argv, &value)) >= 0) {
		job->all |= row == ALL;
		job->json |= row == JSON;
		job->text |= row == TEXT;
		if (!modules_option(&job->modules, &rows[row], value))
			return EXIT_FAILED;
	}
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	if (job->json && job->text)
		return say_usage(self->name, "--json or --text");
	if (optind < argc)
		job->name = argv[optind++];
	if (optind < argc)
		return say_usage(self->name, "'%s' is too much", argv[optind]);
	return print(job);
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct job job = { .self = self };
	int status = parse(self, argc, argv, &job);

	graph_fini(&job.graph);
	barn_engine_free(job.engine);
	modules_fini(&job.modules);
	return status;
}

const struct command command_pdlm_graph = {
	.name = "pdlm graph",
	.arguments = "[options] [NAME]",
	.summary = "Show which protocols announce, hand over to, or carry others",
	.text = "In the language of Graphviz: barn pdlm graph | dot -Tsvg >modules.svg\n"
		"With NAME, only what leads to this protocol, and what it leads to.\n",
	.options = rows,
	.run = run,
};
