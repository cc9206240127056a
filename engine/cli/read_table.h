/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_TABLE_H
#define CLI_READ_TABLE_H

/*
 * The discovery table on standard output, an interface after the other: in the columns of
 * NBAR's, which scripts parse, or as JSON (table.schema.json).
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

/* An interface's rows: protocols with packets, in order. */
struct read_table_row {
	const char *name;
	uint16_t protocol;
	struct discovery_cell cell[2]; /* by enum packet_dir */
	uint64_t bps[2], max_bps[2];
};

/* The caller frees them. NULL: no memory. *count is without those below the top. */
struct read_table_row *read_table_rows(const struct read_table *table, uint16_t iface,
				       unsigned *count);
struct read_table_row read_table_total(const struct read_table *table, uint16_t iface);

#endif
