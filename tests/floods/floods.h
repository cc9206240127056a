/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_FLOODS_H
#define BARN_TESTS_FLOODS_H

/* Floods, each a maker of packets, and what it may cost. */

#include "../lib/frame.h"
#include "cli/read_limits.h"

struct floods; /* floods.c's */

/* A packet from a host to another, by the last bytes of their addresses. */
struct floods_packet {
	uint32_t from, to; /* 10.0.0.0/8 and 11.0.0.0/8 are the test's own */
	uint16_t sport, dport;
	bool udp;
	uint8_t flags;
	uint32_t seq, ack;
	uint16_t fragment; /* of IPv4's header; then the payload is what it carries */
	uint16_t id;
	const void *bytes;
	size_t len;
};
void floods_send(struct floods *f, const struct floods_packet *packet);

/* Random numbers, the same in each run. */
uint64_t floods_random(struct floods *f);

struct flood {
	const char *name;
	unsigned packets;
	/* Sends the flood's packet i. */
	void (*packet)(struct floods *f, unsigned i);
	unsigned reached; /* counters that must not be 0 afterwards, 1 << enum read_limit */
	unsigned spared;  /* counters that must be 0 */
};

extern const struct flood flood_table[];
extern const unsigned flood_count;

#endif
