/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_WAITING_H
#define FLOW_WAITING_H

/*
 * Segments of a stream that wait behind a gap: a list in order of sequence numbers, without
 * overlaps. Pieces that touch share a block while it has room, so that a stream of small
 * segments costs little. Private to stream.c.
 */

#include "flow/stream_store.h"

struct stream_segment {
	struct stream_segment *next;
	uint32_t seq;
	uint32_t len;
	uint32_t missing; /* bytes behind it that will not come: snapped off */
	uint32_t room;    /* in bytes */
	uint8_t bytes[];
};

/* How far a is ahead of b, modulo 2^32: negative when it is behind. */
static inline int32_t
waiting_ahead(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b);
}

/*
 * Adds what is new of these bytes; those that wait already stay. False: there was no room for
 * some of it.
 */
bool waiting_add(struct stream *stream, struct stream_store *store, uint32_t seq,
		 const uint8_t *bytes, uint32_t n, uint32_t missing);

/* Gives the first segment back. */
void waiting_drop(struct stream *stream, struct stream_store *store);

/* Gives all of them back. */
void waiting_clear(struct stream *stream, struct stream_store *store);

#endif
