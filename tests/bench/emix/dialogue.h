/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* A recorded conversation, as the messages that its two ends sent. */
#ifndef BARN_BENCH_EMIX_DIALOGUE_H
#define BARN_BENCH_EMIX_DIALOGUE_H

#include "../../lib/convo.h"

/* TCP: the bytes up to a PSH or to the other side's turn. UDP: a datagram. */
struct message {
	enum convo_from from;
	uint64_t gap_ns; /* since the message before */
	size_t len;
	uint8_t *bytes; /* owned; never NULL */
};

struct messages {
	struct message *at;
	size_t n, room;
};

struct dialogue {
	uint8_t proto; /* 6 or 17 */
	struct messages messages;
	enum convo_from closer; /* TCP: who sent the first FIN */
	double acks;            /* TCP: bare ACKs for each segment with payload */
};

enum { DIALOGUE_ERROR_MAX = 256 };

/*
 * Reads the conversation in this capture; of several, the one with the most packets. False:
 * error says why. A capture with a gap in a TCP stream is refused.
 */
bool dialogue_read(struct dialogue *d, const char *path, char error[DIALOGUE_ERROR_MAX]);
void dialogue_free(struct dialogue *d);

/* Adds a copy. */
void messages_add(struct messages *list, const struct message *m);
void messages_free(struct messages *list);

/* The bytes [at, at + old) of the message become these. */
void message_splice(struct message *m, size_t at, size_t old, const void *bytes, size_t len);

/* Where the text stands in the message at or after start; m->len when it does not. */
size_t message_find(const struct message *m, size_t start, const char *text, size_t len);

#endif
