/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * EtherNet/IP (The CIP Networks Library, volume 2, chapter 2): command, length, session,
 * status, the sender's context, options (0), all least significant byte first. Two commands
 * carry the common packet format, items of a type and a length, and in one of them a message of
 * CIP, which begins with its service.
 */
#include "inspect/chain.h"

enum { COMMAND, SERVICE, PRODUCT };

static const struct inspect_field fields[] = {
	[COMMAND] = { "command", INSPECT_NUMBER },
	[SERVICE] = { "service", INSPECT_NUMBER },
	[PRODUCT] = { "product", INSPECT_TEXT },
};

enum { HEADER = 24, DATA_MOST = 65511, ITEMS_MOST = 8, ANSWER = 0x80 };
enum {
	LIST_IDENTITY = 0x63,
	REGISTER = 0x65,
	UNREGISTER = 0x66,
	SEND_RR_DATA = 0x6f,
	SEND_UNIT_DATA = 0x70
};
enum { ITEM_IDENTITY = 0x0c, ITEM_CONNECTED = 0xb1, ITEM_UNCONNECTED = 0xb2 };

struct enip {
	struct chain chain;
	struct chain_set commands, services;
	bool product;
};

static bool
is_command(uint16_t command)
{
	static const uint8_t commands[] = { 0x00, 0x04, 0x63, 0x64, 0x65,
					    0x66, 0x6f, 0x70, 0x72, 0x73 };

	return command < 0x100 && memchr(commands, command, sizeof(commands));
}

static bool
is_status(uint32_t status)
{
	return status <= 3 || status == 0x64 || status == 0x65 || status == 0x69;
}

static enum inspect_answer
measure(struct bytes b, size_t *length)
{
	uint16_t command = bytes_le16(&b);
	bool short_head = b.bad;
	uint16_t rest = bytes_le16(&b);
	bool no_session = bytes_le32(&b) == 0;
	uint32_t status = bytes_le32(&b);

	if (!short_head && !is_command(command))
		return INSPECT_NO;
	bytes_skip(&b, 8);
	uint32_t options = bytes_le32(&b);

	if (b.bad)
		return INSPECT_MORE;
	/* Nothing is carried without a session; a wrong one of zero is refused with 0x64. */
	if (!is_status(status) || options != 0 || rest > DATA_MOST ||
	    (no_session && command == SEND_UNIT_DATA))
		return INSPECT_NO;
	*length = HEADER + rest;
	return INSPECT_SURE;
}

/* Version, an address of 16 bytes, six numbers in 14 bytes, the name behind its length. */
static void
read_identity(struct enip *s, struct bytes b, const struct inspect_sink *sink)
{
	bytes_skip(&b, 2 + 16 + 14);
	struct bytes name = bytes_take(&b, bytes_u8(&b));

	if (!s->product)
		chain_text(PRODUCT, name, sink);
	s->product = true;
}

/* How many items, then each: type, length, data. */
static void
read_items(struct enip *s, struct bytes b, const struct inspect_sink *sink)
{
	unsigned count = bytes_le16(&b);

	for (unsigned i = 0; i < count && i < ITEMS_MOST; i++) {
		uint16_t type = bytes_le16(&b), n = bytes_le16(&b);
		struct bytes item = bytes_take(&b, n);

		if (b.bad)
			return;
		if (type == ITEM_IDENTITY)
			read_identity(s, item, sink);
		if (type == ITEM_CONNECTED)
			bytes_skip(&item, 2);
		if ((type == ITEM_CONNECTED || type == ITEM_UNCONNECTED) &&
		    bytes_left(&item) > 0)
			chain_tell(&s->services, SERVICE, bytes_u8(&item) & (ANSWER - 1), sink);
	}
}

static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct enip *s = state;
	struct bytes b = m->b;
	uint16_t command = bytes_le16(&b), rest = bytes_le16(&b);

	bytes_skip(&b, HEADER - 4);
	if (command == REGISTER && rest != 0 && rest != 4)
		return INSPECT_NO;
	/* Mere zeros are what many have. */
	if (command == 0)
		return INSPECT_MORE;
	chain_tell(&s->commands, COMMAND, (uint8_t)command, sink);
	if (command == LIST_IDENTITY)
		read_items(s, b, sink);
	if (command == SEND_RR_DATA || command == SEND_UNIT_DATA) {
		bytes_skip(&b, 6); /* the interface, always CIP's, and a time */
		read_items(s, b, sink);
	}
	return INSPECT_SURE;
}

static const struct chain_protocol protocol = {
	.want = 512,
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

const struct inspector inspect_enip = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "enip",
	.state_size = sizeof(struct enip),
	.transports = INSPECT_TCP | INSPECT_UDP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
