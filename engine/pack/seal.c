/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pack/seal.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

enum { RAW_KEY = 32 }; /* bytes of an Ed25519 key */

enum barn_err
seal_hash(struct bytes data, uint8_t hash[MANIFEST_HASH])
{
	unsigned len = 0;
	bool good = EVP_Digest(data.p, bytes_left(&data), hash, &len, EVP_sha256(), NULL) == 1;

	ERR_clear_error();
	return good && len == MANIFEST_HASH ? BARN_OK : BARN_ERR_LIBRARY;
}

/* A library does not ask for a passphrase. */
static int
no_passphrase(char *buf, int size, int writes, void *self)
{
	(void)buf, (void)size, (void)writes, (void)self;
	return -1;
}

static EVP_PKEY *
read_key(const void *pem, size_t length, bool private)
{
	BIO *bio = length <= INT_MAX ? BIO_new_mem_buf(pem, (int)length) : NULL;
	EVP_PKEY *key = NULL;

	if (bio)
		key = private ? PEM_read_bio_PrivateKey(bio, NULL, no_passphrase, NULL)
			      : PEM_read_bio_PUBKEY(bio, NULL, no_passphrase, NULL);
	BIO_free(bio);
	ERR_clear_error();
	if (key && EVP_PKEY_id(key) != EVP_PKEY_ED25519) {
		EVP_PKEY_free(key);
		return NULL;
	}
	return key;
}

static bool
name_key(EVP_PKEY *key, uint8_t name[MANIFEST_KEY])
{
	uint8_t raw[RAW_KEY], hash[MANIFEST_HASH];
	size_t len = sizeof(raw);

	if (EVP_PKEY_get_raw_public_key(key, raw, &len) != 1 || len != sizeof(raw) ||
	    seal_hash(bytes_of(raw, sizeof(raw)), hash))
		return false;
	memcpy(name, hash, MANIFEST_KEY);
	return true;
}

static bool
verify(EVP_PKEY *key, const struct manifest_seal *seal, struct bytes data)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	bool good = context && EVP_DigestVerifyInit(context, NULL, NULL, NULL, key) == 1 &&
		    EVP_DigestVerify(context, seal->signature, MANIFEST_SIGNATURE, data.p,
				     bytes_left(&data)) == 1;

	EVP_MD_CTX_free(context);
	ERR_clear_error();
	return good;
}

enum barn_err
seal_check(const struct manifest_seal *seal, struct bytes data, const struct barn_keys *keys)
{
	enum barn_err err = BARN_ERR_MISSING;

	for (unsigned i = 0; i < keys->count && err == BARN_ERR_MISSING; i++) {
		EVP_PKEY *key = read_key(keys->key[i].pem, keys->key[i].length, false);
		uint8_t name[MANIFEST_KEY];

		if (key && name_key(key, name) && memcmp(name, seal->key, MANIFEST_KEY) == 0)
			err = verify(key, seal, data) ? BARN_OK : BARN_ERR_FORMAT;
		EVP_PKEY_free(key);
	}
	return err;
}

bool
seal_is_key(const struct barn_key *key)
{
	EVP_PKEY *read = read_key(key->pem, key->length, false);

	EVP_PKEY_free(read);
	return read != NULL;
}

enum barn_err
seal_make(struct bytes data, struct bytes pem, struct manifest_seal *seal)
{
	EVP_PKEY *key = read_key(pem.p, bytes_left(&pem), true);
	size_t len = MANIFEST_SIGNATURE;
	EVP_MD_CTX *context;
	bool good;

	if (!key)
		return BARN_ERR_FORMAT;
	context = EVP_MD_CTX_new();
	good = context && name_key(key, seal->key) &&
	       EVP_DigestSignInit(context, NULL, NULL, NULL, key) == 1 &&
	       EVP_DigestSign(context, seal->signature, &len, data.p, bytes_left(&data)) == 1 &&
	       len == MANIFEST_SIGNATURE;
	EVP_MD_CTX_free(context);
	EVP_PKEY_free(key);
	ERR_clear_error();
	return good ? BARN_OK : BARN_ERR_LIBRARY;
}
