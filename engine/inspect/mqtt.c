/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * MQTT 3.1, 3.1.1 and 5.0 (OASIS, sections 2 and 3): packets of a type and flags, the remaining
 * length in one to four bytes, and the rest. CONNECT names the protocol. Others are known by
 * each other: their flags are fixed, and their lengths lead from one to the next.
 */
#include "inspect/chain.h"

enum { CLIENT_ID, TOPIC, VERSION };

static const struct inspect_field fields[] = {
	[CLIENT_ID] = { "client-id", INSPECT_TEXT },
	[TOPIC] = { "topic", INSPECT_TEXT },
	[VERSION] = { "version", INSPECT_NUMBER },
};

enum {
	CONNECT = 1,
	CONNACK,
	PUBLISH,
	PUBACK,
	PUBREC,
	PUBREL,
	PUBCOMP,
	SUBSCRIBE,
	SUBACK,
	UNSUBSCRIBE,
	UNSUBACK,
	PINGREQ,
	PINGRESP,
	DISCONNECT,
	AUTH,
};
enum { TOPICS_MOST = 8, PROPERTIES = 5, BRIDGE = 0x80, LENGTH_BYTES = 4, QOS = 6 };

struct mqtt {
	struct chain chain;
	uint8_t version, topics;
};

/* Bytes of seven bits, least significant first. */
static size_t
take_length(struct bytes *b)
{
	size_t length = 0;

	for (unsigned i = 0; i < LENGTH_BYTES; i++) {
		uint8_t byte = bytes_u8(b);

		length |= (size_t)(byte & 0x7f) << 7 * i;
		if (!(byte & 0x80))
			return length;
	}
	b->p = b->end;
	b->bad = true;
	return SIZE_MAX;
}

static bool
flags_are_right(uint8_t type, uint8_t flags)
{
	switch (type) {
	case PUBLISH: return (flags & QOS) != QOS && (flags & QOS || !(flags & 8));
	case PUBREL:
	case UNSUBSCRIBE:
	/* Version 3.1 resends with 8 more. */
	case SUBSCRIBE: return (flags & 7) == 2;
	default: return type >= CONNECT && type <= AUTH && flags == 0;
	}
}

static bool
fits(uint8_t type, size_t rest)
{
	switch (type) {
	case CONNECT: return rest >= 12;
	case PINGREQ:
	case PINGRESP: return rest == 0;
	case PUBLISH: return rest >= 2;
	case SUBACK: return rest >= 3;
	case SUBSCRIBE: return rest >= 6;
	case UNSUBSCRIBE: return rest >= 5;
	case DISCONNECT:
	case AUTH: return rest < 4096;
	default: return rest >= 2 && rest < 4096;
	}
}

static enum inspect_answer
measure(struct bytes b, size_t *length)
{
	struct bytes head = b;
	uint8_t first = bytes_u8(&b);
	size_t rest = take_length(&b);

	if (head.p == head.end)
		return INSPECT_MORE;
	if (!flags_are_right(first >> 4, first & 15) || (b.bad && rest == SIZE_MAX))
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	*length = (size_t)(b.p - head.p) + rest;
	return fits(first >> 4, rest) ? INSPECT_SURE : INSPECT_NO;
}

static struct bytes
take_text(struct bytes *b)
{
	return bytes_take(b, bytes_be16(b));
}

static void
tell_topic(struct mqtt *s, struct bytes topic, const struct inspect_sink *sink)
{
	if (s->topics < TOPICS_MOST) {
		s->topics++;
		chain_text(TOPIC, topic, sink);
	}
}

static enum inspect_answer
read_connect(struct mqtt *s, struct bytes b, const struct inspect_sink *sink)
{
	struct bytes name = take_text(&b);
	uint8_t version = bytes_u8(&b) & (uint8_t)~BRIDGE, flags = bytes_u8(&b);
	bool known = (bytes_is(&name, "MQTT") && (version == 4 || version == 5)) ||
		     (bytes_is(&name, "MQIsdp") && version == 3);

	bytes_skip(&b, 2);
	if (b.bad || !known || flags & 1)
		return INSPECT_NO;
	s->version = version;
	sink->number(sink->self, VERSION, version);
	if (version == PROPERTIES)
		bytes_skip(&b, take_length(&b));
	chain_text(CLIENT_ID, take_text(&b), sink);
	return INSPECT_SURE;
}

/* A topic's name is text without the wildcards that a filter has. */
static enum inspect_answer
read_publish(struct mqtt *s, struct bytes b, const struct inspect_sink *sink)
{
	struct bytes topic = take_text(&b), rest = topic;

	/* An empty one stands for an alias, in 5.0 only. */
	if (b.bad || (bytes_left(&topic) == 0 && s->version && s->version != PROPERTIES))
		return INSPECT_NO;
	while (bytes_left(&rest) > 0) {
		uint8_t c = bytes_u8(&rest);

		if (c < ' ' || c == '#' || c == '+')
			return INSPECT_NO;
	}
	tell_topic(s, topic, sink);
	return INSPECT_LIKELY;
}

static enum inspect_answer
read_subscribe(struct mqtt *s, struct bytes b, const struct inspect_sink *sink)
{
	struct bytes plain = (bytes_skip(&b, 2), b), filter;

	if (s->version == PROPERTIES)
		bytes_skip(&b, take_length(&b));
	filter = take_text(&b);
	/* Where the version was not seen, it is what makes a text. */
	if (s->version == 0 && (b.bad || bytes_left(&filter) == 0)) {
		bytes_skip(&plain, take_length(&plain));
		filter = take_text(&plain);
	}
	if (filter.bad || bytes_left(&filter) == 0)
		return INSPECT_NO;
	tell_topic(s, filter, sink);
	return INSPECT_LIKELY;
}

static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct mqtt *s = state;
	struct bytes b = m->b;
	uint8_t type = bytes_u8(&b) >> 4;

	(void)take_length(&b);
	switch (type) {
	case CONNECT: return read_connect(s, b, sink);
	case PUBLISH: return read_publish(s, b, sink);
	case SUBSCRIBE: return read_subscribe(s, b, sink);
	case CONNACK: return (bytes_u8(&b) & 0xfe) == 0 ? INSPECT_LIKELY : INSPECT_NO;
	default: return INSPECT_LIKELY;
	}
}

static const struct chain_protocol protocol = {
	.want = 1024,
	.enough = 4,
	.length = measure,
	.message = message,
};

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	return chain_feed(&protocol, state, view, sink);
}

const struct inspector inspect_mqtt = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "mqtt",
	.state_size = sizeof(struct mqtt),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
