/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * RPC of DCE and Microsoft, with connections (C706, section 12.6; MS-RPCE):
 *
 *	│ 5 │ minor │ kind │ flags │ format, 4 │ length, 2 │ authentication, 2 │ call, 4 │ body
 *
 * The format says which byte of a number comes first. A bind names interfaces by UUID and gives
 * each a number, the context; later requests and answers have only that. What the end-point
 * mapper and DCOM answer announces flows to other ports.
 *
 * The header is some 2^-52 in the usual format, whose four bytes are 10 00 00 00; with zeros
 * instead a bind or its answer must make sense as well. Behind an HTTP proxy or at port 593 the
 * server greets with "ncacn_http/1.0" (MS-RPCH, version 1).
 */
#include "inspect/msrpc.h"
#include "inspect/pdu.h"

enum {
	HEADER = 16,
	REQUEST = 0,
	RESPONSE = 2,
	BIND = 11,
	BIND_ACK = 12,
	ALTER = 14,
	ALTER_ACK = 15,
	KINDS = 20,
	LITTLE = 0x10,
	FRAGMENT_LEAST = 1024, /* MS-RPCE, section 3.3.1.5.3: a receiver takes 1432 at least */
	CONTEXTS = 8,
	WAIT_MOST = INSPECT_WINDOW / 2, /* of a longer fragment the beginning is read */
	TRIES_MOST = 8,
	UNBOUND_MOST = 16, /* packets without a bind: the connection was joined late */
};

struct side {
	struct pdu pdu; /* of fragments */
	bool greeted;   /* "ncacn_http/1.0" was looked for */
};

struct context {
	uint16_t id;
	uint8_t kind; /* enum msrpc_kind */
	bool bound;
};

struct msrpc {
	struct side side[2];
	struct context contexts[CONTEXTS];
	struct msrpc_told told;
	uint8_t next; /* of contexts[], to be taken */
	uint8_t unbound;
	uint8_t answer; /* enum inspect_answer */
	bool refused;
	bool wanted; /* a context's answers announce flows */
};

struct fragment {
	struct bytes body; /* of its length, or what is there of it */
	uint16_t len;
	uint8_t kind;
	bool little;
};

static const char greeting[] = "ncacn_http/1.0";

static void
raise(struct msrpc *s, enum inspect_answer answer)
{
	if (s->answer < answer)
		s->answer = (uint8_t)answer;
}

static uint16_t
take_u16(struct bytes *b, bool little)
{
	return little ? bytes_le16(b) : bytes_be16(b);
}

/* NO, MORE, or SURE: a header. */
static enum inspect_answer
read_header(struct bytes *b, struct fragment *f)
{
	uint8_t major = bytes_u8(b), minor = bytes_u8(b);

	f->kind = bytes_u8(b);
	bytes_skip(b, 1);
	uint8_t format = bytes_u8(b), real = bytes_u8(b);
	uint16_t zero = bytes_be16(b);

	f->little = format & LITTLE;
	f->len = take_u16(b, f->little);
	uint16_t auth = take_u16(b, f->little);

	bytes_skip(b, 4);
	/* What is not there reads as zero, which is right here. */
	if (major != 5 || minor > 1 || f->kind >= KINDS || format & ~LITTLE || real > 3 || zero)
		return INSPECT_NO;
	if (b->bad)
		return INSPECT_MORE;
	return f->len < HEADER || auth > f->len - HEADER ? INSPECT_NO : INSPECT_SURE;
}

static void
bind_context(struct msrpc *s, uint16_t id, enum msrpc_kind kind)
{
	struct context *c = &s->contexts[s->next];

	s->next = (uint8_t)((s->next + 1) % CONTEXTS);
	*c = (struct context){ id, (uint8_t)kind, true };
	s->wanted |= kind != MSRPC_OTHER;
}

