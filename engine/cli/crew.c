/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/crew.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum {
	ROUND = 256,           /* packets of a round, over all lanes */
	DEPTH = 8,             /* batches of a ring */
	BATCH_BYTES = 1 << 18, /* of frames; a longer frame has a batch for itself */
	SPINS = 100            /* looks at the other lanes before a thread goes to sleep */
};

struct item {
	struct packet packet;
	uint64_t *slot;
};

struct batch {
	unsigned count;
	size_t used, room;
	uint8_t *bytes;
	struct item items[ROUND];
};

struct lane {
	struct crew *crew;
	unsigned number;
	pthread_t thread;
	unsigned first;         /* the oldest batch that is published and unfinished */
	_Atomic unsigned count; /* of those; changed under the lock */
	unsigned filling;       /* the reader's: the batch behind them, free at all times */
	_Atomic uint64_t at; /* the packet in the thread's hands: smaller ones are finished */
	uint64_t waits;      /* sleeps until those before it are finished; NOBODY: awake */
	struct batch ring[DEPTH];
};

struct crew {
	struct crew_options options;
	pthread_mutex_t lock;
	pthread_cond_t published; /* a round, or stop: for threads that have no batch */
	pthread_cond_t moved;     /* counts, or at: for the reader, and who sleeps in settle */
	_Atomic uint64_t waited;  /* the least of lanes[].waits */
	bool stop;                /* under the lock */
	unsigned gathered;
	unsigned started;
	struct lane *lanes;
};

#define NOBODY UINT64_MAX

/*
 * Announces that the lane's thread goes to its next packet, and wakes who sleeps if the least
 * serial that is slept for has been reached. Store, then look: a thread that goes to sleep does
 * it the other way round, all sequentially consistent, so that one of the two sees the other.
 * Who sleeps for a larger serial looks again when the one with the least has been woken.
 */
