/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * SOCKS 4 and 4a (Y.-D. Lee, NEC), SOCKS 5 (RFC 1928) with passwords (RFC 1929). After the
 * proxy's consent the connection is another protocol's, which is recognised afresh:
 *
 *	4  │ 4, command │ port, address │ user, 0 │ name, 0 │ ◄ │ 0, 5a │ port, address │
 *	5  │ 5, methods │                                     ◄ │ 5, method │
 *	   │ 1, user, password │                              ◄ │ 1, 0 │
 *	   │ 5, command, 0, kind │ address, port │            ◄ │ 5, 0, 0, kind │ address, port
 *
 * A client may send ahead of the answers. Datagrams go by a relay (section 7), whose address is
 * in the answer: that flow is announced as socks. What a BIND brings in has no mark of
 * SOCKS, and is recognised by itself.
 */
#include "inspect/inspector.h"

enum { VERSION, COMMAND, DESTINATION };

static const struct inspect_field fields[] = {
	[VERSION] = { "version", INSPECT_NUMBER },
	[COMMAND] = { "command", INSPECT_TEXT },
	[DESTINATION] = { "destination", INSPECT_TEXT },
};

enum {
	CONNECT = 1,
	BIND = 2,
	ASSOCIATE = 3,
	IPV4 = 1,
	NAME = 3,
	IPV6 = 4,
	GRANTED = 0x5a, /* of version 4; up to 5d are refusals */
	REFUSED_LAST = 0x5d,
	NO_METHOD = 0xff,
	PASSWORD = 2,
	TEXT_MOST = 255,
	METHODS_MOST = 16,
	RELAY_LIFE_S = 600,
};

enum stage { GREETING, AUTHENTICATION, REQUEST, OVER };

struct socks {
	uint8_t stage[2]; /* enum stage: what this side says next */
	uint8_t version;
	uint8_t methods; /* that the client has offered */
	uint8_t command;
	uint8_t answers; /* of the server to the request; a BIND has two */
	bool chosen;
	bool asked; /* the request is whole */
	bool sure, refused, inner;
};

struct end {
	struct bytes address;
	uint16_t port;
	uint8_t kind;
};

/* A text that a zero ends. MORE, SURE, or NO: it is too long, or none. */
static enum inspect_answer
take_text(struct bytes *b, struct bytes *text)
{
	const uint8_t *start = b->p;

	for (size_t i = 0; i <= TEXT_MOST; i++) {
		uint8_t c = bytes_u8(b);

		if (b->bad)
			return INSPECT_MORE;
		if (c == 0) {
			*text = bytes_of(start, i);
			return INSPECT_SURE;
		}
		if (c < ' ' || c == 0x7f)
			return INSPECT_NO;
	}
	return INSPECT_NO;
}

static void
tell_command(const struct socks *s, const struct inspect_sink *sink)
{
	static const char *const names[] = { "", "connect", "bind", "udp-associate" };
	const char *name = names[s->command & 3];

	sink->number(sink->self, VERSION, s->version);
	sink->field(sink->self, COMMAND, bytes_of(name, strlen(name)));
}

/* Version 4's request. An address of 0.0.0.x says that a name follows: 4a. */
static enum inspect_answer
read_request4(struct socks *s, struct bytes *data, const struct inspect_sink *sink)
{
	struct bytes b = *data, user, name = { 0 };
	uint8_t version = bytes_u8(&b), command = bytes_u8(&b);

	bytes_skip(&b, 2);
	uint32_t address = bytes_be32(&b);

	if (version != 4 || command > BIND)
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	enum inspect_answer found = take_text(&b, &user);
	bool named = address != 0 && address < 0x100;

	if (command == 0 || address == 0)
		return INSPECT_NO;
	if (found == INSPECT_SURE && named)
		found = take_text(&b, &name);
	if (found != INSPECT_SURE)
		return found;
	s->command = command;
	s->version = 4;
	s->asked = true;
	tell_command(s, sink);
	if (named && bytes_left(&name) > 0)
		sink->field(sink->self, DESTINATION, name);
	*data = b;
	s->stage[INSPECT_CLIENT] = OVER;
	return INSPECT_SURE;
}

