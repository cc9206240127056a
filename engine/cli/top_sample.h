/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_TOP_SAMPLE_H
#define CLI_TOP_SAMPLE_H

/* What the daemon has counted at one moment, and what it came to since another. */

#include <barn/stats.h>
#include <stdbool.h>
#include <stdint.h>

/* A protocol, or a flow. Pairs are input and output, or of the client and the server. */
struct top_row {
	uint64_t key;          /* record of the protocol; a flow's own number */
	char *name;            /* of the protocol; of the flow what runs over what */
	char *client, *server; /* of a flow, else NULL */
	uint64_t packets[2], bytes[2];
	uint64_t bps[2], pps[2]; /* since the sample before; 0 of what was not there then */
};

struct top_rows {
	struct top_row *rows;
	unsigned count, room;
	bool failed; /* there was no memory for some */
};

struct top_sample {
	uint64_t time_ns; /* of the steady clock */
	struct barn_stats_engine engine;
	struct top_row total;
	struct top_rows protocols, flows; /* those with packets */
};

struct top_source {
	struct barn_stats *stats;
	uint32_t interface;  /* record; UINT32_MAX: all together */
	const char *control; /* where the daemon's flows are asked for; NULL: the usual place */
	bool no_flows;       /* nobody is asked for them */
};

/*
 * An all zero `sample` takes it. False: the counters are gone, and it is empty; the user was
 * told. Flows that cannot be had are left out from then on, and the user is told once.
 */
bool top_sample_take(struct top_source *source, struct top_sample *sample);
void top_sample_fini(struct top_sample *sample);

/* Fills the rates in, and sorts: by rate, or by bytes. */
void top_sample_since(struct top_sample *sample, const struct top_sample *before,
		      bool by_bytes);

#endif
