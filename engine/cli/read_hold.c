/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_hold.h"
#include <stdlib.h>
#include <string.h>

struct read_hold {
	struct read_held *first, **last;
	unsigned count;
};

enum barn_err
read_hold_new(struct read_hold **hold)
{
	struct read_hold *h = calloc(1, sizeof(*h));

	if (!h)
		return BARN_ERR_MEMORY;
	h->last = &h->first;
	*hold = h;
	return BARN_OK;
}

void
read_hold_free(struct read_hold *h)
{
	struct read_held *next;

	if (!h)
		return;
	for (struct read_held *held = h->first; held; held = next) {
		next = held->next;
		free(held);
	}
	free(h);
}

/* Of the frame alone; what lies in memory of reassembly is not asked about. */
static void
move(struct bytes *window, const struct bytes *from, const struct bytes *to)
{
	if (window->p && window->p >= from->p && window->end <= from->end)
		*window = (struct bytes){ .p = to->p + (window->p - from->p),
					  .end = to->p + (window->end - from->p),
					  .bad = window->bad };
	else
		*window = bytes_of(to->p, 0);
}

enum barn_err
read_hold_add(struct read_hold *h, const struct packet *packet, uint64_t flow, bool output,
	      uint64_t *note)
{
	size_t len = bytes_left(&packet->frame);
	struct read_held *held = calloc(1, sizeof(*held) + len);
	uint8_t *copy;

	if (!held)
		return BARN_ERR_MEMORY;
	copy = (uint8_t *)(held + 1);
	if (len)
		memcpy(copy, packet->frame.p, len);
	*held = (struct read_held){ *packet, flow, note, output, NULL };
	held->packet.frame = bytes_of(copy, len);
	move(&held->packet.network, &packet->frame, &held->packet.frame);
	move(&held->packet.payload, &packet->frame, &held->packet.frame);
	*h->last = held;
	h->last = &held->next;
	h->count++;
	return BARN_OK;
}

struct read_held *
read_hold_due(const struct read_hold *h, uint64_t time_ns)
{
	struct read_held *held = h->first;

	if (!held)
		return NULL;
	if (h->count > READ_HOLD_MOST)
		return held;
	return time_ns > held->packet.time_ns && time_ns - held->packet.time_ns > READ_HOLD_NS
		       ? held
		       : NULL;
}

struct read_held *
read_hold_of(const struct read_hold *h, uint64_t flow)
{
	struct read_held *held = h->first;

	while (held && held->flow != flow)
		held = held->next;
	return held;
}

void
read_hold_drop(struct read_hold *h, struct read_held *held)
{
	struct read_held **at = &h->first;

	while (*at != held)
		at = &(*at)->next;
	*at = held->next;
	if (h->last == &held->next)
		h->last = at;
	h->count--;
	free(held);
}
