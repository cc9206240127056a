/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Megaco, the text form of H.248 (H.248.1 annex B, RFC 3525): "MEGACO/1" or "!/1", who speaks,
 * and a body whose first word is known. Descriptions stand between braces, of the local and of
 * the remote end, in either direction, each with its own address. Over TCP each message is in a
 * TPKT (H.248.1 annex D.2).
 */
#include "inspect/sdp.h"

enum { MEGACO_FROM, MEGACO_COMMAND, MEGACO_FIELDS };

static const struct inspect_field fields[MEGACO_FIELDS] = {
	[MEGACO_FROM] = { "from", INSPECT_TEXT },
	[MEGACO_COMMAND] = { "command", INSPECT_TEXT },
};

enum { TPKT_HEADER = 4, FROM_MOST = 128, TPKT_VERSION = 3 };

struct megaco {
	uint16_t commands; /* told, a bit each */
	bool from;         /* told */
	uint8_t answer;    /* enum inspect_answer */
};

/* The words that a body may begin with, and the commands, long and short (annex B.2). */
static const char *const bodies[] = {
	"Transaction", "T",     "Reply", "P", "Pending", "PN", "TransactionResponseAck",
	"K",           "Error", "ER"
};
static const struct {
	const char *full, *brief;
} commands[] = {
	{ "Add", "A" },
	{ "Modify", "MF" },
	{ "Subtract", "S" },
	{ "Move", "MV" },
	{ "AuditValue", "AV" },
	{ "AuditCapability", "AC" },
	{ "ServiceChange", "SC" },
	{ "Notify", "N" },
};

static bool
is_space(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void
skip_space(struct bytes *b)
{
	while (bytes_left(b) > 0 && is_space(*b->p))
		bytes_skip(b, 1);
}

static bool
is_word(uint8_t c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' ||
	       c == '/';
}

static struct bytes
word(struct bytes *b)
{
	struct bytes w = *b;

	while (bytes_left(b) > 0 && is_word(*b->p))
		bytes_skip(b, 1);
	w.end = b->p;
	return w;
}

/* "MEGACO/1 [192.0.2.1]:2944 Transaction"; `from` is who speaks, `body` moves behind it. */
static bool
read_head(struct bytes *body, struct bytes *from)
{
	struct bytes b = *body, first;
	uint8_t version;

	skip_space(&b);
	if (bytes_left(&b) > 7 && (*b.p | 0x20) == 'm') {
		first = bytes_take(&b, 7);
		if (!bytes_is(&first, "MEGACO/"))
			return false;
	} else if (bytes_starts(&b, "!/")) {
		bytes_skip(&b, 2);
	} else {
		return false;
	}
	version = bytes_u8(&b);
	if (version < '1' || version > '4' || bytes_left(&b) == 0 || !is_space(*b.p))
		return false;
	skip_space(&b);
	*from = b;
	while (bytes_left(&b) > 0 && !is_space(*b.p) && *b.p > ' ' && *b.p < 0x7f)
		bytes_skip(&b, 1);
	from->end = b.p;
	if (bytes_left(from) == 0 || bytes_left(from) > FROM_MOST)
		return false;
	skip_space(&b);
	*body = b;
	first = word(&b);
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++)
		if (bytes_is(&first, bodies[i]))
			return true;
	return false;
}

/*
 * A command is a word with "=" behind it. A description's lines have that form as well, but
 * begin right behind the end of a line.
 */
static void
tell_commands(struct megaco *s, struct bytes body, const struct inspect_sink *sink)
{
	uint8_t before = ' ';

	while (bytes_left(&body) > 0) {
		struct bytes w = word(&body), next;

		if (bytes_left(&w) == 0) {
			before = bytes_u8(&body);
			continue;
		}
		if (before == '\n' || before == '\r')
			continue;
		next = body;
		skip_space(&next);
		for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
			const char *full = commands[i].full;

			if (s->commands & 1u << i || !bytes_starts(&next, "=") ||
			    (!bytes_is(&w, full) && !bytes_is(&w, commands[i].brief)))
				continue;
			s->commands |= (uint16_t)(1u << i);
			sink->field(sink->self, MEGACO_COMMAND, bytes_of(full, strlen(full)));
		}
	}
}

