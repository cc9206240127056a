/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_ROWS_H
#define SNMP_ROWS_H

/*
 * Rows that managers create: the values of a row by their columns' sub-identifiers, and
 * RowStatus (RFC 2579) with what Cisco's module says otherwise:
 *
 *	does not exist ── createAndGo ──► active
 *	               ── createAndWait ► notReady ── active, createAndGo ──► active
 *	active         ── active, createAndGo ──────► active, made anew
 *	               ── createAndWait, notReady ──► notReady
 *	any            ── notInService ► notInService, or notReady where the kind has no other
 *	               ── destroy ─────► does not exist
 *
 * Plain values, copied as a whole: a set works on a copy, which replaces what was there or is
 * dropped.
 */

#include "snmp/table.h"

enum { ROWS_SUBS = 13 };

enum row_status {
	ROW_ABSENT,
	ROW_ACTIVE,
	ROW_NOT_IN_SERVICE,
	ROW_NOT_READY,
	ROW_CREATE_AND_GO,
	ROW_CREATE_AND_WAIT,
	ROW_DESTROY,
};

struct rows_row {
	uint32_t value[ROWS_SUBS];
	uint32_t given; /* a bit for each sub-identifier that has a value */
	bool renewed;   /* by this set: made active, or active again */
};

struct rows_kind {
	uint32_t status;           /* sub-identifier of the RowStatus */
	uint32_t needed;           /* a bit for each that an active row must have */
	bool parks;                /* knows notInService */
	uint32_t value[ROWS_SUBS]; /* defaults; 0: none */
	/* Whether its values fit each other and the machine, so that it may be active. */
	bool (*fits)(const void *self, const struct rows_row *row);
};

enum rows_err {
	ROWS_OK,
	ROWS_WRONG,        /* wrongValue */
	ROWS_INCONSISTENT, /* inconsistentValue */
	ROWS_NAME,         /* inconsistentName: there is no such row */
};

static inline enum row_status
rows_status(const struct rows_kind *kind, const struct rows_row *row)
{
	return (enum row_status)row->value[kind->status];
}

/* All that one request writes to a row: the values first, in any order, then the status. */
struct rows_write {
	uint32_t value[ROWS_SUBS];
	uint32_t given;
};

/* `self` is for `fits`. *at is the sub-identifier at fault. */
enum rows_err rows_apply(const struct rows_kind *kind, const void *self, struct rows_row *row,
			 const struct rows_write *write, uint32_t *at);

/* The first of `count` rows that exists; a row's index is its place + 1. */
bool rows_seek(const struct rows_kind *kind, const struct rows_row *rows, uint32_t count,
	       uint32_t *index, struct row *row);

/* The getter of a column that managers write. */
bool rows_get(const struct view *view, const struct column *column, const struct row *row,
	      struct value *value);

#endif
