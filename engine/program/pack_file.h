/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PROGRAM_PACK_FILE_H
#define PROGRAM_PACK_FILE_H

/* Protocol packs on disk: an archive, or a folder with what the archive would have in it. */

#include "base/text.h"
#include "pack/pack.h"
#include "worker/engine.h"

/* Whether it is a folder with a manifest. */
bool pack_file_is_folder(const char *path);

/* An archive's bytes; of a folder, an archive of its files. False: the user was told. */
bool pack_file_read(const char *path, struct text *archive);

/* Adds the pack of a folder to an engine that is not ready yet. False: faults, or the user was
 * told. */
bool pack_file_load_folder(struct barn_engine *engine, const char *folder,
			   const struct barn_keys *keys, struct barn_faults *faults);

/* Adds a pack that was read; `file` names it in faults. */
bool pack_file_load(struct barn_engine *engine, const char *file, struct bytes data,
		    const struct barn_keys *keys, struct barn_faults *faults);

/* Reads a public key. False: the user was told. What is read is freed at the end. */
bool pack_file_add_key(struct barn_keys *keys, const char *path);
void pack_file_free_keys(struct barn_keys *keys);

#endif
