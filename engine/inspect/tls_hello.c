/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/tls.h"

enum {
	EXTENSION_SERVER_NAME = 0,         /* RFC 6066 section 3 */
	EXTENSION_ALPN = 16,               /* RFC 7301 section 3.1 */
	EXTENSION_USE_SRTP = 14,           /* RFC 5764 section 4.1.1 */
	EXTENSION_SUPPORTED_VERSIONS = 43, /* RFC 8446 section 4.2.1 */
	EXTENSION_ECH = 0xfe0d,            /* RFC 9849 section 5 */
	RANDOM = 32,
	SSL2_CLIENT_HELLO = 1,
	SSL2_SERVER_HELLO = 4,
	SSL2_VERSION = 0x0002,
};

const struct inspect_field tls_fields[TLS_FIELDS] = {
	[TLS_SERVER_NAME] = { "server-name", INSPECT_SERVER_NAME },
	[TLS_ALPN] = { "alpn", INSPECT_TEXT },
	[TLS_ALPN_CHOSEN] = { "alpn-chosen", INSPECT_TEXT },
	[TLS_VERSION] = { "version", INSPECT_TEXT },
	[TLS_CERTIFICATE_NAME] = { "certificate-name", INSPECT_SERVER_NAME },
	[TLS_CIPHER] = { "cipher", INSPECT_TEXT },
	[TLS_ECH] = { "ech", INSPECT_TEXT },
};

static const struct {
	uint16_t number;
	const char *text;
} versions[] = {
	{ SSL2_VERSION, "SSL 2.0" },
	{ 0x0300, "SSL 3.0" },
	{ 0x0301, "1.0" },
	{ 0x0302, "1.1" },
	{ 0x0303, "1.2" },
	{ TLS_1_3, "1.3" },
	/* DTLS counts down, by the versions of TLS (RFC 9147 section 5.3). */
	{ 0xfeff, "1.0" },
	{ 0xfefd, "1.2" },
	{ 0xfefc, "1.3" },
	{ 0x0100, "pre-1.0" },
};

void
tls_hello_version(struct tls *tls, uint16_t version, const struct inspect_sink *sink)
{
	if (version >> 8 == 0x7f) /* a draft of TLS 1.3, RFC 8446's drafts section 4.2.1.1 */
		version = TLS_1_3;
	if (tls->version != 0)
		return;
	tls->version = version;
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]); i++)
		if (versions[i].number == version)
			sink->field(sink->self, TLS_VERSION,
				    bytes_of(versions[i].text, strlen(versions[i].text)));
}

/* As IANA's registry writes it, in one number: "0x1301". */
static void
tell_cipher(uint16_t cipher, const struct inspect_sink *sink)
{
	static const char digits[] = "0123456789abcdef";
	char text[6] = { '0', 'x' };

	for (unsigned i = 0; i < 4; i++)
		text[2 + i] = digits[cipher >> (12 - 4 * i) & 15];
	sink->field(sink->self, TLS_CIPHER, bytes_of(text, sizeof(text)));
}

static struct bytes
server_name(struct bytes b)
{
	struct bytes list = bytes_take(&b, bytes_be16(&b));

	while (bytes_left(&list) > 0 && !list.bad) {
		uint8_t type = bytes_u8(&list);
		struct bytes name = bytes_take(&list, bytes_be16(&list));

		if (type == 0) /* host_name is the only type there is */
			return name;
	}
	return bytes_of(NULL, 0);
}

/* The highest version that the client offers and that exists. */
static uint16_t
offered(struct bytes b)
{
	struct bytes list = bytes_take(&b, bytes_u8(&b));
	uint16_t best = 0;

	while (bytes_left(&list) > 1) {
		uint16_t version = bytes_be16(&list);

		if (version >> 8 == 3 && version > best)
			best = version;
	}
	return best;
}

void
tls_hello_read(struct bytes body, bool datagrams, struct tls_hello *hello)
{
	struct bytes b = body, none = bytes_of(NULL, 0);

	*hello = (struct tls_hello){ .server_name = none, .alpn = none, .srtp = none };
	hello->version = bytes_be16(&b);
	bytes_skip(&b, RANDOM);
	bytes_skip(&b, bytes_u8(&b)); /* legacy_session_id */
	if (datagrams)
		bytes_skip(&b, bytes_u8(&b)); /* cookie (RFC 6347 section 4.2.1) */
	bytes_skip(&b, bytes_be16(&b));       /* cipher_suites */
	bytes_skip(&b, bytes_u8(&b));         /* legacy_compression_methods */
	bytes_skip(&b, 2);
	while (bytes_left(&b) > 0 && !b.bad) {
		uint16_t type = bytes_be16(&b);
		struct bytes extension = bytes_take(&b, bytes_be16(&b));

		if (extension.bad)
			break;
		switch (type) {
		case EXTENSION_SERVER_NAME: hello->server_name = server_name(extension); break;
		case EXTENSION_ALPN: hello->alpn = extension; break;
		case EXTENSION_USE_SRTP: hello->srtp = extension; break;
		case EXTENSION_ECH: hello->ech = true; break;
		case EXTENSION_SUPPORTED_VERSIONS: hello->offered = offered(extension); break;
		default: break;
		}
	}
}

