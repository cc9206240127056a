/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What one end of a conversation says at once, and lists of it. */
#ifndef BARN_BENCH_EMIX_MESSAGE_H
#define BARN_BENCH_EMIX_MESSAGE_H

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

/* An integer inside a message. */
struct length {
	size_t offset;
	unsigned width; /* 1 to 4; 0: none */
	bool little;
};

uint32_t message_integer(const uint8_t *p, const struct length *length);
void message_set_integer(uint8_t *p, const struct length *length, uint32_t value);

/* Adds a copy. */
void message_add(struct messages *list, const struct message *m);
void message_clear(struct messages *list);

/* The bytes [at, at + old) of the message become these. */
void message_splice(struct message *m, size_t at, size_t old, const void *bytes, size_t len);

/* Where the text stands in the message at or after start; m->len when it does not. */
size_t message_find(const struct message *m, size_t start, const char *text, size_t len);

#endif
