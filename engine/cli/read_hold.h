/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_HOLD_H
#define CLI_READ_HOLD_H

/*
 * Packets that a policy holds until their flow's protocol is known (`first-packet hold`), in
 * their order. Bounded: READ_HOLD_MOST packets, and READ_HOLD_NS of the packets' time each.
 */

#include "wire/packet.h"
#include <barn/err.h>

enum { READ_HOLD_MOST = 4096 };
#define READ_HOLD_NS UINT64_C(1000000000)

struct read_hold;

struct read_held {
	struct packet packet; /* a copy, with its bytes behind it */
	uint64_t flow;
	uint64_t *note; /* NULL: none */
	bool output;
	struct read_held *next;
};

enum barn_err read_hold_new(struct read_hold **hold);
void read_hold_free(struct read_hold *hold); /* of NULL: nothing */

enum barn_err read_hold_add(struct read_hold *hold, const struct packet *packet, uint64_t flow,
			    bool output, uint64_t *note);
/* The oldest, if it has waited too long, or there are too many; NULL: none has. */
struct read_held *read_hold_due(const struct read_hold *hold, uint64_t time_ns);
/* A flow's oldest, or NULL. */
struct read_held *read_hold_of(const struct read_hold *hold, uint64_t flow);
void read_hold_drop(struct read_hold *hold, struct read_held *held);

#endif
