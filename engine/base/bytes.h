/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BASE_BYTES_H
#define BASE_BYTES_H

/*
 * <barn/bytes.h>, the bounded reader that inspectors of others have too, under the names that
 * barn's own sources use: struct bytes, bytes_u8. Nothing else in barn indexes a payload.
 */

#define barn_bytes        bytes
#define barn_bytes_left   bytes_left
#define barn_bytes_next   bytes_next
#define barn_bytes_skip   bytes_skip
#define barn_bytes_take   bytes_take
#define barn_bytes_seek   bytes_seek
#define barn_bytes_u8     bytes_u8
#define barn_bytes_be16   bytes_be16
#define barn_bytes_be24   bytes_be24
#define barn_bytes_be32   bytes_be32
#define barn_bytes_be64   bytes_be64
#define barn_bytes_le16   bytes_le16
#define barn_bytes_le32   bytes_le32
#define barn_bytes_le64   bytes_le64
#define barn_bytes_starts bytes_starts
#define barn_bytes_of     bytes_of

#include <barn/bytes.h>

/*
 * A line without its end (LF or CR LF), which is consumed with it. Returns
 * false, and consumes nothing, while no LF is in the window.
 */
bool bytes_line(struct bytes *b, struct bytes *line);

/* Equal to the text, in ASCII without regard to case. */
bool bytes_is(const struct bytes *b, const char *text);

/* The window without blanks and tabs at both ends. */
struct bytes bytes_trim(struct bytes b);

#endif
