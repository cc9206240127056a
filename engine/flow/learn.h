/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_LEARN_H
#define FLOW_LEARN_H

/*
 * What servers are called: a DNS answer named this address, or an earlier flow to this address
 * and port was proven to be this protocol. Only ever a guess (evidence: learned). Bounded; the
 * oldest goes at the bound. Same ownership as expect.h.
 */

#include "wire/packet.h"
#include <barn/err.h>

struct learn_table;

enum { LEARN_SERVER_S = 3600 }; /* how long an earlier flow speaks for the next one */

struct learn_entry {
	union packet_addr addr;
	uint64_t path;
	uint64_t told_ns; /* when it was told; it holds until until_ns */
	uint64_t until_ns;
	uint64_t by_serial; /* the packet that told it */
	uint16_t port;      /* 0: any, for names */
	uint8_t ip_version;
	uint8_t ip_proto;  /* 0: any */
	uint16_t protocol; /* classify's number */
	uint16_t carrier;
};

/* bound: at least 1, at most 16 Mi; seed keys the hash. Nothing is allocated after it. */
enum barn_err learn_new(uint32_t bound, const uint64_t seed[2], struct learn_table **table);

/* Of NULL: nothing. */
void learn_free(struct learn_table *table);

/* What is told of the same end replaces what was known; the same again only renews its life. */
/*
 * What stands and still holds is not replaced, unless by what was told by an earlier packet;
 * the same again lengthens its life. So the order in which several workers tell does not
 * matter.
 */
void learn_add(struct learn_table *table, const struct learn_entry *entry);

/*
 * The exact (addr, proto, port) before the address alone (proto 0, port 0), on the same path.
 * False if nothing is known at time_ns.
 */
bool learn_find(const struct learn_table *table, const struct learn_entry *wanted,
		uint64_t time_ns, struct learn_entry *found);

#endif
