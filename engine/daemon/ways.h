/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_WAYS_H
#define DAEMON_WAYS_H

/*
 * All ways by which packets come, as the configuration says, open: each worker has one of every
 * kind (io/way.h), but for captures, which the first plays. Interfaces are numbered over all of
 * them: those are the numbers that packets and counters have.
 */

#include "conf/conf.h"
#include "daemon/settings.h"
#include "io/way.h"

enum { WAYS_INTERFACES = 256, WAYS_MAX = 1024 };

struct ways_item {
	struct way_options options;
	const struct way_kind *kind;
	struct way *way;
	uint16_t worker;
	uint16_t first; /* number of its interface 0 */
	uint16_t count; /* of its interfaces */
};

struct ways {
	struct ways_item items[WAYS_MAX];
	unsigned count;
	char names[WAYS_INTERFACES][64];
	/* What the ways go on to point to: names, or paths of captures. */
	const char *opened[WAYS_INTERFACES];
	char *paths[WAYS_INTERFACES];        /* NULL: it is no capture */
	uint32_t ifindex[WAYS_INTERFACES];   /* the kernel's, when it was opened; 0: not the
						kernel's */
	uint64_t speed_bps[WAYS_INTERFACES]; /* 0: not known */
	uint16_t interfaces;
	bool net_admin; /* who gives verdicts needs CAP_NET_ADMIN */
};

/* NULL: it was logged why. The inner process has them as they are. */
struct ways *ways_open(const struct conf *conf, const struct settings *settings);
/* What is not shared with who comes after it, in the inner process: captures. */
bool ways_open_own(struct ways *ways);
void ways_close(struct ways *ways);

#endif