static void
tell_alpn(struct bytes extension, enum tls_field field, const struct inspect_sink *sink)
{
	char text[TLS_ALPN_MAX];
	size_t len = tls_alpn_text(extension, text);
	const char *application = tls_alpn_application(extension, INSPECT_TCP);

	if (len > 0)
		sink->field(sink->self, field, bytes_of(text, len));
	if (application)
		sink->application(sink->self, application);
}

void
tls_hello_client(struct tls *tls, struct bytes body, const struct inspect_sink *sink)
{
	struct tls_hello hello;

	if (tls->client_hello) /* once more, after a HelloRetryRequest: the same names */
		return;
	tls->client_hello = true;
	tls_hello_read(body, false, &hello);
	if (bytes_left(&hello.server_name) > 0) {
		tls->has_name = true;
		sink->field(sink->self, TLS_SERVER_NAME, hello.server_name);
	}
	tell_alpn(hello.alpn, TLS_ALPN, sink);
	if (hello.ech)
		sink->field(sink->self, TLS_ECH, bytes_of("offered", 7));
}

void
tls_hello_server(struct tls *tls, struct bytes body, const struct inspect_sink *sink)
{
	struct bytes b = body, chosen = bytes_of(body.p, 0);
	uint16_t version = bytes_be16(&b);
	bool draft = version >= TLS_DRAFT_0 && version <= TLS_DRAFT_21;

	if (tls->server_hello)
		return;
	bytes_skip(&b, RANDOM);
	if (!draft)
		bytes_skip(&b, bytes_u8(&b)); /* legacy_session_id_echo */
	uint16_t cipher = bytes_be16(&b);

	if (b.bad)
		return;
	tls->server_hello = true;
	bytes_skip(&b, draft ? 2 : 1 + 2); /* legacy_compression_method, length */
	while (bytes_left(&b) > 0 && !b.bad) {
		uint16_t type = bytes_be16(&b);
		struct bytes extension = bytes_take(&b, bytes_be16(&b));

		if (extension.bad)
			break;
		if (type == EXTENSION_SUPPORTED_VERSIONS)
			version = bytes_be16(&extension);
		else if (type == EXTENSION_ALPN)
			chosen = extension;
	}
	tls_hello_version(tls, version, sink);
	tell_cipher(cipher, sink);
	tell_alpn(chosen, TLS_ALPN_CHOSEN, sink);
}

/* The lengths inside a client's hello add up to that of its record, or it is none. */
static enum inspect_answer
ssl2_client(struct bytes b, uint16_t len)
{
	uint16_t version = bytes_be16(&b), ciphers = bytes_be16(&b), session = bytes_be16(&b);
	uint16_t challenge = bytes_be16(&b);

	if (b.bad)
		return INSPECT_MORE;
	if (version != SSL2_VERSION && version >> 8 != 3)
		return INSPECT_NO;
	if (ciphers == 0 || ciphers % 3 != 0 || (session != 0 && session != 16) ||
	    challenge < 16 || challenge > 32)
		return INSPECT_NO;
	return len == 9u + ciphers + session + challenge ? INSPECT_SURE : INSPECT_NO;
}

static enum inspect_answer
ssl2_server(struct bytes b, uint16_t len)
{
	bytes_skip(&b, 2); /* session id hit, certificate type */
	uint16_t version = bytes_be16(&b), certificate = bytes_be16(&b);
	uint16_t ciphers = bytes_be16(&b), connection = bytes_be16(&b);

	if (b.bad)
		return INSPECT_MORE;
	if (version != SSL2_VERSION || ciphers % 3 != 0)
		return INSPECT_NO;
	return len == 11u + certificate + ciphers + connection ? INSPECT_SURE : INSPECT_NO;
}

enum inspect_answer
tls_hello_ssl2(struct bytes data, uint16_t *len)
{
	struct bytes b = data;
	uint16_t header = bytes_be16(&b);

	if (bytes_left(&data) > 0 && *data.p < 0x80) /* two-byte header, no padding */
		return INSPECT_NO;
	uint8_t type = bytes_u8(&b);

	if (b.bad)
		return INSPECT_MORE;
	*len = header & 0x7fff;
	if (type == SSL2_CLIENT_HELLO)
		return ssl2_client(b, *len);
	return type == SSL2_SERVER_HELLO ? ssl2_server(b, *len) : INSPECT_NO;
}

void
tls_hello_ssl2_read(struct tls *tls, struct bytes body, const struct inspect_sink *sink)
{
	if (bytes_u8(&body) == SSL2_CLIENT_HELLO) {
		tls->client_hello = true;
		return;
	}
	tls->server_hello = true;
	bytes_skip(&body, 2);
	tls_hello_version(tls, bytes_be16(&body), sink);
	uint16_t certificate = bytes_be16(&body);

	bytes_skip(&body, 4);
	if (!tls->has_name)
		tls_certificate_names(tls, bytes_take(&body, certificate), sink);
}
