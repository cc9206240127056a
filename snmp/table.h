/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_TABLE_H
#define SNMP_TABLE_H

/*
 * MIB modules as tables of columns: object identifiers, types, access and getters stand here
 * and nowhere else. Knows nothing of net-snmp, so that tests walk a module without an agent.
 *
 *	module root ─ table (its entry's sub-identifiers) ─ column ─ index
 *
 * A scalar is a table with one row, whose index is 0. Columns are in the order of their
 * sub-identifiers and tables in the order of their entries', so a walk is in the order of
 * identifiers; tests/unit/snmp_table.c holds the tables to that.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TABLE_OID_MAX = 128, TABLE_ENTRY_MAX = 4, TABLE_INDEX_MAX = 3 };

enum value_type {
	VALUE_INTEGER,
	VALUE_UNSIGNED,
	VALUE_COUNTER32,
	VALUE_COUNTER64,
	VALUE_TICKS,
	VALUE_TEXT,
};

/* A text stays until the next refresh of the view. */
struct value {
	enum value_type type;
	uint64_t number;
	const char *text;
};

enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_CREATE };

/* What a table found: whose counters, and what else its getters ask. */
struct row {
	const void *of, *part;
	uint32_t number;
};

struct view;
struct column;

/* False: there is no such instance, as of a column that was not set yet. The type is set, the
 * number is 0 and the text empty before; a 32-bit type keeps the number's low 32 bits. */
typedef bool (*column_get)(const struct view *view, const struct column *column,
			   const struct row *row, struct value *value);

struct column {
	uint32_t sub;
	enum value_type type;
	enum access access;
	column_get get;
	uint32_t low, high; /* what may be written */
	size_t offset;      /* of a member in what the row is of, for getters that ask it */
};

struct table {
	const char *name; /* of its entry, in the MIB module */
	uint32_t entry[TABLE_ENTRY_MAX];
	unsigned entry_length, index_length;
	const struct column *columns;
	unsigned column_count;
	/* The row with the smallest index that is not below `index`, which becomes its. */
	bool (*seek)(struct view *view, uint32_t *index, struct row *row);
};

struct mib {
	const char *name;
	uint32_t root[TABLE_OID_MAX / 8];
	unsigned root_length;
	const struct table *const *tables;
	unsigned table_count;
};

struct table_oid {
	uint32_t sub[TABLE_OID_MAX];
	unsigned length;
};

int table_compare(const uint32_t *a, unsigned a_length, const uint32_t *b, unsigned b_length);

enum table_found { TABLE_FOUND, TABLE_NO_OBJECT, TABLE_NO_INSTANCE };

/* The instance of this identifier. */
enum table_found table_get(const struct mib *mib, struct view *view,
			   const struct table_oid *oid, struct value *value);

/* The first instance behind this identifier, which becomes its. False: there is none. */
bool table_next(const struct mib *mib, struct view *view, struct table_oid *oid,
		struct value *value);

/* An identifier's table, column and index, of the right length; NULL where it is none. */
const struct column *table_column(const struct mib *mib, const struct table_oid *oid,
				  const struct table **table, const uint32_t **index,
				  unsigned *index_length);

/* The identifier of an instance. */
void table_oid(const struct mib *mib, const struct table *table, uint32_t sub,
	       const uint32_t *index, struct table_oid *oid);

#endif
