/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/* Headers between that of Ethernet and its content; behind each stands an ethertype. */

enum {
	TAG = 4,
	VLAN_MASK = 0x0fff,
	SERVICE_MASK = 0xffffff,
};

static struct next
tag(struct decode *d, enum packet_layer layer)
{
	const uint8_t *h = decode_header(d, TAG);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (!path_push(d, layer, decode_be16(h) & VLAN_MASK))
		return NEXT_NONE;
	return link_typed_or_llc(d, decode_be16(h + 2));
}

/* IEEE 802.1Q section 9.6. */
struct next
tag_customer(struct decode *d)
{
	return tag(d, LAYER_VLAN);
}

struct next
tag_service(struct decode *d)
{
	return tag(d, LAYER_SVLAN);
}

/* IEEE 802.1Q section 9.7: flags, service instance; then the customer's frame. */
struct next
tag_backbone(struct decode *d)
{
	const uint8_t *h = decode_header(d, 4);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (!path_push(d, LAYER_BACKBONE, decode_be32(h) & SERVICE_MASK))
		return NEXT_NONE;
	return (struct next){ link_ethernet };
}

/* Cisco's VN-Tag, whose ports are of one direction each. */
struct next
tag_vn(struct decode *d)
{
	const uint8_t *h = decode_header(d, 6);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (!path_push(d, LAYER_VNTAG, decode_be32(h)))
		return NEXT_NONE;
	return link_typed_or_llc(d, decode_be16(h + 4));
}

/* IEEE 802.1BR section 7.5: the E-tag has 6 bytes. */
struct next
tag_bridge_port(struct decode *d)
{
	const uint8_t *h = decode_header(d, 8);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (!path_push(d, LAYER_VNTAG, decode_be32(h)))
		return NEXT_NONE;
	return link_typed_or_llc(d, decode_be16(h + 6));
}

/* RFC 6325 section 3: version, options in 4 bytes, hops; egress and ingress; then a frame. */
struct next
tag_trill(struct decode *d)
{
	const uint8_t *h = decode_header(d, 6);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (h[0] >> 6 != 0 || !path_push(d, LAYER_TRILL, decode_be32(h + 2)))
		return NEXT_NONE;
	if (!decode_header(d, (decode_be16(h) >> 6 & 0x1f) * (size_t)4))
		return decode_fault(d, PACKET_SHORT_LINK);
	return (struct next){ link_ethernet };
}

/*
 * IEEE 802.1AE section 9: control, short length, packet number, channel if present. Only what
 * is not encrypted (neither bit set) is looked into; a check value of 16 bytes ends it.
 */
struct next
tag_macsec(struct decode *d)
{
	enum { HAS_CHANNEL = 0x20, ENCRYPTED = 0x0c, CHECK = 16 };
	const uint8_t *h = decode_header(d, 6);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (h[0] & ENCRYPTED)
		return NEXT_NONE;
	if (h[0] & HAS_CHANNEL && !decode_header(d, 8))
		return decode_fault(d, PACKET_SHORT_LINK);
	if (decode_left(d) > CHECK)
		decode_limit(d, decode_left(d) - CHECK);
	h = decode_header(d, 2);
	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	return link_typed_or_llc(d, decode_be16(h));
}

/* Cisco's metadata (security groups): version 1, length in 4 bytes. */
struct next
tag_metadata(struct decode *d)
{
	const uint8_t *h = decode_header(d, 2);
	size_t options;

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (h[0] != 1)
		return NEXT_NONE;
	options = h[1] * (size_t)4;
	h = decode_header(d, options + 2);
	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	return link_typed_or_llc(d, decode_be16(h + options));
}
