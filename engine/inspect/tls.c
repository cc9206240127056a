/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * TLS 1.0 to 1.3 (RFC 2246, 4346, 5246, 8446), SSL 3.0 (RFC 6101) and the first
 * message of SSL 2.0, over TCP. Records carry handshake messages, which neither
 * begin nor end with them:
 *
 *	record 22 │ ClientHello, first half │ record 22 │ second half │ Certificate ...
 *
 * A message is wanted whole, so its records stay in the window until it is; what is
 * not wanted is consumed at once. That a hello begins the stream is sure evidence:
 * content type, version, message type, length and version again are some 60 bits.
 * A connection joined later shows only sizes of records, which is likely at best.
 */
#include "inspect/tls.h"

enum {
	RECORD_MAX = 16384 + 2048, /* RFC 5246 section 6.2.3 */
	HELLO_MIN = 38,            /* version, random, and the shortest of the rest */
	MESSAGE_MAX = 1 << 18,     /* nothing plausible is longer */
	WAIT_MAX = INSPECT_WINDOW / 2,
	CHAIN = 3,       /* records in a row that make TLS likely */
	SEALED_MIN = 16, /* bytes of the shortest tag or MAC, and so of an encrypted record */
	DATA_ENOUGH = 8, /* records of application data, and no hello will come */
	SEARCH_MAX = 65536, /* bytes in which a stream that was joined late is searched */
};

static void
raise(struct tls *tls, enum inspect_answer answer)
{
	if (tls->answer < answer)
		tls->answer = (uint8_t)answer;
}

/* Not TLS: the whole flow, unless something has been seen that is. */
static void
refuse(struct tls *tls, struct tls_side *side)
{
	if (tls->answer < INSPECT_SURE)
		tls->refused = true;
	side->deaf = true;
}

/* Consumes a record's header (RFC 8446 section 5.1). NO, MORE, or SURE when it is one. */
static enum inspect_answer
take_header(struct bytes *data, uint8_t *type, uint16_t *len)
{
	struct bytes b = *data;
	uint8_t head[3] = { 0 };

	*type = head[0] = bytes_u8(&b);
	if (b.bad)
		return INSPECT_MORE;
	if (head[0] < TLS_CHANGE_CIPHER_SPEC || head[0] > TLS_HEARTBEAT)
		return INSPECT_NO;
	head[1] = bytes_u8(&b);
	if (!b.bad && head[1] != 3)
		return INSPECT_NO;
	head[2] = bytes_u8(&b);
	if (!b.bad && head[2] > 4)
		return INSPECT_NO;
	*len = bytes_be16(&b);
	if (b.bad)
		return INSPECT_MORE;
	/* Only application data may be empty (RFC 8446 section 5.1). */
	if (*len > RECORD_MAX || (*len == 0 && head[0] != TLS_APPLICATION_DATA))
		return INSPECT_NO;
	*data = b;
	return INSPECT_SURE;
}

/*
 * Copies the handshake bytes that the window holds, from the record under way on, without the
 * headers between. Stops at any other record, or what is none.
 */
static size_t
gather(const struct tls_side *side, struct bytes data, uint8_t *to, size_t room)
{
	uint16_t rest = side->rest;
	uint8_t type = TLS_HANDSHAKE;
	size_t len = 0;

	while (bytes_left(&data) > 0 && len < room) {
		size_t n = bytes_left(&data) < rest ? bytes_left(&data) : rest;

		n = room - len < n ? room - len : n;
		memcpy(to + len, bytes_next(&data, n), n);
		len += n;
		if (take_header(&data, &type, &rest) != INSPECT_SURE || type != TLS_HANDSHAKE)
			break;
	}
	return len;
}

/*
 * Whether the side's stream begins as a hello must: NO, MORE or SURE. A message that fills its
 * record, as nearly all do, shows its length twice: then the versions need not be waited for,
 * as some streams end before.
 */
static enum inspect_answer
hello_begins(struct bytes message, uint32_t record)
{
	struct bytes b = message;
	uint8_t type = bytes_u8(&b);

	if (type != TLS_CLIENT_HELLO && type != TLS_SERVER_HELLO)
		return INSPECT_NO;
	struct bytes head = b;
	uint32_t len = bytes_be24(&b);
	uint16_t version = bytes_be16(&b);

	bool known =
		(version >= 0x0300 && version <= TLS_1_3) ||
		(type == TLS_SERVER_HELLO && version >= TLS_DRAFT_0 && version <= TLS_DRAFT_21);

	if (!b.bad)
		return known && len >= HELLO_MIN && len <= MESSAGE_MAX ? INSPECT_SURE
								       : INSPECT_NO;
	uint16_t high = bytes_be16(&head);

	return !head.bad && record >= 4 + HELLO_MIN && high == (record - 4) >> 8 ? INSPECT_SURE
										 : INSPECT_MORE;
}

