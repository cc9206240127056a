/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_MATRIX_SCRIPT_H
#define BARN_TESTS_MATRIX_SCRIPT_H

/*
 * A conversation as the segments or datagrams that are sent, in the order in which they come
 * by. A condition (change.h) rewrites it; send.h makes frames of it.
 */

#include "talk.h"

enum { SCRIPT_EVENTS = 40000, SCRIPT_BYTES = 1 << 20 };

enum script_flag {
	SCRIPT_FIN = 0x01,
	SCRIPT_SYN = 0x02,
	SCRIPT_RST = 0x04,
	SCRIPT_PSH = 0x08,
	SCRIPT_ACK = 0x10,
};

struct script_event {
	uint8_t dir;
	uint8_t flags; /* enum script_flag; 0 over UDP */
	bool lost;     /* it never comes by */
	bool spoiled;  /* its bytes are not those of the talk */
	int16_t message;
	uint32_t seq, ack; /* from 0 at the SYN */
	uint32_t at, len;  /* in bytes */
	int64_t pause_ns;  /* before it, beside the usual gap */
};

struct script {
	bool udp;
	unsigned count;
	struct script_event *event; /* SCRIPT_EVENTS of them */
	uint8_t *bytes;             /* SCRIPT_BYTES */
	uint32_t used;
};

/* Room for one; aborts without memory. */
struct script *script_new(void);
void script_free(struct script *script);

/* The whole conversation: handshake, a segment a message, the end of both sides. */
void script_write(struct script *script, const struct talk *talk);

/* One more event behind the others; its bytes stay where they are. */
struct script_event *script_add(struct script *script, struct script_event event);

/* Cuts event i in two behind `len` of its bytes. */
void script_cut(struct script *script, unsigned i, uint32_t len);

/* The first event with bytes from this side, at or behind `from`; count: there is none. */
unsigned script_first(const struct script *script, unsigned dir, unsigned from);

void script_swap(struct script *script, unsigned i, unsigned j);
void script_remove(struct script *script, unsigned i);
void script_insert(struct script *script, unsigned i, struct script_event event);

/* The whole script once more behind itself, after a pause, as another connection would be. */
void script_repeat(struct script *script, int64_t pause_ns);

#endif
