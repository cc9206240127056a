/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/rows.h"

static void
create(const struct rows_kind *kind, struct rows_row *row)
{
	*row = (struct rows_row){ 0 };
	for (uint32_t sub = 0; sub < ROWS_SUBS; sub++) {
		row->value[sub] = kind->value[sub];
		if (kind->value[sub])
			row->given |= UINT32_C(1) << sub;
	}
	row->given |= UINT32_C(1) << kind->status;
}

static enum rows_err
activate(const struct rows_kind *kind, const void *self, struct rows_row *row)
{
	if ((row->given & kind->needed) != kind->needed || !kind->fits(self, row))
		return ROWS_INCONSISTENT;
	row->value[kind->status] = ROW_ACTIVE;
	row->renewed = true;
	return ROWS_OK;
}

static enum rows_err
turn(const struct rows_kind *kind, const void *self, struct rows_row *row, uint32_t status)
{
	row->renewed = false;
	switch (status) {
	case ROW_ACTIVE:
	case ROW_CREATE_AND_GO: return activate(kind, self, row);
	case ROW_NOT_IN_SERVICE:
		row->value[kind->status] = kind->parks ? ROW_NOT_IN_SERVICE : ROW_NOT_READY;
		return ROWS_OK;
	case ROW_NOT_READY:
	case ROW_CREATE_AND_WAIT: row->value[kind->status] = ROW_NOT_READY; return ROWS_OK;
	case ROW_DESTROY: *row = (struct rows_row){ 0 }; return ROWS_OK;
	default: return ROWS_WRONG;
	}
}

static enum rows_err
check_status(bool exists, uint32_t status)
{
	if (status < ROW_ACTIVE || status > ROW_DESTROY)
		return ROWS_WRONG;
	if (exists || status >= ROW_CREATE_AND_GO)
		return ROWS_OK;
	return status == ROW_NOT_READY ? ROWS_WRONG : ROWS_INCONSISTENT;
}

enum rows_err
rows_apply(const struct rows_kind *kind, const void *self, struct rows_row *row,
	   const struct rows_write *write, uint32_t *at)
{
	uint32_t bit = UINT32_C(1) << kind->status;
	bool exists = rows_status(kind, row) != ROW_ABSENT, turns = write->given & bit;
	uint32_t status = turns ? write->value[kind->status] : ROW_ABSENT;
	enum rows_err err;

	*at = kind->status;
	if (turns) {
		err = check_status(exists, status);
		if (err)
			return err;
		if (!exists && status == ROW_DESTROY)
			return ROWS_OK;
		if (!exists)
			create(kind, row);
	}
	for (uint32_t sub = 0; sub < ROWS_SUBS; sub++) {
		if (sub == kind->status || !(write->given & UINT32_C(1) << sub))
			continue;
		*at = sub;
		if (!exists && !turns)
			return ROWS_NAME;
		/* What an active row was made of stays, until it is made anew. */
		if (!turns && rows_status(kind, row) == ROW_ACTIVE)
			return ROWS_INCONSISTENT;
		row->value[sub] = write->value[sub];
		row->given |= UINT32_C(1) << sub;
	}
	*at = kind->status;
	return turns ? turn(kind, self, row, status) : ROWS_OK;
}

bool
rows_seek(const struct rows_kind *kind, const struct rows_row *rows, uint32_t count,
	  uint32_t *index, struct row *row)
{
	for (uint32_t i = index[0] ? index[0] - 1 : 0; i < count; i++) {
		if (rows_status(kind, &rows[i]) == ROW_ABSENT)
			continue;
		*row = (struct row){ .of = &rows[i], .number = i };
		index[0] = i + 1;
		return true;
	}
	return false;
}

bool
rows_get(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	const struct rows_row *of = row->of;

	(void)view;
	value->number = of->value[column->sub];
	return of->given & UINT32_C(1) << column->sub;
}