/* Sizes of fragments, a group, then contexts: number, encodings, interface and version. */
static enum inspect_answer
read_bind(struct msrpc *s, const struct fragment *f, const struct inspect_sink *sink)
{
	struct bytes b = f->body;
	uint16_t send = take_u16(&b, f->little), receive = take_u16(&b, f->little);
	char uuid[MSRPC_UUID];

	bytes_skip(&b, 4);
	uint8_t count = bytes_u8(&b);

	bytes_skip(&b, 3);
	if (b.bad || count == 0 || send < FRAGMENT_LEAST || receive < FRAGMENT_LEAST)
		return INSPECT_LIKELY;
	for (unsigned i = 0; i < count; i++) {
		uint16_t id = take_u16(&b, f->little);
		uint8_t encodings = bytes_u8(&b);

		bytes_skip(&b, 1);
		msrpc_interface_uuid(&b, f->little, uuid);
		bytes_skip(&b, 4 + 20u * encodings);
		if (b.bad)
			return i > 0 ? INSPECT_SURE : INSPECT_LIKELY;
		bind_context(s, id, msrpc_interface_tell(&s->told, uuid, sink));
	}
	return INSPECT_SURE;
}

static bool
is_ack(const struct fragment *f)
{
	struct bytes b = f->body;
	uint16_t send = take_u16(&b, f->little), receive = take_u16(&b, f->little);

	return !b.bad && send >= FRAGMENT_LEAST && receive >= FRAGMENT_LEAST;
}

/* The context that an answer belongs to: of one that was bound without us, the mapper's. */
static enum msrpc_kind
kind_of(const struct msrpc *s, uint16_t id)
{
	bool any = false;

	for (unsigned i = CONTEXTS; i-- > 0;) {
		const struct context *c = &s->contexts[i];

		any |= c->bound;
		if (c->bound && c->id == id && c->kind != MSRPC_OTHER)
			return c->kind;
	}
	return any ? MSRPC_OTHER : MSRPC_MAPPER;
}

static void
read_response(const struct msrpc *s, const struct fragment *f, uint8_t dir,
	      const struct inspect_sink *sink)
{
	struct bytes b = f->body;

	bytes_skip(&b, 4);
	enum msrpc_kind kind = kind_of(s, take_u16(&b, f->little));

	bytes_skip(&b, 2);
	if (b.bad)
		return;
	if (kind == MSRPC_MAPPER)
		msrpc_tower_read(b, dir, sink);
	else if (kind == MSRPC_OBJECTS)
		msrpc_binding_read(b, dir, sink);
}

static void
read_fragment(struct msrpc *s, const struct fragment *f, uint8_t dir,
	      const struct inspect_sink *sink)
{
	enum inspect_answer found = f->little ? INSPECT_SURE : INSPECT_LIKELY;

	if (f->kind == BIND || f->kind == ALTER)
		found = read_bind(s, f, sink);
	else if ((f->kind == BIND_ACK || f->kind == ALTER_ACK) && is_ack(f))
		found = INSPECT_SURE;
	else if (f->kind == RESPONSE)
		read_response(s, f, dir, sink);
	if (f->little)
		found = INSPECT_SURE;
	raise(s, found);
	bool bound = s->contexts[0].bound;

	if (!bound && s->unbound < UNBOUND_MOST)
		s->unbound++;
	if (s->answer < INSPECT_SURE)
		return;
	if (bound ? s->wanted : s->unbound < UNBOUND_MOST)
		raise(s, bound || s->unbound > 1 ? INSPECT_NAMED : INSPECT_SURE);
	else
		raise(s, INSPECT_DONE);
}

static bool
fail(struct msrpc *s, struct side *side, struct bytes *data)
{
	if (pdu_fail(&side->pdu, data, TRIES_MOST) && s->answer < INSPECT_SURE)
		s->refused = true;
	return false;
}

/* How much of a fragment must be there. */
static size_t
wanted(const struct msrpc *s, const struct fragment *f)
{
	bool all = f->kind == BIND || f->kind == BIND_ACK || f->kind == ALTER ||
		   f->kind == ALTER_ACK ||
		   (f->kind == RESPONSE && (s->wanted || !s->contexts[0].bound));

	if (!all)
		return HEADER;
	return f->len < WAIT_MOST ? f->len : WAIT_MOST;
}

