/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PACK_TARBALL_H
#define PACK_TARBALL_H

/*
 * The archive of a pack, in memory: plain files side by side, of bounded number and size. Of
 * anything else in it a fault is told. The only file that knows libarchive.
 */

#include "base/arena.h"
#include "base/bytes.h"
#include "base/list.h"
#include "base/text.h"
#include <barn/err.h>
#include <barn/fault.h>

enum {
	TARBALL_FILES = 4098,          /* at most */
	TARBALL_FILE_MAX = 1 << 20,    /* bytes of one: as of a module's text */
	TARBALL_BYTES_MAX = 1 << 25,   /* of all */
	TARBALL_ARCHIVE_MAX = 1 << 24, /* of the archive itself */
};

struct tarball_file {
	const char *name;
	struct bytes data;
};

/* Adds to files, struct tarball_file, in the archive's order. BARN_ERR_TEXT: there are faults,
 * which `file` names. */
enum barn_err tarball_read(struct list *files, struct arena *arena, const char *file,
			   struct bytes data, struct barn_faults *faults);

enum tarball_form { TARBALL_PLAIN, TARBALL_GZIP };

/* An archive of these, in their order. The same files give the same bytes. */
enum barn_err tarball_write(const struct tarball_file *files, unsigned count,
			    enum tarball_form form, struct text *archive);

#endif
