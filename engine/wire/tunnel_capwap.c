/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/* Frames of wireless networks, carried to a controller. */

enum {
	BINDING_802_11 = 1, /* RFC 5415 section 4.3 */
	NATIVE = 0x0100,    /* T */
	FRAGMENT = 0x0080,  /* F */
	KEEPALIVE = 0x0008, /* K */
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
	native = flags & NATIVE;
	bytes_skip(&b, 4);
	if (b.bad || preamble != 0 || header < 8 || flags & (FRAGMENT | KEEPALIVE))
		return NEXT_NONE;
	if (native ? (first >> 1 & 0x1f) != BINDING_802_11 : !link_is_ethernet(d, header))
		return NEXT_NONE;
	if (bytes_left(&d->at) < header || !tunnel_enter(d) || !path_push(d, LAYER_CAPWAP, 0))
		return NEXT_NONE;
	decode_header(d, header);
	return (struct next){ native ? wlan_tunnelled : link_ethernet };
}
