/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_RING_H
#define IO_RING_H

/*
 * A packet socket of one interface and the ring that it shares with the kernel: what tap and
 * bridge have in common. Frames are read where the kernel put them.
 *
 * Two layouts. Slots (TPACKET_V2): each frame is there as soon as it came, and each slot holds
 * the longest frame; for bridges, where delay counts. Blocks (TPACKET_V3): frames lie close to
 * each other and come a block at a time; for taps, where room counts.
 *
 * A ring lives in the memory of its way, which is shared over fork().
 */

#include "io/way.h"
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <stdatomic.h>

enum {
	RING_RESERVE = 16,           /* bytes before a frame: for a VLAN tag */
	RING_SLOT = (1 << 16) + 512, /* the longest train, and the kernel's headers */
	RING_BLOCK = 1 << 20,
	RING_VNET = sizeof(struct virtio_net_hdr)
};

struct ring_options {
	const char *interface;
	bool blocks;          /* TPACKET_V3, else V2 */
	bool offload;         /* each frame has a virtio_net_hdr, in and out */
	bool ignore_outgoing; /* only what comes in */
	uint32_t bytes, snap, wait_ms;
	uint16_t fanout, workers;
};

struct ring {
	int fd;
	int index; /* of the interface */
	bool blocks;
	uint8_t *map;
	size_t size;
	unsigned count; /* of slots or blocks */
	unsigned head;  /* next slot, or block at hand */
	/* Blocks: what is left of the one at hand. */
	uint32_t block_left, block_at;
	_Atomic uint64_t kernel_drops;
	char name[IF_NAMESIZE];
};

enum barn_err ring_open(struct ring *ring, const struct ring_options *options,
			struct source_fault *fault);
void ring_close(struct ring *ring);

/* What a frame's header says: of both layouts alike. */
struct ring_frame {
	uint8_t *data; /* RING_RESERVE bytes and, with offload, its header are before it */
	uint32_t captured, length, status;
	uint16_t vlan_tci, vlan_tpid;
	uint64_t time_ns;
	struct sockaddr_ll *from;
};

/* Slots: the frame that is `ahead` of the head; false if none has come there. */
bool ring_slot(struct ring *ring, unsigned ahead, struct ring_frame *frame);

/* Slots: gives the first n from the head back to the kernel. */
void ring_slots_free(struct ring *ring, unsigned n);

/* Blocks: the next frame of the block at hand, or of the next one. A block goes back by
 * ring_block_free, when no frame of it is in use; until then false follows its last frame. */
bool ring_block_next(struct ring *ring, struct ring_frame *frame);
void ring_block_free(struct ring *ring);

/* A tag that the kernel took out is put back, in place: data begins 4 bytes earlier, and where
 * offload is not NULL, its offsets are 4 more. True if there was one. */
bool ring_untake_tag(struct ring_frame *frame, struct virtio_net_hdr *offload);

/* Adds what the kernel has counted since the last time; any process that has the ring. */
uint64_t ring_kernel_drops(struct ring *ring);

/* Could a packet socket be opened, and is there the interface? */
enum barn_err ring_probe(const char *interface, struct source_fault *fault);

#endif
