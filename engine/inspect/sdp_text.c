/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/sdp_text.h"

#include "inspect/sdp.h"
#include <arpa/inet.h>

bool
sdp_text_find(struct bytes *body)
{
	uint8_t before = '\n';

	for (struct bytes b = *body; bytes_left(&b) > 0;) {
		bool begins =
			before == '\n' || before == '\r' || before == '{' || before == ' ';

		if (begins && bytes_starts(&b, "v=0")) {
			*body = b;
			return true;
		}
		before = bytes_u8(&b);
	}
	return false;
}

bool
sdp_text_line(struct bytes *body, struct bytes *line)
{
	if (bytes_left(body) == 0)
		return false;
	if (bytes_line(body, line))
		return true;
	*line = *body;
	body->p = body->end;
	if (line->end[-1] == '\r')
		line->end--;
	return true;
}

uint8_t
sdp_text_type(struct bytes line, struct bytes *value)
{
	uint8_t type = bytes_u8(&line), equals = bytes_u8(&line);

	*value = bytes_trim(line);
	return !line.bad && type >= 'a' && type <= 'z' && equals == '=' ? type : 0;
}

struct bytes
sdp_word(struct bytes *line)
{
	*line = bytes_trim(*line);
	struct bytes word = *line;

	while (line->p < line->end && *line->p != ' ' && *line->p != '\t')
		line->p++;
	word.end = line->p;
	return word;
}

bool
sdp_number(struct bytes text, uint32_t most, uint32_t *number)
{
	uint64_t n = 0;
	size_t len = bytes_left(&text);

	if (len == 0 || len > 10)
		return false;
	while (bytes_left(&text) > 0) {
		uint8_t c = bytes_u8(&text);

		if (c < '0' || c > '9')
			return false;
		n = n * 10 + (c - '0');
	}
	*number = (uint32_t)n;
	return n <= most;
}

/* Not for nobody: 0.0.0.0 was once the word for a call on hold (RFC 3264 section 8.4). */
bool
sdp_address(struct bytes text, struct inspect_announcement *a)
{
	static const uint8_t none[16];
	char copy[INET6_ADDRSTRLEN];
	size_t len = bytes_left(&text);
	bool six;

	if (len > 2 && text.p[0] == '[' && text.end[-1] == ']') {
		text.p++;
		text.end--;
		len -= 2;
	}
	if (len == 0 || len >= sizeof(copy))
		return false;
	memcpy(copy, text.p, len);
	copy[len] = 0;
	six = memchr(copy, ':', len) != NULL;
	memset(a->address, 0, sizeof(a->address));
	if (inet_pton(six ? AF_INET6 : AF_INET, copy, a->address) != 1 ||
	    memcmp(a->address, none, sizeof(none)) == 0)
		return false;
	a->ip_version = six ? 6 : 4;
	return true;
}

bool
sdp_is_private(const struct inspect_announcement *a)
{
	uint8_t first = a->address[0], second = a->address[1];

	if (a->ip_version == 6)
		return (first & 0xfe) == 0xfc || (first == 0xfe && (second & 0xc0) == 0x80);
	return first == 10 || first == 127 || (first == 172 && (second & 0xf0) == 16) ||
	       (first == 192 && second == 168) || (first == 100 && (second & 0xc0) == 64) ||
	       (first == 169 && second == 254);
}
