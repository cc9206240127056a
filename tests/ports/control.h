/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_PORTS_CONTROL_H
#define BARN_TESTS_PORTS_CONTROL_H

/* Control connections, each with the place of what it announces left open. */

#include "../lib/frame.h"
#include "../matrix/talk.h"

enum { CONTROL_MESSAGES = 6, CONTROL_PORT = 21000, CONTROL_CLIENT = 40000 };

/*
 * In `text`: $A is the announced address, $C with commas, $D as IRC writes it, $a as bytes; $P
 * the port, $Q the one above, $p as two numbers with a comma, $b as two bytes; $V 4 or 6, $E 1
 * or 2; $L the length behind the empty line, $T and $t that of the message, and less 10, as two
 * bytes.
 */
struct control_message {
	uint8_t dir;
	const char *text;
	size_t len;
};

struct control {
	const char *name;
	bool udp;
	uint16_t port;
	uint8_t dir;    /* who announces */
	bool tells;     /* an address too, which may be another one */
	bool alone;     /* it can be told from the announcing side alone */
	bool only4;     /* there is no way to say it with IPv6 */
	bool own_port;  /* it is the client's own port that is announced */
	bool flow_udp;  /* the flow that is announced */
	uint16_t above; /* how far its port is above the announced one */
	const char *want;
	struct control_message message[CONTROL_MESSAGES];
	/* Instead of messages: those of this capture, with this end in them changed. */
	const char *capture;
	uint8_t old_address[4];
	uint16_t old_port;
	bool little;    /* the port's bytes */
	bool port_only; /* the address is not told beside it */
};

extern const struct control control_table[];
extern const unsigned control_count;

/* What is said when this end is announced. */
void control_say(const struct control *control, const struct frame_end *announced,
		 struct talk *talk);

#endif
