/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * DTLS 1.0, 1.2 and 1.3 (RFC 4347, 6347, 9147), and what OpenSSL spoke before the first of
 * them. A datagram holds records, a record of the handshake fragments of messages, which are
 * put together by their offsets, in whatever order they come:
 *
 *	record      type 1 │ version 2 │ epoch 2 │ number 6 │ length 2
 *	fragment    type 1 │ length 3 │ message 2 │ offset 3 │ length 3 │ ...
 *
 * A hello that begins in the first record is proof: content, version, epoch, three lengths that
 * agree, and a version again are over 90 bits. Records of a later epoch are likely only.
 *
 * What shares the port with it is told apart by its first byte (RFC 7983): STUN may come
 * before, and after a handshake with use_srtp (RFC 5764) the media of RTP runs in the same
 * flow.
 */
#include "inspect/pieces.h"
#include "inspect/rtp.h"
#include "inspect/tls.h"

enum {
	DTLS_BAD = 0x0100, /* OpenSSL before DTLS 1.0; Cisco's AnyConnect */
	DTLS_1_0 = 0xfeff,
	DTLS_1_2 = 0xfefd,
	CONNECTION_ID = 25, /* content type of records with one (RFC 9146) */
	HELLO_VERIFY = 3,
	FRAGMENT = 12, /* bytes of its header */
	RECORD_MAX = 16384 + 2048,
	HELLO_MIN = 38,
	VERIFY_MIN = 3,
	MESSAGE_MAX = 1 << 16,
	BESIDE_MAX = 24, /* datagrams of STUN before the first of DTLS */
	STRANGERS_MAX = 8,
	SEALED_MIN = 16,
};

struct dtls {
	struct tls tls;
	uint8_t answer; /* enum inspect_answer, the strongest so far */
	uint8_t beside, strangers;
	bool srtp;      /* the client offers use_srtp */
	bool encrypted; /* a later epoch was seen */
	bool over;      /* media has begun */
	/* The message that is being put together: whose, which, how long. */
	bool whole;
	uint8_t dir, type;
	uint16_t number;
	uint32_t length;
	struct pieces pieces;
};

struct record {
	uint8_t type;
	uint16_t version, epoch;
	struct bytes body;
};

/* Those of TLS come first, at the same places: the hellos are read by the same code. */
enum { DTLS_SRTP = TLS_FIELDS, DTLS_FIELDS };

static const struct inspect_field fields[DTLS_FIELDS] = {
	[TLS_SERVER_NAME] = { "server-name", INSPECT_SERVER_NAME },
	[TLS_ALPN] = { "alpn", INSPECT_TEXT },
	[TLS_ALPN_CHOSEN] = { "alpn-chosen", INSPECT_TEXT },
	[TLS_VERSION] = { "version", INSPECT_TEXT },
	[TLS_CERTIFICATE_NAME] = { "certificate-name", INSPECT_SERVER_NAME },
	[TLS_CIPHER] = { "cipher", INSPECT_TEXT },
	[TLS_ECH] = { "ech", INSPECT_TEXT },
	[DTLS_SRTP] = { "srtp", INSPECT_TEXT },
};

static void
raise(struct dtls *d, enum inspect_answer answer)
{
	if (d->answer < answer)
		d->answer = (uint8_t)answer;
}

static bool
is_version(uint16_t version)
{
	return version == DTLS_1_0 || version == DTLS_1_2 || version == DTLS_BAD;
}

/* Takes a record off the datagram; false where there is none. */
static bool
take_record(struct bytes *data, bool snapped, struct record *r)
{
	struct bytes b = *data;

	r->type = bytes_u8(&b);
	r->version = bytes_be16(&b);
	r->epoch = bytes_be16(&b);
	bytes_skip(&b, 6);
	uint16_t len = bytes_be16(&b);

	if (b.bad || r->type < TLS_CHANGE_CIPHER_SPEC || r->type > CONNECTION_ID ||
	    !is_version(r->version) || len == 0 || len > RECORD_MAX)
		return false;
	if (snapped && len > bytes_left(&b))
		len = (uint16_t)bytes_left(&b);
	r->body = bytes_take(&b, len);
	if (b.bad)
		return false;
	*data = b;
	return true;
}

