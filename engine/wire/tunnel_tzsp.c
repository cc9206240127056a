/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/* Frames of wireless networks, carried to an analyser. */

enum { VERSION = 1, KEEPALIVE = 4, PADDING = 0, END = 1, TAGS = 32 };

/* TaZmen's sniffer protocol, as its analysers read it: the kinds are LINKTYPE_ numbers' kin. */
static struct next
kind_of(uint16_t kind)
{
	switch (kind) {
	case 0x01: return (struct next){ link_ethernet };
	case 0x12: return (struct next){ wlan_frame };
	case 0x77: return (struct next){ wlan_prism };
	case 0x7f: return (struct next){ wlan_avs };
	default: return NEXT_NONE;
	}
}

/* Version, type, kind of frame, tagged values up to an end tag, frame. */
struct next
tunnel_tzsp(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t version = bytes_u8(&b), type = bytes_u8(&b), tag = PADDING;
	struct next next = kind_of(bytes_be16(&b));

	for (int i = 0; i < TAGS && tag != END; i++) {
		tag = bytes_u8(&b);
		if (tag != END && tag != PADDING)
			bytes_skip(&b, bytes_u8(&b));
	}
	if (b.bad || version != VERSION || type >= KEEPALIVE || tag != END || !next.header ||
	    !tunnel_enter(d) || !path_push(d, LAYER_TZSP, 0))
		return NEXT_NONE;
	decode_header(d, (size_t)(b.p - d->at.p));
	return next;
}
