/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * OPC UA's binary form over TCP (OPC 10000-6, sections 6.7 and 7.1): messages of three letters,
 * a mark of the chunk and their length. Hello tells the URL, opening a channel the policy of
 * security; where that is none, services are told by the number of their type.
 */
#include "inspect/chain.h"

enum { URL, POLICY, TYPE, SERVICE };

static const struct inspect_field fields[] = {
	[URL] = { "url", INSPECT_TEXT },
	[POLICY] = { "policy", INSPECT_TEXT },
	[TYPE] = { "type", INSPECT_TEXT },
	[SERVICE] = { "service", INSPECT_NUMBER },
};

enum { HELLO, ACKNOWLEDGE, ERROR, REVERSE, OPEN, MESSAGE, CLOSE, TYPES };
enum { HEADER = 8, MESSAGE_MOST = 1 << 24, HELLO_NUMBERS = 20, SERVICES_MOST = 12 };
enum { SERVICE_LOWEST = 391, SERVICE_HIGHEST = 884 }; /* FindServers to Read and so on */

static const char types[TYPES][4] = { "HEL", "ACK", "ERR", "RHE", "OPN", "MSG", "CLO" };

struct opcua {
	struct chain chain;
	uint16_t services[SERVICES_MOST];
	uint8_t types, count;
	bool policy, secret;
};

static unsigned
find_type(const struct bytes *b)
{
	unsigned type = 0;

	while (type < TYPES && !bytes_starts(b, types[type]))
		type++;
	return type;
}

static enum inspect_answer
measure(struct bytes b, size_t *length)
{
	struct bytes whole = b;
	unsigned type = find_type(&b);
	uint8_t chunk = (bytes_skip(&b, 3), bytes_u8(&b));
	uint32_t n = bytes_le32(&b);

	if (bytes_left(&whole) < 3)
		return bytes_left(&whole) == 0 || strchr("HAERMOC", whole.p[0]) ? INSPECT_MORE
										: INSPECT_NO;
	if (type == TYPES || (bytes_left(&whole) > 3 && chunk != 'F' &&
			      !(type == MESSAGE && (chunk == 'C' || chunk == 'A'))))
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	*length = n;
	return n < HEADER || n > MESSAGE_MOST ? INSPECT_NO : INSPECT_SURE;
}

/* A text behind its length; empty where it is none. */
static struct bytes
take_text(struct bytes *b)
{
	uint32_t n = bytes_le32(b);

	return bytes_take(b, n == UINT32_MAX ? 0 : n);
}

static enum inspect_answer
read_open(struct opcua *s, struct bytes b, const struct inspect_sink *sink)
{
	static const char prefix[] = "http://opcfoundation.org/UA/SecurityPolicy#";
	struct bytes policy = (bytes_skip(&b, 4), take_text(&b));

	if (!bytes_starts(&policy, prefix))
		return policy.bad ? INSPECT_NO : INSPECT_LIKELY;
	bytes_skip(&policy, sizeof(prefix) - 1);
	s->secret = !bytes_is(&policy, "None");
	if (!s->policy)
		chain_text(POLICY, policy, sink);
	s->policy = true;
	return INSPECT_SURE;
}

/* Channel, token, sequence, request, and a type's number of two bytes in namespace 0. */
static enum inspect_answer
read_service(struct opcua *s, struct bytes b, const struct inspect_sink *sink)
{
	uint16_t form = (bytes_skip(&b, 16), bytes_be16(&b)), service = bytes_le16(&b);
	uint8_t i = 0;

	if (b.bad || s->secret || form != 0x0100 || service < SERVICE_LOWEST ||
	    service > SERVICE_HIGHEST)
		return INSPECT_LIKELY;
	while (i < s->count && s->services[i] != service)
		i++;
	if (i == s->count && i < SERVICES_MOST) {
		s->services[s->count++] = service;
		sink->number(sink->self, SERVICE, service);
	}
	return INSPECT_SURE;
}

static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct opcua *s = state;
	struct bytes b = m->b, text;
	unsigned type = find_type(&b);
	enum inspect_answer found = INSPECT_LIKELY;

	bytes_skip(&b, HEADER);
	switch (type) {
	case HELLO:
		bytes_skip(&b, HELLO_NUMBERS);
		text = take_text(&b);
		if (b.bad || bytes_left(&b) != 0)
			return INSPECT_NO;
		chain_text(URL, text, sink);
		found = INSPECT_SURE;
		break;
	case REVERSE:
		(void)take_text(&b); /* the server's own name */
		text = take_text(&b);
		if (b.bad || bytes_left(&b) != 0)
			return INSPECT_NO;
		chain_text(URL, text, sink);
		found = INSPECT_SURE;
		break;
	case ACKNOWLEDGE:
		if (m->length != HEADER + HELLO_NUMBERS)
			return INSPECT_NO;
		found = INSPECT_SURE;
		break;
	case OPEN: found = read_open(s, b, sink); break;
	case MESSAGE: found = read_service(s, b, sink); break;
	default: break;
	}
	if (found != INSPECT_NO && !(s->types & 1u << type))
		sink->field(sink->self, TYPE, bytes_of(types[type], 3));
	s->types |= (uint8_t)(1u << type);
	return found;
}

static const struct chain_protocol protocol = {
	.want = 1024,
	.enough = 2,
	.length = measure,
	.message = message,
};

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	return chain_feed(&protocol, state, view, sink);
}

const struct inspector inspect_opcua = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "opcua",
	.state_size = sizeof(struct opcua),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
