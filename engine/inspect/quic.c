/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * QUIC (RFC 9000, 9001, 9369, 8999), its drafts from 22 on, and Google's before. What is seen,
 * and how sure it makes:
 *
 *	a client's Initial that opens     sure: a tag of 128 bits
 *	a hello of Google's in clear      sure: its structure
 *	both sides with each other's connection ids, or a negotiation with them: sure
 *	a long header of a known version whose lengths fit: likely
 *	short headers                     nothing: they are noise by design
 *
 * A ClientHello needs several Initials when it is long, in several datagrams and any order.
 */
#include "inspect/quic.h"
#include "inspect/tls.h"

enum {
	CLIENT_CID_MIN = 8,  /* of a client's first connection id (RFC 9000 section 7.2) */
	ECHO_MIN = 4,        /* bytes of a connection id that prove an answer */
	DATAGRAM_MIN = 1200, /* of a client's Initials (RFC 9000 section 14.1) */
	OPEN_MAX = 16,       /* Initials that are opened */
	FAILED_MAX = 3,      /* and that did not open */
	COALESCED_MAX = 4,   /* packets of a datagram that are looked at */
	STRANGERS_MAX = 3,
};

static const uint32_t draft_29 = 0xff00001d;

struct cid {
	uint8_t len;
	uint8_t id[QUIC_CID_MAX];
};

struct quic {
	struct quic_keys keys;
	struct cid dcid, scid; /* of the first long header of `from` */
	struct cid key_id;     /* what `keys` were made from */
	uint32_t version;      /* of that header */
	uint8_t from;          /* enum inspect_dir */
	uint8_t answer;        /* enum inspect_answer, the strongest so far */
	uint8_t opened, failed, strangers;
	bool has_first, has_keys, told, told_version, client_known;
	uint8_t client; /* enum inspect_dir: whose Initials open, once client_known */
	struct pieces crypto;
};

static const struct inspect_field fields[QUIC_FIELDS] = {
	[QUIC_SERVER_NAME] = { "server-name", INSPECT_SERVER_NAME },
	[QUIC_ALPN] = { "alpn", INSPECT_TEXT },
	[QUIC_VERSION] = { "version", INSPECT_TEXT },
	[QUIC_USER_AGENT] = { "user-agent", INSPECT_TEXT },
	[QUIC_ECH] = { "ech", INSPECT_TEXT },
};

static void
raise(struct quic *q, enum inspect_answer answer)
{
	if (q->answer < answer)
		q->answer = (uint8_t)answer;
}

static void
keep(struct cid *to, struct bytes id)
{
	to->len = (uint8_t)bytes_left(&id);
	memcpy(to->id, id.p, to->len);
}

static bool
same(const struct cid *cid, struct bytes id)
{
	return bytes_left(&id) == cid->len && memcmp(cid->id, id.p, cid->len) == 0;
}

/* Proof of the protocol; the version is told with it, unless it is one to be refused. */
static void
prove(struct quic *q, uint32_t version, const struct inspect_sink *sink)
{
	char text[QUIC_VERSION_TEXT];

	raise(q, INSPECT_SURE);
	if (q->told_version || version == 0 || quic_version_reserved(version))
		return;
	q->told_version = true;
	sink->field(sink->self, QUIC_VERSION, bytes_of(text, quic_version_text(version, text)));
}

static void
tell_google(struct quic *q, const struct quic_hello *hello, const struct inspect_sink *sink)
{
	if (q->told)
		return;
	q->told = true;
	if (bytes_left(&hello->server_name) > 0)
		sink->field(sink->self, QUIC_SERVER_NAME, hello->server_name);
	if (bytes_left(&hello->user_agent) > 0)
		sink->field(sink->self, QUIC_USER_AGENT, hello->user_agent);
	raise(q, INSPECT_DONE);
}

