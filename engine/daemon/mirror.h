/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_MIRROR_H
#define DAEMON_MIRROR_H

/*
 * A cable between two hosts has no middle: when one side of a bridge loses its carrier, the
 * other is set down until it is back, so that hosts and routing protocols see it. The parent's,
 * who may set interfaces down.
 */

#include "daemon/ways.h"
#include "io/link.h"

enum { MIRROR_BRIDGES = 64 };

struct mirror {
	struct link_mirror bridges[MIRROR_BRIDGES];
	/* Steps until a side that was set up is asked again: a carrier takes its time. */
	uint8_t settling[MIRROR_BRIDGES][2];
};

/* Looks at all bridges; called a few times a second. */
void mirror_step(struct mirror *mirror, const struct ways *ways);
/* Sets up what it has set down. */
void mirror_end(struct mirror *mirror, const struct ways *ways);

#endif
