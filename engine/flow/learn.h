/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_LEARN_H
#define FLOW_LEARN_H

/*
 * What servers are called: a DNS answer named this address, or an earlier flow to this address
 * and port was proven to be this protocol. Only ever a guess (evidence: learned).
 *
 * A server is known by up to three ends: its socket (what flows to it were), its address as one
 * client was told it (what that client asked for), and its address for everybody. An end holds
 * up to LEARN_SLOTS different tellings, each for its own time; where those that hold disagree,
 * as the many names of a shared address do, only what they have in common is said. A client's
 * own answers count before those of others.
 *
 * What is found depends only on what packets before the asking one told, so that it is the same
 * with several workers. Bounded; the oldest end goes at the bound. Same ownership as expect.h.
 */

#include "wire/packet.h"
#include <barn/err.h>

struct learn_table;

enum {
	LEARN_SERVER_S = 3600, /* how long an earlier flow speaks for the next one */
	LEARN_SLOTS = 4        /* different tellings of one end: more agree no better */
};

struct learn_entry {
	union packet_addr addr;
	union packet_addr client; /* who was told the name; where has_client */
	uint64_t path;
	uint64_t told_ns; /* when it was told; it holds until until_ns */
	uint64_t until_ns;
	uint64_t by_serial; /* the packet that told it; 0: before all packets */
	uint16_t port;      /* 0: any, for names */
	uint8_t ip_version;
	uint8_t ip_proto;  /* 0: any */
	uint16_t protocol; /* classify's number; 0: a name that belongs to no application */
	uint16_t carrier;
	bool has_client;
	bool strong; /* the site says what this name is: other names do not make it doubtful */
};

/* bound: ends, at least 1, at most 16 Mi; seed keys the hash. Nothing is allocated after it. */
enum barn_err learn_new(uint32_t bound, const uint64_t seed[2], struct learn_table **table);

/* Of NULL: nothing. */
void learn_free(struct learn_table *table);

/*
 * The same again, while it holds, lengthens its life. Of more than LEARN_SLOTS that hold those
 * that were told first stay.
 */
void learn_add(struct learn_table *table, const struct learn_entry *entry);

/*
 * What packets before by_serial of `wanted` (its ends, client, path) told and holds at time_ns;
 * false if nothing, or if what was told disagrees in all. Counts a hit.
 */
bool learn_find(struct learn_table *table, const struct learn_entry *wanted, uint64_t time_ns,
		struct learn_entry *found);

/* All that was told of one end. */
struct learn_end {
	unsigned count;
	uint64_t hits;
	struct learn_entry entries[LEARN_SLOTS];
};

/* The next end, the oldest first, from *at 0 on; false after the last. */
bool learn_walk(const struct learn_table *table, uint32_t *at, struct learn_end *end);

/* Whether what holds at time_ns agrees, in *agreed; false: nothing holds, or it disagrees. */
bool learn_agree(const struct learn_end *end, uint64_t time_ns, struct learn_entry *agreed);

/* How many ends have gone at the bound. */
uint64_t learn_evicted(const struct learn_table *table);

#endif
