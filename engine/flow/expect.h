/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_EXPECT_H
#define FLOW_EXPECT_H

/*
 * Flows that a control connection has announced: "the next TCP connection to 10.0.0.2:40001 is
 * ftp-data". Bounded; the oldest goes at the bound. Owner: one worker, or several under the
 * caller's lock.
 */

#include "wire/packet.h"
#include <barn/err.h>

struct expect_table;

enum { EXPECT_LIFE_S = 120 }; /* of an announcement that names no life */

struct expect_entry {
	union packet_addr to; /* the announced end, whoever opens the flow */
	uint64_t path;        /* packet.path_key of the control connection */
	uint64_t told_ns, until_ns;
	/* packet.path_way of packets to the announced end, and from it; 0: none is known. */
	uint32_t way[2];
	uint64_t by_flow;   /* id of the flow that announced it */
	uint64_t by_serial; /* packet that announced it: it holds only for later ones */
	uint16_t port;
	uint16_t protocol;    /* classify's number */
	uint16_t carrier;     /* what the announced protocol runs over; 0: nothing */
	uint16_t by_protocol; /* of the control connection */
	uint8_t ip_version, ip_proto;
	bool many;  /* stays after the first flow */
	bool alias; /* another end of a flow that was announced already (NAT): not counted */
	bool used;  /* expect's own */
};

struct expect_stats {
	uint64_t announced; /* flows; the same again is none */
	uint64_t met;       /* of them; one that is for many only once */
	uint64_t flows;     /* that were known by it */
	uint64_t evicted;   /* at the bound, before their time */
};

/* bound: at least 1, at most 16 Mi; seed keys the hash. Nothing is allocated after it. */
enum barn_err expect_new(uint32_t bound, const uint64_t seed[2], struct expect_table **table);

/* Of NULL: nothing. */
void expect_free(struct expect_table *table);

/*
 * One announcement an end and path: a newer one replaces it, and the same flow's of the same
 * protocol only renews its life. In tunnels whose identifiers are those of one direction it is
 * known by these, too, so that customers with equal addresses keep theirs apart.
 */
void expect_add(struct expect_table *table, const struct expect_entry *entry);

/*
 * Whether a flow that starts with this packet was announced, by either of its ends, the
 * receiver's first, and in its own tunnel before others; copies the entry, and takes it out
 * unless it is for many. It holds up to and with until_ns.
 */
bool expect_meet(struct expect_table *table, const struct packet *packet,
		 struct expect_entry *entry);

const struct expect_stats *expect_stats(const struct expect_table *table);

#endif
