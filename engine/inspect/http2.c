/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * HTTP/2 in the clear (RFC 9113): with prior knowledge, or behind an Upgrade. The client begins
 * with a text of 24 bytes that is proof; the server with SETTINGS, after which the frames must
 * go on as frames:
 *
 *	length 3 │ type 1 │ flags 1 │ stream 4 │ payload
 *
 * Headers are read in both directions, in order, as each block changes what the next ones mean
 * (RFC 7541); a gap, or a block that does not fit the window, ends that for the direction. All
 * else is passed over.
 */
#include "inspect/hpack.h"
#include "inspect/inspector.h"

enum frame_type {
	FRAME_DATA,
	FRAME_HEADERS,
	FRAME_PRIORITY,
	FRAME_RST_STREAM,
	FRAME_SETTINGS,
	FRAME_PUSH_PROMISE,
	FRAME_PING,
	FRAME_GOAWAY,
	FRAME_WINDOW_UPDATE,
	FRAME_CONTINUATION,
};
enum { FLAG_ACK = 0x01, FLAG_END_HEADERS = 0x04, FLAG_PADDED = 0x08, FLAG_PRIORITY = 0x20 };

enum {
	HEADER = 9,
	FRAME_MAX = 1 << 24,
	BLOCK_MAX = INSPECT_WINDOW / 2, /* of headers that are waited for and read */
	CHAIN = 3,                      /* frames in a row that prove a server alone */
	SETTINGS_MAX = 32,              /* in the first frame */
	TYPE_LAST = 0x10,               /* that IANA has given away */
};

enum http2_field {
	HTTP2_METHOD,
	HTTP2_HOST,
	HTTP2_URL,
	HTTP2_MIME,
	HTTP2_REFERER,
	HTTP2_USER_AGENT,
	HTTP2_SERVER,
	HTTP2_LOCATION,
	HTTP2_CONTENT_ENCODING,
	HTTP2_COOKIE,
	HTTP2_CONTENT_TYPE,
	HTTP2_STATUS,
	HTTP2_FIELDS
};

static const struct inspect_field fields[HTTP2_FIELDS] = {
	[HTTP2_METHOD] = { "method", INSPECT_TEXT },
	[HTTP2_HOST] = { "host", INSPECT_SERVER_NAME },
	[HTTP2_URL] = { "url", INSPECT_TEXT },
	[HTTP2_MIME] = { "mime", INSPECT_TEXT },
	[HTTP2_REFERER] = { "referer", INSPECT_TEXT },
	[HTTP2_USER_AGENT] = { "user-agent", INSPECT_TEXT },
	[HTTP2_SERVER] = { "server", INSPECT_TEXT },
	[HTTP2_LOCATION] = { "location", INSPECT_TEXT },
	[HTTP2_CONTENT_ENCODING] = { "content-encoding", INSPECT_TEXT },
	[HTTP2_COOKIE] = { "cookie", INSPECT_TEXT },
	[HTTP2_CONTENT_TYPE] = { "content-type", INSPECT_TEXT },
	[HTTP2_STATUS] = { "status", INSPECT_TEXT },
};

/* A field's name on the wire, who sends it, and where it is told. */
static const struct {
	const char *name;
	uint8_t dir; /* enum inspect_dir */
	uint8_t field;
} names[] = {
	{ ":method", INSPECT_CLIENT, HTTP2_METHOD },
	{ ":authority", INSPECT_CLIENT, HTTP2_HOST },
	{ "host", INSPECT_CLIENT, HTTP2_HOST },
	{ ":path", INSPECT_CLIENT, HTTP2_URL },
	{ "referer", INSPECT_CLIENT, HTTP2_REFERER },
	{ "user-agent", INSPECT_CLIENT, HTTP2_USER_AGENT },
	{ "cookie", INSPECT_CLIENT, HTTP2_COOKIE },
	{ "content-type", INSPECT_CLIENT, HTTP2_CONTENT_TYPE },
	{ ":status", INSPECT_SERVER, HTTP2_STATUS },
	{ "content-type", INSPECT_SERVER, HTTP2_MIME },
	{ "server", INSPECT_SERVER, HTTP2_SERVER },
	{ "location", INSPECT_SERVER, HTTP2_LOCATION },
	{ "content-encoding", INSPECT_SERVER, HTTP2_CONTENT_ENCODING },
};

