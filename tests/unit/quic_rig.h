/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_QUIC_RIG_H
#define BARN_TESTS_QUIC_RIG_H

/*
 * A QUIC client for tests: hellos, frames and Initials, sealed with keys that
 * quic_keys_derive makes, which the RFCs' vectors have proven.
 */

#include "inspect/quic.h"
#include "inspect_out.h"
#include "unit.h"

#include <openssl/evp.h>

static inline void
rig_varint(struct out *o, uint32_t value)
{
	put(o, 0x80000000u | value, 4);
}

/* A ClientHello with a name, a list of ALPN names with their lengths, and `padding` bytes. */
static inline void
rig_hello(struct out *o, const char *server_name, const char *alpn, size_t padding)
{
	o->len = 0;
	put(o, 1, 1);
	size_t message = open_length(o, 3), extensions, one, list;

	put(o, 0x0303, 2);
	for (unsigned i = 0; i < 32; i++)
		put(o, i * 3, 1);
	put(o, 0, 1);
	put(o, 0x00021301, 4);
	put(o, 0x0100, 2);
	extensions = open_length(o, 2);
	put(o, 21, 2); /* padding (RFC 7685) */
	put(o, (uint32_t)padding, 2);
	memset(o->b + o->len, 0, padding);
	o->len += padding;
	put(o, 0, 2);
	one = open_length(o, 2);
	list = open_length(o, 2);
	put(o, 0, 1);
	put(o, (uint32_t)strlen(server_name), 2);
	put_text(o, server_name);
	close_length(o, list, 2);
	close_length(o, one, 2);
	put(o, 16, 2);
	put(o, (uint32_t)strlen(alpn) + 2, 2);
	put(o, (uint32_t)strlen(alpn), 2);
	put_text(o, alpn);
	close_length(o, extensions, 2);
	close_length(o, message, 3);
}

/* A CRYPTO frame with [at, at + len) of the message. */
static inline void
rig_crypto(struct out *o, const struct out *message, size_t at, size_t len, bool google)
{
	put(o, google ? 8 : 6, 1);
	rig_varint(o, (uint32_t)at);
	rig_varint(o, (uint32_t)len);
	memcpy(o->b + o->len, message->b + at, len);
	o->len += len;
}

static inline void
rig_encrypt(const EVP_CIPHER *cipher, const uint8_t *key, const uint8_t *iv, struct bytes aad,
	    struct bytes plain, uint8_t *to)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int len;

	CHECK(ctx && EVP_EncryptInit_ex(ctx, cipher, NULL, key, iv));
	if (bytes_left(&aad) > 0)
		CHECK(EVP_EncryptUpdate(ctx, NULL, &len, aad.p, (int)bytes_left(&aad)));
	CHECK(EVP_EncryptUpdate(ctx, to, &len, plain.p, (int)bytes_left(&plain)));
	if (iv) {
		CHECK(EVP_EncryptFinal_ex(ctx, to + len, &len));
		CHECK(EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, QUIC_TAG,
					  to + bytes_left(&plain)));
	}
	EVP_CIPHER_CTX_free(ctx);
}

/* The header of an Initial, up to the length. */
static inline void
rig_header(struct out *o, uint32_t version, const char *dcid, const char *scid,
	   const char *token)
{
	put(o, quic_version_find(version)->second ? 0xd3 : 0xc3, 1);
	put(o, version, 4);
	put(o, (uint32_t)strlen(dcid), 1);
	put_text(o, dcid);
	put(o, (uint32_t)strlen(scid), 1);
	put_text(o, scid);
	rig_varint(o, (uint32_t)strlen(token));
	put_text(o, token);
}

/*
 * Appends an Initial with these frames, padded to `size`; `key_id` is the connection id that
 * the keys come from.
 */
static inline void
rig_seal(struct out *o, uint32_t version, const char *key_id, const char *dcid, uint32_t number,
	 const struct out *frames, size_t size)
{
	static uint8_t plain[QUIC_PLAIN_MAX];
	struct quic_keys keys;
	uint8_t nonce[12], mask[16];
	size_t start = o->len, at, len;

	CHECK(quic_keys_derive(quic_version_find(version), bytes_of(key_id, strlen(key_id)),
			       &keys));
	rig_header(o, version, dcid, "from-me", "");
	len = size - (o->len - start) - 4 - 4 - QUIC_TAG;
	CHECK(len >= frames->len && len <= sizeof(plain));
	rig_varint(o, (uint32_t)(4 + len + QUIC_TAG));
	at = o->len;
	put(o, number, 4);
	memset(plain, 0, sizeof(plain));
	memcpy(plain, frames->b, frames->len);
	memcpy(nonce, keys.iv, sizeof(nonce));
	for (unsigned i = 0; i < 4; i++)
		nonce[8 + i] ^= (uint8_t)(number >> (24 - 8 * i));
	rig_encrypt(EVP_aes_128_gcm(), keys.key, nonce, bytes_of(o->b + start, o->len - start),
		    bytes_of(plain, len), o->b + o->len);
	o->len += len + QUIC_TAG;
	rig_encrypt(EVP_aes_128_ecb(), keys.hp, NULL, bytes_of(NULL, 0),
		    bytes_of(o->b + at + 4, 16), mask);
	o->b[start] ^= mask[0] & 0x0f;
	for (unsigned i = 0; i < 4; i++)
		o->b[at + i] ^= mask[1 + i];
}

#endif
