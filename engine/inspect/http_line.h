/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_HTTP_LINE_H
#define INSPECT_HTTP_LINE_H

/*
 * The first line of an HTTP/1 message, which is all the evidence that there is
 * (RFC 9112 sections 3 and 4):
 *
 *	GET /index.html HTTP/1.1	request
 *	HTTP/1.1 200 OK			status
 *
 * Pure functions on a window; they consume the line when it is whole and
 * right, and nothing otherwise.
 */

#include "base/bytes.h"

enum http_line {
	HTTP_LINE_NO,     /* whatever follows, this is no such line */
	HTTP_LINE_MORE,   /* a prefix of one, so far */
	HTTP_LINE_LIKELY, /* a known method and a URL, the end is out of sight */
	HTTP_LINE_SURE,   /* proven, but the line has not ended yet */
	HTTP_LINE_WHOLE,
};

enum http_method {
	HTTP_METHOD_UNKNOWN,
	HTTP_METHOD_HEAD,
	HTTP_METHOD_CONNECT,
	HTTP_METHOD_OTHER
};

struct http_request {
	struct bytes method; /* its text */
	struct bytes target; /* as sent */
	uint8_t kind;        /* enum http_method */
	uint8_t minor;       /* of HTTP/1.minor */
};

struct http_status {
	uint16_t code;
	uint8_t minor;
};

/*
 * With HTTP_LINE_LIKELY the request holds the method and the target as far as it has come,
 * so that a target beyond all bounds can be told.
 */
enum http_line http_line_request(struct bytes *data, struct http_request *request);
enum http_line http_line_status(struct bytes *data, struct http_status *status);

/* Whether a line ends as a request line does: " HTTP/1." and a digit, which is `minor`. */
bool http_line_version(struct bytes line, uint8_t *minor);

/*
 * A target's parts (RFC 9112 section 3.2): the host without user and port, empty where it has
 * none, and the rest, the path and query as a server would see them; "/" where there is none.
 */
void http_line_target(const struct http_request *request, struct bytes *host,
		      struct bytes *path);

/* The host in an authority (RFC 3986 section 3.2): without user information and port. */
struct bytes http_line_host(struct bytes authority);

#endif
