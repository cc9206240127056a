/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_SDP_TEXT_H
#define INSPECT_SDP_TEXT_H

/* The lines of a session description, for sdp.c: what they look like, not what they mean. */

#include "base/bytes.h"

/* Moves to the next "v=0" that begins a line, or stands behind a brace or a blank. */
bool sdp_text_find(struct bytes *body);

/* The next line, the last one also without an end; false at the end. */
bool sdp_text_line(struct bytes *body, struct bytes *line);

/* The letter of "x=value", and the value; 0 for what is no such line. */
uint8_t sdp_text_type(struct bytes line, struct bytes *value);

#endif
