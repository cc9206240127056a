/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_VIEW_H
#define SNMP_VIEW_H

/* All that the modules' getters look at. One thread. */

#include "snmp/rows.h"
#include "snmp/snapshot.h"

#include <time.h>

enum { VIEW_TOPN = 50, VIEW_THRESHOLDS = 100 };

/* What managers write; row N has index N + 1. */
struct config {
	struct rows_row topn[VIEW_TOPN], threshold[VIEW_THRESHOLDS];
	bool notify;
};

struct topn;
struct thresholds;

struct view {
	struct snapshot snapshot;
	struct config config;
	uint64_t origin_ns; /* CLOCK_MONOTONIC when sysUpTime was 0 */
	struct topn *topn;
	struct thresholds *thresholds;
};

/* sysUpTime at a moment of the monotonic clock, which may be before it began: then 1, since
 * some columns mean never by 0. */
static inline uint32_t
view_ticks(const struct view *view, uint64_t mono_ns)
{
	uint64_t ticks = mono_ns > view->origin_ns ? (mono_ns - view->origin_ns) / 10000000 : 0;

	return (uint32_t)ticks ? (uint32_t)ticks : 1;
}

static inline uint64_t
view_now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Whether there is this interface, and protocol discovery runs on it. */
static inline bool
view_is_on(const struct view *view, uint32_t ifindex)
{
	const struct snapshot *s = &view->snapshot;
	uint32_t i = snapshot_interface_from(s, ifindex);

	return i < s->interface_count && s->interfaces[i].record.ifindex == ifindex &&
	       s->interfaces[i].record.enabled;
}

#endif
