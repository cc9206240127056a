/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/bytes.h"

static uint8_t
lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c | 0x20) : c;
}

static bool
blank(uint8_t c)
{
	return c == ' ' || c == '\t';
}

bool
bytes_line(struct bytes *b, struct bytes *line)
{
	size_t left = bytes_left(b);
	const uint8_t *lf = left > 0 ? memchr(b->p, '\n', left) : NULL;

	if (!lf)
		return false;
	*line = (struct bytes){ .p = b->p, .end = lf };
	if (line->end > line->p && line->end[-1] == '\r')
		line->end--;
	b->p = lf + 1;
	return true;
}

bool
bytes_is(const struct bytes *b, const char *text)
{
	size_t n = strlen(text);

	if (bytes_left(b) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (lower(b->p[i]) != lower((uint8_t)text[i]))
			return false;
	return true;
}

struct bytes
bytes_trim(struct bytes b)
{
	while (b.p < b.end && blank(*b.p))
		b.p++;
	while (b.end > b.p && blank(b.end[-1]))
		b.end--;
	return b;
}
