/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PACK_PACK_H
#define PACK_PACK_H

/*
 * A protocol pack, read from an archive's bytes and checked: its manifest, its signature, and
 * that its files are those of the manifest. What the modules say is not looked at.
 *
 *	archive ─► files ─► MANIFEST ─► signature ─► checksums ─► struct pack
 *	tarball            manifest    seal        seal
 */

#include "pack/manifest.h"
#include <barn/pack.h>

#define PACK_MANIFEST "MANIFEST"
#define PACK_SEAL     "SIGNATURE"

struct pack {
	struct arena *arena; /* of all that follows */
	struct manifest manifest;
	struct bytes *texts; /* of the manifest's modules, in its order */
	bool is_signed, checked;
	struct manifest_seal seal; /* if signed */
};

/* `file`, keys: as barn_engine_pack has them. BARN_ERR_TEXT: there are faults. */
enum barn_err pack_read(const char *file, struct bytes data, const struct barn_keys *keys,
			struct barn_faults *faults, struct pack **pack);
void pack_free(struct pack *pack); /* of NULL: nothing */

/* A module to be packed. */
struct pack_source {
	const char *name;
	struct bytes text;
};

/*
 * Writes a pack: `facts` has its name, version, publisher and engine; the sources need no
 * order; key: a private one in PEM, or empty. BARN_ERR_EXISTS: two sources of one name;
 * BARN_ERR_FORMAT: the key is none; BARN_ERR_ARGUMENT: a name, a version or a text that no pack
 * may have.
 */
enum barn_err pack_write(const struct manifest *facts, const struct pack_source *sources,
			 unsigned count, struct bytes key, struct text *archive);

/* Whether these bytes look like a pack, and not like a module's text. */
bool pack_is(struct bytes data);

#endif
