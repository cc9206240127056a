/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "program/conf_file.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum row { CONF, MODULE, MODULES, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[CONF] = { MODULES_ROW_CONF },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	{ 0 },
};

static const struct word_row words[] = {
	{ "", "PROTOCOL", "Its ports alone", NULL },
	{ 0 },
};

static int
compare_names(const void *left, const void *right)
{
	const struct pdl_protocol *a = *(const struct pdl_protocol *const *)left;
	const struct pdl_protocol *b = *(const struct pdl_protocol *const *)right;

	return strcmp(a->name, b->name);
}

/* As a router prints it, with the blank at the end. */
static void
print_line(const struct pdl_protocol *m, uint8_t transport, const char *name)
{
	unsigned printed = 0;

	for (unsigned i = 0; i < m->port_count; i++) {
		const struct pdl_port *port = &m->ports[i];

		if (port->transport != transport)
			continue;
		if (!printed++)
			printf("port-map %-8s %s ", m->name, name);
		if (port->low == port->high)
			printf("%u ", port->low);
		else
			printf("range %u %u ", port->low, port->high);
	}
	if (printed)
		putchar('\n');
}

static bool
print_maps(const struct pdl_set *set, const char *name)
{
	size_t count = pdl_set_count(set);
	const struct pdl_protocol **modules =
		calloc(count + 1, sizeof(const struct pdl_protocol *));
	bool found = !name;

	if (!modules) {
		say_error("out of memory");
		return false;
	}
	for (size_t i = 0; i < count; i++)
		modules[i] = pdl_set_at(set, i);
	qsort(modules, count, sizeof(const struct pdl_protocol *), compare_names);
	for (size_t i = 0; i < count; i++) {
		if (name && strcmp(modules[i]->name, name) != 0)
			continue;
		found = true;
		print_line(modules[i], PDL_UDP, "udp");
		print_line(modules[i], PDL_TCP, "tcp");
		print_line(modules[i], PDL_SCTP, "sctp");
	}
	free(modules);
	if (!found)
		say_error("no such protocol: %s", name);
	return found;
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct modules_list modules = { .options.no_ndpi = true };
	struct barn_engine *engine = NULL;
	const char *value;
	int row, status = EXIT_FAILED;

	while ((row = options_next(self, argc, argv, &value)) >= 0)
		if (!modules_option(&modules, &rows[row], value))
			break;
	if (row != OPTIONS_END)
		status = row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	else if (optind + 1 < argc)
		status = say_usage(self->name, "'%s' is too much", argv[optind + 1]);
	else if (!modules_load(&modules.options, &engine))
		status = print_maps(engine->modules, argv[optind]) ? 0 : EXIT_FAILED;
	barn_engine_free(engine);
	modules_fini(&modules);
	return status;
}

const struct command command_show_port_map = {
	.name = "show port-map",
	.arguments = "[options] [NAME]",
	.summary = "The ports of the protocols, or of one",
	.options = rows,
	.words = words,
	.run = run,
};
