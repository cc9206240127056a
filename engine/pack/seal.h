/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PACK_SEAL_H
#define PACK_SEAL_H

/* Checksums and signatures of packs: SHA-256, and Ed25519 (RFC 8032), by OpenSSL. */

#include "base/bytes.h"
#include "pack/manifest.h"
#include <barn/pack.h>

/* BARN_ERR_LIBRARY: OpenSSL refused. */
enum barn_err seal_hash(struct bytes data, uint8_t hash[MANIFEST_HASH]);

/*
 * The key among these that a seal names, and whether the seal is right. BARN_ERR_MISSING: none
 * of them made it; BARN_ERR_FORMAT: it did not make this one.
 */
enum barn_err seal_check(const struct manifest_seal *seal, struct bytes data,
			 const struct barn_keys *keys);

/* Whether a PEM text is a public key that can be used. */
bool seal_is_key(const struct barn_key *key);

/* Signs with a private key in PEM, without a passphrase. BARN_ERR_FORMAT: it is none. */
enum barn_err seal_make(struct bytes data, struct bytes pem, struct manifest_seal *seal);

#endif
