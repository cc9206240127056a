/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_TPKT_H
#define INSPECT_TPKT_H

/*
 * What S7, MMS, RDP and H.323 have in common over TCP: TPKT (RFC 1006, section 6), and inside,
 * but for H.323, the connections of COTP, class 0 (X.224, section 13):
 *
 *	3, 0, length │ length, e0, 0, source, 0 │ parameters      a request; d0 confirms it
 *	3, 0, length │ 2, f0, 80 or 0           │ data            80: the last of its unit
 *
 * None of them has this for itself: who a connection belongs to is told by the called TSAP, and
 * surely by the first data.
 */

#include "inspect/inspector.h"

enum tpkt_kind {
	TPKT_OTHER = 0, /* not COTP, as in H.323 */
	TPKT_ERROR = 0x70,
	TPKT_DISCONNECT = 0x80,
	TPKT_CONFIRM = 0xd0,
	TPKT_REQUEST = 0xe0,
	TPKT_DATA = 0xf0,
};

struct tpkt {
	struct bytes body; /* parameters of a request or a confirmation, or data */
	uint8_t kind;      /* enum tpkt_kind */
	bool last;         /* data: its unit ends here */
};

/* See chain_protocol: how long the packet at b is. */
enum inspect_answer tpkt_length(struct bytes b, size_t *length);

/* A packet, which may be cut; false if it is none. */
bool tpkt_read(struct bytes packet, size_t length, struct tpkt *tpkt);

/* The parameter of a request or a confirmation: c1 is the calling TSAP, c2 the called one. */
enum { TPKT_CALLING = 0xc1, TPKT_CALLED = 0xc2 };
bool tpkt_parameter(const struct tpkt *tpkt, uint8_t code, struct bytes *value);

#endif
