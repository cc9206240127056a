/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/* Frames of wireless networks, carried to a controller (CAPWAP) or to an analyser (TZSP). */

enum {
	CAPWAP_BINDING_802_11 = 1, /* RFC 5415 section 4.3 */
	CAPWAP_NATIVE = 0x0100,    /* T */
	CAPWAP_FRAGMENT = 0x0080,  /* F */
	CAPWAP_KEEPALIVE = 0x0008, /* K */
	TZSP_VERSION = 1,
	TZSP_KEEPALIVE = 4,
	TZSP_PADDING = 0,
	TZSP_END = 1,
	TZSP_TAGS = 32,
};

/*
 * RFC 5415 section 4.3: version and type, 0 for what is in clear; then header length in 4
 * bytes (5 bits), radio (5), binding (5) and flags.
 */
struct next
tunnel_capwap(struct decode *d)
{
	struct bytes b = d->at;
	uint8_t preamble = bytes_u8(&b);
	uint16_t first = bytes_be16(&b), flags;
	size_t header = (first >> 11) * (size_t)4;
	bool native;

	/* The last byte of the first word: F, L, W, M, K and three that are not used. */
	flags = (uint16_t)((first & 1u) << 8 | bytes_u8(&b));
	native = flags & CAPWAP_NATIVE;
	bytes_skip(&b, 4);
	if (b.bad || preamble != 0 || header < 8 ||
	    flags & (CAPWAP_FRAGMENT | CAPWAP_KEEPALIVE))
		return NEXT_NONE;
	if (native ? (first >> 1 & 0x1f) != CAPWAP_BINDING_802_11
		   : !link_is_ethernet(d, header))
		return NEXT_NONE;
	if (bytes_left(&d->at) < header || !tunnel_enter(d) || !path_push(d, LAYER_CAPWAP, 0))
		return NEXT_NONE;
	decode_header(d, header);
	return (struct next){ native ? wlan_tunnelled : link_ethernet };
}

/* TaZmen's sniffer protocol, as its analysers read it: the kinds are LINKTYPE_ numbers' kin. */
static struct next
tzsp_kind(uint16_t kind)
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
	uint8_t version = bytes_u8(&b), type = bytes_u8(&b), tag = TZSP_PADDING;
	struct next next = tzsp_kind(bytes_be16(&b));

	for (int i = 0; i < TZSP_TAGS && tag != TZSP_END; i++) {
		tag = bytes_u8(&b);
		if (tag != TZSP_END && tag != TZSP_PADDING)
			bytes_skip(&b, bytes_u8(&b));
	}
	if (b.bad || version != TZSP_VERSION || type >= TZSP_KEEPALIVE || tag != TZSP_END ||
	    !next.header || !tunnel_enter(d) || !path_push(d, LAYER_TZSP, 0))
		return NEXT_NONE;
	decode_header(d, (size_t)(b.p - d->at.p));
	return next;
}