static void
tell_tls(struct quic *q, struct bytes body, const struct inspect_sink *sink)
{
	struct tls_hello hello;
	char text[TLS_ALPN_MAX];

	if (q->told)
		return;
	q->told = true;
	tls_hello_read(body, false, &hello);
	if (bytes_left(&hello.server_name) > 0)
		sink->field(sink->self, QUIC_SERVER_NAME, hello.server_name);
	size_t len = tls_alpn_text(hello.alpn, text);
	const char *application = tls_alpn_application(hello.alpn, INSPECT_UDP);

	if (len > 0)
		sink->field(sink->self, QUIC_ALPN, bytes_of(text, len));
	if (hello.ech)
		sink->field(sink->self, QUIC_ECH, bytes_of("offered", 7));
	if (application)
		sink->application(sink->self, application);
	raise(q, INSPECT_DONE);
}

/* Reads the hello when it is whole, or `closed`: when no more of it will come. */
static void
conclude(struct quic *q, bool closed, const struct inspect_sink *sink)
{
	struct bytes message = pieces_ready(&q->crypto), body = message;
	struct quic_hello hello;
	uint8_t type = bytes_u8(&body);
	uint32_t len = bytes_be24(&body);

	if (q->answer < INSPECT_SURE || bytes_left(&message) == 0)
		return;
	closed |= bytes_left(&message) == PIECES_MAX || q->opened == OPEN_MAX;
	if (type == 'C') {
		if (quic_google_hello(message, &hello) == INSPECT_SURE || closed)
			tell_google(q, &hello, sink);
		return;
	}
	if (body.bad && !closed)
		return;
	if (type != TLS_CLIENT_HELLO)
		raise(q, INSPECT_DONE); /* nothing that names the flow */
	else if (bytes_left(&body) >= len || closed)
		tell_tls(q, bytes_left(&body) > len ? bytes_of(body.p, len) : body, sink);
}

static size_t
open_with(struct quic *q, const struct quic_packet *p, const struct quic_version *version,
	  uint8_t *plain)
{
	struct quic_keys keys;
	size_t len = 0;

	if (quic_keys_derive(version, p->dcid, &keys))
		len = quic_keys_open(&keys, p, plain);
	if (len > 0) {
		q->keys = keys;
		q->has_keys = true;
		keep(&q->key_id, p->dcid);
	}
	return len;
}

/*
 * The client's keys come from the connection id of its first Initial, and after a Retry from
 * that of its next (RFC 9001 section 5.2). Later Initials have an id of the server's choice.
 * What is there to be refused has the keys of the version that its software began with.
 */
static size_t
open_initial(struct quic *q, const struct quic_packet *p, uint8_t *plain)
{
	size_t len = q->has_keys ? quic_keys_open(&q->keys, p, plain) : 0;

	if (len > 0 || bytes_left(&p->dcid) < CLIENT_CID_MIN ||
	    (q->has_keys && same(&q->key_id, p->dcid)))
		return len;
	len = open_with(q, p, p->known, plain);
	if (len == 0 && quic_version_reserved(p->version))
		len = open_with(q, p, quic_version_find(draft_29), plain);
	return len;
}

static void
take_initial(struct quic *q, const struct quic_packet *p, uint8_t dir,
	     const struct inspect_sink *sink)
{
	uint8_t plain[QUIC_PLAIN_MAX];

	if (p->cut || q->opened == OPEN_MAX || q->failed == FAILED_MAX ||
	    (q->client_known && q->client != dir))
		return;
	size_t len = open_initial(q, p, plain);

	if (len == 0) {
		q->failed++;
		return;
	}
	q->opened++;
	q->client = dir;
	q->client_known = true;
	quic_crypto_frames(&q->crypto, bytes_of(plain, len), p->known->google);
	prove(q, p->version, sink);
	conclude(q, false, sink);
}

/*
 * The other side repeats a connection id: ours as its peer's (RFC 8999 section 5.1), and in a
 * negotiation both, among versions that are not the one refused (RFC 9000 section 6).
 */
static bool
answers(const struct quic *q, const struct quic_packet *p)
{
	struct bytes list = p->payload;

	if (p->kind != QUIC_NEGOTIATION || p->version != 0)
		return q->scid.len >= ECHO_MIN && same(&q->scid, p->dcid) &&
		       p->version == q->version;
	if (!same(&q->scid, p->dcid) || !same(&q->dcid, p->scid) ||
	    q->dcid.len + q->scid.len < ECHO_MIN)
		return false;
	while (bytes_left(&list) > 0)
		if (bytes_be32(&list) == q->version)
			return false;
	return true;
}

