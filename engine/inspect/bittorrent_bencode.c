/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/bittorrent.h"

/* Bencoding: numbers i..e, strings LENGTH:..., lists l..e, dictionaries d..e. */

enum { DEPTH = 16, LENGTH_MAX = 65535, DIGITS = 18 };

static int
next_is(const struct bytes *b)
{
	struct bytes peek = *b;
	uint8_t byte = bytes_u8(&peek);

	return peek.bad ? -1 : byte;
}

bool
bittorrent_string(struct bytes *b, struct bytes *string)
{
	size_t len = 0;
	uint8_t byte = bytes_u8(b);

	if (byte < '0' || byte > '9')
		return false;
	for (; byte >= '0' && byte <= '9' && len <= LENGTH_MAX; byte = bytes_u8(b))
		len = len * 10 + (size_t)(byte - '0');
	if (b->bad || byte != ':')
		return false;
	*string = bytes_take(b, len);
	return !b->bad;
}

bool
bittorrent_number(struct bytes *b, int64_t *number)
{
	int64_t value = 0;
	unsigned digits = 0;
	uint8_t byte;
	bool minus = false;

	if (bytes_u8(b) != 'i')
		return false;
	byte = bytes_u8(b);
	if (byte == '-') {
		minus = true;
		byte = bytes_u8(b);
	}
	for (; byte >= '0' && byte <= '9' && digits < DIGITS; digits++, byte = bytes_u8(b))
		value = value * 10 + (byte - '0');
	*number = minus ? -value : value;
	return !b->bad && digits > 0 && byte == 'e';
}

bool
bittorrent_value(struct bytes *b)
{
	bool dictionary[DEPTH] = { false };
	unsigned depth = 0;
	struct bytes string;
	int64_t number;

	do {
		int next = next_is(b);

		if (depth > 0 && next == 'e') {
			bytes_skip(b, 1);
			depth--;
			continue;
		}
		if (depth > 0 && dictionary[depth - 1] && !bittorrent_string(b, &string))
			return false;
		next = next_is(b);
		if (next == 'd' || next == 'l') {
			if (depth == DEPTH)
				return false;
			dictionary[depth++] = next == 'd';
			bytes_skip(b, 1);
		} else if (next == 'i' ? !bittorrent_number(b, &number)
				       : !bittorrent_string(b, &string)) {
			return false;
		}
	} while (depth > 0);
	return true;
}
