/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * RFC 9001 section 5 for the client's Initials: HKDF with SHA-256 (RFC 5869, RFC 8446 section
 * 7.1), AES-128-ECB for the header, AES-128-GCM for the payload, all of libcrypto. HKDF is
 * built from SHA-256 here: five keyed hashes share one context, where the library's KDF would
 * look itself up five times. Contexts live for one call.
 */
#include "inspect/quic.h"

#include <openssl/evp.h>

enum { HASH = 32, BLOCK = 64, SAMPLE = 16, NUMBER_MAX = 4, LABEL_MAX = 24 };

/* HMAC (RFC 2104) of `data`, by a context that was initialised for SHA-256 before. */
static bool
keyed_hash(EVP_MD_CTX *ctx, const uint8_t *key, size_t key_len, struct bytes data,
	   uint8_t hash[HASH])
{
	uint8_t pad[BLOCK], inner[HASH];

	memset(pad, 0x36, sizeof(pad));
	for (size_t i = 0; i < key_len; i++)
		pad[i] ^= key[i];
	if (!EVP_DigestInit_ex(ctx, NULL, NULL) || !EVP_DigestUpdate(ctx, pad, BLOCK) ||
	    !EVP_DigestUpdate(ctx, data.p, bytes_left(&data)) ||
	    !EVP_DigestFinal_ex(ctx, inner, NULL))
		return false;
	for (size_t i = 0; i < BLOCK; i++)
		pad[i] ^= 0x36 ^ 0x5c;
	return EVP_DigestInit_ex(ctx, NULL, NULL) && EVP_DigestUpdate(ctx, pad, BLOCK) &&
	       EVP_DigestUpdate(ctx, inner, HASH) && EVP_DigestFinal_ex(ctx, hash, NULL);
}

/* HKDF-Expand-Label without a context; one block of the hash is enough for all. */
static bool
expand(EVP_MD_CTX *ctx, const uint8_t secret[HASH], const char *label, uint8_t *to, uint8_t len)
{
	uint8_t info[4 + 6 + LABEL_MAX], hash[HASH];
	size_t n = strlen(label), at = 0;

	info[at++] = 0;
	info[at++] = len;
	info[at++] = (uint8_t)(6 + n);
	memcpy(info + at, "tls13 ", 6);
	memcpy(info + at + 6, label, n);
	at += 6 + n;
	info[at++] = 0;
	info[at++] = 1; /* the counter of HKDF-Expand */
	if (!keyed_hash(ctx, secret, HASH, bytes_of(info, at), hash))
		return false;
	memcpy(to, hash, len);
	return true;
}

bool
quic_keys_derive(const struct quic_version *version, struct bytes dcid, struct quic_keys *keys)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	uint8_t secret[HASH], client[HASH];
	bool second = version->second;
	bool done = ctx && EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) &&
		    keyed_hash(ctx, version->salt, sizeof(version->salt), dcid, secret) &&
		    expand(ctx, secret, "client in", client, HASH) &&
		    expand(ctx, client, second ? "quicv2 key" : "quic key", keys->key,
			   sizeof(keys->key)) &&
		    expand(ctx, client, second ? "quicv2 iv" : "quic iv", keys->iv,
			   sizeof(keys->iv)) &&
		    expand(ctx, client, second ? "quicv2 hp" : "quic hp", keys->hp,
			   sizeof(keys->hp));

	EVP_MD_CTX_free(ctx);
	return done;
}

/* The first five bytes that cover the header (RFC 9001 section 5.4.3), within a block. */
static bool
header_mask(EVP_CIPHER_CTX *ctx, const uint8_t hp[16], const uint8_t sample[SAMPLE],
	    uint8_t mask[SAMPLE])
{
	int len;

	return EVP_EncryptInit_ex(ctx, EVP_aes_128_ecb(), NULL, hp, NULL) &&
	       EVP_EncryptUpdate(ctx, mask, &len, sample, SAMPLE) && len == SAMPLE;
}

static bool
open_payload(EVP_CIPHER_CTX *ctx, const struct quic_keys *keys, const uint8_t nonce[12],
	     struct bytes header, struct bytes sealed, uint8_t *plain)
{
	uint8_t tag[QUIC_TAG];
	int len;
	int text = (int)(bytes_left(&sealed) - QUIC_TAG);

	memcpy(tag, sealed.p + text, QUIC_TAG);
	return EVP_DecryptInit_ex(ctx, EVP_aes_128_gcm(), NULL, keys->key, nonce) &&
	       EVP_DecryptUpdate(ctx, NULL, &len, header.p, (int)bytes_left(&header)) &&
	       EVP_DecryptUpdate(ctx, plain, &len, sealed.p, text) &&
	       EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_SET_TAG, QUIC_TAG, tag) &&
	       EVP_DecryptFinal_ex(ctx, plain + len, &len) > 0;
}

/* The header without its mask, with the packet number; its length, and the nonce. */
static size_t
unmask(const struct quic_keys *keys, const struct quic_packet *p, const uint8_t *mask,
       uint8_t *header, uint8_t nonce[12])
{
	struct bytes number = p->payload;
	size_t len = bytes_left(&p->header);

	memcpy(header, p->header.p, len);
	header[0] ^= mask[0] & 0x0f;
	memcpy(nonce, keys->iv, 12);
	size_t digits = 1u + (header[0] & 3);

	for (size_t i = 0; i < digits; i++) {
		uint8_t digit = bytes_u8(&number) ^ mask[1 + i];

		header[len + i] = digit;
		nonce[12 - digits + i] ^= digit;
	}
	return len + digits;
}

size_t
quic_keys_open(const struct quic_keys *keys, const struct quic_packet *packet,
	       uint8_t plain[QUIC_PLAIN_MAX])
{
	uint8_t header[QUIC_PLAIN_MAX + NUMBER_MAX], nonce[12], mask[SAMPLE];
	struct bytes sealed = packet->payload, sample = packet->payload;
	size_t len, text = 0;

	bytes_skip(&sample, NUMBER_MAX);
	sample = bytes_take(&sample, SAMPLE);
	if (sample.bad || bytes_left(&packet->header) > QUIC_PLAIN_MAX ||
	    bytes_left(&sealed) > QUIC_PLAIN_MAX)
		return 0;
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();

	if (ctx && header_mask(ctx, keys->hp, sample.p, mask)) {
		len = unmask(keys, packet, mask, header, nonce);
		bytes_skip(&sealed, len - bytes_left(&packet->header));
		text = bytes_left(&sealed) - QUIC_TAG;
		if (!open_payload(ctx, keys, nonce, bytes_of(header, len), sealed, plain))
			text = 0;
	}
	EVP_CIPHER_CTX_free(ctx);
	return text;
}
