/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_table.h"
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>

static void
add_number(struct json_object *object, const char *name, uint64_t value)
{
	json_object_object_add(object, name, json_object_new_uint64(value));
}

static struct json_object *
side(const struct read_table_row *row, unsigned dir)
{
	struct json_object *object = json_object_new_object();
	const struct discovery_cell *cell = &row->cell[dir];

	add_number(object, "packets", cell->packets);
	add_number(object, "bytes", cell->bytes);
	add_number(object, "bit_rate", row->bps[dir]);
	add_number(object, "max_bit_rate", row->max_bps[dir]);
	add_number(object, "guessed_packets", cell->guessed_packets);
	add_number(object, "guessed_bytes", cell->guessed_bytes);
	return object;
}

static struct json_object *
row_of(const struct read_table_row *row)
{
	struct json_object *object = json_object_new_object();

	if (row->protocol != UINT16_MAX)
		json_object_object_add(object, "protocol", json_object_new_string(row->name));
	json_object_object_add(object, "input", side(row, PACKET_IN));
	json_object_object_add(object, "output", side(row, PACKET_OUT));
	return object;
}

static struct json_object *
interface(const struct read_table *t, uint16_t iface)
{
	struct json_object *object = json_object_new_object(), *array = json_object_new_array();
	struct read_table_row total = read_table_total(t, iface);
	unsigned count;
	struct read_table_row *rows = read_table_rows(t, iface, &count);

	for (unsigned i = 0; i < count; i++)
		json_object_array_add(array, row_of(&rows[i]));
	free(rows);
	json_object_object_add(object, "name", json_object_new_string(t->names[iface]));
	json_object_object_add(object, "protocols", array);
	json_object_object_add(object, "total", row_of(&total));
	return object;
}

/* json-c prints a double with 17 digits unless it is told how. */
static void
add_seconds(struct json_object *object, const char *name, double seconds)
{
	char text[32];

	snprintf(text, sizeof(text), "%.6f", seconds);
	json_object_object_add(object, name, json_object_new_double_s(seconds, text));
}

void
read_table_json(const struct read_table *t)
{
	struct json_object *object = json_object_new_object(), *array = json_object_new_array();

	for (uint16_t i = 0; i < t->interfaces; i++)
		json_object_array_add(array, interface(t, i));
	json_object_object_add(object, "interfaces", array);
	add_number(object, "packets", t->packets);
	add_number(object, "flows", t->flows);
	add_number(object, "cut_expressions", t->cuts);
	json_object_object_add(object, "limits", read_limits_json(&t->limits));
	if (t->learned)
		json_object_object_add(object, "learned", t->learned);
	add_seconds(object, "span", (double)t->span_ns / 1e9);
	add_seconds(object, "seconds", t->seconds);
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
							    JSON_C_TO_STRING_SPACED |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}
