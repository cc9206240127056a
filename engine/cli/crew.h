/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_CREW_H
#define CLI_CREW_H

/*
 * Threads that take packets from one reader, each in order.
 *
 *	reader ── round of packets ──► lane 0: ring of batches ──► thread 0
 *	          (published at once)  lane 1: ring of batches ──► thread 1
 *
 * The reader gathers a round, a batch a lane, and publishes it to all lanes in one step. So
 * when a thread holds a packet, every packet with a smaller serial is in some lane already.
 * Packets are copied with their bytes; rings and batches are bounded, and a full ring stops the
 * reader.
 *
 * crew_settle cannot deadlock. Of the threads that wait in it take the one with the smallest
 * serial s. Every other thread either has an empty lane, and then it has finished all that is
 * smaller than s, since all of that was published; or it has a packet, and is not waiting at
 * one smaller than s, so it runs until it comes to a larger serial or empties its lane. Both
 * end the wait. The reader is not needed for that, whether it sleeps before a full ring or not.
 */

#include "wire/packet.h"
#include <barn/err.h>

struct crew;

struct crew_options {
	unsigned lanes; /* at least 1, at most CREW_MAX */
	/* Called in the lane's thread. slot is what came with the packet. */
	void (*packet)(void *self, unsigned lane, const struct packet *packet, uint64_t *slot);
	void *self;
};

enum { CREW_MAX = 64 };

enum barn_err crew_new(const struct crew_options *options, struct crew **crew);
void crew_free(struct crew *crew); /* finishes what is dealt, and the threads */

/* The reader's: serials rise from call to call. BARN_ERR_MEMORY: the packet was not taken. */
enum barn_err crew_deal(struct crew *crew, unsigned lane, const struct packet *packet,
			uint64_t *slot);
/* Returns when all packets are finished; the threads' writes are then seen by the reader. */
void crew_quiet(struct crew *crew);

/*
 * A thread's, while it handles the packet `serial`: returns when every other lane has finished
 * all packets with smaller serials. Also the reader's, while all is quiet.
 */
void crew_settle(struct crew *crew, unsigned lane, uint64_t serial);

#endif
