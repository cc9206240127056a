/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/* Headers that capturing systems make up: they stand for a link, and never were on one. */

enum {
	LENGTH_MAX = 1500,
	HDLC_UNICAST = 0x0f,
	JUNIPER_MAGIC = 0x4d4743,
};

/* What Linux calls a protocol below 1536, and the hardware that needs another reading. */
static struct next
cooked(struct decode *d, uint16_t hardware, uint16_t protocol)
{
	enum { HARDWARE_RADIOTAP = 803, HARDWARE_NETLINK = 824, RAW_802_3 = 1, LLC = 4 };

	d->type = protocol;
	if (hardware == HARDWARE_NETLINK)
		return NEXT_NONE;
	if (hardware == HARDWARE_RADIOTAP)
		return (struct next){ wlan_radiotap };
	if (protocol == LLC)
		return (struct next){ link_llc };
	if (protocol == RAW_802_3)
		return NEXT_NONE;
	return link_ethertype(d, protocol);
}

/* LINKTYPE_LINUX_SLL. */
struct next
cooked_v1(struct decode *d)
{
	const uint8_t *h = decode_header(d, 16);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	return cooked(d, decode_be16(h + 2), decode_be16(h + 14));
}

/* LINKTYPE_LINUX_SLL2. */
struct next
cooked_v2(struct decode *d)
{
	const uint8_t *h = decode_header(d, 20);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	return cooked(d, decode_be16(h + 8), decode_be16(h));
}

/*
 * LINKTYPE_NULL and LINKTYPE_LOOP: an address family in the byte order of the host
 * that captured, or of the network. Families differ by system; what matters is
 * that it is one of IP, and the packet says which.
 */
struct next
cooked_null(struct decode *d)
{
	const uint8_t *h;
	uint32_t family;

	if (decode_peek(d) == HDLC_UNICAST) /* some systems name every serial line so */
		return (struct next){ serial_hdlc };
	h = decode_header(d, 4);
	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	family = decode_be32(h);
	if (family > 0xffff)
		family = __builtin_bswap32(family);
	switch (family) {
	case 2:  /* IPv4, everywhere */
	case 10: /* IPv6: Linux */
	case 23: /* Windows */
	case 24: /* NetBSD, OpenBSD */
	case 28: /* FreeBSD */
	case 30: /* macOS */ return (struct next){ link_ip };
	default: return family > LENGTH_MAX ? link_ethertype(d, (uint16_t)family) : NEXT_NONE;
	}
}

/*
 * LINKTYPE_NFLOG: attributes of length and type in the order of the host, each padded
 * to 4 bytes; one has the ethertype, another the packet. Lengths are small: read in the
 * other order they are beyond the frame, and the types beyond all that there are.
 */
struct next
cooked_nflog(struct decode *d)
{
	enum { ATTRIBUTES = 32, TYPES = 0x100, HEADER = 1, PAYLOAD = 9 };
	uint16_t protocol = 0;

	if (!decode_header(d, 4))
		return decode_fault(d, PACKET_SHORT_LINK);
	for (int i = 0; i < ATTRIBUTES; i++) {
		struct bytes b = d->at;
		uint16_t len = bytes_le16(&b), type = bytes_le16(&b);

		if (len > decode_left(d) || type >= TYPES) {
			len = __builtin_bswap16(len);
			type = __builtin_bswap16(type);
		}
		if (len < 4 || !decode_header(d, 4))
			return decode_fault(d, PACKET_SHORT_LINK);
		if (type == PAYLOAD) {
			decode_limit(d, len - 4u);
			return protocol ? link_ethertype(d, protocol)
					: (struct next){ link_ip };
		}
		if (type == HEADER)
			protocol = bytes_be16(&b);
		if (!decode_header(d, ((len + 3u) & ~3u) - 4))
			return decode_fault(d, PACKET_SHORT_LINK);
	}
	return NEXT_NONE;
}

/* A header of fixed length, and an IP packet. */
static struct next
ip_behind(struct decode *d, size_t len)
{
	if (!decode_header(d, len))
		return decode_fault(d, PACKET_SHORT_LINK);
	return (struct next){ link_ip };
}

/* LINKTYPE_IPNET: Solaris' observability nodes. */
struct next
cooked_ipnet(struct decode *d)
{
	return ip_behind(d, 24);
}

/* LINKTYPE_ENC: family, security parameters index, flags. */
struct next
cooked_enc(struct decode *d)
{
	return ip_behind(d, 12);
}

/* LINKTYPE_PFLOG: its first byte is its length, without the padding to 4 bytes. */
struct next
cooked_pflog(struct decode *d)
{
	return ip_behind(d, (decode_peek(d) + 3u) & ~3u);
}

/* LINKTYPE_SLIP, as libpcap gives it: direction and the compressed header. */
struct next
cooked_slip(struct decode *d)
{
	return ip_behind(d, 16);
}

/* LINKTYPE_PKTAP: length, type, and the LINKTYPE_ of what follows, in the host's order. */
struct next
cooked_pktap(struct decode *d)
{
	struct bytes b = d->at;
	uint32_t len = bytes_le32(&b), linktype;
	struct next next;

	bytes_skip(&b, 4);
	linktype = bytes_le32(&b);
	if (b.bad || !decode_header(d, len))
		return decode_fault(d, PACKET_SHORT_LINK);
	next = linktype <= UINT16_MAX ? hardware_by_type((uint16_t)linktype) : NEXT_NONE;
	return next.header ? next : decode_fault(d, PACKET_UNKNOWN_LINK);
}

/*
 * LINKTYPE_JUNIPER_...: a number that marks them, flags, an extension with its length. Whether
 * the link's own header follows is a flag as well.
 */
static struct next
juniper(struct decode *d, struct next link)
{
	enum { NO_LINK = 0x02, EXTENDED = 0x80 };
	const uint8_t *h = decode_header(d, 4);
	uint8_t flags;

	if (!h || decode_be32(h) >> 8 != JUNIPER_MAGIC)
		return decode_fault(d, PACKET_SHORT_LINK);
	flags = h[3];
	if (flags & EXTENDED) {
		h = decode_header(d, 2);
		if (!h || !decode_header(d, decode_be16(h)))
			return decode_fault(d, PACKET_SHORT_LINK);
	}
	if (!(flags & NO_LINK))
		return link;
	return decode_header(d, 4) ? (struct next){ link_ip }
				   : decode_fault(d, PACKET_SHORT_LINK);
}

struct next
cooked_juniper_ethernet(struct decode *d)
{
	return juniper(d, (struct next){ link_ethernet });
}

struct next
cooked_juniper_ppp(struct decode *d)
{
	return juniper(d, (struct next){ serial_ppp });
}

struct next
cooked_juniper_relay(struct decode *d)
{
	return juniper(d, (struct next){ serial_relay });
}

struct next
cooked_juniper_hdlc(struct decode *d)
{
	return juniper(d, (struct next){ serial_hdlc });
}
