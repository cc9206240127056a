/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_MATRIX_CHANGE_H
#define BARN_TESTS_MATRIX_CHANGE_H

/*
 * What happens to a conversation on its way. A condition rewrites the script (change.c), or
 * tells send.c what to do to the packets, or both.
 */

#include "script.h"

/* What can be known of the conversation then. */
enum change_view {
	VIEW_WHOLE,  /* all */
	VIEW_CLIENT, /* what the client sends */
	VIEW_SERVER,
	VIEW_MIDDLE, /* from its middle on, without the beginning of the connection */
	VIEW_HOLE,   /* there is a hole in the client's first message */
	VIEW_SNAPPED,
	CHANGE_VIEWS
};

/* What send.c does to each packet. */
enum change_packet {
	PACKET_PLAIN,
	PACKET_FRAGMENTS, /* in order */
	PACKET_FRAGMENTS_REVERSED,
	PACKET_FRAGMENTS_OVERLAP,
	PACKET_FRAGMENTS_TINY,
	PACKET_FRAGMENTS_MIXED,
	PACKET_FRAGMENTS_LOST, /* the last of the client's first datagram, then all of it again
				*/
	PACKET_OPTIONS,        /* IPv6: hop-by-hop, destination, routing, destination */
	PACKET_OPTIONS_MANY,
	PACKET_AH,
	PACKET_ATOMIC, /* IPv6: a fragment header, and no fragments */
	PACKET_BAD_SUM,
	PACKET_PADDED,
	PACKET_SNAPPED,
	PACKET_BACKWARDS, /* in time */
};

enum change_for {
	FOR_TCP = 1,
	FOR_UDP = 2,
	FOR_IP4 = 4,
	FOR_IP6 = 8,
	FOR_BOTH = FOR_IP4 | FOR_IP6,
	FOR_ALL = FOR_TCP | FOR_UDP | FOR_BOTH,
	FOR_CLIENT_FIRST = 16, /* conversations that the client begins */
};

struct change {
	const char *name;
	unsigned for_what;                      /* enum change_for, or'd */
	uint8_t view;                           /* enum change_view */
	uint8_t packet;                         /* enum change_packet */
	uint8_t flows;                          /* how many it makes; 0: one */
	void (*rewrite)(struct script *script); /* NULL: nothing */
};

extern const struct change changes[];
extern const size_t change_count;

#endif
