/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_STUN_H
#define INSPECT_STUN_H

/*
 * STUN, and TURN, which is STUN's messages with methods of its own (RFC 8656): stun.c follows a
 * flow, stun_message.c reads a message, stun_media.c looks at what runs beside the messages
 * (RFC 7983).
 */

#include "inspect/inspector.h"

enum stun_proof {
	STUN_NONE,
	STUN_LIKELY, /* no cookie and nothing known, or attributes or a checksum that disagree
		      */
	STUN_SURE,   /* the attributes end where the message does, behind a cookie or known ones
		      */
};

enum {
	STUN_BINDING = 1,
	STUN_ALLOCATE = 3,
	STUN_REFRESH = 4,
	STUN_SEND = 6,
	STUN_DATA = 7,
	STUN_PERMISSION = 8,
	STUN_CHANNEL = 9,
	STUN_CONNECT = 10,
	STUN_CONNECTION_BIND = 11,
	STUN_ATTEMPT = 12,
};

enum { STUN_REQUEST, STUN_INDICATION, STUN_SUCCESS, STUN_FAILURE };

struct stun_address {
	uint8_t ip_version; /* 4 or 6; 0: none was told */
	uint8_t b[16];
	uint16_t port;
};

struct stun_message {
	uint16_t method;
	uint8_t kind;  /* STUN_REQUEST ... */
	size_t length; /* whole, with its header of 20 bytes */
	struct bytes software, realm, username, data;
	struct stun_address mapped, relayed;
};

/*
 * Reads the message that data begins with. A datagram (`whole`) is one message and no more.
 * With STUN_NONE nothing of the message is set; a stream may still hold a part of one.
 */
enum stun_proof stun_message_read(struct bytes data, bool whole, struct stun_message *message);

/* Whether the method is TURN's (RFC 8656 section 17, RFC 6062). */
bool stun_message_is_turn(const struct stun_message *message);

/* What was seen beside the messages; all zero at first. */
struct stun_media {
	uint32_t source[2];
	uint16_t sequence[2];
	bool seen[2];
	uint8_t records, reports; /* of DTLS, and of RTCP, without RTP between them */
};

/*
 * Takes what stands beside the messages, or inside TURN's. Returns the module whose flow this
 * has proven to be, or NULL.
 */
const char *stun_media_add(struct stun_media *media, uint8_t dir, struct bytes data,
			   uint64_t time_ns);

#endif
