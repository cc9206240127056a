/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_TLS_H
#define INSPECT_TLS_H

/*
 * What the files of the TLS inspector share: tls.c follows the records and puts
 * handshake messages together, tls_hello.c reads the two hellos (and those of
 * SSL 2.0), tls_alpn.c names of applications, tls_certificate.c the names in a certificate.
 * QUIC and DTLS read their hellos with them.
 */

#include "inspect/inspector.h"

enum tls_field {
	TLS_SERVER_NAME,
	TLS_ALPN,
	TLS_ALPN_CHOSEN,
	TLS_VERSION,
	TLS_CERTIFICATE_NAME,
	TLS_CIPHER,
	TLS_ECH, /* "offered": the name may be that of a front (or there only to be seen) */
	TLS_FIELDS
};

/* RFC 8446 appendix B.1 and B.3. */
enum tls_content {
	TLS_SSL2 = 1, /* no content type: an SSL 2.0 record, by tls.c's own account */
	TLS_CHANGE_CIPHER_SPEC = 20,
	TLS_ALERT,
	TLS_HANDSHAKE,
	TLS_APPLICATION_DATA,
	TLS_HEARTBEAT /* RFC 6520 */
};
enum tls_message { TLS_CLIENT_HELLO = 1, TLS_SERVER_HELLO = 2, TLS_CERTIFICATE = 11 };

/*
 * Drafts 0 to 21 of TLS 1.3 have their own version and ServerHello (draft-ietf-tls-tls13-18
 * section 4.1.3); later ones say 1.2 there, and are told in an extension.
 */
enum { TLS_1_3 = 0x0304, TLS_DRAFT_0 = 0x7f00, TLS_DRAFT_21 = 0x7f15 };

struct tls_side {
	uint32_t skip;     /* bytes of a handshake message that are not wanted */
	uint32_t need;     /* bytes in the window before there is a point in looking again */
	uint32_t searched; /* bytes skipped in search of a record */
	uint16_t rest;     /* bytes left of the record */
	uint8_t type;      /* of the record, enum tls_content */
	uint8_t records;   /* whose headers were seen, up to 255 */
	uint8_t data;      /* of these with application data, up to 255 */
	bool searching;    /* behind a gap: where does a record begin? */
	bool blind;        /* inside the record it is not known where messages begin */
	bool encrypted;
	bool deaf; /* no TLS, or no more of it */
};

struct tls {
	struct tls_side side[2];
	uint16_t version; /* negotiated; 0: not yet known */
	uint8_t answer;   /* enum inspect_answer, the strongest so far */
	bool refused;
	bool client_hello, server_hello;
	bool has_name; /* the client's server_name, or one of the certificate */
};

extern const struct inspect_field tls_fields[TLS_FIELDS];

/* What a ClientHello says; empty where it does not say it. Points into the hello. */
struct tls_hello {
	struct bytes server_name;
	struct bytes alpn; /* the extension's body */
	struct bytes srtp; /* the body of use_srtp (RFC 5764) */
	uint16_t version;  /* legacy_version */
	uint16_t offered;  /* the highest of supported_versions that is TLS, 0: none */
	bool ech;          /* Encrypted Client Hello is offered, perhaps as GREASE */
};

/* Reads the body of a ClientHello as far as it has come; DTLS has a cookie in it. */
void tls_hello_read(struct bytes body, bool datagrams, struct tls_hello *hello);

enum { TLS_ALPN_MAX = 512 }; /* of the list as text; more is left out */

/* tls_alpn.c: the protocols of the list, in its order, with commas between; its length. */
size_t tls_alpn_text(struct bytes extension, char text[TLS_ALPN_MAX]);
/* The module of the first name that one stands for, or NULL. */
const char *tls_alpn_application(struct bytes extension, enum inspect_transport transport);

/*
 * The body of a ClientHello (RFC 8446 section 4.1.2) or ServerHello (4.1.3), whole or as far
 * as it has come.
 */
void tls_hello_client(struct tls *tls, struct bytes body, const struct inspect_sink *sink);
void tls_hello_server(struct tls *tls, struct bytes body, const struct inspect_sink *sink);

/*
 * A hello of SSL 2.0 at the start of a stream; those of a client also introduce later versions
 * (RFC 5246 appendix E.2). NO, MORE, or SURE; then `len` is that of its record's body. Nothing
 * is consumed.
 */
enum inspect_answer tls_hello_ssl2(struct bytes data, uint16_t *len);

/* Tells what the body of the client's or the server's SSL 2.0 hello says. */
void tls_hello_ssl2_read(struct tls *tls, struct bytes body, const struct inspect_sink *sink);

/* The version, unless it was told before. */
void tls_hello_version(struct tls *tls, uint16_t version, const struct inspect_sink *sink);

/* The names in an X.509 certificate (RFC 5280), as far as it has come. */
void tls_certificate_names(struct tls *tls, struct bytes der, const struct inspect_sink *sink);

#endif
