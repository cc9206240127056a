/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/inspector.h"

/*
 * Connections of the WinMX Peer Network Protocol. Whoever accepts one sends "1" (a peer cache:
 * "8"); then each side, the client first, sends a block of 16 bytes from which the keys of all
 * that follows are made. The block is random but for three bytes, which hold its kind (who
 * talks to whom) and two sums over the others; then it is stirred in 105 steps, each of which
 * depends on the one before. Undone, a random block has a kind that is in use once in 37 times,
 * and right sums once in 65536: 2^-21. With the greeting and the other side's block that is
 * 2^-50.
 *
 * Published by the makers of clients and servers that live on (winmxworld.com).
 */

enum { WINMX_LINK };

static const struct inspect_field fields[] = {
	[WINMX_LINK] = { "link", INSPECT_TEXT },
};

enum { BLOCK = 16, STEPS = 105, SEED = 0x57 };

struct winmx {
	bool greeted;
	const char *link[2]; /* what the side's block is for; NULL: not seen */
};

/* Undoes the stirring. */
static void
unstir(uint8_t block[BLOCK])
{
	for (unsigned step = STEPS; step-- > 0;) {
		uint8_t before = step ? block[(step - 1) % BLOCK] : SEED;
		uint8_t *at = &block[step % BLOCK];

		*at = step % 5 ? (uint8_t)(*at - before) : *at ^ before;
	}
}

static const char *
link_of(uint8_t kind)
{
	switch (kind) {
	case 0x50:
	case 0x51: return "primary";
	case 0x52:
	case 0x53: return "secondary";
	case 0x54: return "cache";
	case 0x57:
	case 0x58: return "chat";
	default: return NULL;
	}
}

/* What a block is for; NULL if it is none. */
static const char *
read_block(const uint8_t *bytes)
{
	uint8_t b[BLOCK];

	memcpy(b, bytes, sizeof(b));
	unstir(b);
	uint8_t kind = (uint8_t)(b[9] - (b[1] ^ b[8] ^ b[14]));
	uint8_t sum = b[2] ^ b[5] ^ b[13] ^ b[15];
	uint8_t other = (uint8_t)((b[0] ^ b[3] ^ b[6] ^ b[7] ^ b[10] ^ b[12]) + (kind >> 7));

	return b[4] == sum && b[11] == other ? link_of(kind) : NULL;
}

static enum inspect_answer
say(const struct winmx *s, const struct inspect_sink *sink)
{
	const char *link = s->link[INSPECT_CLIENT];

	if (!link || !s->greeted)
		return INSPECT_MORE;
	if (!s->link[INSPECT_SERVER])
		return INSPECT_LIKELY;
	sink->field(sink->self, WINMX_LINK, bytes_of(link, strlen(link)));
	return INSPECT_DONE;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct winmx *s = state;
	const uint8_t *block;

	if (view->lost)
		return INSPECT_NO;
	if (view->dir == INSPECT_SERVER && !s->greeted && bytes_left(&view->data) > 0) {
		uint8_t greeting = bytes_u8(&view->data);

		if (greeting != '1' && greeting != '8')
			return INSPECT_NO;
		s->greeted = true;
	}
	if (!s->greeted) /* a block alone says nothing */
		return bytes_left(&view->data) > 0 ? INSPECT_NO : INSPECT_MORE;
	if (s->link[view->dir] || bytes_left(&view->data) < BLOCK)
		return say(s, sink);
	block = bytes_next(&view->data, BLOCK);
	s->link[view->dir] = read_block(block);
	return s->link[view->dir] ? say(s, sink) : INSPECT_NO;
}

/* Who accepts greets first. */
static const struct inspect_start starts[] = {
	{ .from = INSPECT_FROM_SERVER, .count = 1, .bytes = { INSPECT_IS('1') } },
	{ .from = INSPECT_FROM_SERVER, .count = 1, .bytes = { INSPECT_IS('8') } },
};

const struct inspector inspect_winmx = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "winmx",
	.state_size = sizeof(struct winmx),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