static void
tell_client(struct dtls *d, struct bytes body, const struct inspect_sink *sink)
{
	struct tls_hello hello;
	char text[TLS_ALPN_MAX];

	d->tls.client_hello = true;
	tls_hello_read(body, true, &hello);
	size_t len = tls_alpn_text(hello.alpn, text);

	if (bytes_left(&hello.server_name) > 0 && !d->tls.has_name) {
		d->tls.has_name = true;
		sink->field(sink->self, TLS_SERVER_NAME, hello.server_name);
	}
	if (len > 0)
		sink->field(sink->self, TLS_ALPN, bytes_of(text, len));
	if (hello.ech)
		sink->field(sink->self, TLS_ECH, bytes_of("offered", 7));
	d->srtp = bytes_left(&hello.srtp) > 0;
	if (d->srtp)
		sink->field(sink->self, DTLS_SRTP, bytes_of("offered", 7));
}

static void
tell_certificate(struct dtls *d, struct bytes body, const struct inspect_sink *sink)
{
	bytes_skip(&body, 3); /* of the list; the server's own comes first */
	uint32_t len = bytes_be24(&body);

	if (len > bytes_left(&body))
		len = (uint32_t)bytes_left(&body);
	tls_certificate_names(&d->tls, bytes_take(&body, len), sink);
}

/* A message, whole or as much of it as there is room for. */
static void
read_message(struct dtls *d, uint8_t type, struct bytes body, const struct inspect_sink *sink)
{
	if (type == TLS_CLIENT_HELLO && !d->tls.client_hello)
		tell_client(d, body, sink);
	else if (type == TLS_SERVER_HELLO)
		tls_hello_server(&d->tls, body, sink);
	else if (type == TLS_CERTIFICATE && !d->tls.has_name)
		tell_certificate(d, body, sink);
	if ((d->tls.client_hello && d->tls.has_name) ||
	    (d->tls.server_hello && type == TLS_CERTIFICATE))
		raise(d, INSPECT_NAMED);
}

static bool
is_wanted(const struct dtls *d, uint8_t type)
{
	switch (type) {
	case TLS_CLIENT_HELLO: return !d->tls.client_hello;
	case TLS_SERVER_HELLO: return !d->tls.server_hello;
	case TLS_CERTIFICATE: return !d->tls.has_name;
	default: return false;
	}
}

/* Gathers the fragments of one message at a time, which are never many. */
static void
gather(struct dtls *d, uint8_t dir, uint8_t type, uint16_t number, uint32_t length,
       uint32_t offset, struct bytes piece, const struct inspect_sink *sink)
{
	if (d->type != type || d->number != number || d->dir != dir || d->length != length) {
		d->pieces = (struct pieces){ 0 };
		d->whole = false;
		d->type = type;
		d->number = number;
		d->dir = dir;
		d->length = length;
	}
	pieces_put(&d->pieces, offset, piece);
	struct bytes ready = pieces_ready(&d->pieces);

	if (d->whole || (bytes_left(&ready) < length && bytes_left(&ready) < PIECES_MAX))
		return;
	d->whole = true;
	read_message(d, type, ready, sink);
}

/* Whether a message may begin so: hellos carry their version again. */
static bool
begins(uint8_t type, uint32_t length, uint32_t offset, struct bytes piece)
{
	if (offset > 0)
		return true;
	if (type == TLS_CLIENT_HELLO || type == TLS_SERVER_HELLO)
		return length >= HELLO_MIN && is_version(bytes_be16(&piece));
	if (type == HELLO_VERIFY)
		return length >= VERIFY_MIN && is_version(bytes_be16(&piece));
	return true;
}

/* The fragments in a record. False: it is none of a handshake's. */
static bool
take_fragments(struct dtls *d, struct bytes b, uint8_t dir, const struct inspect_sink *sink)
{
	while (bytes_left(&b) >= FRAGMENT) {
		uint8_t type = bytes_u8(&b);
		uint32_t length = bytes_be24(&b);
		uint16_t number = bytes_be16(&b);
		uint32_t offset = bytes_be24(&b), n = bytes_be24(&b);
		struct bytes piece = bytes_take(&b, n);

		if (b.bad || length > MESSAGE_MAX || offset + n > length ||
		    (n == 0 && length > 0) || !begins(type, length, offset, piece))
			return false;
		bool hello = (type >= TLS_CLIENT_HELLO && type <= HELLO_VERIFY) && number <= 2;

		raise(d, hello && offset == 0 ? INSPECT_SURE : INSPECT_LIKELY);
		if (!is_wanted(d, type))
			continue;
		if (n == length)
			read_message(d, type, piece, sink);
		else
			gather(d, dir, type, number, length, offset, piece, sink);
	}
	return true;
}

