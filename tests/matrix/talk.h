/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_MATRIX_TALK_H
#define BARN_TESTS_MATRIX_TALK_H

/*
 * What two ends say to each other: the messages of a recorded conversation, taken from the
 * first flow of a capture, without anything of the way that they took.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TALK_MESSAGES = 64, TALK_BYTES = 16384 };

struct talk_message {
	uint8_t dir; /* 0: from the client */
	uint32_t at, len;
};

struct talk {
	bool udp;
	uint16_t port; /* the server's */
	unsigned count;
	struct talk_message message[TALK_MESSAGES];
	uint32_t used;
	uint8_t bytes[TALK_BYTES];
};

/* Over TCP at most `limit` bytes of each side. Says why and returns false when it can't. */
bool talk_read(struct talk *talk, const char *path, uint32_t limit);

#endif
