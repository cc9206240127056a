/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef HOTLOAD_PACK_H
#define HOTLOAD_PACK_H

/* Writes protocol packs from what barn-pack(5) says of them, without barn's own code. */

#include <stddef.h>

struct pack_file {
	const char *name, *text;
};

enum { PACK_SIZE = 16 * 512 };

/* A plain tar archive of a manifest and these modules, in order of name; its length. */
size_t pack_make(unsigned char archive[PACK_SIZE], const char *version,
		 const struct pack_file *files, unsigned count);

#endif
