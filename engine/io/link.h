/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef IO_LINK_H
#define IO_LINK_H

/*
 * Interfaces as they go up and down, come and go; and one side of a bridge shown on the other.
 * The latter sets an interface down, which needs CAP_NET_ADMIN: it is for the parent, which
 * sees the same changes as the workers. Not for two threads at once.
 */

#include <net/if.h>
#include <stdbool.h>

struct link_news {
	int index;
	bool gone;
	bool up; /* set up, and there is a carrier */
	char name[IF_NAMESIZE];
};

/* A descriptor to poll, or -1. No privileges. */
int link_open(void);

/* False: no more. */
bool link_next(int fd, struct link_news *news);

/* Is it set up, with a carrier? */
bool link_is_up(const char *interface);

/* False: errno says why. */
bool link_set(const char *interface, bool up);

/*
 * The two sides of a bridge. When one loses its carrier the other is set down, and up again
 * with it. What a side that was set down by this says of its own carrier counts for nothing, so
 * that two dead sides do not hold each other down.
 */
struct link_mirror {
	bool held[2]; /* set down by us */
};

enum link_act { LINK_NOTHING, LINK_SET_DOWN, LINK_SET_UP };

/* What is to be done to the other side. */
enum link_act link_mirror_step(struct link_mirror *mirror, unsigned side, bool up);

#endif
