/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_ASK_H
#define CLI_ASK_H

/* Commands to the daemon over its control socket. */

#include <stddef.h>

#define ASK_ROW "control", 'S', "PATH", "Talk to the daemon at this socket"

/* $BARN_CONTROL, or the usual place. */
const char *ask_path(void);

/*
 * Sends the words, and gives the answer to `data` part by part (NULL: none is expected). `path`
 * NULL: the usual one. Returns an exit status; the user was told if it is not 0.
 */
int ask(const char *path, const char *const *words, unsigned count,
	void (*data)(void *self, const void *data, size_t length), void *self);

#endif
