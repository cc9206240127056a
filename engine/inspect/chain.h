/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_CHAIN_H
#define INSPECT_CHAIN_H

/*
 * Protocols whose messages tell their own lengths, one behind the other: several in a segment,
 * one over several segments, a capture that begins in the middle of a connection. A protocol
 * describes how long a message is and what one says; what is the same for all is here:
 *
 *	  message        message          message
 *	│ head ...     │ head ... │ head ...        (beginning)
 *	└─ length ────►└─ length ►└─ length ───────►
 *
 * One message that is sure decides. Messages that are only likely decide together: `enough` of
 * them in a row, of one side, since each length must then lead to another head. In a datagram
 * the lengths must fill it exactly.
 *
 * A protocol's state begins with a struct chain, which all zero is new.
 */

#include "inspect/inspector.h"

struct chain {
	uint32_t skip[2]; /* bytes of a message that are not looked at */
	uint8_t run[2];   /* likely messages in a row */
	uint16_t read;    /* messages of both sides */
	uint8_t answer;   /* enum inspect_answer */
	bool over;        /* nothing more is wanted: see chain_stop */
};

struct chain_message {
	struct bytes b; /* the message, cut to `want` bytes */
	size_t length;  /* of the whole */
	uint8_t dir;    /* enum inspect_dir */
	bool datagram;
};

struct chain_protocol {
	uint16_t want;  /* bytes of a message that are waited for, at most half a window */
	uint8_t enough; /* likely ones that are sure together, at least 2 */
	uint16_t most;  /* messages that are read; 0: 256 */
	/* SURE, and how long the message is that begins here; NO: there is none; MORE: wait. */
	enum inspect_answer (*length)(struct bytes b, size_t *length);
	/* NO, LIKELY or SURE: what this message is. MORE: it tells nothing, others do so too.
	 */
	enum inspect_answer (*message)(void *state, const struct chain_message *m,
				       const struct inspect_sink *sink);
};

/* An inspector's feed. */
enum inspect_answer chain_feed(const struct chain_protocol *protocol, void *state,
			       struct inspect_view *view, const struct inspect_sink *sink);

/* From message(): what comes after this message is not this protocol's (TLS). */
void chain_stop(struct chain *chain);

/* A set of the numbers 0 to 255: whether this one is new, and puts it in. */
struct chain_set {
	uint32_t bits[8];
};
bool chain_new(struct chain_set *set, uint8_t number);

/* Tells a number the first time it is seen. */
void chain_tell(struct chain_set *set, unsigned field, uint8_t number,
		const struct inspect_sink *sink);

/* Tells a text, if it is printable and neither empty nor longer than 128 bytes. */
void chain_text(unsigned field, struct bytes text, const struct inspect_sink *sink);

#endif
