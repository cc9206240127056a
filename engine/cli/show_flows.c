/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/ask.h"
#include "cli/commands.h"
#include "cli/flow_lines.h"
#include "cli/words.h"
#include "program/say.h"
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum row { CONTROL, JSON, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[CONTROL] = { ASK_ROW },
	[JSON] = { "json", 0, NULL, "Print a JSON object" },
	{ 0 },
};

enum word { PROTOCOL, HOST, TOP, WORDS };

static const struct word_row words[WORDS + 1] = {
	[PROTOCOL] = { "protocol", "PROTOCOL", "Of this protocol, and what runs over it",
		       NULL },
	[HOST] = { "host", "ADDRESS", "From or to this address", NULL },
	[TOP] = { "top", "N", "The N largest, 20 if it is not given", NULL },
	{ 0 },
};

/* Columns of text, of which the last is as long as it is. */
enum column { CLIENT, SERVER, STACK, PACKETS, BYTES, BY, FIELDS, COLUMNS };

static const char *const heads[COLUMNS] = { "CLIENT", "SERVER", "PROTOCOL", "PACKETS",
					    "BYTES",  "BY",     "FIELDS" };

struct line {
	char *cell[COLUMNS];
};

struct listing {
	struct line *lines;
	size_t count, room;
	int width[COLUMNS];
	bool failed;
};

static char *
pair(struct json_object *flow, const char *name)
{
	char text[48];

	snprintf(text, sizeof(text), "%" PRIu64 "+%" PRIu64, flow_lines_count(flow, name, 0),
		 flow_lines_count(flow, name, 1));
	return strdup(text);
}

static void
add_line(struct listing *l, const struct line *line)
{
	if (l->count == l->room) {
		size_t room = l->room ? 2 * l->room : 64;
		struct line *grown = realloc(l->lines, room * sizeof(*grown));

		if (!grown) {
			l->failed = true;
			for (unsigned c = 0; c < COLUMNS; c++)
				free(line->cell[c]);
			return;
		}
		l->lines = grown;
		l->room = room;
	}
	l->lines[l->count++] = *line;
	for (unsigned c = 0; c < COLUMNS; c++) {
		int width = line->cell[c] ? (int)strlen(line->cell[c]) : 0;

		l->failed |= !line->cell[c];
		if (l->width[c] < width)
			l->width[c] = width;
	}
}

static void
list_flow(void *self, struct json_object *flow)
{
	const char *by = flow_lines_string(flow, "by");
	struct line line = { {
		[CLIENT] = flow_lines_endpoint(flow, "client"),
		[SERVER] = flow_lines_endpoint(flow, "server"),
		[STACK] = flow_lines_stack(flow),
		[PACKETS] = pair(flow, "packets"),
		[BYTES] = pair(flow, "bytes"),
		[BY] = strdup(*by ? by : "-"),
		[FIELDS] = flow_lines_fields(flow),
	} };

	add_line(self, &line);
}

static void
print_line(const struct listing *l, const char *const *cell)
{
	for (unsigned c = 0; c < COLUMNS; c++) {
		bool right = c == PACKETS || c == BYTES, last = c == COLUMNS - 1;

		printf("%*s%s",
		       last    ? 0
		       : right ? l->width[c]
			       : -l->width[c],
		       cell[c], last ? "\n" : "  ");
	}
}

static int
print_text(const char *path, const char *const *asked, unsigned count)
{
	struct listing l = { 0 };
	int status;

	for (unsigned c = 0; c < COLUMNS; c++)
		l.width[c] = (int)strlen(heads[c]);
	status = flow_lines_ask(path, asked, count, list_flow, &l);
	if (!status && l.failed) {
		say_error("out of memory");
		status = EXIT_FAILED;
	}
	if (!status)
		print_line(&l, heads);
	for (size_t i = 0; i < l.count; i++) {
		if (!status)
			print_line(&l, (const char *const *)l.lines[i].cell);
		for (unsigned c = 0; c < COLUMNS; c++)
			free(l.lines[i].cell[c]);
	}
	free(l.lines);
	return status;
}

static void
keep_flow(void *self, struct json_object *flow)
{
	json_object_array_add(self, json_object_get(flow));
}

/* One document, a line a flow. */
static int
print_json(const char *path, const char *const *asked, unsigned count)
{
	struct json_object *list = json_object_new_array();
	int status = flow_lines_ask(path, asked, count, keep_flow, list);
	size_t length = json_object_array_length(list);

	if (!status)
		puts("{ \"flows\": [");
	for (size_t i = 0; !status && i < length; i++)
		printf("%s%s\n",
		       json_object_to_json_string_ext(json_object_array_get_idx(list, i),
						      JSON_C_TO_STRING_PLAIN |
							      JSON_C_TO_STRING_NOSLASHESCAPE),
		       i + 1 < length ? "," : "");
	if (!status)
		puts("] }");
	json_object_put(list);
	return status;
}

static int
run(const struct command *self, int argc, char **argv)
{
	const char *path = NULL, *value, *asked[2 * WORDS];
	struct words w = { .command = self };
	unsigned count = 0;
	bool json = false;
	int row, word;

	while ((row = options_next(self, argc, argv, &value)) >= 0) {
		json |= row == JSON;
		if (row == CONTROL)
			path = value;
	}
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	w.argv = argv + optind;
	while ((word = words_next(&w, &value)) >= 0) {
		asked[count++] = words[word].name;
		asked[count++] = value;
	}
	if (word != OPTIONS_END)
		return EXIT_USAGE;
	return json ? print_json(path, asked, count) : print_text(path, asked, count);
}

const struct command command_show_flows = {
	.name = "show flows",
	.arguments = "[protocol PROTOCOL] [host ADDRESS] [top N] [options]",
	.summary = "The flows that are in the daemon's tables, the largest first",
	.options = rows,
	.words = words,
	.run = run,
};
