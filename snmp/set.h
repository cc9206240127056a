/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_SET_H
#define SNMP_SET_H

/*
 * A set request, all of it or nothing: add what it writes, check it on a copy of what managers
 * configured, commit, and undo if another agent's part fails.
 *
 *	set_begin ── set_add ... ── set_check ── set_commit ──┬── set_end
 *	                                                      └── set_undo ── set_end
 */

#include "snmp/table.h"
#include "snmp/view.h"

enum set_err {
	SET_OK,
	SET_NOT_WRITABLE,
	SET_NO_CREATION,
	SET_WRONG_TYPE,
	SET_WRONG_VALUE,
	SET_INCONSISTENT_NAME,
	SET_INCONSISTENT_VALUE,
	SET_TOO_MUCH,
	SET_FAILED,
};

enum { SET_WRITES = 2048 };

/* What a set reaches beyond the view. */
struct set_machine {
	void *self;
	/* Protocol discovery on an interface; false: refused, or nobody is there to ask. */
	bool (*enable)(void *self, const char *interface, bool on);
};

struct set_write {
	const struct table *table;
	uint32_t sub, index, number;
	unsigned tag; /* the caller's, for telling which one failed */
	bool told;    /* the daemon, which did it */
};

struct set {
	struct set_write writes[SET_WRITES];
	unsigned count;
	struct config wanted, before;
};

void set_begin(struct set *set);

/* Type and range of one, and whether there can be such an instance. */
enum set_err set_add(struct set *set, const struct mib *mib, struct view *view,
		     const struct table_oid *oid, enum value_type type, uint32_t number,
		     unsigned tag);

/* All of them together; *tag: the one at fault. */
enum set_err set_check(struct set *set, struct view *view, unsigned *tag);
enum set_err set_commit(struct set *set, struct view *view, const struct set_machine *machine,
			unsigned *tag);
void set_undo(struct set *set, struct view *view, const struct set_machine *machine);
/* It stands: makes what active rows ask for. */
void set_end(struct set *set, struct view *view);

#endif
