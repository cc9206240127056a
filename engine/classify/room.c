/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/room.h"

#include "flow/chain.h"

#include <stdlib.h>

enum { CLEAR_MOST = 8 }; /* flows that one packet may cost */

/* In which order rings give: when works are short, and when streams' memory is. */
static const uint8_t for_works[ROOM_RINGS] = { ROOM_ONE, ROOM_GAPPED, ROOM_BOTH,
					       ROOM_FOLLOWED };
static const uint8_t for_streams[ROOM_RINGS] = { ROOM_GAPPED, ROOM_ONE, ROOM_BOTH,
						 ROOM_FOLLOWED };

enum barn_err
room_new(struct classify *c)
{
	c->rings = malloc(((size_t)c->inspected + ROOM_RINGS) * sizeof(*c->rings));
	if (!c->rings)
		return BARN_ERR_MEMORY;
	for (uint32_t i = 0; i < ROOM_RINGS; i++)
		chain_alone(c->rings, c->inspected + i);
	return pool_new(sizeof(struct work), c->inspected, &c->works);
}

static void
join(struct classify *c, struct work *w, unsigned ring)
{
	w->ring = (uint8_t)ring;
	chain_join(c->rings, c->inspected + ring, pool_number(c->works, w));
}

/* The oldest in the first of these rings that has one; NULL: there is none but `keep`. */
static struct work *
oldest(const struct classify *c, const uint8_t order[ROOM_RINGS], const struct work *keep)
{
	for (unsigned i = 0; i < ROOM_RINGS; i++) {
		uint32_t head = c->inspected + order[i], n = c->rings[head].next;

		if (n != head && pool_at(c->works, n) == keep)
			n = c->rings[n].next;
		if (n != head)
			return pool_at(c->works, n);
	}
	return NULL;
}

static bool
give_up(struct classify *c, const uint8_t order[ROOM_RINGS], const struct work *keep)
{
	struct work *w = oldest(c, order, keep);

	if (!w)
		return false;
	c->stats.given_up++;
	if (!w->flow->verdict.final) {
		struct step s = { .c = c, .flow = w->flow, .w = w };

		decide_finally(&s);
	}
	classify_release(c, w->flow);
	return true;
}

struct work *
room_take(struct classify *c, struct flow *flow)
{
	struct wait *wait = work_wait(flow);
	struct work *w = pool_get(c->works);

	if (!w && give_up(c, for_works, NULL))
		w = pool_get(c->works);
	if (!w)
		return NULL;
	memset(w, 0, sizeof(*w));
	if (wait) {
		w->wait = *wait;
		pool_put(c->waits, wait);
	} else {
		w->wait.epoch = c->epoch;
		c->epoch->works++;
	}
	w->wait.alone = false;
	w->flow = flow;
	flow->work = w;
	chain_alone(c->rings, pool_number(c->works, w));
	join(c, w, ROOM_ONE);
	return w;
}

static bool
has_spoken(const struct stream *stream)
{
	return stream->datagrams || stream->len || stream->offset;
}

void
room_settle(struct classify *c, struct work *w)
{
	const struct stream *stream = w->stream;
	unsigned ring = ROOM_ONE;

	if (w->flow->verdict.final)
		ring = ROOM_FOLLOWED;
	else if (stream[0].waiting || stream[1].waiting)
		ring = ROOM_GAPPED;
	else if (has_spoken(&stream[0]) && has_spoken(&stream[1]))
		ring = ROOM_BOTH;
	if (ring == w->ring)
		return;
	chain_leave(c->rings, pool_number(c->works, w));
	join(c, w, ring);
}

/* An eighth stays free, for windows that grow. */
void
room_clear(struct classify *c, const struct work *keep)
{
	const struct stream_store_stats *stats = stream_store_stats(c->streams);

	for (unsigned i = 0; i < CLEAR_MOST && stats->used > c->stream_bytes / 8 * 7; i++)
		if (!give_up(c, for_streams, keep))
			return;
}

void
room_leave(struct classify *c, struct work *w)
{
	chain_leave(c->rings, pool_number(c->works, w));
	pool_put(c->works, w);
}