/* How much of a message must be there before it is read; 0: none of it is wanted. */
static size_t
wanted(const struct tls *tls, uint8_t type, size_t len, struct bytes body)
{
	if (type == TLS_CLIENT_HELLO && !tls->client_hello)
		return len;
	if (type == TLS_SERVER_HELLO && !tls->server_hello)
		return len;
	if (type != TLS_CERTIFICATE || tls->has_name)
		return 0;
	if (bytes_left(&body) < 6)
		return len < 6 ? len : 6;
	bytes_skip(&body, 3); /* of the list; the server's own certificate comes first */
	size_t first = 6 + bytes_be24(&body);

	return first < len ? first : len;
}

static void
read_message(struct tls *tls, uint8_t type, struct bytes body, const struct inspect_sink *sink)
{
	if (type == TLS_CLIENT_HELLO) {
		tls_hello_client(tls, body, sink);
	} else if (type == TLS_SERVER_HELLO) {
		tls_hello_server(tls, body, sink);
	} else if (type == TLS_CERTIFICATE && !tls->has_name) {
		bytes_skip(&body, 3);
		uint32_t len = bytes_be24(&body);

		if (len > bytes_left(&body))
			len = (uint32_t)bytes_left(&body);
		tls_certificate_names(tls, bytes_take(&body, len), sink);
	}
}

/*
 * After each message: is everything that names the flow told? From TLS 1.3 on
 * the certificate is encrypted; before, it follows the ServerHello.
 */
static void
conclude(struct tls *tls, uint8_t type)
{
	if (tls->client_hello && tls->has_name)
		raise(tls, INSPECT_NAMED);
	if (tls->server_hello && (tls->version >= TLS_1_3 || type != TLS_SERVER_HELLO))
		raise(tls, INSPECT_NAMED);
	if (tls->server_hello && tls->version >= TLS_1_3 && tls->client_hello)
		raise(tls, INSPECT_DONE);
}

/* The handshake message that begins here. False: more of it must come first. */
static bool
step_message(struct tls *tls, struct tls_side *side, struct bytes data,
	     const struct inspect_sink *sink)
{
	uint8_t copy[INSPECT_WINDOW];
	size_t got = gather(side, data, copy, sizeof(copy)), left = bytes_left(&data);
	struct bytes message = bytes_of(copy, got), body;

	if (tls->answer < INSPECT_SURE || side->blind) {
		enum inspect_answer begins = hello_begins(message, side->rest);

		if (begins == INSPECT_MORE)
			return false;
		if (begins == INSPECT_SURE)
			raise(tls, INSPECT_SURE);
		else if (!side->blind)
			refuse(tls, side);
		if (begins == INSPECT_NO) {
			side->skip = side->rest;
			return true;
		}
		side->blind = false;
	}
	uint8_t type = bytes_u8(&message);
	uint32_t len = bytes_be24(&message);

	if (message.bad)
		return false;
	body = message;
	size_t want = wanted(tls, type, len, body);

	/* Waiting has an end where the window has one; then what has come is read. */
	if (bytes_left(&body) < want && left < WAIT_MAX) {
		side->need = (uint32_t)(left + want - bytes_left(&body));
		if (side->need > WAIT_MAX)
			side->need = WAIT_MAX;
		return false;
	}
	if (want > 0) {
		if (bytes_left(&body) > len)
			body.end = body.p + len;
		read_message(tls, type, body, sink);
	}
	conclude(tls, type);
	side->skip = 4 + len;
	return true;
}

/* What a record says by its type alone. */
static void
note_record(struct tls *tls, struct tls_side *side, uint8_t dir)
{
	side->records = (uint8_t)(side->records + (side->records < UINT8_MAX));
	if (side->type == TLS_APPLICATION_DATA)
		side->data = (uint8_t)(side->data + (side->data < UINT8_MAX));
	if (side->type == TLS_CHANGE_CIPHER_SPEC || side->type == TLS_APPLICATION_DATA)
		side->encrypted = true;
	if (side->records >= CHAIN)
		raise(tls, INSPECT_LIKELY);
	if (tls->answer < INSPECT_SURE)
		return;
	/* A client may send data before the server's hello (RFC 8446 section 2.3). */
	bool over = side->encrypted && tls->server_hello &&
		    (dir == INSPECT_SERVER || !tls->client_hello);

	if (over || side->data >= DATA_ENOUGH)
		raise(tls, tls->client_hello || side->data >= DATA_ENOUGH ? INSPECT_DONE
									  : INSPECT_NAMED);
}

