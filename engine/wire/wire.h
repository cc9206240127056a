/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

/*
 * Frames to packets. A decoder belongs to one thread and keeps no state but its
 * table of fragments, whose memory is fixed when it is made.
 */

#include "wire/packet.h"
#include <barn/err.h>

struct wire;

struct wire_options {
	uint32_t fragment_datagrams; /* datagrams under way at once; 0: 1024 */
	uint32_t fragment_bytes;     /* memory for joining them; 0: 4 MiB; at least 128 KiB */
	uint64_t seed[2];            /* random; keys the hash of the fragment table */
	/*
	 * Layers that are not looked into, 1 << enum packet_layer, or'd: the packet that
	 * carries such a tunnel is the flow's. LAYER_IP4 and LAYER_IP6: IPv4 or IPv6 straight
	 * in IP.
	 */
	uint32_t opaque;
};

struct wire_stats {
	uint64_t frames;
	uint64_t faults[PACKET_FAULTS];
	uint64_t fragments, datagrams_joined, datagrams_evicted;
	uint64_t held; /* fragments that came before the first of their datagram */
};

/* NULL options: the defaults. */
enum barn_err wire_new(const struct wire_options *options, struct wire **wire);
void wire_free(struct wire *wire);

/*
 * Decodes packet->frame as far as it goes and says in packet->fault where it
 * stopped; there is always a result that can be counted. The fields that the
 * caller sets (packet.h) are kept. Every fragment is a packet of its own, for
 * counting; the one that completes its datagram is `reassembled` and carries
 * the whole payload. Later fragments get the ports of the first, and so do those
 * that come before it, but these have to wait for it:
 *
 *	wire_decode(wire, &packet);
 *	while (wire_early(wire, &early))
 *		count(&early);
 *	if (!packet.held)
 *		count(&packet);
 */
void wire_decode(struct wire *wire, struct packet *packet);

/* A packet that was held, with all but its bytes. False: none is ready. */
bool wire_early(struct wire *wire, struct packet *packet);

/* No more frames will come: what is held is given up, and ready. */
void wire_flush(struct wire *wire);

const struct wire_stats *wire_stats(const struct wire *wire);

/* Whether frames of this LINKTYPE_ are decoded. */
bool wire_knows(uint16_t linktype);

#endif
