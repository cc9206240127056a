/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * AMQP: eight bytes that name the protocol and its version, then frames.
 *
 *	0-9-1 (section 4.2.3)	type, channel, 32 bits of size │ payload │ ce
 *	1.0 (section 2.3)	32 bits of size, offset of the body, type, channel │ body
 *
 * Where the beginning was not seen, frames of 0-9 tell themselves by their ends. A connection
 * of 1.0 may name the protocol twice: for TLS or SASL, and for itself.
 */
#include "inspect/chain.h"

enum { VERSION, VHOST, PRODUCT, EXCHANGE };

static const struct inspect_field fields[] = {
	[VERSION] = { "version", INSPECT_TEXT },
	[VHOST] = { "vhost", INSPECT_TEXT },
	[PRODUCT] = { "product", INSPECT_TEXT },
	[EXCHANGE] = { "exchange", INSPECT_TEXT },
};

enum { HEADER = 8, FRAME_HEAD = 7, FRAME_END = 0xce, FRAME_MOST = 1 << 24 };
enum { METHOD = 1, CONTENT, BODY, HEARTBEAT = 8 };
enum { START = 10 << 16 | 10, OPEN = 10 << 16 | 40, PUBLISH = 60 << 16 | 40 };
enum { EXCHANGES_MOST = 4, ONE_HEAD = 8, ONE_OPEN = 0x10, PRODUCT_WITHIN = 256 };
enum { TLS = 2 };

struct amqp {
	struct chain chain;
	bool one; /* version 1.0 */
	bool told, vhost, product;
	uint8_t exchanges;
	bool tls[2];
};

/* The versions that were published, by the four bytes behind the name. */
static const struct {
	uint8_t bytes[4];
	bool one;
	const char *name;
} versions[] = {
	{ { 0, 0, 9, 1 }, false, "0-9-1" }, { { 1, 1, 0, 9 }, false, "0-9" },
	{ { 1, 1, 9, 1 }, false, "0-9-1" }, { { 1, 1, 8, 0 }, false, "0-8" },
	{ { 1, 1, 0, 10 }, false, "0-10" }, { { 1, 1, 0x63, 0x5b }, false, "0-91" },
	{ { 0, 1, 0, 0 }, true, "1.0" },    { { TLS, 1, 0, 0 }, true, "1.0" },
	{ { 3, 1, 0, 0 }, true, "1.0" },
};

static enum inspect_answer
measure(struct bytes b, size_t *length)
{
	struct bytes head = b;
	uint8_t first = bytes_u8(&b);

	*length = HEADER;
	if (first == 'A')
		return bytes_left(&head) < HEADER    ? INSPECT_MORE
		       : bytes_starts(&head, "AMQP") ? INSPECT_SURE
						     : INSPECT_NO;
	/* Which of the two it is, is seen by the type: 1 to 8 here, a size's upper byte there.
	 */
	uint32_t size = first ? (bytes_skip(&b, 2), bytes_be32(&b)) : bytes_be24(&b);

	if (first > HEARTBEAT || (first > BODY && first < HEARTBEAT))
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	*length = first ? FRAME_HEAD + (size_t)size + 1 : size;
	return size > FRAME_MOST || (!first && size < ONE_HEAD) ? INSPECT_NO : INSPECT_SURE;
}

static enum inspect_answer
read_name(struct amqp *s, struct bytes b, uint8_t dir, const struct inspect_sink *sink)
{
	bytes_skip(&b, 4);
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++) {
		const char *name = versions[i].name;

		if (memcmp(b.p, versions[i].bytes, 4) != 0)
			continue;
		if (!s->told)
			sink->field(sink->self, VERSION, bytes_of(name, strlen(name)));
		s->told = true;
		s->one = versions[i].one;
		s->tls[dir] = versions[i].one && versions[i].bytes[0] == TLS;
		if (s->tls[0] && s->tls[1]) {
			chain_stop(&s->chain);
			sink->inner(sink->self, "ssl");
		}
		return INSPECT_SURE;
	}
	return INSPECT_NO;
}

static struct bytes
short_text(struct bytes *b)
{
	return bytes_take(b, bytes_u8(b));
}

