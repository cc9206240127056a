/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PROGRAM_SO_TRUST_H
#define PROGRAM_SO_TRUST_H

#include <stddef.h>

/* Whose files are run: root's and the user's, which nobody else can change. */

enum { SO_WHY = 512 };

/*
 * Opens a regular file for reading, if it and all folders above it, where symbolic links really
 * lead, are root's or the user's and nobody else can write to them; a folder in which others
 * can make files is none such, sticky or not. -1, and why not.
 */
int so_trust_open(const char *path, char *why, size_t size);

#endif
