/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_RINGS_H
#define IO_RINGS_H

/* A way that is made of rings, one for each interface: what tap and bridge do alike. */

#include "io/ring.h"

struct rings {
	struct way way;
	uint16_t count;
	int poll_fd, link_fd;
	unsigned turn;    /* whose ring is looked at first */
	unsigned pending; /* frames without a verdict */
	bool fail_closed, offload;
	struct ring ring[WAY_INTERFACES];
	struct way_stats stats[WAY_INTERFACES];
	/* The frames of the batch: whose they are; bridge: where, and 0 if cut. */
	uint16_t source[WAY_BATCH];
	uint8_t *data[WAY_BATCH];
	uint32_t size[WAY_BATCH];
};

/* The rest of the options is the way's. */
enum barn_err rings_open(const struct way_kind *kind, const struct way_options *options,
			 const struct ring_options *how, struct rings **rings,
			 struct source_fault *fault);

/* What the kinds' members are. */
void rings_close(struct way *way);
int rings_fd(const struct way *way);
enum barn_err rings_inject(struct way *way, uint16_t interface, struct bytes frame);
bool rings_event(struct way *way, struct way_event *event);
void rings_stats(struct way *way, uint16_t interface, struct way_stats *stats);
enum barn_err rings_probe(const struct way_options *options, struct source_fault *fault);

/* When nothing came: an interface that went down leaves an error, and poll would tell it for
 * ever. */
void rings_idle(struct rings *rings);

#endif
