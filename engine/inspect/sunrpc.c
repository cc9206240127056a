/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Sun's RPC, version 2 (RFC 5531), over UDP and, in records, over TCP (section 11):
 *
 *	TCP: │ last?, length │ piece of a message │ last?, length │ next piece ...
 *
 *	call   xid │ 0 │ 2 │ program │ version │ procedure │ credential │ verifier │ arguments
 *	reply  xid │ 1 │ 0 │ verifier │ 0 │ results
 *
 * A call is sure: message type, version of RPC, and small numbers are some 2^-90. A reply alone
 * is all small numbers, and only likely. The program names the flow, where it has a module:
 * that is an application over sunrpc. What the port mapper answers announces the programs'
 * flows. The header is in the clear with Kerberos as well (RPCSEC_GSS, RFC 2203); and with a
 * credential of AUTH_TLS the connection goes over to TLS (RFC 9289, section 4.1).
 */
#include "inspect/sunrpc.h"
#include "inspect/pdu.h"

enum { PROGRAM, VERSION, PROCEDURE, AUTH };

static const struct inspect_field fields[] = {
	[PROGRAM] = { "program", INSPECT_NUMBER },
	[VERSION] = { "version", INSPECT_NUMBER },
	[PROCEDURE] = { "procedure", INSPECT_NUMBER },
	[AUTH] = { "auth", INSPECT_TEXT },
};

enum {
	CALL = 0,
	REPLY = 1,
	CALL_HEAD = 32, /* up to the length of the credential */
	REPLY_LEAST = 24,
	RECORD_MOST = 1 << 26,
	WAIT_MOST = INSPECT_WINDOW / 2, /* of a longer message the beginning is read */
	CALLS = 8,                      /* that wait for their replies */
	TRIES_MOST = 16,                /* calls behind a gap in which no record began */
	PROGRAM_LEAST = 100000,
	PROGRAM_FREE = 0x20000000, /* and up: for users, and for a while (section 8.3) */
	PROGRAM_END = 0x60000000,  /* section 13: what is above is reserved */
	VERSION_END = 0x1000,
	PROCEDURE_END = 0x100,
	AUTH_MOST = 400, /* section 8.2: the body of a credential */
	AUTH_GSS = 6,
	AUTH_TLS = 7,
	AUTH_PSEUDO = 390000, /* and up, those of GSS: RFC 5531, section 14 */
	AUTH_PSEUDO_END = 400001,
};

struct side {
	struct pdu pdu; /* of the pieces of records */
	bool within;    /* the next piece belongs to the record at hand */
};

struct sunrpc {
	struct side side[2];
	struct sunrpc_call calls[CALLS];
	uint8_t next;   /* of calls[], to be taken */
	uint8_t answer; /* enum inspect_answer */
	bool told;
	bool refused;
	bool tls; /* AUTH_TLS was asked for */
	bool handed_over;
};

static bool
is_flavor(uint32_t flavor)
{
	return flavor <= AUTH_TLS || (flavor >= AUTH_PSEUDO && flavor < AUTH_PSEUDO_END);
}

static const char *
flavor_name(uint32_t flavor)
{
	static const char *const names[] = { "none", "sys", "short", "dh",
					     "krb4", "rsa", "gss",   "tls" };

	return flavor <= AUTH_TLS ? names[flavor] : "gss";
}

static void
raise(struct sunrpc *s, enum inspect_answer answer)
{
	if (s->answer < answer)
		s->answer = (uint8_t)answer;
}

static void
tell(struct sunrpc *s, const struct sunrpc_call *call, uint32_t flavor,
     const struct inspect_sink *sink)
{
	const char *name = flavor_name(flavor), *application = sunrpc_program(call->program);

	if (s->told)
		return;
	s->told = true;
	sink->number(sink->self, PROGRAM, call->program);
	sink->number(sink->self, VERSION, call->version);
	sink->number(sink->self, PROCEDURE, call->procedure);
	sink->field(sink->self, AUTH, bytes_of(name, strlen(name)));
	if (application)
		sink->application(sink->self, application);
	s->tls = flavor == AUTH_TLS;
	raise(s, s->tls                               ? INSPECT_SURE
		 : call->program == SUNRPC_PORTMAPPER ? INSPECT_NAMED
						      : INSPECT_DONE);
}

/* The credential's or verifier's body, of a length that was read. */
static void
skip_body(struct bytes *b, uint32_t len)
{
	bytes_skip(b, (len + 3) & ~3u);
}