struct side {
	uint32_t rest;  /* bytes of a frame that is passed over */
	uint8_t frames; /* whose headers were right, up to CHAIN */
	bool begun;     /* the preface, or the first SETTINGS, is behind */
	bool deaf;      /* it is not known where frames begin */
	bool lost;      /* headers are not followed any more */
};

struct http2 {
	struct side side[2];
	uint8_t answer; /* enum inspect_answer, the strongest so far */
	bool refused;
	struct hpack hpack[2]; /* by side; fresh where its frames begin */
};

struct frame {
	uint32_t len, stream;
	uint8_t type, flags;
};

/* One header block on its way to the sink. */
struct telling {
	const struct inspect_sink *sink;
	uint8_t dir;
	bool host;
};

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

static void
raise(struct http2 *h, enum inspect_answer answer)
{
	if (h->answer < answer)
		h->answer = (uint8_t)answer;
}

static bool
refuse(struct http2 *h, struct side *side)
{
	if (h->answer < INSPECT_SURE)
		h->refused = true;
	side->deaf = true;
	return true;
}

/* What a stream carries: by its media type, DNS also by its path (RFC 8484 section 4.1). */
static void
tell_application(const struct telling *t, uint8_t field, struct bytes value)
{
	const char *application = NULL;

	if (field == HTTP2_CONTENT_TYPE || field == HTTP2_MIME)
		application = bytes_starts(&value, "application/grpc") ? "grpc"
			      : bytes_starts(&value, "application/dns-message") ||
					      bytes_starts(&value, "application/dns-json")
				      ? "doh"
				      : NULL;
	else if (field == HTTP2_URL && bytes_starts(&value, "/dns-query?dns="))
		application = "doh";
	if (application)
		t->sink->application(t->sink->self, application);
}

/* Without the port, as elsewhere. */
static struct bytes
host_of(struct bytes value)
{
	for (const uint8_t *at = value.end; at > value.p; at--) {
		if (at[-1] == ':')
			return bytes_of(value.p, (size_t)(at - 1 - value.p));
		if (at[-1] < '0' || at[-1] > '9')
			break;
	}
	return value;
}

static struct bytes
media_type(struct bytes value)
{
	const uint8_t *end = memchr(value.p, ';', bytes_left(&value));

	return bytes_trim(end ? bytes_of(value.p, (size_t)(end - value.p)) : value);
}

static struct bytes
shown(uint8_t field, struct bytes value)
{
	switch (field) {
	case HTTP2_HOST: return host_of(value);
	case HTTP2_MIME:
	case HTTP2_CONTENT_TYPE: return media_type(value);
	default: return value;
	}
}

static void
tell_field(void *self, const struct hpack_field *f)
{
	struct telling *t = self;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].dir != t->dir || bytes_left(&f->value) == 0 ||
		    !bytes_is(&f->name, names[i].name))
			continue;
		uint8_t field = names[i].field;

		if (field == HTTP2_HOST && t->host)
			return;
		t->host |= field == HTTP2_HOST;
		tell_application(t, field, f->value);
		t->sink->field(t->sink->self, field, shown(field, f->value));
		return;
	}
}

static void
ignore_field(void *self, const struct hpack_field *field)
{
	(void)self;
	(void)field;
}

/* RFC 9113 section 4.1 and 6: a length and a stream that the type may have. */
static bool
is_frame(const struct frame *f)
{
	bool connection = f->stream == 0;

	switch (f->type) {
	case FRAME_DATA:
	case FRAME_HEADERS:
	case FRAME_PUSH_PROMISE:
	case FRAME_CONTINUATION: return !connection;
	case FRAME_PRIORITY: return !connection && f->len == 5;
	case FRAME_RST_STREAM: return !connection && f->len == 4;
	case FRAME_SETTINGS:
		return connection && f->len % 6 == 0 && (!(f->flags & FLAG_ACK) || !f->len);
	case FRAME_PING: return connection && f->len == 8;
	case FRAME_GOAWAY: return connection && f->len >= 8;
	case FRAME_WINDOW_UPDATE: return f->len == 4;
	default: return true; /* of an extension: must be passed over */
	}
}

