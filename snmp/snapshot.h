/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef SNMP_SNAPSHOT_H
#define SNMP_SNAPSHOT_H

/*
 * The daemon's counters, in the order of SNMP's indexes and of one moment: refreshed between
 * requests and never within one. An interface's rows are copied as a whole, when somebody asks
 * for the first of them, and so are of one moment, too.
 */

#include "snmp/records.h"

#include <barn/stats.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	SNAPSHOT_INDEX_MAX = 1024, /* what the discovery MIB allows */
	SNAPSHOT_STALE_MS = 30000, /* older counters are those of a daemon that is gone */
};

struct snapshot_protocol {
	uint32_t index, number, loaded; /* number: its record in the segment */
	char name[64];
};

struct snapshot_interface {
	struct barn_stats_interface record;
	uint32_t number;
	uint64_t since_ns; /* CLOCK_MONOTONIC: when its counters began */
	uint64_t since_wall_ns;
	uint64_t serial;             /* of the publication that its rows are from; 0: none */
	struct barn_stats_row *rows; /* [0] the total, [1 + number] a protocol */
};

struct snapshot {
	struct barn_stats *stats;
	bool there; /* a daemon publishes, or did until a moment ago; else the lists are empty
		     */
	uint64_t serial;
	uint64_t versions[2]; /* of interfaces, protocols: what the lists were made of */
	struct barn_stats_engine engine;
	uint64_t since_ns,
		since_wall_ns; /* as of an interface: when the daemon's counters began */
	struct snapshot_protocol *protocols;   /* by index */
	struct snapshot_interface *interfaces; /* by ifIndex */
	uint32_t protocol_count, interface_count;
	uint32_t row_count;                        /* of an interface, the total among them */
	struct records records[BARN_STATS_TABLES]; /* records_of */
};

/* False: out of memory. */
bool snapshot_init(struct snapshot *snapshot, const char *path);
void snapshot_fini(struct snapshot *snapshot);

/* Before each request. Costs a stat() where nothing was published since. */
void snapshot_refresh(struct snapshot *snapshot);

/* The first interface whose ifIndex, the first protocol whose index, is not below this. */
uint32_t snapshot_interface_from(const struct snapshot *snapshot, uint32_t ifindex);
uint32_t snapshot_protocol_from(const struct snapshot *snapshot, uint32_t index);

/* NULL: there is none. */
struct snapshot_interface *snapshot_interface(struct snapshot *snapshot, uint32_t ifindex);
const struct snapshot_protocol *snapshot_protocol(const struct snapshot *snapshot,
						  uint32_t index);

/* A protocol's row, or with BARN_STATS_TOTAL the interface's; NULL: the segment is damaged, or
 * no memory. */
const struct barn_stats_row *
snapshot_row(struct snapshot *snapshot, struct snapshot_interface *interface, uint32_t number);

/* Whether a protocol was ever seen there. */
bool snapshot_is_seen(const struct barn_stats_row *row);

#endif
