/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_MATRIX_SEND_H
#define BARN_TESTS_MATRIX_SEND_H

/* A script's events as frames: transport, IP with its options or fragments, and what is around.
 */

#include "../lib/frame.h"
#include "change.h"

struct send {
	struct frame_end end[2]; /* client, server */
	struct frame_end other;  /* a third host, for fragments among which ours come */
	/*
	 * Words in front of the innermost IP header (words.h), of the conversation and of
	 * another customer's with the same addresses, whose packets come between; NULL: none.
	 * "{A|B}" stands for A from the client and for B from the server; the packet behind
	 * "/" is cut into two fragments.
	 */
	const char *around[2];
	uint8_t packet; /* enum change_packet */
	uint64_t now_ns;
	void (*frame)(void *self, const struct frame *frame, size_t captured, uint64_t time_ns);
	void *self;

	/* kept: frames and bytes that were sent for each customer, by direction */
	uint64_t packets[2][2], bytes[2][2];
	unsigned customer; /* whose packet it is */
	uint16_t id, outer_id;
	bool lost[2]; /* the datagram that loses a fragment has been sent */
};

void send_script(struct send *send, const struct script *script);

#endif
