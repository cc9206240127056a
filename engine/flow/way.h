/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_WAY_H
#define FLOW_WAY_H

/*
 * Flows in tunnels whose identifiers are those of one direction (packet.path_way). The key
 * holds what both directions share, so that several flows may have one key, one for each
 * customer with these addresses:
 *
 *	key ──► flow 1: from A 17, from B 23
 *	        flow 2: from A 18, from B not seen yet
 *
 * A packet is that flow's which has its way in its direction. If there is none, it is the
 * answer to a flow of which this direction was not seen yet, and that knows its way from then
 * on; or else a flow of its own. Which flow it answers: over TCP the one that the sequence
 * numbers fit; else one whose first bytes it repeats (a transaction's number), then one with
 * the same identifiers in both directions, then the oldest.
 *
 * The ways lie beside the flows, and only packets in such tunnels look at them. Private to
 * flow.
 */

#include "flow/inside.h"

struct way {
	uint32_t id[2]; /* packet.path_way from FLOW_A and FLOW_B; 0: not seen */
	/* Of the side that was seen, while the other was not. */
	uint32_t next; /* TCP: the number that follows what it sent; else its first bytes */
	uint32_t ack;  /* TCP: what it has acknowledged */
	bool has_ack;
};

/* Whether the flow is this packet's and there is nothing to learn. */
static inline bool
way_settled(const struct way *way, const struct packet *packet, unsigned from)
{
	return way->id[from] == packet->path_way && way->id[from ^ 1] != 0;
}

/* The packet's flow among those of its key, or INSIDE_NONE. The flow may be over. */
uint32_t way_find(const struct table *table, const struct flow_key *key, uint64_t hash,
		  const struct packet *packet, unsigned from);

/* A new flow's. `other`: the way of the other direction if it is known, else 0. */
void way_start(struct way *way, const struct packet *packet, unsigned from, uint32_t other);

/* A packet of the flow. */
void way_learn(struct way *way, const struct packet *packet, unsigned from);

#endif
