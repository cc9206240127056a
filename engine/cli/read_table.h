/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_TABLE_H
#define CLI_READ_TABLE_H

/*
 * What was counted in captures, as discovery tables on standard output, an interface after the
 * other, or as JSON (table.schema.json).
 */

#include "cli/read_limits.h"
#include "cli/read_select.h"
#include "discovery/discovery.h"

struct read_table {
	const struct registry *registry;
	const struct discovery *sum;
	const struct rates *rates;
	const char *const *names; /* of the interfaces */
	uint16_t interfaces;
	uint32_t top; /* rows of an interface; 0: all */
	const struct read_select *select;
	uint64_t span_ns; /* of the packets' times */
	uint64_t packets, flows;
	uint64_t cuts; /* expressions that tried too much */
	struct read_limits limits;
	struct json_object *learned; /* for JSON, which takes it; NULL: not asked for */
	double seconds;              /* that it took */
};

void read_table_print(const struct read_table *table);
void read_table_json(const struct read_table *table);

/* The last lines: what the bounds cost, if they did; packets, flows, what is unknown, and how
 * long it took. */
void read_table_totals(const struct read_table *table);

#endif
