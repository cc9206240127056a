/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WIRE_FRAGMENT_H
#define WIRE_FRAGMENT_H

/*
 * Fragmented datagrams of IPv4 (RFC 791 section 3.2) and IPv6 (RFC 8200 section
 * 4.5), joined in any order within fixed memory.
 *
 *	datagram ──► block 0 │ block 1 │ ...    1 KiB of the datagram each, and
 *	                                        which units of 8 bytes of it came
 *
 * Where fragments overlap, what came first stays. A datagram that is not whole
 * after 30 seconds (Linux's ipfrag_time) starts again. At the bound of datagrams
 * or of memory the oldest goes. A joined datagram is remembered for a second
 * without its bytes, so that duplicates of its fragments still find its ports.
 *
 * The table owns all memory; a joined datagram is valid until the next is joined.
 * One thread.
 */

#include "wire/packet.h"
#include "wire/wire.h"

struct fragment_table;
struct fragment_datagram;

/* What a fragment is: from its packet the version, addresses, tos, ttl and time. */
struct fragment {
	const struct packet *packet;
	uint64_t path_key;
	uint32_t id;
	uint8_t proto; /* of the IPv4 header, or what the fragment header announces */
	bool more;
	uint32_t offset;   /* bytes, a multiple of 8 */
	struct bytes data; /* as captured */
	uint32_t len;      /* of the data, on the wire */
};

struct fragment_joined {
	struct bytes network; /* with an IP header as if it had never been cut */
	struct bytes data;
	uint8_t proto; /* what data begins with: that of the first fragment */
};

/* The transport of a datagram, learned from its first fragment. */
struct fragment_transport {
	uint8_t proto;
	uint16_t src_port, dst_port;
};

/* Counts in *stats, which outlives the table. */
enum barn_err fragment_new(const struct wire_options *options, struct wire_stats *stats,
			   struct fragment_table **table);
void fragment_free(struct fragment_table *table);

/*
 * Takes a fragment. Returns its datagram, which is valid until the next call, and
 * sets *joined (its network is NULL otherwise) if the fragment completes it.
 */
struct fragment_datagram *fragment_add(struct fragment_table *table, const struct fragment *f,
				       struct fragment_joined *joined);

/* Remembers the transport, for the datagram's other fragments; those that wait are ready. */
void fragment_learn(struct fragment_table *table, struct fragment_datagram *datagram,
		    const struct fragment_transport *transport);

/* Keeps the packet of a fragment until the transport is known. False: there is no room. */
bool fragment_hold(struct fragment_table *table, struct fragment_datagram *datagram,
		   const struct packet *packet);

/* The next packet that was kept and is ready (wire_early). */
bool fragment_early(struct fragment_table *table, struct packet *packet);

/* Gives up what has waited too long, or all: what was kept is ready then, without ports. */
void fragment_expire(struct fragment_table *table, uint64_t time_ns);
void fragment_flush(struct fragment_table *table);

/* NULL: not known yet. */
const struct fragment_transport *fragment_known(const struct fragment_datagram *datagram);

#endif
