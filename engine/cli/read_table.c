/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_table.h"
#include "cli/json_out.h"
#include "cli/table.h"
#include "program/say.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The row of all, in place of a protocol's. */
static const uint16_t TOTAL = UINT16_MAX;

static struct table_row
row_of(const struct read_table *t, uint16_t iface, uint16_t protocol)
{
	struct table_row row = { .name = "Total" };

	if (protocol != TOTAL)
		row.name = registry_protocol(t->registry, protocol)->name;
	for (uint8_t dir = 0; dir < 2; dir++) {
		struct discovery_cell cell =
			protocol == TOTAL ? discovery_total(t->sum, iface, dir)
					  : *discovery_cell(t->sum, iface, dir, protocol);

		row.packets[dir] = cell.packets;
		row.bytes[dir] = cell.bytes;
		row.guessed_packets[dir] = cell.guessed_packets;
		row.guessed_bytes[dir] = cell.guessed_bytes;
		row.bps[dir] = rates_bps(t->rates, iface, dir, protocol);
		row.max_bps[dir] = rates_max_bps(t->rates, iface, dir, protocol);
	}
	return row;
}

/* Protocols with packets, in order, without those below the top. The caller frees them. */
static struct table_row *
rows_of(const struct read_table *t, uint16_t iface, unsigned *count)
{
	uint16_t protocols = registry_count(t->registry);
	struct table_row *rows = calloc(protocols, sizeof(*rows));

	*count = 0;
	for (uint16_t p = 0; rows && p < protocols; p++) {
		struct table_row row = row_of(t, iface, p);

		if ((row.packets[0] || row.packets[1]) &&
		    read_select_protocol(t->select, row.name))
			rows[(*count)++] = row;
	}
	if (!rows)
		say_error("out of memory: rows are missing");
	table_sort(rows, *count);
	if (t->top && *count > t->top)
		*count = t->top;
	return rows;
}

static struct table
table_of(const struct read_table *t, uint16_t iface, struct table_row **rows)
{
	struct table table = {
		.name = t->names[iface],
		.seconds = t->span_ns / 1000000000,
		.interval_s = RATES_INTERVAL_S,
		.lines = TABLE_LINES,
		.total = row_of(t, iface, TOTAL),
	};

	*rows = rows_of(t, iface, &table.count);
	table.rows = *rows;
	return table;
}

void
read_table_print(const struct read_table *t)
{
	for (uint16_t i = 0; i < t->interfaces; i++) {
		struct table_row *rows;
		struct table table = table_of(t, i, &rows);

		table_print(&table);
		free(rows);
	}
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
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_out_list(object, "interfaces");

	for (uint16_t i = 0; i < t->interfaces; i++) {
		struct table_row *rows;
		struct table table = table_of(t, i, &rows);

		json_object_array_add(list, table_json(&table));
		free(rows);
	}
	json_out_number(object, "packets", t->packets);
	json_out_number(object, "flows", t->flows);
	json_out_number(object, "cut_expressions", t->cuts);
	json_object_object_add(object, "limits", read_limits_json(&t->limits));
	if (t->learned)
		json_object_object_add(object, "learned", t->learned);
	add_seconds(object, "span", (double)t->span_ns / 1e9);
	add_seconds(object, "seconds", t->seconds);
	json_out_print(object);
}

void
read_table_totals(const struct read_table *t)
{
	struct discovery_cell all = { 0 }, unknown = { 0 };

	for (uint16_t i = 0; i < t->interfaces; i++)
		for (uint8_t dir = 0; dir < 2; dir++) {
			struct discovery_cell total = discovery_total(t->sum, i, dir);
			const struct discovery_cell *c = discovery_cell(t->sum, i, dir, 0);

			all.packets += total.packets;
			all.bytes += total.bytes;
			unknown.packets += c->packets;
			unknown.bytes += c->bytes;
		}
	putchar('\n');
	read_limits_print(&t->limits);
	printf(" %" PRIu64 " packets, %" PRIu64
	       " flows, unknown %.2f %% of packets and %.2f %% "
	       "of bytes, %.2f seconds, %.0f packets/s\n",
	       t->packets, t->flows,
	       100 * (double)unknown.packets / (double)(all.packets ? all.packets : 1),
	       100 * (double)unknown.bytes / (double)(all.bytes ? all.bytes : 1), t->seconds,
	       (double)t->packets / (t->seconds > 0 ? t->seconds : 1));
}
