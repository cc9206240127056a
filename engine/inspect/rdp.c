/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * RDP (MS-RDPBCGR, sections 2.2.1.1 and 2.2.1.2): TPKT (RFC 1006), then a request for a
 * connection of X.224, class 0, and its answer. H.323, S7 and MMS begin so too, without what
 * comes next:
 *
 *	3, 0, length │ length, e0, 0, source, 0 │ "Cookie: mstshash=" │ 1, flags, 8, wanted
 *	3, 0, length │ length, d0, 0, source, 0 │ 2, flags, 8, chosen
 *
 * Where the server chooses TLS, its handshake follows at once, and the rest of RDP is inside.
 */
#include "inspect/inspector.h"

enum { USER, SECURITY };

static const struct inspect_field fields[] = {
	[USER] = { "user", INSPECT_TEXT },
	[SECURITY] = { "security", INSPECT_TEXT },
};

enum {
	TPKT_LEAST = 11,
	TPKT_MOST = 1024,
	REQUEST = 0xe0,
	CONFIRM = 0xd0,
	WANTED = 1, /* kinds of negotiation */
	CHOSEN = 2,
	FAILED = 3,
	NEGOTIATION = 8,
	USER_MOST = 128,
};

/* The protocols of section 2.2.1.2.1, by their number. */
static const struct {
	uint32_t number;
	const char *name;
} securities[] = {
	{ 0, "rdp" },    { 1, "tls" },          { 2, "nla" },
	{ 4, "rdstls" }, { 8, "nla-extended" }, { 16, "aad" },
};

struct rdp {
	bool asked, sure, over;
};

static const char *
security_name(uint32_t number)
{
	for (size_t i = 0; i < sizeof(securities) / sizeof(securities[0]); i++)
		if (securities[i].number == number)
			return securities[i].name;
	return NULL;
}

/* TPKT and X.224 up to what is RDP's own, which is left in b. NO, MORE or SURE. */
static enum inspect_answer
take_header(struct bytes *data, uint8_t kind, struct bytes *b)
{
	*b = *data;
	uint8_t version = bytes_u8(b), zero = bytes_u8(b);
	uint16_t len = bytes_be16(b);
	bool short_head = b->bad;
	uint8_t rest = bytes_u8(b), code = bytes_u8(b);

	if (version != 3 || zero != 0)
		return INSPECT_NO;
	if (!short_head && (len < TPKT_LEAST || len > TPKT_MOST))
		return INSPECT_NO;
	if (b->bad)
		return INSPECT_MORE;
	if (code != kind || rest + 5 != len)
		return INSPECT_NO;
	if (bytes_left(data) < len)
		return INSPECT_MORE;
	b->end = data->p + len;
	uint16_t destination = bytes_be16(b);

	bytes_skip(b, 2);
	if (bytes_u8(b) != 0 || (kind == REQUEST && destination != 0))
		return INSPECT_NO;
	bytes_skip(data, len);
	return INSPECT_SURE;
}

/* The cookie's line. False if there is none. */
static bool
take_cookie(struct bytes *b, const struct inspect_sink *sink)
{
	static const char key[] = "Cookie: mstshash=";
	struct bytes line;

	if (!bytes_starts(b, "Cookie: ") || !bytes_line(b, &line))
		return false;
	if (bytes_starts(&line, key)) {
		bytes_skip(&line, sizeof(key) - 1);
		if (bytes_left(&line) > 0 && bytes_left(&line) <= USER_MOST)
			sink->field(sink->self, USER, line);
	}
	return true;
}

/* Kind, flags, length, protocols. 0: it is none. */
static uint8_t
take_negotiation(struct bytes *b, uint32_t *protocols)
{
	uint8_t kind = bytes_u8(b);

	bytes_skip(b, 1);
	uint16_t len = bytes_le16(b);

	*protocols = bytes_le32(b);
	return b->bad || len != NEGOTIATION ? 0 : kind;
}

static enum inspect_answer
read_request(struct rdp *s, struct bytes *data, const struct inspect_sink *sink)
{
	uint32_t protocols;
	struct bytes b;
	enum inspect_answer found = take_header(data, REQUEST, &b);

	if (found != INSPECT_SURE)
		return found;
	s->asked = true;
	s->sure = take_cookie(&b, sink) ||
		  (take_negotiation(&b, &protocols) == WANTED && protocols < 0x100);
	/* Old clients send nothing more than X.224, which others do as well. */
	return s->sure ? INSPECT_SURE : INSPECT_NO;
}

static enum inspect_answer
read_confirm(struct rdp *s, struct bytes *data, const struct inspect_sink *sink)
{
	uint32_t protocol;
	struct bytes b;
	enum inspect_answer found = take_header(data, CONFIRM, &b);

	if (found != INSPECT_SURE)
		return found;
	uint8_t kind = take_negotiation(&b, &protocol);
	const char *name = kind == CHOSEN ? security_name(protocol) : "rdp";

	s->sure |= (kind == CHOSEN && name) || (kind == FAILED && protocol < 0x10);
	s->over = true;
	if (!s->sure)
		return INSPECT_NO;
	if (kind != FAILED && name)
		sink->field(sink->self, SECURITY, bytes_of(name, strlen(name)));
	if (kind == CHOSEN && protocol != 0)
		sink->inner(sink->self, "ssl");
	return INSPECT_DONE;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct rdp *s = state;
	enum inspect_answer found = INSPECT_SURE;

	if (view->lost && s->sure)
		return INSPECT_DONE;
	if (bytes_left(&view->data) == 0)
		return s->sure ? INSPECT_SURE : INSPECT_MORE;
	if (view->dir == INSPECT_SERVER)
		found = read_confirm(s, &view->data, sink);
	else if (!s->asked)
		found = read_request(s, &view->data, sink);
	if (found == INSPECT_DONE)
		return INSPECT_DONE;
	if (found == INSPECT_NO && !s->sure)
		return INSPECT_NO;
	return s->sure ? found == INSPECT_NO ? INSPECT_DONE : INSPECT_SURE : INSPECT_MORE;
}

/* A TPKT with a request for a connection, or its answer. */
static const struct inspect_start starts[] = {
	{ .from = INSPECT_FROM_CLIENT,
	  .count = 6,
	  .bytes = { INSPECT_IS(3), INSPECT_IS(0), INSPECT_ANY, INSPECT_ANY, INSPECT_ANY,
		     INSPECT_IS(REQUEST) } },
	{ .from = INSPECT_FROM_SERVER,
	  .count = 6,
	  .bytes = { INSPECT_IS(3), INSPECT_IS(0), INSPECT_ANY, INSPECT_ANY, INSPECT_ANY,
		     INSPECT_IS(CONFIRM) } },
};

const struct inspector inspect_rdp = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "rdp",
	.state_size = sizeof(struct rdp),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
