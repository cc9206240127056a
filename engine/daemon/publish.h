/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_PUBLISH_H
#define DAEMON_PUBLISH_H

/*
 * From the lanes' counters to the segment that other programs read (barn/stats.h): added up,
 * with rates, and written where they have changed. The serving thread's.
 */

#include "daemon/lane.h"

struct publish;

/* Protocols that modules may still bring, without another segment. */
enum { PUBLISH_MORE = 1024 };

struct publish_options {
	struct barn_engine *engine;
	const struct ways *ways;
	struct lane **lanes;
	unsigned lane_count;
	uint32_t flows; /* room in each lane's table */
	int segment;    /* its descriptor, which is taken over */
	struct policy_slot *policies;
};

enum barn_err publish_new(const struct publish_options *options, struct publish **publish);
void publish_free(struct publish *publish); /* of NULL: nothing */

/*
 * publish_state.c: counters of the last run, before the first publish_now; of a file in an open
 * folder. BARN_ERR_MISSING: there is none; BARN_ERR_TEXT: *line is damaged, and nothing of it
 * counts.
 */
enum barn_err publish_restore(struct publish *publish, int folder, const char *name,
			      unsigned *line);
/* And for the next run; free() frees it. */
enum barn_err publish_state(struct publish *publish, char **text, size_t *length);

/* Brings all up to date; called a few times a second. */
void publish_now(struct publish *publish);

struct publish_policies *publish_policies(struct publish *publish);

/* What the configuration says of interfaces: load intervals, and where discovery is shown. */
void publish_configure(struct publish *publish, const struct conf *conf);

/*
 * Protocol discovery of an interface is shown, or not: until the configuration is read again.
 * When it begins, its counters begin anew, as on a router.
 */
void publish_enable(struct publish *publish, uint16_t interface, bool on);

/* Counters of an interface count from now on; WAY_NONE: of all. */
void publish_clear(struct publish *publish, uint16_t interface);

#endif
