/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Diameter (RFC 6733, sections 3 and 4): version 1, a length that is a multiple of four, flags
 * of which four are zero, a command, an application, two identifiers; then attributes with
 * lengths of their own, each filled up to a multiple of four, that fill the message exactly.
 */
#include "inspect/chain.h"

enum { COMMAND, APPLICATION, ORIGIN_HOST, ORIGIN_REALM };

static const struct inspect_field fields[] = {
	[COMMAND] = { "command", INSPECT_NUMBER },
	[APPLICATION] = { "application", INSPECT_NUMBER },
	[ORIGIN_HOST] = { "origin-host", INSPECT_TEXT },
	[ORIGIN_REALM] = { "origin-realm", INSPECT_TEXT },
};

enum { HEADER = 20, ATTRIBUTE = 8, VENDOR_FLAG = 0x80, FLAGS_NONE = 0x0f, TOLD_MOST = 16 };
enum { ATTRIBUTE_ORIGIN_HOST = 264, ATTRIBUTE_ORIGIN_REALM = 296 };
enum { MESSAGE_MOST = 1 << 20, WANT = 4096 };

struct diameter {
	struct chain chain;
	uint32_t told[TOLD_MOST]; /* commands, and with the upper bit set applications */
	uint8_t count;
	bool host[2], realm[2];
};

static enum inspect_answer
measure(struct bytes b, size_t *length)
{
	uint8_t version = bytes_u8(&b);
	bool alone = b.bad;
	uint32_t n = bytes_be24(&b);
	bool begun = b.bad;
	uint8_t flags = bytes_u8(&b);

	if (!alone && version != 1)
		return INSPECT_NO;
	*length = n;
	if (begun)
		return INSPECT_MORE;
	if (n < HEADER || n > MESSAGE_MOST || n % 4 != 0 || flags & FLAGS_NONE)
		return INSPECT_NO;
	return INSPECT_SURE;
}

static void
tell(struct diameter *s, unsigned field, uint32_t number, const struct inspect_sink *sink)
{
	uint32_t key = number ^ (field == APPLICATION ? UINT32_C(1) << 31 : 0);

	for (unsigned i = 0; i < s->count; i++)
		if (s->told[i] == key)
			return;
	if (s->count == TOLD_MOST)
		return;
	s->told[s->count++] = key;
	sink->number(sink->self, field, number);
}

static void
tell_text(bool *told, unsigned field, struct bytes text, const struct inspect_sink *sink)
{
	if (!*told)
		chain_text(field, text, sink);
	*told = true;
}

/* The attributes; false if one does not fit, where all of them are there. */
static bool
read_attributes(struct diameter *s, const struct chain_message *m, struct bytes b,
		const struct inspect_sink *sink)
{
	while (bytes_left(&b) > 0) {
		uint32_t code = bytes_be32(&b);
		uint8_t flags = bytes_u8(&b);
		size_t n = bytes_be24(&b), head = ATTRIBUTE;

		if (flags & VENDOR_FLAG) {
			bytes_skip(&b, 4);
			head += 4;
		}
		if (b.bad)
			return m->length > bytes_left(&m->b);
		if (n < head)
			return false;
		struct bytes value = bytes_take(&b, n - head);

		bytes_skip(&b, -n & 3);
		if (b.bad)
			return m->length > bytes_left(&m->b);
		if (code == ATTRIBUTE_ORIGIN_HOST && !(flags & VENDOR_FLAG))
			tell_text(&s->host[m->dir], ORIGIN_HOST, value, sink);
		if (code == ATTRIBUTE_ORIGIN_REALM && !(flags & VENDOR_FLAG))
			tell_text(&s->realm[m->dir], ORIGIN_REALM, value, sink);
	}
	return true;
}

static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct bytes b = m->b;
	uint32_t command = (bytes_skip(&b, 5), bytes_be24(&b)), application = bytes_be32(&b);

	bytes_skip(&b, 8);
	/* Without attributes it is hardly a message: all have their origin. */
	if (b.bad || bytes_left(&b) < ATTRIBUTE || command < 257 ||
	    !read_attributes(state, m, b, sink))
		return INSPECT_NO;
	tell(state, COMMAND, command, sink);
	tell(state, APPLICATION, application, sink);
	return INSPECT_SURE;
}

static const struct chain_protocol protocol = {
	.want = WANT,
	.enough = 2,
	.length = measure,
	.message = message,
};

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	return chain_feed(&protocol, state, view, sink);
}

const struct inspector inspect_diameter = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "diameter",
	.state_size = sizeof(struct diameter),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
