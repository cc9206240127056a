/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/set.h"

#include "snmp/cnpd.h"
#include "snmp/threshold.h"
#include "snmp/topn.h"

#include <string.h>

/* A table whose rows managers create. */
struct created {
	const struct table *table;
	const struct rows_kind *kind;
	size_t offset; /* of its rows in struct config */
	uint32_t count;
};

static const struct created created[] = {
	{ &topn_config_table, &topn_kind, offsetof(struct config, topn), VIEW_TOPN },
	{ &threshold_config_table, &threshold_kind, offsetof(struct config, threshold),
	  VIEW_THRESHOLDS },
};

static const struct created *
find_created(const struct table *table)
{
	for (size_t i = 0; i < sizeof(created) / sizeof(created[0]); i++)
		if (created[i].table == table)
			return &created[i];
	return NULL;
}

static struct rows_row *
row_at(struct config *config, const struct created *of, uint32_t index)
{
	return (struct rows_row *)(void *)((char *)config + of->offset) + (index - 1);
}

void
set_begin(struct set *set)
{
	set->count = 0;
}

static enum set_err
check_value(const struct column *column, enum value_type type, uint32_t number)
{
	bool below = type == VALUE_INTEGER ? (int32_t)number < (int32_t)column->low
					   : number < column->low;
	bool above = type == VALUE_INTEGER ? (int32_t)number > (int32_t)column->high
					   : number > column->high;

	if (type != column->type)
		return SET_WRONG_TYPE;
	return below || above ? SET_WRONG_VALUE : SET_OK;
}

enum set_err
set_add(struct set *set, const struct mib *mib, struct view *view, const struct table_oid *oid,
	enum value_type type, uint32_t number, unsigned tag)
{
	const struct table *table;
	const uint32_t *index;
	unsigned length;
	const struct column *column = table_column(mib, oid, &table, &index, &length);
	const struct created *of;
	struct value value;
	enum set_err err;

	if (!column || column->access == ACCESS_READ)
		return SET_NOT_WRITABLE;
	if (length != table->index_length)
		return SET_NO_CREATION;
	err = check_value(column, type, number);
	if (err)
		return err;
	of = find_created(table);
	if (of ? index[0] < 1 || index[0] > of->count
	       : table_get(mib, view, oid, &value) != TABLE_FOUND)
		return SET_NO_CREATION;
	if (set->count == SET_WRITES)
		return SET_TOO_MUCH;
	set->writes[set->count++] = (struct set_write){ .table = table,
							.sub = column->sub,
							.index = index[0],
							.number = number,
							.tag = tag };
	return SET_OK;
}

/* All writes to the row of writes[first], unless an earlier one was of that row, too. */
static bool
gather(const struct set *set, unsigned first, struct rows_write *write)
{
	const struct set_write *of = &set->writes[first];

	*write = (struct rows_write){ 0 };
	for (unsigned i = 0; i < set->count; i++) {
		const struct set_write *w = &set->writes[i];

		if (w->table != of->table || w->index != of->index)
			continue;
		if (i < first)
			return false;
		write->value[w->sub] = w->number;
		write->given |= UINT32_C(1) << w->sub;
	}
	return true;
}

static unsigned
tag_of(const struct set *set, const struct set_write *row, uint32_t sub)
{
	for (unsigned i = 0; i < set->count; i++) {
		const struct set_write *w = &set->writes[i];

		if (w->table == row->table && w->index == row->index && w->sub == sub)
			return w->tag;
	}
	return row->tag;
}

static enum set_err
check_row(struct set *set, struct view *view, const struct created *of, unsigned i,
	  unsigned *tag)
{
	static const enum set_err errors[] = {
		[ROWS_OK] = SET_OK,
		[ROWS_WRONG] = SET_WRONG_VALUE,
		[ROWS_INCONSISTENT] = SET_INCONSISTENT_VALUE,
		[ROWS_NAME] = SET_INCONSISTENT_NAME,
	};
	const struct set_write *w = &set->writes[i];
	struct rows_write write;
	enum rows_err err;
	uint32_t sub = 0;

	if (!gather(set, i, &write))
		return SET_OK;
	err = rows_apply(of->kind, view, row_at(&set->wanted, of, w->index), &write, &sub);
	*tag = tag_of(set, w, sub);
	return errors[err];
}

enum set_err
set_check(struct set *set, struct view *view, unsigned *tag)
{
	enum set_err err = SET_OK;

	set->wanted = set->before = view->config;
	for (unsigned i = 0; i < set->count && !err; i++) {
		const struct set_write *w = &set->writes[i];
		const struct created *of = find_created(w->table);

		if (of)
			err = check_row(set, view, of, i, tag);
		else if (w->table == &cnpd_notify_table)
			set->wanted.notify = w->number == TRUTH_TRUE;
	}
	return err;
}

static bool
enable(struct view *view, const struct set_machine *machine, struct set_write *w)
{
	const struct snapshot_interface *interface =
		snapshot_interface(&view->snapshot, w->index);
	bool on = w->number == TRUTH_TRUE;

	if (!interface)
		return false;
	if ((interface->record.enabled != 0) == on)
		return true;
	w->told = machine->enable(machine->self, interface->record.name, on);
	return w->told;
}

/* The daemon is asked first: what only we know cannot fail. */
enum set_err
set_commit(struct set *set, struct view *view, const struct set_machine *machine, unsigned *tag)
{
	for (unsigned i = 0; i < set->count; i++) {
		struct set_write *w = &set->writes[i];

		if (w->table == &cnpd_status_table && !enable(view, machine, w)) {
			*tag = w->tag;
			return SET_FAILED;
		}
	}
	view->config = set->wanted;
	return SET_OK;
}

void
set_undo(struct set *set, struct view *view, const struct set_machine *machine)
{
	for (unsigned i = set->count; i > 0; i--) {
		const struct set_write *w = &set->writes[i - 1];
		const struct snapshot_interface *interface =
			w->told ? snapshot_interface(&view->snapshot, w->index) : NULL;

		if (interface)
			(void)machine->enable(machine->self, interface->record.name,
					      w->number != TRUTH_TRUE);
	}
	view->config = set->before;
}

void
set_end(struct set *set, struct view *view)
{
	(void)set;
	topn_renew(view);
	threshold_renew(view);
}
