/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PACK_MANIFEST_H
#define PACK_MANIFEST_H

/*
 * The manifest of a protocol pack, and its signature, as texts: barn-pack(5) defines both.
 * They are read with the lexer of modules, so faults are told as theirs are. What is parsed
 * lies in the caller's arena.
 */

#include "base/arena.h"
#include "base/bytes.h"
#include "base/list.h"
#include "base/text.h"
#include "pdl/diag.h"
#include <barn/err.h>
#include <stdbool.h>

enum {
	MANIFEST_MODULES = 4096, /* at most, in a pack */
	MANIFEST_NAME_MAX = 64,  /* bytes of a pack's name, of its version, of a file's name */
	MANIFEST_TEXT_MAX = 128, /* of its publisher */
	MANIFEST_HASH = 32,      /* bytes of SHA-256 */
	MANIFEST_KEY = 16,       /* bytes that name a public key: the first of its SHA-256 */
	MANIFEST_SIGNATURE = 64, /* bytes of an Ed25519 signature, RFC 8032 */
};

struct manifest_module {
	const char *name; /* of its file, which lies flat in the pack */
	uint8_t hash[MANIFEST_HASH];
	struct pdl_pos at; /* of the name, in the manifest */
};

struct manifest {
	const char *name, *version, *publisher;
	const char *engine; /* the oldest version of barn that may load it */
	struct pdl_pos engine_at;
	struct list modules; /* struct manifest_module, in order of name */
};

struct manifest_seal {
	uint8_t key[MANIFEST_KEY];
	uint8_t signature[MANIFEST_SIGNATURE]; /* over the manifest's bytes as they are */
};

/* BARN_ERR_TEXT: there are faults. */
enum barn_err manifest_parse(struct manifest *manifest, struct arena *arena, const char *file,
			     struct bytes text, struct barn_faults *faults);
enum barn_err manifest_parse_seal(struct manifest_seal *seal, struct arena *arena,
				  const char *file, struct bytes text,
				  struct barn_faults *faults);

/* Texts that parse to the same. */
void manifest_print(const struct manifest *manifest, struct text *text);
void manifest_print_seal(const struct manifest_seal *seal, struct text *text);

/* Whether a word may be the name of a pack, or of a file in one: no path leads out of it. */
bool manifest_is_name(const char *name);
bool manifest_is_file(const char *name);

bool manifest_is_publisher(const char *text); /* printable UTF-8 */

/* "1.2.0": up to four numbers. Their order is less, equal or greater than 0. */
bool manifest_is_version(const char *version);
int manifest_compare(const char *version, const char *other);

/* "1f0a..." */
void manifest_hex(char *text, const uint8_t *bytes, size_t n);

#endif
