/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_STATS_TABLES_H
#define BARN_STATS_TABLES_H

/*
 * The tables of barnd's counters, as <barn/stats.h> reads them.
 *
 * Members are only ever added, at the end of a record; a record's size is a multiple of 8.
 * Pairs are of directions: [0] in, [1] out. Bytes are of layer 2, without the frame check
 * sequence. Times end in _ns, are since 1970, and 0 is never. Texts end in NUL, cut if need be.
 * Numbers of records are those of one segment: what has to stay has an index or id.
 */

#include <stdint.h>

enum barn_stats_table {
	BARN_STATS_ENGINE,     /* one: struct barn_stats_engine */
	BARN_STATS_PACKS,      /* struct barn_stats_pack */
	BARN_STATS_INTERFACES, /* struct barn_stats_interface */
	BARN_STATS_PROTOCOLS,  /* struct barn_stats_protocol; 0 is unknown */
	BARN_STATS_ROWS,       /* struct barn_stats_row; use barn_stats_row() */
	BARN_STATS_WORKERS,    /* struct barn_stats_worker */
	BARN_STATS_MODULES,    /* struct barn_stats_module */
	BARN_STATS_POLICIES,   /* struct barn_stats_policy */
	BARN_STATS_OBJECTS, /* struct barn_stats_object; a policy's, each behind its parent */
	BARN_STATS_HOSTS,   /* struct barn_stats_host; by protocol, most bytes first */
	BARN_STATS_TABLES
};

struct barn_stats_engine {
	char version[32];
	uint64_t started_ns;
	uint64_t discontinuity_ns; /* when counters last began anew, other than by a clear */
	uint64_t published_ns;     /* when the values were taken */
	uint64_t packets, dropped; /* of all workers; those that barn had no time for */
	uint64_t undecodable;
	uint32_t unindexed; /* protocols for which no SNMP index was left */
	uint32_t pid;
};

struct barn_stats_pack {
	char name[64], version[32], publisher[64];
	uint32_t modules;
	uint32_t trusted; /* its signature was checked, or it is barn's own */
};

/* What is counted of an interface or of a protocol on it. */
struct barn_stats_row {
	uint64_t packets[2], bytes[2];
	/* Of these: only guessed, by port or by a name that was learned. */
	uint64_t guessed_packets[2], guessed_bytes[2];
	uint64_t ip4_packets[2], ip4_bytes[2], ip6_packets[2], ip6_bytes[2];
	uint64_t flows[2];           /* that began with a packet of this direction */
	uint64_t bps[2], max_bps[2]; /* over the interface's load interval; their highest */
};

struct barn_stats_interface {
	char name[32];
	uint32_t ifindex;         /* the kernel's; 0: it is gone, or not the kernel's */
	uint32_t enabled;         /* protocol discovery */
	uint32_t families;        /* what discovery counts: 4, 6, or 0 for all */
	uint32_t load_interval_s; /* 30 to 600 */
	uint64_t enabled_ns;      /* when discovery was enabled last; 0: it is not */
	uint64_t cleared_ns;      /* since when its counters count */
	uint64_t speed_bps;       /* 0: not known */
	uint64_t kernel_dropped;  /* packets that the kernel lost before barn saw them */
	uint32_t up, reserved;
};

enum barn_stats_attribute {
	BARN_STATS_CATEGORY,
	BARN_STATS_SUB_CATEGORY,
	BARN_STATS_APPLICATION_GROUP,
	BARN_STATS_APPLICATION_FAMILY,
	BARN_STATS_APPLICATION_SET,
	BARN_STATS_ENCRYPTED,
	BARN_STATS_TUNNEL,
	BARN_STATS_P2P_TECHNOLOGY,
	BARN_STATS_BUSINESS_RELEVANCE,
	BARN_STATS_TRAFFIC_CLASS,
	BARN_STATS_ATTRIBUTES
};

struct barn_stats_protocol {
	char name[64], title[96];
	uint32_t index;  /* SNMP, stays over restarts; 0: has none */
	uint32_t id;     /* RFC 6759: engine << 24 | selector; 0: has none */
	uint32_t loaded; /* else it has counters, but no module any more */
	uint32_t reserved;
	char attributes[BARN_STATS_ATTRIBUTES][32]; /* "": not given */
};

struct barn_stats_worker {
	uint64_t packets, dropped;
	uint64_t flows, capacity, peak;       /* in the table; its room; most at once */
	uint64_t created, evicted, undecided; /* undecided: under inspection now */
	uint64_t restarts;
	uint64_t busy_ns;    /* of time since the start */
	uint32_t pid, state; /* 0 runs, 1 is stuck or gone */
};

struct barn_stats_module {
	char name[64];
	uint64_t calls, matches, time_ns; /* time is 0 where nobody measures */
	uint64_t decided_at[4]; /* matches by the flow's packet: 1st, 2nd, 3rd to 8th, later */
};

/* A policy that is applied to an interface. */
struct barn_stats_policy {
	uint32_t id; /* stays over reload and restart; its policy map's object has the same */
	uint32_t interface; /* record of BARN_STATS_INTERFACES */
	uint32_t output;    /* 0 input, 1 output */
	uint32_t root;      /* record of BARN_STATS_OBJECTS: its policy map */
	char map[64];
};

/* Numbered as in Cisco's class-based QoS MIB. */
enum barn_stats_object_kind {
	BARN_STATS_POLICY_MAP = 1,
	BARN_STATS_CLASS_MAP = 2,
	BARN_STATS_STATEMENT = 3,
	BARN_STATS_QUEUEING = 4,
	BARN_STATS_SHAPING = 6,
	BARN_STATS_POLICE = 7,
	BARN_STATS_SET = 8
};

/* Packets and bytes count before the policy acts; what passed is these less the dropped. */
struct barn_stats_object {
	uint32_t id;     /* stays over reload and restart; unique among all objects */
	uint32_t config; /* the same for one map, class, statement wherever it is applied */
	uint32_t policy; /* struct barn_stats_policy.id */
	uint32_t parent; /* id; 0: none */
	uint32_t kind;   /* enum barn_stats_object_kind */
	uint32_t all;    /* of a class: match-all */
	char name[64];   /* of a map or a class */
	char text[160];  /* of a statement, behind "match "; description; actions */
	uint64_t packets, bytes, dropped_packets, dropped_bytes;
	uint64_t bps, dropped_bps;
	uint64_t cir, pir, bc, be; /* of a policer */
	uint64_t colour_packets[3], colour_bytes[3],
		colour_bps[3]; /* conform, exceed, violate */
};

/* The names of servers that took most. By an algorithm that keeps few and may count one too
 * high: `over` is by how much at most, in bytes. */
struct barn_stats_host {
	uint32_t protocol; /* record of BARN_STATS_PROTOCOLS */
	uint32_t reserved;
	char name[128];
	uint64_t flows, bytes, over;
};

#endif
