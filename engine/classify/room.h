/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_ROOM_H
#define CLASSIFY_ROOM_H

/*
 * Memory for flows under inspection, and who is given up when it is full: decided by what is
 * there, so that newcomers are always looked at and a flood cannot keep others out. Works are
 * in rings, the oldest in its ring first:
 *
 *	one       only one side has spoken: most floods are of these
 *	gapped    segments wait behind a gap, and take memory of streams
 *	both      a conversation
 *	followed  has its verdict, and somebody reads on; it keeps the verdict
 */

#include "classify/step.h"

enum room_ring { ROOM_ONE, ROOM_GAPPED, ROOM_BOTH, ROOM_FOLLOWED, ROOM_RINGS };

enum barn_err room_new(struct classify *c);

/* For the flow, which is alone (its wait is taken over), or has nothing. */
struct work *room_take(struct classify *c, struct flow *flow);

/* After a packet: in which ring the work is. */
void room_settle(struct classify *c, struct work *w);

/* Before a packet of this flow: gives others up as long as the streams' memory runs out. */
void room_clear(struct classify *c, const struct work *keep);

/* It goes back to the pool. */
void room_leave(struct classify *c, struct work *w);

#endif
