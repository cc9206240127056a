/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_NDPI_H
#define INSPECT_NDPI_H

/*
 * The bridge to nDPI: its answer for what no module names. Only ndpi.c and
 * ndpi_isolate.c include nDPI's headers; they hide the differences between 4.2 and
 * the current API. A flow's answer depends on its own packets alone
 * (ndpi_isolate.h), and it never guesses by port or address. One context a worker; never shared
 * between threads. Memory of a flow (about 1 KiB) is taken at the first packet and freed with
 * ndpi_bridge_flow_free, at the verdict. Everything here begins with
 * ndpi_bridge: libndpi exports ndpi_flow_free and the like, which must not be shadowed.
 */

#include "base/bytes.h"
#include <barn/err.h>

struct ndpi_bridge;
struct ndpi_flow;

struct ndpi_answer {
	uint16_t master; /* nDPI's protocol number; 0: none */
	uint16_t app;    /* found over it; 0: none, and then master alone stands */
	bool by_content; /* proven by inspection, not guessed from a port or an address */
	bool final;      /* nDPI has nothing to add: free the flow */
};

enum barn_err ndpi_bridge_new(struct ndpi_bridge **bridge);
void ndpi_bridge_free(struct ndpi_bridge *bridge);

/* nDPI's dissector names by number, NULL past the last: "FTP_CONTROL". All bridges agree. */
const char *ndpi_bridge_name(const struct ndpi_bridge *bridge, uint16_t number);
uint16_t ndpi_bridge_count(const struct ndpi_bridge *bridge);
/* The version of the library that runs, "4.2.0". */
const char *ndpi_bridge_version(void);

enum barn_err ndpi_bridge_flow_new(struct ndpi_bridge *bridge, struct ndpi_flow **flow);
void ndpi_bridge_flow_free(struct ndpi_bridge *bridge, struct ndpi_flow *flow);

/* One packet from its innermost IP header on, in the order of its capture. */
struct ndpi_answer ndpi_bridge_flow_packet(struct ndpi_bridge *bridge, struct ndpi_flow *flow,
					   struct bytes network, uint64_t time_ns,
					   bool from_client);

/* The answer when no more packets will come. by_content is false where it is a guess. */
struct ndpi_answer ndpi_bridge_flow_giveup(struct ndpi_bridge *bridge, struct ndpi_flow *flow);

/* The application whose servers have this name, by nDPI's list; 0: none. */
uint16_t ndpi_bridge_host(struct ndpi_bridge *bridge, struct bytes name);

#endif
