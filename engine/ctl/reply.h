/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CTL_REPLY_H
#define CTL_REPLY_H

/*
 * The answer, as a command writes it. What does not fit into the bound is not added, and the
 * answer ends with BARN_ERR_MEMORY: rounds are the way to write more.
 */

#include <barn/err.h>
#include <stddef.h>

struct reply;

void reply_add(struct reply *reply, const void *data, size_t size);
/* Of at most 1023 bytes; the rest is cut. */
void reply_printf(struct reply *reply, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Bytes that may be written in this round: at least 64 KiB when it begins. */
size_t reply_room(const struct reply *reply);
/* How the answer ends, unless it is BARN_OK and without a text. The last one counts. */
void reply_fail(struct reply *reply, enum barn_err err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