static enum inspect_answer
read_answer4(struct socks *s, struct bytes *data)
{
	struct bytes b = *data;
	uint8_t zero = bytes_u8(&b), code = bytes_u8(&b);

	if (!s->asked)
		return INSPECT_NO; /* eight bytes alone say too little */
	if (b.bad)
		return INSPECT_MORE;
	if (zero != 0 || code < GRANTED || code > REFUSED_LAST)
		return INSPECT_NO;
	bytes_skip(&b, 6);
	if (b.bad)
		return INSPECT_MORE;
	*data = b;
	s->sure = true;
	s->answers++;
	s->inner = code == GRANTED && s->answers == (s->command == BIND ? 2 : 1);
	if (s->inner || code != GRANTED)
		s->stage[INSPECT_SERVER] = OVER;
	return INSPECT_SURE;
}

/* Version 5: the methods that a client can do. */
static enum inspect_answer
read_methods(struct socks *s, struct bytes *data)
{
	struct bytes b = *data;
	uint8_t version = bytes_u8(&b), count = bytes_u8(&b);

	if (version != 5)
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	if (count == 0 || count > METHODS_MOST)
		return INSPECT_NO;
	bytes_skip(&b, count);
	if (b.bad)
		return INSPECT_MORE;
	*data = b;
	s->version = 5;
	s->methods = count;
	s->stage[INSPECT_CLIENT] = AUTHENTICATION;
	return INSPECT_SURE;
}

static enum inspect_answer
read_choice(struct socks *s, struct bytes *data)
{
	struct bytes b = *data;
	uint8_t version = bytes_u8(&b), method = bytes_u8(&b);

	if (version != 5)
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	if (method > 9 && method < 0x80 && method != NO_METHOD)
		return INSPECT_NO;
	*data = b;
	s->chosen = true;
	if (method != 0 && method != PASSWORD)
		s->stage[INSPECT_CLIENT] = OVER; /* what GSS says is its own */
	s->stage[INSPECT_SERVER] = method == 0          ? REQUEST
				   : method == PASSWORD ? AUTHENTICATION
							: OVER;
	return INSPECT_SURE;
}

/* The client's user and password, or its request already. */
static enum inspect_answer
read_password(struct socks *s, struct bytes *data)
{
	struct bytes b = *data;
	uint8_t version = bytes_u8(&b);

	if (b.bad)
		return INSPECT_MORE;
	if (version == 5) {
		s->stage[INSPECT_CLIENT] = REQUEST;
		return INSPECT_SURE;
	}
	if (version != 1)
		return INSPECT_NO;
	bytes_skip(&b, bytes_u8(&b));
	bytes_skip(&b, bytes_u8(&b));
	if (b.bad)
		return INSPECT_MORE;
	*data = b;
	s->stage[INSPECT_CLIENT] = REQUEST;
	return INSPECT_SURE;
}

static enum inspect_answer
read_consent(struct socks *s, struct bytes *data)
{
	struct bytes b = *data;
	uint8_t version = bytes_u8(&b), state = bytes_u8(&b);

	if (b.bad)
		return INSPECT_MORE;
	if (version != 1)
		return INSPECT_NO;
	*data = b;
	s->sure |= s->methods > 0 && state == 0;
	s->stage[INSPECT_SERVER] = state == 0 ? REQUEST : OVER;
	return INSPECT_SURE;
}

/* Version 5's request or answer: both have the same form. */
static enum inspect_answer
take_end(struct bytes *data, uint8_t *code, struct end *end)
{
	struct bytes b = *data;
	uint8_t version = bytes_u8(&b), zero;

	*code = bytes_u8(&b);
	zero = bytes_u8(&b);
	end->kind = bytes_u8(&b);
	if (version != 5 || zero != 0)
		return INSPECT_NO;
	if (b.bad)
		return INSPECT_MORE;
	if (end->kind != IPV4 && end->kind != NAME && end->kind != IPV6)
		return INSPECT_NO;
	size_t len = end->kind == IPV4 ? 4 : end->kind == IPV6 ? 16 : bytes_u8(&b);

	end->address = bytes_take(&b, len);
	end->port = bytes_be16(&b);
	if (b.bad)
		return INSPECT_MORE;
	*data = b;
	return INSPECT_SURE;
}

static enum inspect_answer
read_request5(struct socks *s, struct bytes *data, const struct inspect_sink *sink)
{
	struct end end;
	enum inspect_answer found = take_end(data, &s->command, &end);

	if (found != INSPECT_SURE)
		return found;
	if (s->command < CONNECT || s->command > ASSOCIATE)
		return INSPECT_NO;
	s->asked = true;
	s->sure |= s->chosen;
	tell_command(s, sink);
	if (end.kind == NAME && bytes_left(&end.address) > 0)
		sink->field(sink->self, DESTINATION, end.address);
	s->stage[INSPECT_CLIENT] = OVER;
	return INSPECT_SURE;
}

