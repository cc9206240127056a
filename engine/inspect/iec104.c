/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * IEC 60870-5-104: frames of 68, a length, four bytes of control, and in those with numbers a
 * unit: type, how many objects, cause, who caused it, common address (section 7 of part 5-101,
 * with the sizes that part 5-104 fixes).
 */
#include "inspect/chain.h"

enum { TYPE, CAUSE, ADDRESS };

static const struct inspect_field fields[] = {
	[TYPE] = { "type", INSPECT_NUMBER },
	[CAUSE] = { "cause", INSPECT_NUMBER },
	[ADDRESS] = { "address", INSPECT_NUMBER },
};

enum { START = 0x68, CONTROL = 4, UNIT_LEAST = 12, REST_MOST = 253, CAUSE_MASK = 0x3f };

struct iec104 {
	struct chain chain;
	struct chain_set types, causes;
	bool told;
};

static enum inspect_answer
measure(struct bytes b, size_t *length)
{
	uint8_t start = bytes_u8(&b), rest = bytes_u8(&b);

	if (start != START)
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	*length = rest + 2u;
	return rest < CONTROL || rest > REST_MOST ? INSPECT_NO : INSPECT_SURE;
}

/* The types of parts 5-101, 5-104 and 5-7; those from 128 on are private. */
static bool
is_type(uint8_t type)
{
	static const uint8_t ranges[][2] = { { 1, 21 },    { 30, 41 },   { 45, 51 },
					     { 58, 64 },   { 70, 70 },   { 81, 95 },
					     { 100, 107 }, { 110, 113 }, { 120, 127 } };

	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (type >= ranges[i][0] && type <= ranges[i][1])
			return true;
	return false;
}

static enum inspect_answer
read_unit(struct iec104 *s, struct bytes b, const struct inspect_sink *sink)
{
	uint8_t type = bytes_u8(&b);
	bool none = (bytes_u8(&b) & 0x7f) == 0;
	uint8_t cause = bytes_u8(&b) & CAUSE_MASK;
	uint16_t address = (bytes_skip(&b, 1), bytes_le16(&b));

	if (b.bad || !is_type(type) || none || cause == 0 || cause > 47)
		return INSPECT_NO;
	chain_tell(&s->types, TYPE, type, sink);
	chain_tell(&s->causes, CAUSE, cause, sink);
	if (!s->told)
		sink->number(sink->self, ADDRESS, address);
	s->told = true;
	return INSPECT_LIKELY;
}

static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct bytes b = m->b;
	uint8_t first = (bytes_skip(&b, 2), bytes_u8(&b)), second = bytes_u8(&b);
	uint8_t third = bytes_u8(&b), fourth = bytes_u8(&b);
	uint8_t action = first >> 2;

	if (!(first & 1)) /* sent and received numbers */
		return third & 1 || m->length < UNIT_LEAST ? INSPECT_NO
							   : read_unit(state, b, sink);
	if (m->length != CONTROL + 2 || second != 0 || (third & 1))
		return INSPECT_NO;
	if (first == 1)
		return INSPECT_LIKELY;
	/* Of starting, stopping and testing one is asked or confirmed. */
	return (first & 3) == 3 && action && !(action & (action - 1)) && third + fourth == 0
		       ? INSPECT_SURE
		       : INSPECT_NO;
}

static const struct chain_protocol protocol = {
	.want = REST_MOST + 2,
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

const struct inspector inspect_iec104 = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "iec104",
	.state_size = sizeof(struct iec104),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