static bool
take_frame(struct bytes *data, struct frame *f)
{
	struct bytes b = *data;

	f->len = bytes_be24(&b);
	f->type = bytes_u8(&b);
	f->flags = bytes_u8(&b);
	f->stream = bytes_be32(&b) & 0x7fffffff;
	if (b.bad)
		return false;
	*data = b;
	return true;
}

/* Identifiers that exist (RFC 9113 section 6.5.2, RFC 8441), or are there to be unknown. */
static bool
are_settings(struct bytes b)
{
	while (bytes_left(&b) >= 6) {
		uint16_t id = bytes_be16(&b);
		uint32_t value = bytes_be32(&b);

		if (id == 0 || (id > 9 && id < 0x10) || (id == 2 && value > 1) ||
		    (id == 4 && value > 0x7fffffff) ||
		    (id == 5 && (value < 16384 || value >= FRAME_MAX)))
			return false;
	}
	return true;
}

static void
begin(struct http2 *h, struct side *side)
{
	side->begun = true;
	hpack_init(&h->hpack[side == &h->side[0] ? 0 : 1]);
}

/* The first frame of a server is SETTINGS. */
static bool
step_server_begin(struct http2 *h, struct side *side, struct bytes *data)
{
	struct bytes b = *data;
	struct frame f;

	if (!take_frame(&b, &f)) {
		static const uint8_t start[] = { 0, 0 };
		size_t n = bytes_left(&b) < 2 ? bytes_left(&b) : 2;

		return memcmp(b.p, start, n) ? refuse(h, side) : false;
	}
	if (f.type != FRAME_SETTINGS || f.flags || f.stream || f.len % 6 ||
	    f.len > 6 * SETTINGS_MAX)
		return refuse(h, side);
	if (bytes_left(&b) < f.len)
		return false;
	if (!are_settings(bytes_of(b.p, f.len)))
		return refuse(h, side);
	begin(h, side);
	raise(h, f.len > 0 ? INSPECT_LIKELY : INSPECT_MORE);
	return true;
}

static bool
step_client_begin(struct http2 *h, struct side *side, struct bytes *data)
{
	size_t n =
		bytes_left(data) < sizeof(preface) - 1 ? bytes_left(data) : sizeof(preface) - 1;

	if (memcmp(data->p, preface, n) != 0)
		return refuse(h, side);
	if (n < sizeof(preface) - 1)
		return false;
	bytes_skip(data, n);
	begin(h, side);
	raise(h, INSPECT_SURE);
	return true;
}

/* Takes what stands around the block off a HEADERS or PUSH_PROMISE frame. */
static struct bytes
block_of(struct bytes b, const struct frame *f)
{
	uint8_t padding = f->flags & FLAG_PADDED ? bytes_u8(&b) : 0;

	if (f->type == FRAME_HEADERS && f->flags & FLAG_PRIORITY)
		bytes_skip(&b, 5);
	if (f->type == FRAME_PUSH_PROMISE)
		bytes_skip(&b, 4);
	if (padding > bytes_left(&b))
		b.bad = true;
	return bytes_take(&b, bytes_left(&b) - (b.bad ? 0 : padding));
}

enum gathered { GATHERED, GATHER_MORE, GATHER_FAILED };

/*
 * Puts a block together whose frames, HEADERS and then CONTINUATION, begin at the data; moves
 * data behind them.
 */
static enum gathered
gather(struct bytes *data, uint8_t *block, size_t *len)
{
	struct bytes b = *data;
	struct frame f;
	bool ends = false;

	for (*len = 0; !ends;) {
		if (!take_frame(&b, &f))
			return GATHER_MORE;
		if (*len > 0 && f.type != FRAME_CONTINUATION)
			return GATHER_FAILED;
		if (bytes_left(&b) < f.len)
			return *len + f.len > BLOCK_MAX ? GATHER_FAILED : GATHER_MORE;
		struct bytes part = bytes_take(&b, f.len);

		part = block_of(part, &f);
		if (part.bad || bytes_left(&part) + *len > BLOCK_MAX)
			return GATHER_FAILED;
		memcpy(block + *len, part.p, bytes_left(&part));
		*len += bytes_left(&part);
		ends = f.flags & FLAG_END_HEADERS;
	}
	*data = b;
	return GATHERED;
}

