/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * From a recorded conversation to a flow of exactly so many packets and bytes.
 *
 * 1. The recording is cut into exchanges where app->exchange or app->prompt says. What comes
 * before the first exchange is the head, the last exchange is the tail: both always stay. Of
 * the others the flow gets the first n, and again from the first if there are fewer.
 * 2. The names and numbers of the flow are put in (app->vary).
 * 3. The elastic parts of the messages (app->elastic) are made longer or shorter, all by the
 *    same number of bytes where they can, until the payload is what remains of
 *    packets x average after all headers. Lengths inside the messages follow.
 * 4. TCP: the messages are cut at SCRIPT_MSS, or the recording's own MSS. Handshake (3) and
 * close (3) are added, and bare ACKs, spread evenly, until the packets are right; each
 * acknowledges something new.
 *
 * n is chosen once, by script_fit: the one whose share of bare ACKs is nearest to the
 * recording's and that stretches least. Sizes are those of IPv4 frames. IPv6 makes the same
 * packets, each 20 bytes longer.
 */
#ifndef BARN_BENCH_EMIX_SCRIPT_H
#define BARN_BENCH_EMIX_SCRIPT_H

#include "app.h"

/* What a segment holds in IPv6 with 1500 bytes; in IPv4 too, so that both are alike. */
enum { SCRIPT_MSS = 1440 };

/* One packet. Its payload is a part of a message, or nothing. */
struct step {
	uint64_t time_ns; /* since the flow's first packet */
	uint32_t message, offset, len;
	uint8_t from; /* enum convo_from */
	uint8_t flags;
};

struct script {
	uint8_t proto;
	size_t mss;
	struct messages messages;
	struct step *steps;
	size_t n;
};

/* The number of exchanges to take; -1 when none fits. */
long script_fit(const struct app *app, const struct dialogue *d);

/* A flow's script. False when the variation made it impossible. */
bool script_build(struct script *s, const struct app *app, const struct dialogue *d,
		  long exchanges, const struct variation *v);

/* Gives the steps times, the last at most at this. */
void script_time(struct script *s, struct rng *rng, uint64_t duration_ns);

void script_free(struct script *s);

#endif
