/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	PADDED = 1, /* how a frame departs from the standard's form */
	SWAPPED = 2,
	HEADER = 24,
	VERSION = 0x03, /* frame control, first byte: 0 */
	TYPE = 0x0c,    /* frame control, first byte */
	TYPE_DATA = 0x08,
	SUBTYPE_NO_DATA = 0x40,
	SUBTYPE_QOS = 0x80,
	BOTH_DS = 0x03, /* frame control, second byte: from an access point to another */
	PROTECTED = 0x40,
	HT_CONTROL = 0x80,
	QOS_AMSDU = 0x80,
	FCS = 4,
	RADIOTAP_HEADER = 8,
	RADIOTAP_TSFT = 1u << 0,
	RADIOTAP_FLAGS = 1u << 1,
	RADIOTAP_HAS_FCS = 0x10,
	RADIOTAP_PADDED = 0x20,
	PRISM_HEADER = 144,
	AVS_HEADER = 8,
	AVS_COOKIE = 0x802110, /* and its version, one byte */
	PPI_HEADER = 8,
};

/* An MSDU among several: addresses, length, LLC (IEEE 802.11 section 9.3.2.2.2). */
static struct next
first_of_several(struct decode *d)
{
	const uint8_t *h = decode_header(d, 14);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	decode_limit(d, decode_be16(h + 12));
	return (struct next){ link_llc };
}

/*
 * IEEE 802.11 section 9.3.2.1. Management and control frames, and what is encrypted,
 * end here. Some cards pad the header to a multiple of 4.
 */
static struct next
frame(struct decode *d, unsigned form)
{
	bool qos, wds, several = false;
	uint8_t first, second;
	const uint8_t *h;
	size_t more = 0;

	if (!path_push(d, LAYER_WLAN, 0))
		return NEXT_NONE;
	if (bytes_left(&d->at) > 0 && !(form & SWAPPED) && (decode_peek(d) & TYPE) != TYPE_DATA)
		return NEXT_NONE;
	h = decode_header(d, HEADER);
	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	first = form & SWAPPED ? h[1] : h[0];
	second = form & SWAPPED ? h[0] : h[1];
	if ((first & TYPE) != TYPE_DATA || first & SUBTYPE_NO_DATA)
		return NEXT_NONE;
	qos = first & SUBTYPE_QOS;
	wds = (second & BOTH_DS) == BOTH_DS;
	if (wds)
		more += 6;
	if (qos)
		more += 2;
	if (qos && second & HT_CONTROL)
		more += 4;
	if (form & PADDED)
		more += (4 - (HEADER + more) % 4) % 4;
	if (qos) {
		struct bytes control = d->at;

		bytes_skip(&control, wds ? 6 : 0);
		several = bytes_u8(&control) & QOS_AMSDU;
	}
	if (!decode_header(d, more))
		return decode_fault(d, PACKET_SHORT_LINK);
	if (second & PROTECTED)
		return NEXT_NONE;
	return (struct next){ several ? first_of_several : link_llc };
}

struct next
wlan_frame(struct decode *d)
{
	return frame(d, 0);
}

static struct next
swapped(struct decode *d)
{
	return frame(d, SWAPPED);
}

/*
 * Some access points swap the two bytes of the frame control field. The version is 0, so the
 * byte that says more in its lowest bits is the second; if neither does the order is right.
 */
struct next
wlan_tunnelled(struct decode *d)
{
	return (struct next){ (decode_peek(d) & VERSION) ? swapped : wlan_frame };
}

/* The flags of a radiotap header, the second field after the words that say what is there. */
static uint8_t
radiotap_flags(struct bytes b)
{
	const uint8_t *start = b.p;
	uint32_t present, more;

	bytes_skip(&b, 4);
	present = more = bytes_le32(&b);
	while (more & 1u << 31 && !b.bad)
		more = bytes_le32(&b);
	if (b.bad || !(present & RADIOTAP_FLAGS))
		return 0;
	if (present & RADIOTAP_TSFT) {
		bytes_skip(&b, (8 - (size_t)(b.p - start) % 8) % 8);
		bytes_skip(&b, 8);
	}
	return bytes_u8(&b);
}

/* http://www.radiotap.org: version, pad, length, present, fields. */
struct next
wlan_radiotap(struct decode *d)
{
	struct bytes b = d->at;
	uint32_t len;
	uint8_t flags;

	bytes_skip(&b, 2);
	len = bytes_le16(&b);
	b = d->at;
	if (len < RADIOTAP_HEADER || !decode_header(d, len))
		return decode_fault(d, PACKET_SHORT_LINK);
	flags = radiotap_flags(bytes_of(b.p, len));
	if (flags & RADIOTAP_HAS_FCS && decode_left(d) >= FCS)
		decode_limit(d, decode_left(d) - FCS);
	return frame(d, flags & RADIOTAP_PADDED ? PADDED : 0);
}

/* LINKTYPE_IEEE802_11_AVS: a number that marks it, and its length. */
struct next
wlan_avs(struct decode *d)
{
	struct bytes b = d->at;
	uint32_t len;

	bytes_skip(&b, 4);
	len = bytes_be32(&b);
	if (len < AVS_HEADER || !decode_header(d, len))
		return decode_fault(d, PACKET_SHORT_LINK);
	return frame(d, 0);
}

/* LINKTYPE_IEEE802_11_PRISM; some drivers put AVS there. */
struct next
wlan_prism(struct decode *d)
{
	struct bytes b = d->at;

	if (bytes_be24(&b) == AVS_COOKIE)
		return (struct next){ wlan_avs };
	if (!decode_header(d, PRISM_HEADER))
		return decode_fault(d, PACKET_SHORT_LINK);
	return frame(d, 0);
}

/* LINKTYPE_PPI: version, flags, length, the LINKTYPE_ of what follows. */
struct next
wlan_ppi(struct decode *d)
{
	struct bytes b = d->at;
	uint32_t len, linktype;
	struct next next;

	bytes_skip(&b, 2);
	len = bytes_le16(&b);
	linktype = bytes_le32(&b);
	if (len < PPI_HEADER || !decode_header(d, len))
		return decode_fault(d, PACKET_SHORT_LINK);
	next = linktype <= UINT16_MAX ? hardware_by_type((uint16_t)linktype) : NEXT_NONE;
	return next.header ? next : decode_fault(d, PACKET_UNKNOWN_LINK);
}