static void
announce_relay(const struct end *end, const struct inspect_sink *sink)
{
	struct bytes address = end->address;
	bool any = true;
	struct inspect_announcement a = {
		.protocol = "socks",
		.host = INSPECT_SERVER,
		.port = end->port,
		.transport = INSPECT_UDP,
		.many = true,
		.life_s = RELAY_LIFE_S,
	};

	if (end->port == 0 || end->kind == NAME)
		return;
	for (unsigned i = 0; bytes_left(&address) > 0; i++) {
		a.address[i] = bytes_u8(&address);
		any &= a.address[i] == 0;
	}
	if (!any)
		a.ip_version = end->kind == IPV4 ? 4 : 6;
	sink->announce(sink->self, &a);
}

static enum inspect_answer
read_answer5(struct socks *s, struct bytes *data, const struct inspect_sink *sink)
{
	struct end end;
	uint8_t code;
	enum inspect_answer found = take_end(data, &code, &end);

	if (found != INSPECT_SURE)
		return found;
	if (code > 8)
		return INSPECT_NO;
	s->sure = true;
	s->answers++;
	s->inner = code == 0 && ((s->command == CONNECT && s->answers == 1) ||
				 (s->command == BIND && s->answers == 2));
	if (code == 0 && s->command == ASSOCIATE)
		announce_relay(&end, sink);
	if (s->inner || code != 0 || s->command != BIND)
		s->stage[INSPECT_SERVER] = OVER;
	return INSPECT_SURE;
}

static enum inspect_answer
read_client(struct socks *s, struct bytes *data, const struct inspect_sink *sink)
{
	struct bytes peek = *data;

	switch (s->stage[INSPECT_CLIENT]) {
	case GREETING:
		return bytes_u8(&peek) == 4 ? read_request4(s, data, sink)
					    : read_methods(s, data);
	case AUTHENTICATION: return read_password(s, data);
	default: return read_request5(s, data, sink);
	}
}

static enum inspect_answer
read_server(struct socks *s, struct bytes *data, const struct inspect_sink *sink)
{
	struct bytes peek = *data;

	switch (s->stage[INSPECT_SERVER]) {
	case GREETING:
		return bytes_u8(&peek) == 0 ? read_answer4(s, data) : read_choice(s, data);
	case AUTHENTICATION: return read_consent(s, data);
	default: return read_answer5(s, data, sink);
	}
}

/* What is not of SOCKS ends the reading; before it is sure, the flow is another's. */
static enum inspect_answer
read_all(struct socks *s, struct inspect_view *view, const struct inspect_sink *sink)
{
	enum inspect_answer found = INSPECT_SURE;

	while (found == INSPECT_SURE && bytes_left(&view->data) > 0 && !s->inner &&
	       s->stage[view->dir] != OVER)
		found = view->dir == INSPECT_CLIENT ? read_client(s, &view->data, sink)
						    : read_server(s, &view->data, sink);
	return found;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct socks *s = state;
	/* A connection that is joined late may still be at its beginning. */
	bool lost = view->lost && s->stage[view->dir] != GREETING;
	enum inspect_answer found = lost ? INSPECT_NO : read_all(s, view, sink);

	if (s->inner) {
		s->inner = false;
		sink->inner(sink->self, NULL);
		return INSPECT_DONE;
	}
	if (found == INSPECT_NO && !s->sure)
		return INSPECT_NO;
	if (found == INSPECT_NO || (s->stage[0] == OVER && s->stage[1] == OVER))
		return s->sure ? INSPECT_DONE : INSPECT_NO;
	return s->sure ? INSPECT_SURE : INSPECT_MORE;
}

/* A greeting or version 4's request, and the choice; version 4's answer says too little. */
static const struct inspect_start starts[] = {
	{ .from = INSPECT_FROM_CLIENT, .count = 2, .bytes = { INSPECT_IS(4), { 0, BIND } } },
	{ .from = INSPECT_FROM_CLIENT,
	  .count = 2,
	  .bytes = { INSPECT_IS(5), { 1, METHODS_MOST } } },
	{ .from = INSPECT_FROM_SERVER, .count = 2, .bytes = { INSPECT_IS(5), { 0, 9 } } },
	{ .from = INSPECT_FROM_SERVER, .count = 2, .bytes = { INSPECT_IS(5), { 0x80, 0xff } } },
};

const struct inspector inspect_socks = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "socks",
	.state_size = sizeof(struct socks),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
