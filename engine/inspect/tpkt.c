/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/tpkt.h"

enum { VERSION = 3, HEADER = 4, LENGTH_LEAST = 7, CONNECT_FIXED = 6, ERROR_FIXED = 4 };

enum inspect_answer
tpkt_length(struct bytes b, size_t *length)
{
	uint8_t version = bytes_u8(&b);
	bool alone = bytes_left(&b) == 0;
	uint8_t reserved = bytes_u8(&b);

	*length = bytes_be16(&b);
	if (version != VERSION || (!alone && reserved != 0))
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	return *length < LENGTH_LEAST ? INSPECT_NO : INSPECT_SURE;
}

bool
tpkt_read(struct bytes packet, size_t length, struct tpkt *tpkt)
{
	struct bytes b = packet;

	bytes_skip(&b, HEADER);
	uint8_t rest = bytes_u8(&b), code = bytes_u8(&b), third = bytes_u8(&b);
	uint8_t kind = code & 0xf0;

	*tpkt = (struct tpkt){ .kind = TPKT_OTHER, .body = packet };
	if (b.bad)
		return false;
	bytes_skip(&tpkt->body, HEADER);
	/* Class 0 has no data that waits for a number, and no credit. */
	if (rest == 2 && code == TPKT_DATA && (third & 0x7f) == 0) {
		tpkt->kind = TPKT_DATA;
		tpkt->last = third != 0;
		tpkt->body = b;
	} else if (rest + HEADER + 1u == length && rest >= CONNECT_FIXED &&
		   (code == TPKT_REQUEST || code == TPKT_CONFIRM || code == TPKT_DISCONNECT)) {
		bytes_skip(&b, CONNECT_FIXED - 2);
		tpkt->kind = kind;
		tpkt->body = b;
	} else if (rest + HEADER + 1u == length && rest >= ERROR_FIXED && code == TPKT_ERROR) {
		tpkt->kind = kind;
	}
	return !b.bad;
}

bool
tpkt_parameter(const struct tpkt *tpkt, uint8_t code, struct bytes *value)
{
	struct bytes b = tpkt->body;

	while (bytes_left(&b) > 0) {
		uint8_t kind = bytes_u8(&b), length = bytes_u8(&b);

		*value = bytes_take(&b, length);
		if (b.bad)
			return false;
		if (kind == code)
			return true;
	}
	return false;
}
