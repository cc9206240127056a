/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Many flows at once: addresses, times, and one stream of packets in the order of time. */
#ifndef BARN_BENCH_EMIX_MIX_H
#define BARN_BENCH_EMIX_MIX_H

#include "script.h"

#include <stdio.h>

/*
 * Up to this many sets of flows are open at a time; in a larger mix the flows are shorter. Only
 * the scripts of open flows are in memory, about 100 KB each.
 */
enum { MIX_OPEN_SETS = 64, MIX_FLOWS_MAX = 2000000 };

struct mix_app {
	const struct app *app;
	struct dialogue dialogue;
	long exchanges; /* of script_fit */
};

struct mix {
	const struct mix_app *apps; /* one flow of each is a set */
	size_t n_apps;
	size_t sets;
	uint64_t seed;
	uint64_t seconds;
	bool ipv6;
};

/* Writes all frames to the sink. False: out of memory, or a flow could not be built. */
bool mix_run(const struct mix *mix, convo_sink *sink, void *ctx);

/* Writes the truth, a line a flow, sorted. False: out of memory; see also ferror. */
bool mix_truth(const struct mix *mix, FILE *file);

#endif
