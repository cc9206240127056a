/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_STREAM_STORE_H
#define FLOW_STREAM_STORE_H

/*
 * The memory of all streams of a worker: one area, cut into blocks of 256 bytes times a power
 * of two (a binary buddy system, Knuth, The Art of Computer Programming, 2.5). A block that is
 * given back joins its other half when that is free, so that no pattern of use leaves the area
 * in splinters for good. Getting and giving take a step a size, ten at most. Private to
 * stream.c; the public half is in stream.h.
 */

#include "flow/stream.h"

enum { STREAM_STORE_UNIT = 256, STREAM_STORE_SIZES = 16, STREAM_STORE_NONE = UINT32_MAX };

struct stream_store {
	struct stream_store_stats stats;
	uint32_t window, segments;
	uint32_t units;                    /* of the area */
	uint32_t fresh;                    /* units from here on were never used */
	unsigned top;                      /* the largest size: STREAM_STORE_UNIT << top */
	uint32_t free[STREAM_STORE_SIZES]; /* first free block of each size, as a unit;
					      STREAM_STORE_NONE */
	uint8_t *area;
	uint8_t *size; /* by a block's first unit: its size, and STREAM_STORE_TAKEN if it is in
			  use */
};

/* At least `want` bytes; *capacity says how many. NULL: there is no room. */
void *stream_store_get(struct stream_store *store, uint32_t want, uint32_t *capacity);

/* Of NULL: nothing. */
void stream_store_put(struct stream_store *store, void *block);

#endif