static bool
read_message(struct megaco *s, struct bytes message, const struct inspect_sink *sink)
{
	struct sdp sdp = { .sink = sink, .from = INSPECT_NOBODY };
	struct bytes from;

	if (!read_head(&message, &from))
		return false;
	if (!s->from)
		sink->field(sink->self, MEGACO_FROM, from);
	s->from = true;
	s->answer = INSPECT_NAMED;
	tell_commands(s, message, sink);
	sdp_read(&sdp, message);
	return true;
}

static enum inspect_answer
say(const struct megaco *s)
{
	return s->answer ? (enum inspect_answer)s->answer : INSPECT_MORE;
}

/* The next message of a stream; false when it is not whole yet, or none. */
static bool
take(struct megaco *s, struct inspect_view *view, const struct inspect_sink *sink, bool *none)
{
	struct bytes b = view->data, message;
	uint8_t version = bytes_u8(&b), zero = bytes_u8(&b);
	size_t len = bytes_be16(&b);

	*none = (bytes_left(&view->data) > 0 && version != TPKT_VERSION) ||
		(bytes_left(&view->data) > 1 && zero != 0) || (!b.bad && len < TPKT_HEADER + 8);
	if (*none || b.bad)
		return false;
	message = bytes_take(&b, len - TPKT_HEADER);
	if (b.bad) {
		/* Q.931 and T.120 have the same frame: what begins otherwise is theirs. */
		message = view->data;
		bytes_skip(&message, TPKT_HEADER);
		*none = bytes_left(&message) > 0 && *message.p != '!' &&
			(*message.p | 0x20) != 'm' && !is_space(*message.p);
		return false;
	}
	*none = !read_message(s, message, sink);
	view->data.p = b.p;
	return !*none;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct megaco *s = state;
	bool none = false;

	if (view->transport == INSPECT_UDP)
		return read_message(s, view->data, sink) || s->answer ? say(s) : INSPECT_NO;
	if (view->lost && s->answer) {
		view->data.p = view->data.end;
		return INSPECT_DONE;
	}
	while (take(s, view, sink, &none))
		;
	if (!none)
		return say(s);
	view->data.p = view->data.end;
	return s->answer ? INSPECT_DONE : INSPECT_NO;
}

/* Over TCP in a TPKT. */
static const struct inspect_start starts[] = {
	{ .transports = INSPECT_UDP, .count = 1, .bytes = { { '\t', '!' } } },
	{ .transports = INSPECT_UDP, .count = 2, .bytes = { INSPECT_IS('M'), { 'E', 'e' } } },
	{ .transports = INSPECT_UDP, .count = 2, .bytes = { INSPECT_IS('m'), { 'E', 'e' } } },
	{ .transports = INSPECT_TCP,
	  .count = 5,
	  .bytes = { INSPECT_IS(TPKT_VERSION),
		     INSPECT_IS(0),
		     INSPECT_ANY,
		     INSPECT_ANY,
		     { '\t', '!' } } },
	{ .transports = INSPECT_TCP,
	  .count = 5,
	  .bytes = { INSPECT_IS(TPKT_VERSION), INSPECT_IS(0), INSPECT_ANY, INSPECT_ANY,
		     INSPECT_IS('M') } },
	{ .transports = INSPECT_TCP,
	  .count = 5,
	  .bytes = { INSPECT_IS(TPKT_VERSION), INSPECT_IS(0), INSPECT_ANY, INSPECT_ANY,
		     INSPECT_IS('m') } },
};

const struct inspector inspect_megaco = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "megaco",
	.state_size = sizeof(struct megaco),
	.transports = INSPECT_UDP | INSPECT_TCP,
	.fields = fields,
	.field_count = MEGACO_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
