/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* A recorded conversation, as the messages that its two ends sent. */
#ifndef BARN_BENCH_EMIX_DIALOGUE_H
#define BARN_BENCH_EMIX_DIALOGUE_H

#include "message.h"

struct dialogue {
	uint8_t proto; /* 6 or 17 */
	struct messages messages;
	enum convo_from closer; /* TCP: who sent the first FIN */
	double acks;            /* TCP: bare ACKs for each segment with payload */
	size_t mss;             /* TCP: payload of a full segment; 0: none was seen */
};

enum { DIALOGUE_ERROR_MAX = 256 };

/*
 * Reads the conversation in this capture; of several, the one with the most packets. False:
 * error says why. A capture with a gap in a TCP stream is refused.
 */
bool dialogue_read(struct dialogue *d, const char *path, char error[DIALOGUE_ERROR_MAX]);

/*
 * Cuts the stream of each turn anew: each message holds its length as an integer, which counts
 * all but `add` bytes. False, with the messages as they were: it is not so.
 */
bool dialogue_frame(struct dialogue *d, const struct length *length, size_t add);

void dialogue_free(struct dialogue *d);

#endif
