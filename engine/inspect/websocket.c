/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * WebSocket (RFC 6455) behind the Upgrade of HTTP, which is the evidence: a frame's header has
 * too few bits to be known by. So this inspector is never shown a flow but by who hands it
 * over. It holds the frames against the rules and tells what they carry.
 *
 *	fin 1, rsv 3, opcode 4 │ mask 1, length 7 │ length 0, 2 or 8 │ mask 0 or 4 │ payload
 */
#include "inspect/inspector.h"

enum { CONTINUED, TEXT, BINARY, CLOSE = 8, PING, PONG };
enum { FIN = 0x80, COMPRESSED = 0x40, RESERVED = 0x30, OPCODE = 0x0f, MASKED = 0x80 };
enum { CONTROL_MAX = 125, MASK = 4, ENOUGH = 2 };

enum websocket_field { WEBSOCKET_DATA, WEBSOCKET_FIELDS };

static const struct inspect_field fields[WEBSOCKET_FIELDS] = {
	[WEBSOCKET_DATA] = { "data", INSPECT_TEXT },
};

struct side {
	uint64_t rest; /* bytes of the frame that are passed over */
	bool within;   /* a message in several frames */
};

struct websocket {
	struct side side[2];
	uint8_t frames; /* up to ENOUGH */
	bool refused;
	bool told;
};

/* The length that the header tells (section 5.2), which must take the shortest form. */
static bool
take_length(struct bytes *b, uint8_t second, uint64_t *length)
{
	*length = second & 0x7f;
	if (*length == 126) {
		*length = bytes_be16(b);
		return b->bad || *length > CONTROL_MAX;
	}
	if (*length == 127) {
		*length = bytes_be64(b);
		return b->bad || (*length > UINT16_MAX && *length >> 63 == 0);
	}
	return true;
}

/* Sections 5.1, 5.4 and 5.5: what this side may send now. */
static bool
is_frame(const struct side *side, uint8_t first, uint8_t second, uint8_t dir)
{
	uint8_t opcode = first & OPCODE;

	if (first & RESERVED || !!(second & MASKED) != (dir == INSPECT_CLIENT))
		return false;
	if (opcode >= CLOSE)
		return opcode <= PONG && first & FIN && !(first & COMPRESSED) &&
		       (second & 0x7f) <= CONTROL_MAX;
	return opcode == CONTINUED ? side->within : opcode <= BINARY && !side->within;
}

static void
take(struct websocket *w, struct side *side, uint8_t first, const struct inspect_sink *sink)
{
	uint8_t opcode = first & OPCODE;
	const char *data = opcode == TEXT ? "text" : "binary";

	if (w->frames < ENOUGH)
		w->frames++;
	if (opcode >= CLOSE)
		return;
	side->within = !(first & FIN);
	if (w->told || opcode == CONTINUED)
		return;
	w->told = true;
	sink->field(sink->self, WEBSOCKET_DATA, bytes_of(data, strlen(data)));
}

static bool
step(struct websocket *w, struct side *side, struct bytes *data, uint8_t dir,
     const struct inspect_sink *sink)
{
	struct bytes b = *data;

	if (side->rest > 0) {
		size_t n =
			bytes_left(data) < side->rest ? bytes_left(data) : (size_t)side->rest;

		bytes_skip(data, n);
		side->rest -= n;
		return side->rest == 0 && bytes_left(data) > 0;
	}
	uint8_t first = bytes_u8(&b), second = bytes_u8(&b);
	uint64_t length;

	if (b.bad)
		return false;
	if (!is_frame(side, first, second, dir) || !take_length(&b, second, &length)) {
		w->refused = true;
		return false;
	}
	bytes_skip(&b, second & MASKED ? MASK : 0);
	if (b.bad)
		return false;
	side->rest = length;
	*data = b;
	take(w, side, first, sink);
	return bytes_left(data) > 0;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct websocket *w = state;
	struct side *side = &w->side[view->dir];
	bool sure = w->frames == ENOUGH;

	w->refused |= view->lost;
	while (!w->refused && step(w, side, &view->data, view->dir, sink))
		;
	if (w->refused)
		return sure ? INSPECT_DONE : INSPECT_NO;
	if (w->frames < ENOUGH)
		return w->frames ? INSPECT_LIKELY : INSPECT_MORE;
	return w->told ? INSPECT_DONE : INSPECT_NAMED;
}

const struct inspector inspect_websocket = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "websocket",
	.state_size = sizeof(struct websocket),
	.transports = 0, /* only what is handed over */
	.fields = fields,
	.field_count = WEBSOCKET_FIELDS,
	.feed = feed,
};
