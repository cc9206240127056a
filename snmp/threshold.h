/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_THRESHOLD_H
#define SNMP_THRESHOLD_H

/*
 * Thresholds: a manager asks to be told when a protocol's counts or rate on an interface rise
 * to a value or fall to another, and once for each way until the other one came (RMON's
 * hysteresis, RFC 2819). The last 1,000 events are kept.
 */

#include "snmp/rows.h"
#include "snmp/table.h"
#include "snmp/view.h"

enum { THRESHOLD_HISTORY = 1000, THRESHOLD_INTERVAL_MAX_S = 2048 };

/* Sub-identifiers of the configuration; there is no 11. */
enum {
	THRESHOLD_IFINDEX = 2,
	THRESHOLD_INTERVAL_S,
	THRESHOLD_SAMPLE,
	THRESHOLD_PROTOCOL,
	THRESHOLD_ANY,
	THRESHOLD_SELECT,
	THRESHOLD_STARTUP,
	THRESHOLD_RISING,
	THRESHOLD_FALLING,
	THRESHOLD_STATUS = 12,
};

/* And of the history. */
enum {
	HISTORY_CONFIG = 2,
	HISTORY_VALUE,
	HISTORY_TYPE,
	HISTORY_TIME,
	HISTORY_PROTOCOL,
	HISTORY_SELECT,
};

enum threshold_event { EVENT_NONE, EVENT_RISING, EVENT_FALLING };

extern const struct table threshold_config_table, threshold_history_table;
extern const struct rows_kind threshold_kind;

struct threshold_history {
	uint32_t config, value, protocol, select;
	enum threshold_event event;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
};

struct thresholds *threshold_new(void); /* NULL: out of memory */
void threshold_free(struct thresholds *thresholds);

/* After a set: begins what became active, ends what is not. */
void threshold_renew(struct view *view);

/* Each second. The view was refreshed. `tell`, for each event: it has this history index. */
void threshold_tick(struct view *view, uint64_t now_ns,
		    void (*tell)(struct view *view, const struct threshold_history *event,
				 uint32_t index));

#endif
