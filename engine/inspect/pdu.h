/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_PDU_H
#define INSPECT_PDU_H

/*
 * One direction of a stream of messages that tell their lengths: what an inspector keeps of it
 * between two calls. A message's beginning is looked at, the rest passed over. Behind a gap
 * it is not known where the next one begins: each call's first byte is tried, as senders
 * often begin a segment with a message.
 *
 * All zero is new. inspect/chain.h does more, for protocols whose messages can be told one by
 * one with nothing between them.
 */

#include "inspect/inspector.h"

struct pdu {
	uint32_t skip; /* bytes of a message that are not looked at */
	uint8_t tries; /* calls behind a gap in which no message began */
	bool blind;    /* behind a gap */
	bool deaf;     /* nothing more is read */
};

/* Bytes are missing before the ones at hand. */
void pdu_lost(struct pdu *pdu);

/* Passes over what is not looked at. True: there are bytes, and a message begins at them. */
bool pdu_begins(struct pdu *pdu, struct bytes *data);

/*
 * No message begins here: consumes all bytes. Behind a gap so many calls may fail. True: this
 * one may not, and the direction is not read any more.
 */
bool pdu_fail(struct pdu *pdu, struct bytes *data, unsigned tries_most);

#endif
