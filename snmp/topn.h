/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_TOPN_H
#define SNMP_TOPN_H

/*
 * Top-N: a manager asks for the protocols that have most of something on an interface. The
 * list is made when its row becomes active, or active again, and stays until then. Bytes and
 * packets are those counted so far; bit rates those of the last full sample, or, while there
 * was none, the daemon's own over the interface's load interval.
 */

#include "snmp/rows.h"
#include "snmp/table.h"
#include "snmp/view.h"

enum { TOPN_SIZE_MAX = 500, TOPN_SAMPLE_MAX_S = 2048 };

/* Sub-identifiers of the configuration. */
enum {
	TOPN_IFINDEX = 2,
	TOPN_SELECT,
	TOPN_SAMPLE_S,
	TOPN_REQUESTED,
	TOPN_GRANTED,
	TOPN_TIME,
	TOPN_STATUS,
};

extern const struct table topn_config_table, topn_stats_table;
extern const struct rows_kind topn_kind;

struct topn *topn_new(void); /* NULL: out of memory */
void topn_free(struct topn *topn);

/* After a set: makes the lists of rows that became active, drops those of rows that are not. */
void topn_renew(struct view *view);

/* Each second: samples bit rates. The view was refreshed. */
void topn_tick(struct view *view, uint64_t now_ns);

#endif