/* Behind a gap: a record is looked for where the bytes of each call begin. */
static bool
step_search(struct tls *tls, struct tls_side *side, struct bytes *data)
{
	struct bytes peek = *data;
	uint8_t type;
	uint16_t len;
	enum inspect_answer found = take_header(&peek, &type, &len);

	if (found == INSPECT_NO && side->records == 0)
		found = tls_hello_ssl2(*data, &len);
	else if (found == INSPECT_SURE && bytes_left(&peek) > len) {
		bytes_skip(&peek, len);
		found = take_header(&peek, &type, &len) == INSPECT_NO ? INSPECT_NO
								      : INSPECT_SURE;
	}
	if (found == INSPECT_SURE) {
		side->searching = false;
		return true;
	}
	if (found == INSPECT_MORE)
		return false;
	side->searched += (uint32_t)bytes_left(data);
	bytes_skip(data, bytes_left(data));
	if (side->searched > SEARCH_MAX && tls->answer < INSPECT_LIKELY)
		refuse(tls, side);
	return false;
}

/* A record's header, or the hello of SSL 2.0 in the place of the first. */
static bool
step_header(struct tls *tls, struct tls_side *side, struct bytes *data, uint8_t dir)
{
	enum inspect_answer found = take_header(data, &side->type, &side->rest);

	if (found == INSPECT_NO && side->records == 0) {
		found = tls_hello_ssl2(*data, &side->rest);
		side->type = TLS_SSL2;
		if (found == INSPECT_SURE) {
			raise(tls, INSPECT_SURE);
			bytes_skip(data, 2);
		}
	}
	if (found != INSPECT_SURE)
		side->rest = 0;
	if (found == INSPECT_MORE)
		return false;
	if (found == INSPECT_NO && side->blind)
		side->searching = true; /* it was no record where the search ended */
	else if (found == INSPECT_NO)
		refuse(tls, side);
	if (found == INSPECT_NO)
		return true;
	/* One that ends with the segment is half a chain: four bytes and a length are right. */
	if (side->type != TLS_HANDSHAKE && side->rest >= SEALED_MIN &&
	    bytes_left(data) == side->rest)
		raise(tls, INSPECT_LIKELY);
	note_record(tls, side, dir);
	return true;
}

static bool
step_ssl2(struct tls *tls, struct tls_side *side, struct bytes *data,
	  const struct inspect_sink *sink)
{
	if (bytes_left(data) < side->rest && bytes_left(data) < WAIT_MAX)
		return false;
	tls_hello_ssl2_read(tls, *data, sink);
	side->type = TLS_APPLICATION_DATA;
	if (tls->server_hello) {
		raise(tls, INSPECT_DONE); /* all that follows is encrypted */
		side->deaf = true;
	}
	return true;
}

static bool
step(struct tls *tls, struct tls_side *side, struct inspect_view *view,
     const struct inspect_sink *sink)
{
	struct bytes *data = &view->data;

	if (side->deaf) {
		bytes_skip(data, bytes_left(data));
		return false;
	}
	if (bytes_left(data) == 0)
		return false;
	if (side->searching)
		return step_search(tls, side, data);
	if (side->rest == 0)
		return step_header(tls, side, data, view->dir);
	if (side->type == TLS_SSL2)
		return step_ssl2(tls, side, data, sink);
	if (side->type == TLS_HANDSHAKE && !side->encrypted && side->skip == 0)
		return step_message(tls, side, *data, sink);

	bool message = side->type == TLS_HANDSHAKE && !side->encrypted;
	uint32_t n = message && side->skip < side->rest ? side->skip : side->rest;

	if (bytes_left(data) < n)
		n = (uint32_t)bytes_left(data);
	bytes_skip(data, n);
	side->rest = (uint16_t)(side->rest - n);
	if (message)
		side->skip -= n;
	return true;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct tls *tls = state;
	struct tls_side *side = &tls->side[view->dir];

	if (view->lost) {
		*side = (struct tls_side){ .records = side->records,
					   .data = side->data,
					   .encrypted = side->encrypted,
					   .searched = side->searched,
					   .searching = true,
					   .blind = true,
					   .deaf = side->deaf };
	}
	if (bytes_left(&view->data) >= side->need) {
		side->need = 0;
		while (step(tls, side, view, sink))
			;
	}
	if (tls->refused)
		return INSPECT_NO;
	return tls->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)tls->answer;
}

/* A record, or the hello of SSL 2.0. */
static const struct inspect_start starts[] = {
	{ .count = 3,
	  .bytes = { { TLS_CHANGE_CIPHER_SPEC, TLS_HEARTBEAT }, INSPECT_IS(3), { 0, 4 } } },
	{ .count = 3, .bytes = { { 0x80, 0xff }, INSPECT_ANY, { 1, 4 } } },
};

const struct inspector inspect_tls = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "tls",
	.state_size = sizeof(struct tls),
	.transports = INSPECT_TCP,
	.fields = tls_fields,
	.field_count = TLS_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
