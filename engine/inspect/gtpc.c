/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * GTP's control plane over UDP: version 2 (3GPP TS 29.274, sections 5 and 8) and version 1 (TS
 * 29.060, sections 6 and 7). Elements fill a message exactly: of type, length, instance in
 * version 2; in version 1 those below 128 have fixed lengths, the others 16 bits of length, and
 * their types never go down. Of the subscriber nothing is told.
 */
#include "inspect/chain.h"

enum { MESSAGE, VERSION, APN };

static const struct inspect_field fields[] = {
	[MESSAGE] = { "message", INSPECT_NUMBER },
	[VERSION] = { "version", INSPECT_NUMBER },
	[APN] = { "apn", INSPECT_TEXT },
};

enum { APN_ELEMENT_1 = 131, APN_ELEMENT_2 = 71, NAME_MOST = 100 };
enum { ENDPOINT = 0x08, OPTIONS_1 = 0x07, EXTENDED_1 = 0x04 };
enum { ECHO_RESPONSE = 2, USER_PLANE = 2152 };

struct gtpc {
	struct chain chain;
	struct chain_set messages;
	bool version, apn;
};

static enum inspect_answer
measure(struct bytes b, size_t *length)
{
	uint8_t flags = bytes_u8(&b);
	size_t n = (bytes_skip(&b, 1), bytes_be16(&b));

	/* Version, and of 1 GTP itself, not GTP'. */
	if (b.bad || ((flags & 0xe7) != 0x40 && (flags & 0xf8) != 0x30))
		return INSPECT_NO;
	*length = n + (flags >> 5 == 2 ? 4 : 8);
	return n < 4 ? INSPECT_NO : INSPECT_SURE;
}

/* A name as in DNS: labels behind their lengths; with dots between. */
static void
tell_apn(struct gtpc *s, struct bytes b, const struct inspect_sink *sink)
{
	uint8_t name[NAME_MOST];
	size_t n = 0;

	if (s->apn || bytes_left(&b) < 2 || bytes_left(&b) > NAME_MOST)
		return;
	while (bytes_left(&b) > 0) {
		struct bytes label = bytes_take(&b, bytes_u8(&b));
		size_t len = bytes_left(&label);

		if (label.bad || len == 0)
			return;
		if (n > 0)
			name[n++] = '.';
		memcpy(name + n, label.p, len);
		n += len;
	}
	s->apn = true;
	chain_text(APN, bytes_of(name, n), sink);
}

/* Version 1's elements of fixed length (TS 29.060, table 37); 0: there is none. */
static size_t
fixed_length(uint8_t type)
{
	static const uint8_t lengths[] = {
		[1] = 1,  [2] = 8,  [3] = 6,  [4] = 4,  [5] = 4,  [8] = 1,  [9] = 3,
		[11] = 1, [12] = 3, [13] = 1, [14] = 1, [15] = 1, [16] = 4, [17] = 4,
		[18] = 5, [19] = 1, [20] = 1, [21] = 1, [22] = 9, [23] = 1, [24] = 1,
		[25] = 2, [26] = 2, [27] = 2, [28] = 2, [29] = 1,
	};

	return type == 127 ? 4 : type < sizeof(lengths) ? lengths[type] : 0;
}

static bool
read_elements_1(struct gtpc *s, struct bytes b, const struct inspect_sink *sink)
{
	while (bytes_left(&b) > 0) {
		uint8_t type = bytes_u8(&b);
		size_t n = type & 0x80 ? bytes_be16(&b) : fixed_length(type);
		struct bytes value = bytes_take(&b, n);

		if (value.bad || (!(type & 0x80) && n == 0))
			return false;
		if (type == APN_ELEMENT_1)
			tell_apn(s, value, sink);
	}
	return true;
}

static bool
read_elements_2(struct gtpc *s, struct bytes b, const struct inspect_sink *sink)
{
	while (bytes_left(&b) > 0) {
		uint8_t type = bytes_u8(&b);
		size_t n = bytes_be16(&b);
		uint8_t instance = bytes_u8(&b);
		struct bytes value = bytes_take(&b, n);

		if (value.bad || type == 0 || instance > 15)
			return false;
		if (type == APN_ELEMENT_2)
			tell_apn(s, value, sink);
	}
	return true;
}

/* What the user plane has as well (echo, error, end), or only that. */
static bool
is_user_plane(uint8_t type)
{
	return type == 26 || type == 31 || type == 254 || type == 255;
}

static enum inspect_answer
read_1(struct gtpc *s, struct bytes b, uint8_t flags, uint8_t type,
       const struct inspect_sink *sink)
{
	bytes_skip(&b, 4);
	if (is_user_plane(type))
		return INSPECT_NO;
	if (flags & OPTIONS_1) {
		bytes_skip(&b, 3);
		uint8_t next = bytes_u8(&b);

		while (next && flags & EXTENDED_1 && !b.bad) {
			size_t n = bytes_u8(&b) * (size_t)4;

			if (n == 0)
				return INSPECT_NO;
			bytes_skip(&b, n - 2);
			next = bytes_u8(&b);
		}
	}
	bool empty = bytes_left(&b) == 0;

	if (b.bad || !read_elements_1(s, b, sink))
		return INSPECT_NO;
	/* Echoes are those of both planes. */
	return type <= ECHO_RESPONSE || empty ? INSPECT_LIKELY : INSPECT_SURE;
}

static enum inspect_answer
read_2(struct gtpc *s, struct bytes b, uint8_t flags, const struct inspect_sink *sink)
{
	if (flags & ENDPOINT)
		bytes_skip(&b, 4);
	bytes_skip(&b, 3);
	bool spare = bytes_u8(&b) != 0; /* but for a message's priority */
	bool empty = bytes_left(&b) == 0;

	if (b.bad || (spare && !(flags & 4)) || !read_elements_2(s, b, sink))
		return INSPECT_NO;
	return empty ? INSPECT_LIKELY : INSPECT_SURE;
}

static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct gtpc *s = state;
	struct bytes b = m->b;
	uint8_t flags = bytes_u8(&b), type = bytes_u8(&b);
	enum inspect_answer found;

	bytes_skip(&b, 2);
	found = flags >> 5 == 2 ? read_2(s, b, flags, sink) : read_1(s, b, flags, type, sink);
	if (type == 0 || found == INSPECT_NO)
		return INSPECT_NO;
	chain_tell(&s->messages, MESSAGE, type, sink);
	if (!s->version)
		sink->number(sink->self, VERSION, flags >> 5);
	s->version = true;
	return found;
}

static const struct chain_protocol protocol = {
	.want = 4096,
	.enough = 3,
	.length = measure,
	.message = message,
};

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	/* The user plane's echo is the same, byte for byte (TS 29.281, section 7.2). */
	if (view->port[0] == USER_PLANE || view->port[1] == USER_PLANE)
		return INSPECT_NO;
	return chain_feed(&protocol, state, view, sink);
}

const struct inspector inspect_gtpc = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "gtpc",
	.state_size = sizeof(struct gtpc),
	.transports = INSPECT_UDP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
