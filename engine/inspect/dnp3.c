/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * DNP3 (IEEE 1815, clause 9): frames of 05 64, length, control, destination, source, check,
 * then blocks of up to 16 bytes with a check of two each. The header's check makes a frame
 * sure. The first of a fragment (clause 8) has the application's function in its first block.
 */
#include "inspect/chain.h"

enum { FUNCTION, SOURCE, DESTINATION };

static const struct inspect_field fields[] = {
	[FUNCTION] = { "function", INSPECT_NUMBER },
	[SOURCE] = { "source", INSPECT_NUMBER },
	[DESTINATION] = { "destination", INSPECT_NUMBER },
};

enum { HEADER = 10, COUNTED = 5, BLOCK = 16, CHECK = 2, FRAME_MOST = 292, FIRST = 0x40 };
enum { PRIMARY = 0x40 };      /* of the control byte */
enum { POLYNOMIAL = 0xa6bc }; /* 0x3d65, least significant bit first */

struct dnp3 {
	struct chain chain;
	struct chain_set functions;
	bool told;
};

static enum inspect_answer
measure(struct bytes b, size_t *length)
{
	uint8_t start = bytes_u8(&b);
	bool alone = bytes_left(&b) == 0;
	uint8_t second = bytes_u8(&b), counted = bytes_u8(&b);

	if (start != 0x05 || (!alone && second != 0x64))
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	if (counted < COUNTED)
		return INSPECT_NO;
	size_t data = counted - (size_t)COUNTED;

	*length = HEADER + data + (data + BLOCK - 1) / BLOCK * CHECK;
	return INSPECT_SURE;
}

/* Whether n bytes at b have their check behind them. */
static bool
is_right(struct bytes b, size_t n)
{
	struct bytes data = bytes_take(&b, n);
	unsigned crc = 0;

	while (bytes_left(&data) > 0) {
		crc ^= bytes_u8(&data);
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
	}
	return bytes_le16(&b) == (crc ^ 0xffff) && !b.bad;
}

/* The link's functions: those that the primary station has (40 set), and the answers. */
static bool
is_function(uint8_t control)
{
	uint8_t function = control & 0x0f;

	return control & PRIMARY ? function <= 4 || function == 9
				 : function <= 1 || function == 0x0b || function >= 0x0e;
}

static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct dnp3 *s = state;
	struct bytes b = m->b;

	bool right = is_right(b, HEADER - CHECK);
	uint8_t counted = (bytes_skip(&b, 2), bytes_u8(&b)), control = bytes_u8(&b);
	uint16_t destination = bytes_le16(&b), source = bytes_le16(&b);
	size_t first = counted < COUNTED + BLOCK ? counted - (size_t)COUNTED : BLOCK;

	/* Programs that make up traffic know the form, but not always the check. */
	if (!right)
		return is_function(control) ? INSPECT_LIKELY : INSPECT_NO;
	if (!s->told) {
		sink->number(sink->self, SOURCE, source);
		sink->number(sink->self, DESTINATION, destination);
	}
	s->told = true;
	bytes_skip(&b, CHECK);
	if (first >= 3 && is_right(b, first) && bytes_u8(&b) & FIRST) {
		bytes_skip(&b, 1);
		chain_tell(&s->functions, FUNCTION, bytes_u8(&b), sink);
	}
	return INSPECT_SURE;
}

static const struct chain_protocol protocol = {
	.want = FRAME_MOST,
	.enough = 3,
	.most = 1024,
	.length = measure,
	.message = message,
};

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	return chain_feed(&protocol, state, view, sink);
}

const struct inspector inspect_dnp3 = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "dnp3",
	.state_size = sizeof(struct dnp3),
	.transports = INSPECT_TCP | INSPECT_UDP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
