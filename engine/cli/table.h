/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

/*
 * The discovery table of an interface on standard output, in the columns of NBAR's, which
 * scripts parse, or as JSON: of captures (read_table) and of a daemon (show_discovery). Pairs
 * are of directions, input and output.
 */

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

struct table_row {
	const char *name;
	uint64_t packets[2], bytes[2];
	uint64_t guessed_packets[2], guessed_bytes[2]; /* of these */
	uint64_t bps[2], max_bps[2];
};

/* The lines of a row that are printed. */
enum table_line {
	TABLE_PACKETS = 1,
	TABLE_BYTES = 2,
	TABLE_BPS = 4,
	TABLE_MAX_BPS = 8,
	TABLE_LINES = 15,
};

struct table {
	const char *name;             /* of the interface */
	uint64_t seconds;             /* since its counters began */
	uint32_t interval_s;          /* of the bit rates */
	unsigned lines;               /* enum table_line, together */
	const struct table_row *rows; /* sorted */
	unsigned count;
	struct table_row total;
};

/* NBAR's order: bit rate, then bytes; then by name, so that it is always the same. */
void table_sort(struct table_row *rows, unsigned count);

void table_print(const struct table *table);

/* {"name", "protocols", "total"} */
struct json_object *table_json(const struct table *table);

#endif
