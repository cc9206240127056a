/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/http_line.h"

enum {
	METHOD_MAX = 32,    /* a token that is longer is no method that anyone uses */
	LIKELY_MIN = 32,    /* bytes of an unended line before it is called likely */
	STRANGE_MAX = 2048, /* an unknown method's line may be this long */
	LOOK_MAX = 64,      /* bytes of an unended line that are looked at: it comes again */
};

/*
 * The methods in use: RFC 9110 section 9, RFC 5789, WebDAV (RFC 4918, 3253, 3648, 3744, 5323,
 * 5842), and those of UPnP eventing. Others count as well when the whole line is there.
 */
static const char *const methods[] = { "GET",
				       "HEAD",
				       "POST",
				       "PUT",
				       "DELETE",
				       "CONNECT",
				       "OPTIONS",
				       "TRACE",
				       "PATCH",
				       "PROPFIND",
				       "PROPPATCH",
				       "MKCOL",
				       "COPY",
				       "MOVE",
				       "LOCK",
				       "UNLOCK",
				       "REPORT",
				       "SEARCH",
				       "CHECKOUT",
				       "CHECKIN",
				       "MERGE",
				       "ACL",
				       "BIND",
				       "ORDERPATCH",
				       "NOTIFY",
				       "SUBSCRIBE",
				       "M-SEARCH",
				       "UNSUBSCRIBE",
				       "MKACTIVITY",
				       "UNCHECKOUT",
				       "VERSION-CONTROL",
				       "BASELINE-CONTROL",
				       "LABEL",
				       "UPDATE",
				       "MKWORKSPACE",
				       "MKREDIRECTREF",
				       "UPDATEREDIRECTREF",
				       "MKCALENDAR",
				       "REBIND",
				       "UNBIND",
				       "LINK",
				       "UNLINK",
				       "QUERY" };

static bool
letter(uint8_t c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool
digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

/* A tab separates as well as a blank, for whoever is not strict (RFC 9112 section 3). */
static bool
blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

/* tchar of RFC 9110 section 5.6.2. */
static bool
token(uint8_t c)
{
	return letter(c) || digit(c) || (c != 0 && strchr("!#$%&'*+-.^_`|~", c));
}

/* Whether a text is equal to a name of n bytes, with regard to case (methods have it). */
static bool
same(const struct bytes *b, const char *name)
{
	return bytes_left(b) == strlen(name) && bytes_starts(b, name);
}

static bool
known(const struct bytes *method)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (same(method, methods[i]))
			return true;
	return false;
}

static enum http_method
kind_of(const struct bytes *method)
{
	if (same(method, "HEAD"))
		return HTTP_METHOD_HEAD;
	return same(method, "CONNECT") ? HTTP_METHOD_CONNECT : HTTP_METHOD_OTHER;
}

/* Whether there is no control character in the first n bytes; bytes above 127 are let pass. */
static bool
printable(struct bytes b, size_t n)
{
	while (n-- > 0 && b.p < b.end) {
		uint8_t c = bytes_u8(&b);

		if ((c < ' ' && c != '\t') || c == 0x7f)
			return false;
	}
	return true;
}

static bool
has_blank(struct bytes b)
{
	while (b.p < b.end)
		if (blank(bytes_u8(&b)))
			return true;
	return false;
}

bool
http_line_version(struct bytes line, uint8_t *minor)
{
	size_t n = strlen(" HTTP/1.x");

	line = bytes_trim(line); /* blanks at the end are a fault, but a common one */
	if (bytes_left(&line) < n)
		return false;
	bytes_skip(&line, bytes_left(&line) - n);
	if (!blank(bytes_u8(&line)) || !bytes_starts(&line, "HTTP/1."))
		return false;
	bytes_skip(&line, n - 2);
	uint8_t c = bytes_u8(&line);

	*minor = (uint8_t)(c - '0');
	return digit(c);
}

/* The method in front, without the blank; MORE while neither its end nor a fault is seen. */
static enum http_line
take_method(struct bytes *b, struct bytes *method)
{
	const uint8_t *start = b->p;

	for (size_t n = 0; n <= METHOD_MAX; n++) {
		if (b->p == b->end)
			return HTTP_LINE_MORE;
		uint8_t c = bytes_u8(b);

		if (blank(c) && n > 0) {
			*method = bytes_of(start, n);
			return HTTP_LINE_WHOLE;
		}
		if (n == 0 ? !letter(c) : !token(c))
			return HTTP_LINE_NO;
	}
	return HTTP_LINE_NO;
}

