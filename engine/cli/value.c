/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/value.h"
#include <arpa/inet.h>
#include <time.h>

/* Length of the UTF-8 character at p (RFC 3629, section 4), or 0 if there is none. */
static size_t
utf8(const uint8_t *p, size_t left)
{
	size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;

	if (n == 0 || p[0] > 0xf4 || n > left)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	/* Too long a form, a surrogate, or beyond U+10FFFF. */
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return n;
}

/* C0, DEL, and C1, which UTF-8 writes in two bytes. */
static bool
is_control(const uint8_t *p, size_t n)
{
	return (n == 1 && (p[0] < 0x20 || p[0] == 0x7f)) ||
	       (n == 2 && p[0] == 0xc2 && p[1] < 0xa0);
}

/* Whether the character of n bytes at value.p is to stand as it is. */
static bool
stands(struct bytes value, size_t n, enum value_style style)
{
	bool escape = *value.p == '\\' && bytes_left(&value) > 1 && value.p[1] == 'x';

	return !escape && (style == VALUE_JSON || !is_control(value.p, n));
}

/* Length of the character that stands as it is, or 0. */
static size_t
plain(struct bytes value, enum value_style style)
{
	size_t n = utf8(value.p, bytes_left(&value));

	return n && stands(value, n, style) ? n : 0;
}

void
value_add(struct text *text, struct bytes value, enum value_style style)
{
	while (bytes_left(&value)) {
		struct bytes run = value;
		size_t n;

		while (bytes_left(&run) && (n = plain(run, style)) > 0)
			run.p += n;
		text_add_n(text, value.p, (size_t)(run.p - value.p));
		value = run;
		/* Of a character that is escaped, its first byte: what follows is no UTF-8. */
		if (bytes_left(&value))
			text_printf(text, "\\x%02x", *value.p++);
	}
}

void
value_time(struct text *text, uint64_t time_ns)
{
	time_t seconds = (time_t)(time_ns / 1000000000);
	struct tm tm;

	gmtime_r(&seconds, &tm);
	text_printf(text, "%04d-%02d-%02dT%02d:%02d:%02d.%09uZ", tm.tm_year + 1900,
		    tm.tm_mon + 1, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
		    (unsigned)(time_ns % 1000000000));
}

void
value_address(struct text *text, uint8_t version, const uint8_t *address)
{
	char name[INET6_ADDRSTRLEN];

	int family = version == 4 ? AF_INET : AF_INET6;

	if ((version == 4 || version == 6) && inet_ntop(family, address, name, sizeof(name)))
		text_add(text, name);
}
