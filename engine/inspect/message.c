/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/message.h"

enum { LINE_MOST = 2048, METHOD_MOST = 20, SCHEME_MOST = 20 };

static bool
is_letter(uint8_t c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool
is_method(uint8_t c)
{
	return (c >= 'A' && c <= 'Z') || c == '_';
}

static bool
is_scheme(uint8_t c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

/* Moves over the version, in which '?' stands for a digit; MORE: it may have begun. */
static enum message_line
skip_version(struct bytes *b, const char *version)
{
	for (; *version; version++) {
		uint8_t c = bytes_u8(b);

		if (b->bad)
			return MESSAGE_MORE;
		if (*version == '?' ? c < '0' || c > '9' : c != (uint8_t)*version)
			return MESSAGE_NO;
	}
	return MESSAGE_STATUS;
}

/* "SIP/2.0 200 OK"; the reason may be missing. */
static enum message_line
status_line(struct bytes line, bool whole, const char *version, struct message_first *first)
{
	enum message_line answer = skip_version(&line, version);
	uint16_t code = 0;

	if (answer != MESSAGE_STATUS)
		return answer == MESSAGE_MORE && !whole ? MESSAGE_MORE : MESSAGE_NO;
	for (unsigned i = 0; i < 4; i++) {
		uint8_t c = bytes_u8(&line);

		if (line.bad)
			return whole ? MESSAGE_NO : MESSAGE_MORE;
		if (i == 0 ? c != ' ' : c < '0' || c > '9')
			return MESSAGE_NO;
		if (i > 0)
			code = (uint16_t)(code * 10 + (c - '0'));
	}
	if (code < 100 || code > 699 || (bytes_left(&line) > 0 && *line.p != ' '))
		return MESSAGE_NO;
	first->code = code;
	return whole ? MESSAGE_STATUS : MESSAGE_MORE;
}

/* The target's beginning: a scheme and a colon, or a star. */
static enum message_line
target(struct bytes b, bool star)
{
	unsigned n = 0;

	for (;; n++) {
		uint8_t c = bytes_u8(&b);

		if (b.bad)
			return MESSAGE_MORE;
		if (n == 0 && star && c == '*')
			return MESSAGE_REQUEST;
		if (n > 0 && c == ':')
			return MESSAGE_REQUEST;
		if (n == SCHEME_MOST || !(n == 0 ? is_letter(c) : is_scheme(c)))
			return MESSAGE_NO;
	}
}

static enum message_line
request_line(struct bytes line, bool whole, const char *version, bool star,
	     struct message_first *first)
{
	struct bytes b = line, url;
	unsigned letters = 0;
	enum message_line answer;

	while (bytes_left(&b) > 0 && is_method(*b.p) && letters <= METHOD_MOST) {
		bytes_skip(&b, 1);
		letters++;
	}
	first->method = (struct bytes){ .p = line.p, .end = b.p };
	if (letters > METHOD_MOST)
		return MESSAGE_NO;
	if (bytes_left(&b) == 0)
		return whole ? MESSAGE_NO : MESSAGE_MORE;
	if (letters < 3 || bytes_u8(&b) != ' ')
		return MESSAGE_NO;
	answer = target(b, star);
	if (answer != MESSAGE_REQUEST || !whole)
		return answer == MESSAGE_NO || whole ? MESSAGE_NO : MESSAGE_MORE;
	url = b;
	while (bytes_left(&b) > 0 && *b.p > ' ' && *b.p != 0x7f)
		bytes_skip(&b, 1);
	url.end = b.p;
	first->url = url;
	if (bytes_u8(&b) != ' ' || skip_version(&b, version) != MESSAGE_STATUS)
		return MESSAGE_NO;
	return bytes_left(&b) == 0 ? MESSAGE_REQUEST : MESSAGE_NO;
}

enum message_line
message_first_line(struct bytes *data, const char *version, bool star,
		   struct message_first *first)
{
	struct bytes b = *data, line = *data;
	bool whole = bytes_line(&b, &line);
	enum message_line answer;

	*first = (struct message_first){ 0 };
	if (bytes_left(&line) == 0)
		return whole ? MESSAGE_NO : MESSAGE_MORE;
	if (bytes_left(&line) > LINE_MOST)
		return MESSAGE_NO;
	answer = status_line(line, whole, version, first);
	if (answer == MESSAGE_NO)
		answer = request_line(line, whole, version, star, first);
	if (answer >= MESSAGE_REQUEST)
		*data = b;
	return answer;
}

bool
message_header(struct bytes *data, bool whole, struct bytes *header)
{
	struct bytes b = *data, line;

	while (bytes_line(&b, &line)) {
		if (bytes_left(&line) > 0)
			continue;
		*header = (struct bytes){ .p = data->p, .end = line.p };
		data->p = b.p;
		return true;
	}
	if (!whole)
		return false;
	*header = *data;
	data->p = data->end;
	return true;
}

bool
message_next(struct bytes *header, struct bytes *name, struct bytes *value)
{
	struct bytes line;

	while (bytes_left(header) > 0) {
		if (!bytes_line(header, &line)) {
			line = *header;
			header->p = header->end;
		}
		while (bytes_left(header) > 0 && (*header->p == ' ' || *header->p == '\t')) {
			struct bytes more;

			if (!bytes_line(header, &more)) {
				more = *header;
				header->p = header->end;
			}
			line.end = more.end;
		}
		const uint8_t *colon =
			bytes_left(&line) ? memchr(line.p, ':', bytes_left(&line)) : NULL;

		if (!colon)
			continue;
		*name = bytes_trim((struct bytes){ .p = line.p, .end = colon });
		*value = bytes_trim((struct bytes){ .p = colon + 1, .end = line.end });
		return true;
	}
	return false;
}

void
message_search(struct bytes *data, const char *version, bool star)
{
	struct message_first first;
	struct bytes line;

	while (bytes_left(data) > 0) {
		struct bytes b = *data;

		if (message_first_line(&b, version, star, &first) >= MESSAGE_MORE ||
		    !bytes_line(data, &line))
			return;
	}
}
