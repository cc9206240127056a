/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/hosts.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	char name[HOSTS_NAME];
	uint64_t flows, bytes, over;
};

/* From most bytes to least. */
struct top {
	unsigned count;
	struct entry entries[HOSTS_KEPT];
};

/* Most protocols have no names, so what has some gets its memory when the first one comes. */
struct hosts {
	uint16_t room;
	struct top **tops; /* [protocol] */
};

enum barn_err
hosts_new(struct hosts **hosts)
{
	*hosts = calloc(1, sizeof(**hosts));
	return *hosts ? BARN_OK : BARN_ERR_MEMORY;
}

void
hosts_clear(struct hosts *hosts)
{
	for (uint16_t p = 0; p < hosts->room; p++) {
		free(hosts->tops[p]);
		hosts->tops[p] = NULL;
	}
}

void
hosts_free(struct hosts *hosts)
{
	if (!hosts)
		return;
	hosts_clear(hosts);
	free(hosts->tops);
	free(hosts);
}

static struct top *
top_of(struct hosts *h, uint16_t protocol)
{
	uint32_t room = protocol + 64u;
	struct top **tops;

	if (room > UINT16_MAX)
		room = UINT16_MAX;
	if (protocol >= room)
		return NULL;
	if (protocol >= h->room) {
		tops = realloc(h->tops, room * sizeof(*tops));
		if (!tops)
			return NULL;
		for (uint32_t p = h->room; p < room; p++)
			tops[p] = NULL;
		h->tops = tops;
		h->room = (uint16_t)room;
	}
	if (!h->tops[protocol])
		h->tops[protocol] = calloc(1, sizeof(struct top));
	return h->tops[protocol];
}

static struct entry *
find(struct top *top, const char *name)
{
	for (unsigned i = 0; i < top->count; i++)
		if (strcmp(top->entries[i].name, name) == 0)
			return &top->entries[i];
	return NULL;
}

/* A new entry, or the least one's. */
static struct entry *
take_over(struct top *top, const char *name)
{
	struct entry *e;

	if (top->count < HOSTS_KEPT) {
		e = &top->entries[top->count++];
	} else {
		e = &top->entries[HOSTS_KEPT - 1];
		e->over = e->bytes;
		e->flows = 0;
	}
	memcpy(e->name, name, sizeof(e->name));
	return e;
}

static void
rise(struct top *top, struct entry *e)
{
	struct entry moved = *e;

	while (e > top->entries && e[-1].bytes < moved.bytes) {
		*e = e[-1];
		e--;
	}
	*e = moved;
}

enum barn_err
hosts_add(struct hosts *hosts, uint16_t protocol, const char *name, size_t length,
	  uint64_t bytes)
{
	char own[HOSTS_NAME] = { 0 };
	struct top *top;
	struct entry *e;

	if (length == 0)
		return BARN_OK;
	if (length >= sizeof(own)) {
		name += length - (sizeof(own) - 1);
		length = sizeof(own) - 1;
	}
	/* What comes from the network is shown on terminals. */
	for (size_t i = 0; i < length; i++)
		own[i] = name[i] > ' ' && name[i] < 127 ? name[i] : '?';
	top = top_of(hosts, protocol);
	if (!top)
		return BARN_ERR_MEMORY;
	e = find(top, own);
	if (!e)
		e = take_over(top, own);
	e->flows++;
	e->bytes += bytes;
	rise(top, e);
	return BARN_OK;
}

unsigned
hosts_list(const struct hosts *hosts, uint16_t protocol, struct barn_stats_host *list,
	   unsigned room)
{
	const struct top *top = protocol < hosts->room ? hosts->tops[protocol] : NULL;
	unsigned count = top ? top->count : 0;

	if (count > room)
		count = room;
	for (unsigned i = 0; i < count; i++) {
		const struct entry *e = &top->entries[i];

		list[i] = (struct barn_stats_host){ .protocol = protocol,
						    .flows = e->flows,
						    .bytes = e->bytes,
						    .over = e->over };
		memcpy(list[i].name, e->name, sizeof(e->name));
	}
	return count;
}

void
hosts_publish(const struct hosts *hosts, struct segment *segment, unsigned each)
{
	struct barn_stats_host list[HOSTS_KEPT];
	uint32_t at = 0, room = segment_room(segment, BARN_STATS_HOSTS);

	if (each > HOSTS_KEPT)
		each = HOSTS_KEPT;
	for (uint32_t p = 0; p < hosts->room && at < room; p++) {
		unsigned count = hosts_list(hosts, (uint16_t)p, list, each);

		for (unsigned i = 0; i < count && at < room; i++)
			(void)segment_write(segment, BARN_STATS_HOSTS, at++, &list[i],
					    sizeof(list[i]));
	}
	segment_count(segment, BARN_STATS_HOSTS, at, true);
}