/* In a table of properties: its name, S, 32 bits of length, text. */
static void
read_product(struct amqp *s, struct bytes b, const struct inspect_sink *sink)
{
	static const char key[] = "\7productS";

	if (bytes_left(&b) > PRODUCT_WITHIN * 4)
		b.end = b.p + PRODUCT_WITHIN * 4;
	while (!s->product && bytes_seek(&b, 7)) {
		if (bytes_starts(&b, key)) {
			bytes_skip(&b, sizeof(key) - 1);
			chain_text(PRODUCT, bytes_take(&b, bytes_be32(&b)), sink);
			s->product = true;
		} else {
			bytes_skip(&b, 1);
		}
	}
}

static enum inspect_answer
read_method(struct amqp *s, struct bytes b, const struct inspect_sink *sink)
{
	uint32_t method = bytes_be32(&b);
	struct bytes name;

	if (b.bad || method >> 16 == 0 || (method & 0xffff) == 0)
		return INSPECT_NO;
	switch (method) {
	case START:
		if (!s->told)
			sink->field(sink->self, VERSION,
				    bytes_u8(&b) ? bytes_of("0-8", 3) : bytes_of("0-9", 3));
		s->told = true;
		read_product(s, b, sink);
		return INSPECT_SURE;
	case OPEN:
		name = short_text(&b);
		if (!s->vhost)
			chain_text(VHOST, name, sink);
		s->vhost = true;
		break;
	case PUBLISH:
		bytes_skip(&b, 2);
		name = short_text(&b);
		if (s->exchanges < EXCHANGES_MOST) {
			s->exchanges++;
			chain_text(EXCHANGE, name, sink);
		}
		break;
	default: break;
	}
	return INSPECT_LIKELY;
}

/* Of 1.0's open: container, and the host that is meant (both texts of one or four bytes'
 * length). */
static void
read_open(struct amqp *s, struct bytes b, const struct inspect_sink *sink)
{
	bool list8 = bytes_u8(&b) == 0xc0;

	bytes_skip(&b, list8 ? 2 : 8);
	for (unsigned i = 0; i < 2; i++) {
		uint8_t kind = bytes_u8(&b);
		struct bytes text = bytes_take(&b, kind == 0xa1   ? bytes_u8(&b)
						   : kind == 0xb1 ? bytes_be32(&b)
								  : 0);

		if (i == 1 && !s->vhost) {
			chain_text(VHOST, text, sink);
			s->vhost = true;
		}
	}
}

static enum inspect_answer
read_one(struct amqp *s, const struct chain_message *m, struct bytes b,
	 const struct inspect_sink *sink)
{
	uint8_t offset = (bytes_skip(&b, 4), bytes_u8(&b)), type = bytes_u8(&b);

	bytes_skip(&b, 2);
	if (b.bad || offset < 2 || offset * 4u > m->length || type > 1)
		return INSPECT_NO;
	bytes_skip(&b, offset * 4u - ONE_HEAD);
	/* A performative is a described list: 00 53, its code. An empty frame keeps alive. */
	if (bytes_left(&b) == 0)
		return INSPECT_LIKELY;
	if (bytes_u8(&b) != 0)
		return INSPECT_NO;
	if (bytes_u8(&b) == 0x53 && bytes_u8(&b) == ONE_OPEN && m->dir == INSPECT_CLIENT)
		read_open(s, b, sink);
	return INSPECT_LIKELY;
}

static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct amqp *s = state;
	struct bytes b = m->b;

	if (bytes_starts(&b, "A"))
		return read_name(s, b, m->dir, sink);
	uint8_t type = b.p[0];

	if (type == 0)
		return s->one || !s->told ? read_one(s, m, b, sink) : INSPECT_NO;
	if (bytes_left(&b) == m->length && b.end[-1] != FRAME_END)
		return INSPECT_NO;
	bytes_skip(&b, FRAME_HEAD);
	if (type == METHOD)
		return read_method(s, b, sink);
	return type == HEARTBEAT && m->length != ONE_HEAD ? INSPECT_NO : INSPECT_LIKELY;
}

static const struct chain_protocol protocol = {
	.want = 1024,
	.enough = 3,
	.length = measure,
	.message = message,
};

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	return chain_feed(&protocol, state, view, sink);
}

const struct inspector inspect_amqp = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "amqp",
	.state_size = sizeof(struct amqp),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
