/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WIRE_EARLY_H
#define WIRE_EARLY_H

/*
 * Fragments that came before the first one of their datagram, whose ports nobody knows yet:
 * their packets wait, without their bytes, until it comes or is given up.
 *
 *	datagram ──► waiting, oldest first ──► ready ──► wire_early
 *
 * Fixed memory; without room a packet does not wait. One thread.
 */

#include "wire/fragment.h"

struct early_packet {
	struct packet packet;
	struct early_packet *next;
};

/* A queue; all zero is an empty one. */
struct early_list {
	struct early_packet *first, **end;
};

struct early;

enum barn_err early_new(uint32_t packets, struct early **early);
void early_free(struct early *early);

/* Whether there was room for one more to wait. */
bool early_wait(struct early *early, struct early_list *list, const struct packet *packet);

/* Those that wait are ready: with this transport, or NULL: it never came. */
void early_ready(struct early *early, struct early_list *list,
		 const struct fragment_transport *transport);

bool early_take(struct early *early, struct packet *packet);
bool early_any(const struct early *early); /* that are waiting or ready */

#endif
