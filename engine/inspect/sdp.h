/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_SDP_H
#define INSPECT_SDP_H

/*
 * Session descriptions (RFC 8866), as SIP, RTSP, MGCP and Megaco carry them: from
 * addresses and ports to the flows that they announce. Pure functions on a window.
 */

#include "inspect/inspector.h"

enum {
	SDP_AUDIO = 1,
	SDP_VIDEO = 2,
	SDP_IMAGE = 4,
	SDP_TEXT = 8,
	SDP_MESSAGE = 16,
	SDP_APPLICATION = 32
};

enum { SDP_LIFE_S = 300 }; /* longer than a phone rings (RFC 3261 timer C) */

struct sdp {
	const struct inspect_sink *sink;
	/*
	 * Who described it; announced flows of a private address may also come from there.
	 * INSPECT_NOBODY where the sender is not the one who is described.
	 */
	uint8_t from;
	bool any_port; /* a media of port 0 counts as seen; it is not announced */
	uint8_t media; /* seen, or'd */
};

enum { INSPECT_NOBODY = 2 };

/*
 * Announces what each description in `body` receives: it begins with a line "v=0" anywhere in
 * it (also within multipart bodies, RFC 2046, or braces, H.248) and ends with the first line
 * that is none of its own.
 */
void sdp_read(struct sdp *sdp, struct bytes body);

/* The name of one of the media, "audio"; bit is one of SDP_AUDIO and so on. */
const char *sdp_media_name(unsigned bit);

/* An address as text, of either version; the announcement's address is set from it. */
bool sdp_address(struct bytes text, struct inspect_announcement *announcement);

/* Whether translators use to stand before the address (RFC 1918, 6598, 3927, 4193, 4291). */
bool sdp_is_private(const struct inspect_announcement *announcement);

/* A decimal number of digits only, at most `most`; false otherwise. */
bool sdp_number(struct bytes text, uint32_t most, uint32_t *number);

/* The next word, up to blanks; empty at the end. */
struct bytes sdp_word(struct bytes *line);

#endif
