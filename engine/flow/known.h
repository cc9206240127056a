/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_KNOWN_H
#define FLOW_KNOWN_H

/*
 * A bounded map from ends of flows to what is known of them: what expect.c and learn.c have in
 * common. Entries have one size; the oldest goes when there is no room, and one that is put in
 * again becomes the newest. The hash is keyed; each call takes constant time, as few chains are
 * long: there are as many chains as entries. Memory is taken when the map is made.
 */

#include "wire/packet.h"
#include <barn/err.h>

struct known;

/* The end that something is known of: 4 words, without holes. */
struct known_end {
	union packet_addr addr;
	uint64_t path;
	uint16_t port;
	uint8_t ip_version, ip_proto;
	uint32_t
		zero; /* fills the last word; another than 0 keeps ends of another kind apart */
};

enum barn_err known_new(uint32_t bound, size_t entry_size, const uint64_t seed[2],
			struct known **known);

/* Of NULL: nothing. */
void known_free(struct known *known);

/* NULL: nothing is known of this end. Valid until the next known_put or known_drop. */
void *known_get(const struct known *known, const struct known_end *end);

/*
 * The entry of this end, as the newest; *fresh says that it is new, and zeroed, and *evicted
 * that the oldest has gone to make room.
 */
void *known_put(struct known *known, const struct known_end *end, bool *fresh, bool *evicted);

/* Takes it out, if it is there. */
void known_drop(struct known *known, const struct known_end *end);

/* The next entry, the oldest first, from *at 0 on, while nothing is put or dropped; NULL: no
 * more. */
const void *known_walk(const struct known *known, uint32_t *at);

/* How many there are. */
uint32_t known_count(const struct known *known);

#endif