/* One more frame stands where one must. */
static void
count(struct http2 *h, struct side *side)
{
	if (side->frames < CHAIN)
		side->frames++;
	if (side->frames == CHAIN)
		raise(h, INSPECT_SURE);
}

/* A header block of this side begins here. */
static bool
step_headers(struct http2 *h, struct side *side, struct bytes *data, const struct frame *f,
	     uint8_t dir, const struct inspect_sink *sink)
{
	uint8_t block[BLOCK_MAX];
	size_t len;
	struct telling t = { .sink = sink, .dir = dir };
	enum gathered gathered = gather(data, block, &len);

	if (gathered == GATHER_MORE)
		return false;
	if (gathered == GATHER_FAILED ||
	    !hpack_read(&h->hpack[dir], bytes_of(block, len),
			f->type == FRAME_HEADERS ? tell_field : ignore_field, &t)) {
		side->lost = true;
		return true;
	}
	count(h, side);
	/* A response alone means that its request went before, in HTTP/1, or was not seen. */
	if (h->answer >= INSPECT_SURE)
		raise(h, INSPECT_NAMED);
	return true;
}

static bool
step(struct http2 *h, struct side *side, struct bytes *data, uint8_t dir,
     const struct inspect_sink *sink)
{
	struct bytes b = *data;
	struct frame f;

	if (side->deaf) {
		bytes_skip(data, bytes_left(data));
		return false;
	}
	if (side->rest > 0) {
		size_t n = bytes_left(data) < side->rest ? bytes_left(data) : side->rest;

		bytes_skip(data, n);
		side->rest -= (uint32_t)n;
		return side->rest == 0;
	}
	if (bytes_left(data) == 0)
		return false;
	if (!side->begun)
		return dir == INSPECT_CLIENT ? step_client_begin(h, side, data)
					     : step_server_begin(h, side, data);
	if (!take_frame(&b, &f))
		return false;
	if (!is_frame(&f) || (f.type > TYPE_LAST && h->answer < INSPECT_SURE))
		return refuse(h, side);
	if ((f.type == FRAME_HEADERS || f.type == FRAME_PUSH_PROMISE) && !side->lost)
		return step_headers(h, side, data, &f, dir, sink);
	count(h, side);
	*data = b;
	side->rest = f.len;
	return true;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct http2 *h = state;
	struct side *side = &h->side[view->dir];

	if (view->lost)
		refuse(h, side);
	while (step(h, side, &view->data, view->dir, sink))
		;
	if (h->refused)
		return INSPECT_NO;
	return h->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)h->answer;
}

/* The preface, or a server's SETTINGS. */
static const struct inspect_start starts[] = {
	{ .from = INSPECT_FROM_CLIENT,
	  .count = 12,
	  .bytes = { INSPECT_IS('P'), INSPECT_IS('R'), INSPECT_IS('I'), INSPECT_IS(' '),
		     INSPECT_IS('*'), INSPECT_IS(' '), INSPECT_IS('H'), INSPECT_IS('T'),
		     INSPECT_IS('T'), INSPECT_IS('P'), INSPECT_IS('/'), INSPECT_IS('2') } },
	{ .least = 9,
	  .from = INSPECT_FROM_SERVER,
	  .count = 9,
	  .bytes = { INSPECT_IS(0), INSPECT_IS(0), INSPECT_ANY, INSPECT_IS(FRAME_SETTINGS),
		     INSPECT_IS(0), /* a reserved bit */ { 0, 0x80 }, INSPECT_IS(0),
		     INSPECT_IS(0), INSPECT_IS(0) } },
	{ .most = 8,
	  .from = INSPECT_FROM_SERVER,
	  .count = 2,
	  .bytes = { INSPECT_IS(0), INSPECT_IS(0) } },
};

const struct inspector inspect_http2 = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "http2",
	.state_size = sizeof(struct http2),
	.clear_size = offsetof(struct http2, hpack),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = HTTP2_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
