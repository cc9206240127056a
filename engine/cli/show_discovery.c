/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/commands.h"
#include "cli/counters.h"
#include "cli/json_out.h"
#include "cli/table.h"
#include "cli/words.h"
#include "program/say.h"
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum row { STATS, JSON, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[STATS] = { COUNTERS_ROW },
	[JSON] = { "json", 0, NULL, "Print a JSON object" },
	{ 0 },
};

enum word { INTERFACE, LINE, PROTOCOL, TOP, WORDS };

static const char *const lines[] = {
	"byte-count", "bit-rate", "packet-count", "max-bit-rate", NULL,
};

static const unsigned line_bits[] = {
	TABLE_BYTES,
	TABLE_BPS,
	TABLE_PACKETS,
	TABLE_MAX_BPS,
};

static const struct word_row words[WORDS + 1] = {
	[INTERFACE] = { "interface", "INTERFACE", "Of this interface alone", NULL },
	[LINE] = { "stats", "KIND", "Counts of this kind alone", lines },
	[PROTOCOL] = { "protocol", "PROTOCOL", "Of this protocol alone", NULL },
	[TOP] = { "top-n", "N", "The first N protocols", NULL },
	{ 0 },
};

struct discovery_options {
	const char *stats, *interface, *protocol;
	unsigned lines, top;
	bool json;
};

static struct table_row
row_of(const char *name, const struct barn_stats_row *from)
{
	struct table_row row = { .name = name };

	for (unsigned dir = 0; dir < 2; dir++) {
		row.packets[dir] = from->packets[dir];
		row.bytes[dir] = from->bytes[dir];
		row.guessed_packets[dir] = from->guessed_packets[dir];
		row.guessed_bytes[dir] = from->guessed_bytes[dir];
		row.bps[dir] = from->bps[dir];
		row.max_bps[dir] = from->max_bps[dir];
	}
	return row;
}

/* All that is shown of one interface after the other is kept in these. */
struct room {
	struct barn_stats *stats;
	uint32_t protocols;
	uint32_t protocol; /* the one that is wanted; UINT32_MAX: all */
	char (*names)[64];
	struct barn_stats_row *from; /* the total, then by protocol */
	struct table_row *rows;
};

static bool
open_room(struct room *room)
{
	struct barn_stats_protocol protocol;
	uint32_t count = barn_stats_count(room->stats, BARN_STATS_PROTOCOLS);

	room->protocols = count;
	room->names = calloc(count + 1, sizeof(*room->names));
	room->from = calloc(count + 1, sizeof(*room->from));
	room->rows = calloc(count + 1, sizeof(*room->rows));
	if (!room->names || !room->from || !room->rows) {
		say_error("out of memory");
		return false;
	}
	for (uint32_t i = 0; i < count; i++)
		if (!barn_stats_protocol(room->stats, i, &protocol))
			memcpy(room->names[i], protocol.name, sizeof(room->names[i]));
	return true;
}

static void
close_room(struct room *room)
{
	free(room->names);
	free(room->from);
	free(room->rows);
}

static unsigned
take_rows(struct room *room)
{
	unsigned count = 0;

	for (uint32_t p = 0; p < room->protocols; p++) {
		const struct barn_stats_row *from = &room->from[p + 1];
		bool wanted = room->protocol == UINT32_MAX
				      ? from->packets[0] || from->packets[1]
				      : room->protocol == p;

		if (wanted)
			room->rows[count++] = row_of(room->names[p], from);
	}
	table_sort(room->rows, count);
	return count;
}

/* False: the interface is gone. */
static bool
table_of(struct room *room, const struct discovery_options *o, uint32_t number,
	 struct barn_stats_interface *interface, struct table *table)
{
	bool whole;

