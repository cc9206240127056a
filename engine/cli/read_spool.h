/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_SPOOL_H
#define CLI_READ_SPOOL_H

/*
 * Files that can be read twice: standard input and pipes are copied into temporary files that
 * have no name; they are gone with the program, however it ends.
 */

struct read_spool;

/* NULL: the user was told. */
struct read_spool *read_spool_new(const char *const *paths, unsigned count);
void read_spool_free(struct read_spool *spool);

/* In the same order; those of regular files are as they were. */
const char *const *read_spool_paths(const struct read_spool *spool);

#endif
