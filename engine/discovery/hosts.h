/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DISCOVERY_HOSTS_H
#define DISCOVERY_HOSTS_H

/*
 * The servers' names that took most, by protocol: few entries for any number of names, by the
 * algorithm of Metwally, Agrawal and El Abbadi ("Efficient Computation of Frequent and Top-k
 * Elements in Data Streams", 2005, "Space-Saving"). A name without an entry takes over that of
 * the least, with its bytes as the error it may carry. So a name that has more than
 * 1/HOSTS_KEPT of a protocol's bytes is always there, and bytes - over <= what it had <= bytes.
 *
 * Names come when a flow ends, by a ring: a worker puts them in, the publisher's thread takes
 * them out and owns the entries. Neither waits: what finds the ring full is counted as lost.
 */

#include "discovery/segment.h"

#include <stdint.h>

enum { HOSTS_KEPT = 32, HOSTS_NAME = 128 };

struct hosts;
struct hosts_ring;

enum barn_err hosts_new(struct hosts **hosts);
void hosts_free(struct hosts *hosts); /* of NULL: nothing */

/* Of a protocol's number of the catalog. Longer names are cut, at their beginning: the domain
 * says more than the host. An empty one is not counted. BARN_ERR_MEMORY: it was not counted. */
enum barn_err hosts_add(struct hosts *hosts, uint16_t protocol, const char *name, size_t length,
			uint64_t bytes);
void hosts_clear(struct hosts *hosts);

/* At most `room` of the protocol's, most bytes first; how many there are. */
unsigned hosts_list(const struct hosts *hosts, uint16_t protocol, struct barn_stats_host *list,
		    unsigned room);

/* All protocols', each with its first `each`, as far as there is room. */
void hosts_publish(const struct hosts *hosts, struct segment *segment, unsigned each);

/* One thread puts in, one takes out. `room` is a power of two. */
enum barn_err hosts_ring_new(uint32_t room, struct hosts_ring **ring);
void hosts_ring_free(struct hosts_ring *ring); /* of NULL: nothing */
void hosts_ring_put(struct hosts_ring *ring, uint16_t protocol, const char *name, size_t length,
		    uint64_t bytes);
/* All that is there, into the entries. */
enum barn_err hosts_ring_take(struct hosts_ring *ring, struct hosts *hosts);
uint64_t hosts_ring_lost(const struct hosts_ring *ring);

#endif