/* Behind xid and type. MORE: what is there is right, but too little. */
static enum inspect_answer
read_call(struct sunrpc *s, struct sunrpc_call *call, struct bytes b, uint8_t transport,
	  const struct inspect_sink *sink)
{
	if (bytes_be32(&b) != 2 && !b.bad)
		return INSPECT_NO;
	call->program = bytes_be32(&b);
	if (!b.bad && (call->program < PROGRAM_LEAST || call->program >= PROGRAM_END))
		return INSPECT_NO;
	call->version = bytes_be32(&b);
	call->procedure = bytes_be32(&b);
	uint32_t flavor = bytes_be32(&b), len = bytes_be32(&b);

	if (b.bad)
		return INSPECT_MORE;
	if (call->version >= VERSION_END || call->procedure >= PROCEDURE_END ||
	    !is_flavor(flavor) || len > AUTH_MOST)
		return INSPECT_NO;
	/* Zeros behind any four letters, as in NTP, are version 0 of a program that nobody gave
	 * out. */
	if (call->version == 0 && call->program >= PROGRAM_FREE)
		return INSPECT_LIKELY;
	tell(s, call, flavor, sink);
	if (call->program != SUNRPC_PORTMAPPER && !s->tls)
		return INSPECT_SURE;
	skip_body(&b, len);
	bytes_be32(&b);
	skip_body(&b, bytes_be32(&b));
	if (!b.bad && call->program == SUNRPC_PORTMAPPER)
		sunrpc_bind_call(call, b);
	if (call->version > 2 && call->target && !call->transport)
		call->transport = transport; /* RFC 1833, section 2.1: that of the request */
	call->waits = true;
	s->calls[s->next] = *call;
	s->next = (uint8_t)((s->next + 1) % CALLS);
	return INSPECT_SURE;
}

static struct sunrpc_call *
find_call(struct sunrpc *s, uint32_t xid)
{
	for (unsigned i = 0; i < CALLS; i++)
		if (s->calls[i].waits && s->calls[i].xid == xid)
			return &s->calls[i];
	return NULL;
}

static enum inspect_answer
read_reply(struct sunrpc *s, uint32_t xid, struct bytes b, uint8_t dir,
	   const struct inspect_sink *sink)
{
	struct sunrpc_call *call = find_call(s, xid);
	uint32_t state = bytes_be32(&b), flavor = bytes_be32(&b), len = bytes_be32(&b);

	if (b.bad)
		return INSPECT_MORE;
	if (state == 1) /* refused: 0 and two versions, or 1 and a reason (section 9) */
		return flavor == 1 || (flavor == 0 && len <= 2) ? INSPECT_LIKELY : INSPECT_NO;
	if (state != 0 || !is_flavor(flavor) || len > AUTH_MOST)
		return INSPECT_NO;
	bool tls = len == 8 && bytes_starts(&b, "STARTTLS");

	skip_body(&b, len);
	uint32_t accepted = bytes_be32(&b);

	if (!b.bad && accepted > 5)
		return INSPECT_NO;
	if (!call || b.bad)
		return INSPECT_LIKELY;
	call->waits = false;
	if (accepted == 0 && call->program == SUNRPC_PORTMAPPER)
		sunrpc_bind_reply(call, b, dir, sink);
	s->handed_over = s->tls && tls;
	return INSPECT_SURE;
}

/* One message, or its beginning. NO, MORE, LIKELY or SURE. */
static enum inspect_answer
read_message(struct sunrpc *s, struct bytes b, const struct inspect_view *view,
	     const struct inspect_sink *sink)
{
	struct sunrpc_call call = { .xid = bytes_be32(&b) };
	uint32_t type = bytes_be32(&b);

	if (b.bad)
		return INSPECT_MORE;
	if (type == CALL)
		return read_call(s, &call, b, view->transport, sink);
	if (type == REPLY)
		return read_reply(s, call.xid, b, view->dir, sink);
	return INSPECT_NO;
}

/* No message begins here: the end of this stream's reading, or of this call's behind a gap. */
static bool
fail(struct sunrpc *s, struct side *side, struct bytes *data)
{
	if (pdu_fail(&side->pdu, data, TRIES_MOST) && s->answer < INSPECT_SURE)
		s->refused = true;
	return false;
}