/* The handshake goes on out of sight: nothing more will name the flow. */
static void
note_encrypted(struct dtls *d)
{
	d->encrypted = true;
	if (d->answer >= INSPECT_SURE && d->tls.server_hello)
		raise(d, d->srtp ? INSPECT_NAMED : INSPECT_DONE);
}

static bool
take_records(struct dtls *d, const struct inspect_view *view, const struct inspect_sink *sink)
{
	struct bytes data = view->data;
	struct record r;
	bool first = true;

	for (; take_record(&data, view->snapped, &r); first = false) {
		if (r.epoch > 0 || r.type == CONNECTION_ID) {
			if (bytes_left(&r.body) >= SEALED_MIN)
				raise(d, INSPECT_LIKELY);
			note_encrypted(d);
		} else if (r.type == TLS_HANDSHAKE && !view->snapped) {
			if (!take_fragments(d, r.body, view->dir, sink))
				return !first;
		} else if (r.type == TLS_APPLICATION_DATA || r.type == TLS_HEARTBEAT) {
			return !first; /* never in the clear */
		}
	}
	return !first;
}

/* What may share the flow, by its first byte (RFC 7983, RFC 9443). */
enum kind { KIND_STUN, KIND_DTLS, KIND_MEDIA, KIND_OTHER };

static enum kind
kind_of(struct bytes data)
{
	uint8_t first = bytes_u8(&data);

	if (first < 4) {
		bytes_skip(&data, 3);
		return bytes_be32(&data) == 0x2112a442 ? KIND_STUN : KIND_OTHER;
	}
	if (first >= 20 && first <= 63)
		return KIND_DTLS;
	return first >= 128 && first <= 191 ? KIND_MEDIA : KIND_OTHER;
}

/*
 * RTCP may come before the RTP that it shares the port with (RFC 5761), or stay alone: what is
 * told here stands only if the inner protocol's own inspector finds nothing else.
 */
static void
take_media(struct dtls *d, const struct inspect_view *view, const struct inspect_sink *sink)
{
	struct rtp_packet packet;
	bool control = rtp_packet_read(view->data, view->snapped, &packet) == RTP_KIND_CONTROL;

	d->over = true;
	raise(d, INSPECT_DONE);
	sink->inner(sink->self, control ? "rtcp" : "rtp");
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct dtls *d = state;
	enum kind kind = kind_of(view->data);

	if (d->over)
		return INSPECT_DONE;
	if (kind == KIND_DTLS && take_records(d, view, sink))
		return d->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)d->answer;
	if (d->answer >= INSPECT_SURE) {
		/* DTLS 1.3 has a header of its own once it encrypts (RFC 9147 section 4). */
		if (kind == KIND_DTLS && view->data.p[0] >> 5 == 1)
			note_encrypted(d);
		if (kind == KIND_MEDIA && d->srtp && d->encrypted)
			take_media(d, view, sink);
		return (enum inspect_answer)d->answer;
	}
	if (kind == KIND_STUN && d->beside < BESIDE_MAX)
		d->beside++;
	else if (d->answer == INSPECT_NO || ++d->strangers > STRANGERS_MAX)
		return INSPECT_NO;
	return d->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)d->answer;
}

/* A record, or STUN's cookie beside. */
static const struct inspect_start starts[] = {
	{ .count = 3,
	  .bytes = { { TLS_CHANGE_CIPHER_SPEC, CONNECTION_ID },
		     INSPECT_IS(0xfe),
		     { 0xfd, 0xff } } },
	{ .count = 3,
	  .bytes = { { TLS_CHANGE_CIPHER_SPEC, CONNECTION_ID },
		     INSPECT_IS(1),
		     INSPECT_IS(0) } },
	{ .least = 8,
	  .count = 8,
	  .bytes = { { 0, 3 },
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS(0x21),
		     INSPECT_IS(0x12),
		     INSPECT_IS(0xa4),
		     INSPECT_IS(0x42) } },
};

const struct inspector inspect_dtls = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "dtls",
	.state_size = sizeof(struct dtls),
	.clear_size = offsetof(struct dtls, pieces.data),
	.transports = INSPECT_UDP,
	.fields = fields,
	.field_count = DTLS_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
