/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_MESSAGE_H
#define INSPECT_MESSAGE_H

/*
 * Messages of SIP and RTSP: a first line, header lines, an empty line, a body of
 * Content-Length bytes (RFC 3261 section 7, RFC 7826 section 5).
 *
 *	INVITE sip:bob@example.com SIP/2.0	request
 *	SIP/2.0 200 OK				status
 */

#include "inspect/inspector.h"

enum message_line {
	MESSAGE_NO,   /* whatever follows, this is no such line */
	MESSAGE_MORE, /* a prefix of one, so far */
	MESSAGE_REQUEST,
	MESSAGE_STATUS,
};

struct message_first {
	struct bytes method, url; /* of a request */
	uint16_t code;            /* of a status line */
};

/*
 * The first line, of this version ("SIP/2.?", where '?' stands for a digit). Consumes it when
 * it is whole, nothing otherwise. `star`: a request's target may be "*".
 */
enum message_line message_first_line(struct bytes *data, const char *version, bool star,
				     struct message_first *first);

/*
 * The header's lines and the empty line behind them; consumes both. Returns false, and consumes
 * nothing, while they are not all there. In a datagram (`whole`) the end may be missing.
 */
bool message_header(struct bytes *data, bool whole, struct bytes *header);

/* The next line, with those that continue it (a blank begins them). */
bool message_next(struct bytes *header, struct bytes *name, struct bytes *value);

/* Consumes up to the first line that message_first_line takes; all but a line's beginning. */
void message_search(struct bytes *data, const char *version, bool star);

#endif
