/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_ACT_H
#define DAEMON_ACT_H

/*
 * What policies say of a packet, done to its frame: marks are written into it, refusals are
 * told to its sender, and the way gets its verdict. A worker's own.
 */

#include "daemon/log.h"
#include "daemon/ways.h"
#include "policy/police.h"
#include "worker/worker.h"

struct act {
	const struct ways *ways;
	struct police *rejects; /* how many may be told a second */
	struct log_rate log;
	bool dry_run; /* nothing is done */
};

enum barn_err act_init(struct act *act, const struct ways *ways, bool dry_run);
void act_fini(struct act *act);

/*
 * Asks the worker about the packet that it has just had, and does what is said. The frame is
 * the packet's.
 */
void act_on(struct act *act, struct worker *worker, const struct ways_item *item,
	    const struct way_frame *frame, const struct packet *packet,
	    struct way_verdict *verdict);

#endif