/* How much of a message must be there. Of the port mapper's, all that can be. */
static size_t
wanted(const struct sunrpc *s, struct bytes message, size_t len)
{
	bool waits = false;

	bytes_skip(&message, 4);
	uint32_t type = bytes_be32(&message);

	bytes_skip(&message, 4);
	bool mapper = bytes_be32(&message) == SUNRPC_PORTMAPPER && type == CALL;

	for (unsigned i = 0; i < CALLS; i++)
		waits |= s->calls[i].waits;
	if (!mapper && !(waits && type == REPLY))
		return len < CALL_HEAD ? len : CALL_HEAD;
	return len < WAIT_MOST ? len : WAIT_MOST;
}

/* Of a message that has only begun: whether its type is one. */
static enum inspect_answer
has_type(struct bytes message)
{
	bytes_skip(&message, 4);
	return bytes_be32(&message) > REPLY && !message.bad ? INSPECT_NO : INSPECT_MORE;
}

/* A piece of a record. False: more must come. */
static bool
step(struct sunrpc *s, struct side *side, struct inspect_view *view,
     const struct inspect_sink *sink)
{
	struct bytes *data = &view->data;

	if (!pdu_begins(&side->pdu, data))
		return false;
	struct bytes b = *data;
	uint32_t mark = bytes_be32(&b), len = mark & 0x7fffffff;

	if (b.bad)
		return false;
	if (len > RECORD_MOST || (!side->within && len < REPLY_LEAST))
		return fail(s, side, data);
	size_t want = side->within ? 0 : wanted(s, b, len);

	if (want > 0) {
		bool all = bytes_left(&b) >= want;
		struct bytes message =
			bytes_of(b.p, bytes_left(&b) < len ? bytes_left(&b) : len);
		enum inspect_answer found =
			all ? read_message(s, message, view, sink) : has_type(message);

		if (found == INSPECT_NO || (all && found == INSPECT_MORE))
			return fail(s, side, data);
		if (!all)
			return false;
		raise(s, found);
		side->pdu.blind = false;
	}
	side->within = !(mark >> 31);
	side->pdu.skip = len;
	bytes_skip(data, 4);
	return true;
}

static void
read_datagram(struct sunrpc *s, struct inspect_view *view, const struct inspect_sink *sink)
{
	size_t len = bytes_left(&view->data);
	enum inspect_answer found = len < REPLY_LEAST && !view->snapped
					    ? INSPECT_NO
					    : read_message(s, view->data, view, sink);

	bytes_skip(&view->data, len);
	if (found > INSPECT_MORE)
		raise(s, found);
	else if (s->answer < INSPECT_SURE && (found == INSPECT_NO || !view->snapped))
		s->refused = true;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct sunrpc *s = state;
	struct side *side = &s->side[view->dir];

	if (view->transport == INSPECT_UDP) {
		read_datagram(s, view, sink);
	} else {
		if (view->lost) {
			pdu_lost(&side->pdu);
			side->within = false;
		}
		while (!s->handed_over && step(s, side, view, sink))
			;
	}
	if (s->refused)
		return INSPECT_NO;
	if (s->handed_over) {
		s->handed_over = false;
		pdu_begins(&side->pdu, &view->data);
		sink->inner(sink->self, "ssl");
		raise(s, INSPECT_DONE);
	}
	return s->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)s->answer;
}

/* A call or a reply; over TCP behind a record's mark. */
static const struct inspect_start starts[] = {
	{ .transports = INSPECT_UDP,
	  .count = 8,
	  .bytes = { INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS(0),
		     INSPECT_IS(0),
		     INSPECT_IS(0),
		     { 0, 1 } } },
	{ .transports = INSPECT_UDP, .most = 7 },
	{ .transports = INSPECT_TCP,
	  .count = 12,
	  .bytes = { { 0, 4 },
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS(0),
		     INSPECT_IS(0),
		     INSPECT_IS(0),
		     { 0, 1 } } },
	{ .transports = INSPECT_TCP,
	  .count = 12,
	  .bytes = { { 0x80, 0x84 },
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS(0),
		     INSPECT_IS(0),
		     INSPECT_IS(0),
		     { 0, 1 } } },
	{ .transports = INSPECT_TCP, .most = 3 },
	{ .transports = INSPECT_TCP, .most = 11, .count = 1, .bytes = { { 0, 4 } } },
	{ .transports = INSPECT_TCP, .most = 11, .count = 1, .bytes = { { 0x80, 0x84 } } },
};

const struct inspector inspect_sunrpc = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "sunrpc",
	.state_size = sizeof(struct sunrpc),
	.transports = INSPECT_TCP | INSPECT_UDP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