static void
go_to(struct lane *lane, uint64_t serial)
{
	struct crew *c = lane->crew;
	uint64_t before = atomic_load_explicit(&lane->at, memory_order_relaxed), waited;

	atomic_store(&lane->at, serial);
	waited = atomic_load(&c->waited);
	if (before >= waited || waited > serial)
		return;
	pthread_mutex_lock(&c->lock);
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

static void
work(struct lane *lane, const struct batch *batch)
{
	const struct crew_options *o = &lane->crew->options;

	for (unsigned i = 0; i < batch->count; i++) {
		const struct item *item = &batch->items[i];

		go_to(lane, item->packet.serial);
		o->packet(o->self, lane->number, &item->packet, item->slot);
	}
}

static void *
run(void *arg)
{
	struct lane *lane = arg;
	struct crew *c = lane->crew;

	pthread_mutex_lock(&c->lock);
	for (;;) {
		struct batch *batch = &lane->ring[lane->first];

		while (!lane->count && !c->stop)
			pthread_cond_wait(&c->published, &c->lock);
		if (!lane->count)
			break;
		pthread_mutex_unlock(&c->lock);
		work(lane, batch);
		pthread_mutex_lock(&c->lock);
		batch->count = 0;
		batch->used = 0;
		lane->first = (lane->first + 1) % DEPTH;
		lane->count--;
		pthread_cond_broadcast(&c->moved);
	}
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

static bool
start(struct crew *c)
{
	for (unsigned i = 0; i < c->options.lanes; i++) {
		struct lane *lane = &c->lanes[i];

		lane->crew = c;
		lane->number = i;
		lane->waits = NOBODY;
		for (unsigned k = 0; k < DEPTH; k++) {
			lane->ring[k].bytes = malloc(BATCH_BYTES);
			lane->ring[k].room = lane->ring[k].bytes ? BATCH_BYTES : 0;
		}
		if (pthread_create(&lane->thread, NULL, run, lane) != 0)
			return false;
		c->started++;
	}
	return true;
}

enum barn_err
crew_new(const struct crew_options *options, struct crew **crew)
{
	struct crew *c = calloc(1, sizeof(*c));

	if (!c)
		return BARN_ERR_MEMORY;
	c->options = *options;
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->published, NULL);
	pthread_cond_init(&c->moved, NULL);
	c->waited = NOBODY;
	c->lanes = calloc(options->lanes, sizeof(*c->lanes));
	if (!c->lanes || !start(c)) {
		crew_free(c);
		return BARN_ERR_MEMORY;
	}
	*crew = c;
	return BARN_OK;
}

/* Whether every lane has fewer than so many unfinished batches. Under the lock. */
static bool
all_below(const struct crew *c, unsigned count)
{
	for (unsigned i = 0; i < c->options.lanes; i++)
		if (c->lanes[i].count >= count)
			return false;
	return true;
}

/* Publishes the round and returns when every lane has a free batch to fill, or none at work. */
static void
publish(struct crew *c, unsigned below)
{
	pthread_mutex_lock(&c->lock);
	for (unsigned i = 0; i < c->options.lanes; i++) {
		struct lane *lane = &c->lanes[i];

		if (!lane->ring[lane->filling].count)
			continue;
		lane->filling = (lane->filling + 1) % DEPTH;
		lane->count++;
	}
	c->gathered = 0;
	pthread_cond_broadcast(&c->published);
	while (!all_below(c, below))
		pthread_cond_wait(&c->moved, &c->lock);
	pthread_mutex_unlock(&c->lock);
}

void
crew_free(struct crew *c)
{
	if (!c)
		return;
	if (c->started == c->options.lanes)
		crew_quiet(c);
	pthread_mutex_lock(&c->lock);
	c->stop = true;
	pthread_cond_broadcast(&c->published);
	pthread_mutex_unlock(&c->lock);
	for (unsigned i = 0; i < c->started; i++)
		pthread_join(c->lanes[i].thread, NULL);
	for (unsigned i = 0; c->lanes && i < c->options.lanes; i++)
		for (unsigned k = 0; k < DEPTH; k++)
			free(c->lanes[i].ring[k].bytes);
	pthread_cond_destroy(&c->published);
	pthread_cond_destroy(&c->moved);
	pthread_mutex_destroy(&c->lock);
	free(c->lanes);
	free(c);
}

static bool
within(const struct bytes *inner, const struct bytes *outer)
{
	return inner->p >= outer->p && inner->end <= outer->end;
}

/* What of the packet's windows lies outside the frame: reassembled from fragments. */
static size_t
extra(const struct packet *packet)
{
	size_t n = 0;

	if (!within(&packet->network, &packet->frame))
		n += bytes_left(&packet->network);
	if (!within(&packet->payload, &packet->frame) &&
	    !within(&packet->payload, &packet->network))
		n += bytes_left(&packet->payload);
	return n;
}

static struct bytes
copy(struct batch *batch, const struct bytes *window)
{
	size_t n = bytes_left(window);
	uint8_t *to = batch->bytes + batch->used;

	if (n)
		memcpy(to, window->p, n);
	batch->used += n;
	return (struct bytes){ .p = to, .end = to + n, .bad = window->bad };
}

/* The window at the same place of the copy. */
static struct bytes
moved(const struct bytes *window, const struct bytes *from, const struct bytes *to)
{
	return (struct bytes){ .p = to->p + (window->p - from->p),
			       .end = to->p + (window->end - from->p),
			       .bad = window->bad };
}

static void
take(struct batch *batch, const struct packet *packet, uint64_t *slot)
{
	struct item *item = &batch->items[batch->count++];
	struct packet *p = &item->packet;

	*p = *packet;
	item->slot = slot;
	p->frame = copy(batch, &packet->frame);
	if (within(&packet->network, &packet->frame))
		p->network = moved(&packet->network, &packet->frame, &p->frame);
	else
		p->network = copy(batch, &packet->network);
	if (within(&packet->payload, &packet->frame))
		p->payload = moved(&packet->payload, &packet->frame, &p->frame);
	else if (within(&packet->payload, &packet->network))
		p->payload = moved(&packet->payload, &packet->network, &p->network);
	else
		p->payload = copy(batch, &packet->payload);
}

enum barn_err
crew_deal(struct crew *c, unsigned number, const struct packet *packet, uint64_t *slot)
{
	struct lane *lane = &c->lanes[number];
	size_t need = bytes_left(&packet->frame) + extra(packet);
	struct batch *batch = &lane->ring[lane->filling];

	if (batch->count && batch->used + need > batch->room) {
		publish(c, DEPTH);
		batch = &lane->ring[lane->filling];
	}
	if (need > batch->room) {
		uint8_t *bytes = realloc(batch->bytes, need);

		if (!bytes)
			return BARN_ERR_MEMORY;
		batch->bytes = bytes;
		batch->room = need;
	}
	take(batch, packet, slot);
	if (++c->gathered == ROUND)
		publish(c, DEPTH);
	return BARN_OK;
}

void
crew_quiet(struct crew *c)
{
	publish(c, 1);
}

static bool
settled(const struct crew *c, unsigned number, uint64_t serial)
{
	for (unsigned i = 0; i < c->options.lanes; i++)
		if (i != number && c->lanes[i].count && atomic_load(&c->lanes[i].at) < serial)
			return false;
	return true;
}

/* What the lane's thread sleeps for, or that it is awake. Under the lock. */
static void
set_waits(struct crew *c, unsigned number, uint64_t serial)
{
	uint64_t least = NOBODY;

	c->lanes[number].waits = serial;
	for (unsigned i = 0; i < c->options.lanes; i++)
		if (c->lanes[i].waits < least)
			least = c->lanes[i].waits;
	atomic_store(&c->waited, least);
}

/*
 * Without the lock first. That sees enough: the thread has taken its batch under the lock,
 * after the whole round was published, and counts only shrink by what is finished.
 */
void
crew_settle(struct crew *c, unsigned lane, uint64_t serial)
{
	for (unsigned i = 0; i < SPINS; i++)
		if (settled(c, lane, serial))
			return;
	pthread_mutex_lock(&c->lock);
	set_waits(c, lane, serial);
	while (!settled(c, lane, serial))
		pthread_cond_wait(&c->moved, &c->lock);
	set_waits(c, lane, NOBODY);
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}
