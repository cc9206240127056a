/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_HTTP_H
#define INSPECT_HTTP_H

/*
 * State of an HTTP/1 connection, shared by http.c (the messages one after
 * another), http_header.c (the lines of one header) and http_body.c (what
 * follows it).
 *
 *	START ─► HEADER ─► LENGTH ─┐        a body of known length
 *	  ▲  │      │   ─► CHUNK ⇄ CHUNK_DATA ─► TRAILER
 *	  │  └─TAIL─┘   ─► CLOSE            until the connection ends
 *	  │             ─► HOLD             CONNECT or Upgrade: what answers the server?
 *	  └── SEARCH ◄─ a gap, or what is no HTTP
 */

#include "inspect/http_line.h"
#include "inspect/inspector.h"

enum http_field {
	HTTP_METHOD,
	HTTP_HOST,
	HTTP_URL,
	HTTP_MIME,
	HTTP_C_HEADER,
	HTTP_S_HEADER,
	HTTP_REFERER,
	HTTP_USER_AGENT,
	HTTP_FROM,
	HTTP_SERVER,
	HTTP_LOCATION,
	HTTP_CONTENT_ENCODING,
	HTTP_COOKIE,
	HTTP_VERSION,
	HTTP_VIA,
	HTTP_SUB_PROTOCOL, /* of WebSocket, which both sides have agreed on */
	HTTP_FIELDS
};

enum http_phase {
	HTTP_START,
	HTTP_TAIL, /* of a request line that is too long to be seen whole */
	HTTP_HEADER,
	HTTP_LENGTH,
	HTTP_CHUNK,
	HTTP_CHUNK_DATA,
	HTTP_TRAILER,
	HTTP_CLOSE,
	HTTP_HOLD_CONNECT,
	HTTP_HOLD_UPGRADE,
	HTTP_SEARCH,
	HTTP_IGNORE
};

enum http_role { HTTP_NOTHING, HTTP_REQUESTS, HTTP_RESPONSES };

/* The line of the header that a folded one continues. */
enum http_fold { HTTP_FOLD_OTHER, HTTP_FOLD_LENGTH, HTTP_FOLD_CODING };

/* The message under way in one direction; zeroed at its first line. */
struct http_message {
	uint64_t length; /* Content-Length, once has_length */
	uint16_t status; /* of a response */
	uint8_t method;  /* enum http_method, of the request (or of the one answered) */
	uint8_t lines;   /* of the header, as far as they were told */
	uint8_t fold;    /* enum http_fold */
	bool has_length : 1;
	bool has_coding : 1; /* Transfer-Encoding ... */
	bool chunked : 1;    /* ... that ends in chunked */
	bool has_host : 1;
	bool upgrade : 1;
	bool websocket : 1;
	bool expect : 1; /* the body may never come */
};

struct http_side {
	uint64_t left; /* bytes of body or chunk that are still to come */
	struct http_message message;
	uint32_t searched;   /* bytes in which nothing was found */
	uint8_t phase;       /* enum http_phase */
	uint8_t role;        /* enum http_role */
	uint8_t empty_lines; /* in front of the first message */
	bool midline;     /* what comes up to the next LF belongs to a line that was dropped */
	bool after_chunk; /* the line end behind a chunk's data is due */
};

/* Requests whose answers have not come: a ring of their methods. */
enum { HTTP_PENDING = 32 };

struct http {
	struct http_side side[2];
	uint8_t pending[HTTP_PENDING]; /* enum http_method */
	uint8_t first, count;
	uint32_t excess; /* requests beyond these; their methods are not known */
	uint8_t answer;  /* enum inspect_answer, the strongest so far */
	bool refused;
	bool inner; /* another protocol has taken over */
};

/* A longer line is told as far as this, and the rest skipped. */
enum { HTTP_LINE_SEEN = 8192 };

/* What a phase says to its caller: no more to do with these bytes, or call the next phase. */
enum http_step { HTTP_WAIT, HTTP_AGAIN };

extern const struct inspect_field http_fields[HTTP_FIELDS];

/* One line of a header, without its end; `cut` when only its beginning was seen. */
void http_header_line(struct http_side *side, struct bytes line, bool cut,
		      const struct inspect_sink *sink);

/* Behind a header: chooses the phase by how long the body is. */
void http_body_request(struct http_side *side);
void http_body_response(struct http_side *side);

/* The phases LENGTH to TRAILER; in any other, all that comes is consumed. */
enum http_step http_body_step(struct http_side *side, struct bytes *data);

#endif