/* The server's first bytes. True: they have been looked at. */
static bool
take_greeting(struct msrpc *s, struct side *side, struct bytes *data,
	      const struct inspect_sink *sink)
{
	size_t len = sizeof(greeting) - 1, left = bytes_left(data);

	if (memcmp(data->p, greeting, left < len ? left : len) == 0) {
		if (left < len)
			return false;
		bytes_skip(data, len);
		sink->field(sink->self, MSRPC_TRANSPORT, bytes_of(greeting, 10));
		raise(s, INSPECT_SURE);
	}
	side->greeted = true;
	return true;
}

static bool
step(struct msrpc *s, struct side *side, struct inspect_view *view,
     const struct inspect_sink *sink)
{
	struct bytes *data = &view->data;
	struct fragment f = { 0 };

	if (!pdu_begins(&side->pdu, data))
		return false;
	if (!side->greeted)
		return take_greeting(s, side, data, sink);
	struct bytes b = *data;
	size_t left = bytes_left(data);
	enum inspect_answer found = read_header(&b, &f);

	if (found == INSPECT_NO)
		return fail(s, side, data);
	if (found == INSPECT_SURE && f.little)
		raise(s, INSPECT_SURE);
	if (found == INSPECT_MORE || left < wanted(s, &f))
		return false;
	f.body = b;
	if (bytes_left(&b) > f.len - (size_t)HEADER)
		f.body.end = b.p + (f.len - HEADER);
	side->pdu.blind = false;
	side->pdu.skip = f.len;
	read_fragment(s, &f, view->dir, sink);
	return true;
}

static void
read_datagram(struct msrpc *s, struct inspect_view *view, const struct inspect_sink *sink)
{
	enum inspect_answer found = msrpc_datagram_read(&s->told, view, sink);

	bytes_skip(&view->data, bytes_left(&view->data));
	if (found != INSPECT_NO)
		raise(s, found);
	else if (s->answer < INSPECT_SURE)
		s->refused = true;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct msrpc *s = state;
	struct side *side = &s->side[view->dir];

	if (view->transport == INSPECT_UDP) {
		read_datagram(s, view, sink);
	} else {
		if (view->lost) {
			pdu_lost(&side->pdu);
			side->greeted = true;
		}
		while (step(s, side, view, sink))
			;
	}
	if (s->refused)
		return INSPECT_NO;
	return s->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)s->answer;
}

static const struct inspect_field fields[MSRPC_FIELDS] = {
	[MSRPC_INTERFACE] = { "interface", INSPECT_TEXT },
	[MSRPC_TRANSPORT] = { "transport", INSPECT_TEXT },
};

/* A fragment's header, or the greeting of RPC over HTTP; a datagram's header. */
static const struct inspect_start starts[] = {
	{ .transports = INSPECT_TCP,
	  .count = 6,
	  .bytes = { INSPECT_IS(5),
		     { 0, 1 },
		     { 0, KINDS - 1 },
		     INSPECT_ANY,
		     { 0, LITTLE },
		     { 0, 3 } } },
	{ .transports = INSPECT_TCP,
	  .count = 12,
	  .bytes = { INSPECT_IS('n'), INSPECT_IS('c'), INSPECT_IS('a'), INSPECT_IS('c'),
		     INSPECT_IS('n'), INSPECT_IS('_'), INSPECT_IS('h'), INSPECT_IS('t'),
		     INSPECT_IS('t'), INSPECT_IS('p'), INSPECT_IS('/'), INSPECT_IS('1') } },
	{ .transports = INSPECT_UDP,
	  .least = 80,
	  .count = 7,
	  .bytes = { INSPECT_IS(4),
		     { 0, 0xa },
		     INSPECT_ANY,
		     { 0, 7 },
		     { 0, 0x10 },
		     { 0, 3 },
		     INSPECT_IS(0) } },
};

const struct inspector inspect_msrpc = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "msrpc",
	.state_size = sizeof(struct msrpc),
	.transports = INSPECT_TCP | INSPECT_UDP,
	.fields = fields,
	.field_count = MSRPC_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
