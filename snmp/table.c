/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/table.h"

#include <string.h>

int
table_compare(const uint32_t *a, unsigned a_length, const uint32_t *b, unsigned b_length)
{
	unsigned n = a_length < b_length ? a_length : b_length;

	for (unsigned i = 0; i < n; i++)
		if (a[i] != b[i])
			return a[i] < b[i] ? -1 : 1;
	return (a_length > b_length) - (a_length < b_length);
}

static bool
get(const struct view *view, const struct column *column, const struct row *row,
    struct value *value)
{
	*value = (struct value){ .type = column->type, .text = "" };
	if (!column->get(view, column, row, value))
		return false;
	if (value->type != VALUE_COUNTER64)
		value->number = (uint32_t)value->number;
	return true;
}

const struct column *
table_column(const struct mib *mib, const struct table_oid *oid, const struct table **table,
	     const uint32_t **index, unsigned *index_length)
{
	const uint32_t *sub = oid->sub + mib->root_length;
	unsigned length = oid->length - mib->root_length;

	if (oid->length < mib->root_length ||
	    memcmp(oid->sub, mib->root, mib->root_length * sizeof(oid->sub[0])) != 0)
		return NULL;
	for (unsigned t = 0; t < mib->table_count; t++) {
		const struct table *at = mib->tables[t];

		if (length <= at->entry_length ||
		    memcmp(sub, at->entry, at->entry_length * sizeof(*sub)) != 0)
			continue;
		for (unsigned c = 0; c < at->column_count; c++) {
			if (at->columns[c].sub != sub[at->entry_length])
				continue;
			*table = at;
			*index = sub + at->entry_length + 1;
			*index_length = length - at->entry_length - 1;
			return &at->columns[c];
		}
	}
	return NULL;
}

enum table_found
table_get(const struct mib *mib, struct view *view, const struct table_oid *oid,
	  struct value *value)
{
	const struct table *table;
	const uint32_t *index;
	uint32_t found[TABLE_INDEX_MAX] = { 0 };
	struct row row = { 0 };
	unsigned length;
	const struct column *column = table_column(mib, oid, &table, &index, &length);

	if (!column)
		return TABLE_NO_OBJECT;
	if (length != table->index_length)
		return TABLE_NO_INSTANCE;
	memcpy(found, index, length * sizeof(*index));
	if (!table->seek(view, found, &row) || table_compare(found, length, index, length) != 0)
		return TABLE_NO_INSTANCE;
	return get(view, column, &row, value) ? TABLE_FOUND : TABLE_NO_INSTANCE;
}

void
table_oid(const struct mib *mib, const struct table *table, uint32_t sub, const uint32_t *index,
	  struct table_oid *oid)
{
	unsigned n = mib->root_length;

	memcpy(oid->sub, mib->root, n * sizeof(*oid->sub));
	memcpy(oid->sub + n, table->entry, table->entry_length * sizeof(*oid->sub));
	n += table->entry_length;
	oid->sub[n++] = sub;
	memcpy(oid->sub + n, index, table->index_length * sizeof(*oid->sub));
	oid->length = n + table->index_length;
}

/* The next index in order; false: it was the last that can be. */
static bool
count_up(uint32_t *index, unsigned length)
{
	while (length > 0)
		if (++index[--length] != 0)
			return true;
	return false;
}

/*
 * The smallest index behind `rest`, what an identifier has behind its column: a shorter one is
 * before all that it begins, a longer one behind the index that it begins with.
 */
static bool
start_behind(const uint32_t *rest, unsigned length, unsigned wanted, uint32_t *index)
{
	memset(index, 0, TABLE_INDEX_MAX * sizeof(*index));
	memcpy(index, rest, (length < wanted ? length : wanted) * sizeof(*index));
	return length < wanted || count_up(index, wanted);
}

static bool
next_in_column(const struct table *table, const struct column *column, struct view *view,
	       uint32_t *index, struct value *value)
{
	struct row row = { 0 };

	while (table->seek(view, index, &row)) {
		if (get(view, column, &row, value))
			return true;
		if (!count_up(index, table->index_length))
			return false;
	}
	return false;
}

static bool
next_in_table(const struct mib *mib, const struct table *table, struct view *view,
	      struct table_oid *oid, struct value *value)
{
	struct table_oid base;
	uint32_t index[TABLE_INDEX_MAX];

	for (unsigned c = 0; c < table->column_count; c++) {
		const struct column *column = &table->columns[c];
		unsigned n;

		memset(index, 0, sizeof(index));
		table_oid(mib, table, column->sub, index, &base);
		n = base.length - table->index_length;
		if (oid->length >= n &&
		    memcmp(oid->sub, base.sub, n * sizeof(base.sub[0])) == 0) {
			if (!start_behind(oid->sub + n, oid->length - n, table->index_length,
					  index))
				continue;
		} else if (table_compare(oid->sub, oid->length, base.sub, n) > 0) {
			continue;
		}
		if (next_in_column(table, column, view, index, value)) {
			table_oid(mib, table, column->sub, index, oid);
			return true;
		}
	}
	return false;
}

bool
table_next(const struct mib *mib, struct view *view, struct table_oid *oid, struct value *value)
{
	for (unsigned t = 0; t < mib->table_count; t++)
		if (next_in_table(mib, mib->tables[t], view, oid, value))
			return true;
	return false;
}
