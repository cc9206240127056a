/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_PUBLISH_IMPL_H
#define DAEMON_PUBLISH_IMPL_H

/* What the files of the publisher share. */

#include "daemon/publish.h"
#include "daemon/publish_policies.h"
#include "discovery/ledger.h"

#include <barn/stats.h>

struct publish {
	struct publish_options options;
	struct segment *segment;
	struct ledger *ledger;
	struct hosts *hosts;
	struct publish_policies *policies;
	uint16_t protocols;
	const struct registry *registry; /* that the protocols' records are of */
	struct barn_stats_interface interfaces[WAYS_INTERFACES];
	uint64_t started_ns;
	bool all; /* the segment is new */
};

#endif
