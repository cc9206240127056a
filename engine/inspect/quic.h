/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_QUIC_H
#define INSPECT_QUIC_H

/*
 * What the files of the QUIC inspector share:
 *
 *	quic.c          the datagrams of a flow, and what they prove
 *	quic_packet.c   one packet off a datagram: long headers (RFC 9000 section 17.2)
 *	quic_version.c  the versions that are known, with their salts
 *	quic_keys.c     from a connection id to keys, and an Initial opened (RFC 9001 section 5)
 *	quic_crypto.c   the CRYPTO frames of the Initials, put in order
 *	quic_google.c   Google's QUIC before the standard: the header and its hello in clear
 *
 * Anybody may open a client's Initials: their keys come from the connection id in their
 * header. That the tag fits is proof. All others' keys come from a secret.
 */

#include "inspect/inspector.h"
#include "inspect/pieces.h"

enum quic_field {
	QUIC_SERVER_NAME,
	QUIC_ALPN,
	QUIC_VERSION,
	QUIC_USER_AGENT, /* Google's QUIC only */
	QUIC_ECH,
	QUIC_FIELDS
};

/* In the order of version 1 (RFC 9000 section 17.2). */
enum quic_kind { QUIC_INITIAL, QUIC_0RTT, QUIC_HANDSHAKE, QUIC_RETRY, QUIC_NEGOTIATION };

enum { QUIC_CID_MAX = 20, QUIC_TAG = 16, QUIC_PLAIN_MAX = 4096, QUIC_VERSION_TEXT = 16 };

/* How the packets of a version are protected, and what is in them. */
struct quic_version {
	uint32_t first, last;
	uint8_t salt[20]; /* of the initial secret (RFC 9001 section 5.2) */
	bool second;      /* labels and packet types of version 2 (RFC 9369 section 3) */
	bool google;      /* Google's frames in the standard's packets */
};

/* NULL where it is not known how to open its Initials. */
const struct quic_version *quic_version_find(uint32_t number);
/* "1", "2", "draft-29", "Q046", "0xbabababa"; its length. */
size_t quic_version_text(uint32_t number, char text[QUIC_VERSION_TEXT]);
/* Of a form that exists only to be unknown (RFC 9000 section 15). */
bool quic_version_reserved(uint32_t number);

struct quic_packet {
	const struct quic_version *known; /* NULL: only what all versions share is told */
	uint32_t version;
	uint8_t kind; /* enum quic_kind; of known versions */
	struct bytes dcid, scid;
	struct bytes header;  /* as sent, up to the packet number */
	struct bytes payload; /* from the packet number on; of a negotiation, the versions */
	bool cut;             /* by the capture: there is no payload */
};

/*
 * Takes the next long-header packet off a datagram. False, and nothing is taken, where there is
 * none or its lengths do not fit; of a version that is not known the rest of the datagram is
 * taken. `snapped`: the capture has cut the datagram.
 */
bool quic_packet_read(struct bytes *datagram, bool snapped, struct quic_packet *packet);

/* A number of variable length (RFC 9000 section 16). */
uint64_t quic_packet_varint(struct bytes *b);

struct quic_keys {
	uint8_t key[16], iv[12], hp[16];
};

/* The client's initial keys for a connection id. False: the library has failed. */
bool quic_keys_derive(const struct quic_version *version, struct bytes dcid,
		      struct quic_keys *keys);
/* Opens an Initial. The length of its frames, or 0: it was not protected by these keys. */
size_t quic_keys_open(const struct quic_keys *keys, const struct quic_packet *packet,
		      uint8_t plain[QUIC_PLAIN_MAX]);

/* Takes the CRYPTO frames among the frames of an Initial: the client's handshake, in pieces. */
void quic_crypto_frames(struct pieces *crypto, struct bytes frames, bool google);

/* What Google's CHLO says (QUIC Crypto, section "Client handshake"). */
struct quic_hello {
	struct bytes server_name, user_agent;
};

/* A whole CHLO or REJ: SURE; the beginning of one: MORE, with what it says so far; else NO. */
enum inspect_answer quic_google_hello(struct bytes message, struct quic_hello *hello);
/*
 * A datagram of Google's versions before 50, with its hello in clear: SURE, LIKELY or NO. A
 * server does not tell its version: 0.
 */
enum inspect_answer quic_google_read(struct bytes datagram, uint32_t *version,
				     struct quic_hello *hello);

#endif