/* A line whose end has not come. */
static enum http_line
unended(const struct bytes *data, struct http_request *request, struct bytes target)
{
	struct bytes seen = target;
	bool cr = bytes_left(&seen) > 0 && seen.end[-1] == '\r';

	if (cr)
		seen.end--;
	if (!printable(seen, LOOK_MAX))
		return HTTP_LINE_NO;
	if (!known(&request->method))
		return bytes_left(data) < STRANGE_MAX ? HTTP_LINE_MORE : HTTP_LINE_NO;
	request->target = seen;
	if (bytes_left(data) < LIKELY_MIN)
		return HTTP_LINE_MORE;
	return bytes_starts(&seen, "/") || bytes_starts(&seen, "http") ? HTTP_LINE_LIKELY
								       : HTTP_LINE_MORE;
}

enum http_line
http_line_request(struct bytes *data, struct http_request *request)
{
	struct bytes rest = *data, line;
	enum http_line found = take_method(&rest, &request->method);

	if (found != HTTP_LINE_WHOLE)
		return found;
	request->kind = (uint8_t)kind_of(&request->method);
	struct bytes target = rest;

	if (!bytes_line(&rest, &line))
		return unended(data, request, target);
	if (!http_line_version(line, &request->minor))
		return HTTP_LINE_NO;
	line = bytes_trim(line);
	line.end -= strlen(" HTTP/1.x");
	line = bytes_trim(line);
	/* Blanks in a target are a fault that clients make; with a strange method they are not.
	 */
	if (bytes_left(&line) == 0 || !printable(line, SIZE_MAX) ||
	    (has_blank(line) && !known(&request->method)))
		return HTTP_LINE_NO;
	request->target = line;
	*data = rest;
	return HTTP_LINE_WHOLE;
}

enum http_line
http_line_status(struct bytes *data, struct http_status *status)
{
	static const char pattern[] = "HTTP/1.d ddd";
	struct bytes b = *data, line;

	status->code = 0;
	for (size_t i = 0; i < strlen(pattern); i++) {
		if (b.p == b.end)
			return HTTP_LINE_MORE;
		uint8_t c = bytes_u8(&b);

		if (pattern[i] == 'd' ? !digit(c) : c != (uint8_t)pattern[i])
			return HTTP_LINE_NO;
		if (i == 7)
			status->minor = (uint8_t)(c - '0');
		if (i > 8)
			status->code = (uint16_t)(status->code * 10 + (c - '0'));
	}
	if (status->code < 100) /* RFC 9110 section 15: up to 599, but others are in use */
		return HTTP_LINE_NO;
	if (b.p == b.end)
		return HTTP_LINE_MORE;
	uint8_t c = bytes_u8(&b);

	if (c != ' ' && c != '\r' && c != '\n')
		return HTTP_LINE_NO;
	if (!bytes_line(data, &line))
		return HTTP_LINE_SURE;
	return HTTP_LINE_WHOLE;
}

struct bytes
http_line_host(struct bytes authority)
{
	struct bytes b = authority;
	const uint8_t *colon = NULL;

	for (const uint8_t *at = b.p; at < b.end; at++)
		if (*at == '@')
			authority.p = at + 1;
	b = authority;
	if (bytes_starts(&b, "[")) {
		const uint8_t *close = memchr(b.p, ']', bytes_left(&b));

		if (close)
			authority.end = close + 1;
		return authority;
	}
	if (bytes_left(&b) > 0)
		colon = memchr(b.p, ':', bytes_left(&b));
	if (colon)
		authority.end = colon;
	return authority;
}

/* Consumes "scheme://" (RFC 3986 section 3.1); false if it is not there. */
static bool
take_scheme(struct bytes *b)
{
	struct bytes at = *b;

	for (uint8_t c = bytes_u8(&at);
	     letter(c) || digit(c) || c == '+' || c == '.' || c == '-';)
		c = bytes_u8(&at);
	if (at.bad || at.p - b->p < 2 || at.p[-1] != ':' || !bytes_starts(&at, "//"))
		return false;
	bytes_skip(&at, 2);
	*b = at;
	return true;
}

void
http_line_target(const struct http_request *request, struct bytes *host, struct bytes *path)
{
	struct bytes b = request->target, authority;

	*path = b;
	*host = bytes_of(b.p, 0);
	if (request->kind == HTTP_METHOD_CONNECT) {
		*host = http_line_host(b);
		return;
	}
	if (!take_scheme(&b))
		return;
	authority = b;
	for (authority.end = b.p; authority.end < b.end; authority.end++)
		if (*authority.end == '/' || *authority.end == '?' || *authority.end == '#')
			break;
	*host = http_line_host(authority);
	b.p = authority.end;
	*path = bytes_left(&b) > 0 ? b : bytes_of("/", 1);
}
