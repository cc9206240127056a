/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * S7 communication of Siemens' controllers, as observed, over TPKT and COTP:
 *
 *	32 kind 00 00 reference parameters' length, data's length [error class, code] ...
 *
 * all 16 bits most significant byte first; the lengths fill a unit exactly. Jobs and what
 * acknowledges them begin their parameters with a function. S7CommPlus (the S7-1200 and 1500)
 * has 72, a version, a length instead, and calls the TSAP "SIMATIC-ROOT-...".
 */
#include "inspect/chain.h"
#include "inspect/tpkt.h"

enum { ROSCTR, FUNCTION, VARIANT };

static const struct inspect_field fields[] = {
	[ROSCTR] = { "rosctr", INSPECT_NUMBER },
	[FUNCTION] = { "function", INSPECT_NUMBER },
	[VARIANT] = { "variant", INSPECT_TEXT },
};

enum { HEADERS = 7 }; /* TPKT's and COTP's */
enum { JOB = 1, ACKNOWLEDGEMENT = 2, ANSWER = 3, USER_DATA = 7 };
enum { PLUS_HEADER = 4, PLUS_TRAILER = 4, PLUS_KEEP_ALIVE = 0xff, PLUS_FRAME = 0xfe };

struct s7comm {
	struct chain chain;
	struct chain_set kinds, functions;
	bool told;
	bool inside[2]; /* a unit of several packets goes on */
};

static void
tell_variant(struct s7comm *s, const char *name, const struct inspect_sink *sink)
{
	if (!s->told)
		sink->field(sink->self, VARIANT, bytes_of(name, strlen(name)));
	s->told = true;
}

static enum inspect_answer
read_classic(struct s7comm *s, struct bytes b, size_t length, bool last,
	     const struct inspect_sink *sink)
{
	uint8_t kind = (bytes_skip(&b, 1), bytes_u8(&b));
	uint16_t zero = bytes_be16(&b);
	uint32_t reference = bytes_be16(&b), parameters = bytes_be16(&b);
	size_t whole = 10u + parameters + bytes_be16(&b);

	(void)reference;
	if (kind == ACKNOWLEDGEMENT || kind == ANSWER) {
		whole += 2;
		bytes_skip(&b, 2);
	}
	bool known =
		kind == JOB || kind == USER_DATA || kind == ACKNOWLEDGEMENT || kind == ANSWER;

	if (b.bad || !known || zero != 0 || (last ? whole != length : whole <= length))
		return INSPECT_NO;
	tell_variant(s, "s7comm", sink);
	chain_tell(&s->kinds, ROSCTR, kind, sink);
	if ((kind == JOB || kind == ANSWER) && parameters > 0 && bytes_left(&b) > 0)
		chain_tell(&s->functions, FUNCTION, bytes_u8(&b), sink);
	return INSPECT_SURE;
}

/* A version of 1 to 3 and what is as long as it says, then the same without data. */
static enum inspect_answer
read_plus(struct s7comm *s, struct bytes b, size_t length, const struct inspect_sink *sink)
{
	uint8_t version = (bytes_skip(&b, 1), bytes_u8(&b));
	size_t data = bytes_be16(&b), rest = length - PLUS_HEADER;

	if (b.bad || length < PLUS_HEADER)
		return INSPECT_NO;
	if (version == PLUS_KEEP_ALIVE || version == PLUS_FRAME)
		return INSPECT_LIKELY;
	if (version < 1 || version > 3 || data > rest)
		return INSPECT_NO;
	tell_variant(s, "s7comm-plus", sink);
	return data == rest || data + PLUS_TRAILER == rest ? INSPECT_SURE : INSPECT_LIKELY;
}

static enum inspect_answer
read_request(struct s7comm *s, const struct tpkt *t, const struct inspect_sink *sink)
{
	struct bytes called;

	if (!tpkt_parameter(t, TPKT_CALLED, &called))
		return INSPECT_MORE;
	if (bytes_starts(&called, "SIMATIC-ROOT-")) {
		tell_variant(s, "s7comm-plus", sink);
		return INSPECT_SURE;
	}
	/* What connects (a programmer, a panel, another), then rack and slot. */
	bool two = bytes_left(&called) == 2;
	uint8_t kind = bytes_u8(&called);

	/* From 0 on others count, MMS foremost. */
	return kind == 0 ? INSPECT_NO : two && kind <= 3 ? INSPECT_LIKELY : INSPECT_MORE;
}

static enum inspect_answer
message(void *state, const struct chain_message *m, const struct inspect_sink *sink)
{
	struct s7comm *s = state;
	struct tpkt t;

	if (!tpkt_read(m->b, m->length, &t))
		return INSPECT_NO;
	if (t.kind == TPKT_REQUEST)
		return read_request(s, &t, sink);
	if (t.kind == TPKT_CONFIRM || t.kind == TPKT_DISCONNECT || t.kind == TPKT_ERROR)
		return INSPECT_MORE;
	if (t.kind != TPKT_DATA)
		return INSPECT_NO;
	bool inside = s->inside[m->dir];
	size_t length = m->length - (size_t)HEADERS;

	s->inside[m->dir] = !t.last;
	if (inside || length < PLUS_HEADER)
		return INSPECT_MORE;
	if (bytes_starts(&t.body, "\x32"))
		return read_classic(s, t.body, length, t.last, sink);
	if (bytes_starts(&t.body, "\x72"))
		return read_plus(s, t.body, length, sink);
	return INSPECT_NO;
}

static const struct chain_protocol protocol = {
	.want = 512,
	.enough = 3,
	.length = tpkt_length,
	.message = message,
};

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	return chain_feed(&protocol, state, view, sink);
}

const struct inspector inspect_s7comm = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "s7comm",
	.state_size = sizeof(struct s7comm),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
};
