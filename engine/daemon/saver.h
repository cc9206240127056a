/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_SAVER_H
#define DAEMON_SAVER_H

/*
 * Writes the state file, in a thread of its own, since it waits for the disk. Only the newest
 * text is written; what fails is logged, and tried again with the next one.
 */

#include <stdbool.h>
#include <stddef.h>

struct saver;

/* `folder` is open, and stays the caller's; `name` is the file's in it. NULL: no memory. */
struct saver *saver_new(int folder, const char *name);
bool saver_start(struct saver *saver);
/* Takes the text over, which free() frees. */
void saver_put(struct saver *saver, char *text, size_t length);
/* Writes what is left. Of NULL: nothing. */
void saver_free(struct saver *saver);

#endif
