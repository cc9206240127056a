/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_INDEXES_H
#define CLASSIFY_INDEXES_H

/*
 * SNMP indexes of the protocols that name none, so that each keeps its index when modules come
 * and go, when they are loaded in another order, and, through a text that a program keeps in a
 * file, over restarts:
 *
 *	barn-indexes 1
 *	# any comment
 *	ftp-data 530
 *	my-app 1024
 *
 * Lines stand by name. A line of a protocol that is not loaded stays, and its index is taken.
 * The loading thread's.
 */

#include "base/text.h"
#include <barn/err.h>
#include <barn/fault.h>
#include <stdint.h>

struct indexes;

enum { INDEXES_MAX = 1024 }; /* of the discovery MIB's table of protocols */

enum barn_err indexes_new(struct indexes **indexes);
void indexes_free(struct indexes *indexes);
enum barn_err indexes_copy(const struct indexes *indexes, struct indexes **copy);

/* 0: none is kept for this name. */
uint16_t indexes_find(const struct indexes *indexes, const char *name);
/* Whose it is; NULL: nobody's. */
const char *indexes_holder(const struct indexes *indexes, uint16_t index);
/* The name's index from now on, which nobody else has. */
enum barn_err indexes_set(struct indexes *indexes, const char *name, uint16_t index);
void indexes_forget(struct indexes *indexes, const char *name);

/* In place of what is there; on BARN_ERR_TEXT nothing has changed. */
enum barn_err indexes_read(struct indexes *indexes, const char *file, const char *text,
			   size_t length, struct barn_faults *faults);
void indexes_write(const struct indexes *indexes, struct text *text);

#endif