/* The versions of a negotiation: one that is known, or there to be unknown. */
static bool
is_list(struct bytes list)
{
	while (bytes_left(&list) >= 4) {
		uint32_t version = bytes_be32(&list);

		if (quic_version_find(version))
			return true;
	}
	return false;
}

/* What all versions share. Whether the packet may be QUIC at all. */
static bool
take_invariants(struct quic *q, const struct quic_packet *p, const struct inspect_view *view,
		const struct inspect_sink *sink)
{
	bool negotiation = p->version == 0;

	if (bytes_left(&p->dcid) > QUIC_CID_MAX || bytes_left(&p->scid) > QUIC_CID_MAX)
		return false;
	if (q->has_first && view->dir != q->from && answers(q, p))
		prove(q, negotiation ? 0 : q->version, sink);
	if (!q->has_first && !negotiation) {
		q->has_first = true;
		q->from = view->dir;
		q->version = p->version;
		keep(&q->dcid, p->dcid);
		keep(&q->scid, p->scid);
	}
	if (negotiation ? is_list(p->payload) : p->known && !quic_version_reserved(p->version))
		raise(q, INSPECT_LIKELY);
	/* A version that nobody knows yet: only the answer can tell. */
	return p->known || negotiation || q->answer >= INSPECT_LIKELY ||
	       (bytes_left(&view->data) >= DATAGRAM_MIN &&
		bytes_left(&p->dcid) >= CLIENT_CID_MIN);
}

static bool
take_packet(struct quic *q, const struct quic_packet *p, const struct inspect_view *view,
	    const struct inspect_sink *sink)
{
	if (!take_invariants(q, p, view, sink))
		return false;
	if (!p->known)
		return true;
	if (p->kind == QUIC_INITIAL)
		take_initial(q, p, view->dir, sink);
	else if (p->kind == QUIC_RETRY)
		q->failed = 0;
	else if (p->kind == QUIC_HANDSHAKE && q->client_known && view->dir == q->client)
		conclude(q, true, sink);
	return true;
}

/* A datagram that does not begin with a long header of the standard's. */
static bool
take_other(struct quic *q, struct bytes data, const struct inspect_sink *sink)
{
	struct quic_hello hello;
	uint32_t version;
	enum inspect_answer found = quic_google_read(data, &version, &hello);

	if (found == INSPECT_NO)
		return false;
	raise(q, INSPECT_LIKELY);
	if (found != INSPECT_SURE)
		return true;
	prove(q, version, sink);
	if (version != 0)
		tell_google(q, &hello, sink);
	return true;
}

static bool
take(struct quic *q, const struct inspect_view *view, const struct inspect_sink *sink)
{
	struct bytes data = view->data;
	struct quic_packet packet;

	for (unsigned i = 0; i < COALESCED_MAX && bytes_left(&data) > 0; i++) {
		if (!quic_packet_read(&data, view->snapped, &packet))
			return i > 0 || take_other(q, data, sink);
		if (!take_packet(q, &packet, view, sink))
			return i > 0 || take_other(q, view->data, sink);
	}
	return true;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct quic *q = state;

	if (!take(q, view, sink)) {
		bool first = q->answer == INSPECT_NO;

		q->strangers = (uint8_t)(q->strangers + (q->strangers < UINT8_MAX));
		if (first && (!q->has_first || q->strangers > STRANGERS_MAX))
			return INSPECT_NO;
		if (q->client_known && view->dir == q->client)
			conclude(q, true, sink); /* it has gone on to short headers */
	}
	return q->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)q->answer;
}

/* A long header, or Google's older one. */
static const struct inspect_start starts[] = {
	{ .least = 7,
	  .count = 5,
	  .bytes = { { 0x80, 0xff }, INSPECT_ANY, INSPECT_ANY, INSPECT_ANY, INSPECT_ANY } },
	{ .least = 29, .count = 1, .bytes = { { 8, 0x3d } } },
};

const struct inspector inspect_quic = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "quic",
	.state_size = sizeof(struct quic),
	.clear_size = offsetof(struct quic, crypto.data),
	.transports = INSPECT_UDP,
	.fields = fields,
	.field_count = QUIC_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