	if (barn_stats_read_interface(room->stats, number, interface, sizeof(*interface),
				      room->from, sizeof(*room->from), room->protocols + 1,
				      &whole))
		return false;
	*table = (struct table){
		.name = interface->name,
		.seconds = counters_since(interface->cleared_ns),
		.interval_s = interface->load_interval_s ? interface->load_interval_s : 300,
		.lines = o->lines,
		.rows = room->rows,
		.count = take_rows(room),
		.total = row_of("Total", &room->from[0]),
	};
	if (o->top && table->count > o->top)
		table->count = o->top;
	return true;
}

static struct json_object *
json_of(const struct table *table, const struct barn_stats_interface *interface)
{
	struct json_object *object = table_json(table);

	json_out_number(object, "ifindex", interface->ifindex);
	json_out_bool(object, "enabled", interface->enabled);
	json_out_number(object, "load_interval", table->interval_s);
	json_out_number(object, "seconds", table->seconds);
	return object;
}

static int
print(struct room *room, const struct discovery_options *o, uint32_t only)
{
	struct json_object *object = o->json ? json_object_new_object() : NULL;
	struct json_object *list = o->json ? json_out_list(object, "interfaces") : NULL;
	uint32_t count = barn_stats_count(room->stats, BARN_STATS_INTERFACES);

	for (uint32_t i = 0; i < count; i++) {
		struct barn_stats_interface interface;
		struct table table;

		if ((only != UINT32_MAX && only != i) ||
		    !table_of(room, o, i, &interface, &table))
			continue;
		if (o->json)
			json_object_array_add(list, json_of(&table, &interface));
		else if (interface.enabled || only == i)
			table_print(&table);
	}
	if (o->json)
		json_out_print(object);
	return 0;
}

static int
show(const struct discovery_options *o)
{
	struct room room = { .stats = counters_open(o->stats), .protocol = UINT32_MAX };
	uint32_t only = UINT32_MAX;
	int status = EXIT_FAILED;

	if (!room.stats)
		return EXIT_FAILED;
	if (o->interface)
		only = counters_interface(room.stats, o->interface);
	if (o->protocol)
		room.protocol = counters_protocol(room.stats, o->protocol);
	if (o->protocol && room.protocol == UINT32_MAX)
		say_error("no such protocol: %s", o->protocol);
	else if ((!o->interface || only != UINT32_MAX) && open_room(&room))
		status = print(&room, o, only);
	close_room(&room);
	barn_stats_close(room.stats);
	return status;
}

static int
take_word(const struct command *self, struct discovery_options *o, int word, const char *value)
{
	char *end;
	unsigned long n;

	switch ((enum word)word) {
	case INTERFACE: o->interface = value; break;
	case PROTOCOL: o->protocol = value; break;
	case LINE:
		for (unsigned i = 0; lines[i]; i++)
			if (lines[i] == value)
				o->lines = line_bits[i];
		break;
	case TOP:
		n = strtoul(value, &end, 10);
		if (*end || n < 1 || n > UINT16_MAX)
			return say_usage(self->name, "top-n %s: expected a number from 1 on",
					 value);
		o->top = (unsigned)n;
		break;
	case WORDS: break;
	}
	return 0;
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct discovery_options o = { .lines = TABLE_LINES };
	struct words w = { .command = self };
	const char *value;
	int row, word;

	while ((row = options_next(self, argc, argv, &value)) >= 0) {
		o.json |= row == JSON;
		if (row == STATS)
			o.stats = value;
	}
	if (row != OPTIONS_END)
		return row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	w.argv = argv + optind;
	while ((word = words_next(&w, &value)) >= 0)
		if (take_word(self, &o, word, value))
			return EXIT_USAGE;
	return word == OPTIONS_END ? show(&o) : EXIT_USAGE;
}

const struct command command_show_discovery = {
	.name = "show protocol-discovery",
	.arguments =
		"[interface INTERFACE] [stats KIND] [protocol PROTOCOL | top-n N] [options]",
	.summary = "What each interface carries, by protocol",
	.options = rows,
	.words = words,
	.run = run,
};
