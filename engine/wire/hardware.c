/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/* Links that are not Ethernet, by their LINKTYPE_, and the table of all. */

enum {
	TYPE_IP4 = 0x0800,
	TYPE_IP6 = 0x86dd,
};

static struct next
only_ip4(struct decode *d)
{
	return link_ethertype(d, TYPE_IP4);
}

static struct next
only_ip6(struct decode *d)
{
	return link_ethertype(d, TYPE_IP6);
}

/* A header of fixed length, and what is behind it. */
static struct next
behind(struct decode *d, size_t len, struct next next)
{
	return decode_header(d, len) ? next : decode_fault(d, PACKET_SHORT_LINK);
}

/* A header whose last two bytes, but for some reserved ones, are an ethertype. */
static struct next
typed(struct decode *d, size_t len, size_t at)
{
	const uint8_t *h = decode_header(d, len);

	return h ? link_ethertype(d, decode_be16(h + at)) : decode_fault(d, PACKET_SHORT_LINK);
}

/* ISO 9314-2: frame control, addresses, LLC. */
static struct next
fddi(struct decode *d)
{
	return behind(d, 13, (struct next){ link_llc });
}

/* IEEE 802.5: access and frame control, addresses, routing if the source says so, LLC. */
static struct next
token_ring(struct decode *d)
{
	enum { ROUTED = 0x80, ROUTE_LENGTH = 0x1f };
	const uint8_t *h = decode_header(d, 14);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (h[8] & ROUTED && !decode_header(d, decode_peek(d) & ROUTE_LENGTH))
		return decode_fault(d, PACKET_SHORT_LINK);
	return (struct next){ link_llc };
}

/* RFC 1201 has fragments and numbers, and pads what is of an awkward length; RFC 1051 not. */
static struct next
arcnet_type(struct decode *d, uint8_t type)
{
	enum { EXCEPTION = 0xff };

	if (type == 240 || type == 241)
		return link_ethertype(d, type == 240 ? TYPE_IP4 : 0x0806);
	if (decode_peek(d) == EXCEPTION && !decode_header(d, 4))
		return decode_fault(d, PACKET_SHORT_LINK);
	if (!decode_header(d, 3))
		return decode_fault(d, PACKET_SHORT_LINK);
	switch (type) {
	case 212: return link_ethertype(d, TYPE_IP4);
	case 213: return link_ethertype(d, 0x0806);
	case 196: return link_ethertype(d, 0x86dd);
	default: return NEXT_NONE;
	}
}

/* LINKTYPE_ARCNET_BSD: source, destination, type. */
static struct next
arcnet_bsd(struct decode *d)
{
	const uint8_t *h = decode_header(d, 3);

	return h ? arcnet_type(d, h[2]) : decode_fault(d, PACKET_SHORT_LINK);
}

/* LINKTYPE_ARCNET_LINUX: an offset of two bytes more; fragments are joined. */
static struct next
arcnet_linux(struct decode *d)
{
	const uint8_t *h = decode_header(d, 5);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	switch (h[4]) {
	case 212:
	case 240: return link_ethertype(d, TYPE_IP4);
	case 213:
	case 241: return link_ethertype(d, 0x0806);
	case 196: return link_ethertype(d, 0x86dd);
	default: return NEXT_NONE;
	}
}

/* RFC 2684: LLC, or the packet alone where a circuit carries nothing else. */
static struct next
atm(struct decode *d)
{
	return (struct next){ decode_peek(d) >> 4 == 4 || decode_peek(d) >> 4 == 6 ? link_ip
										   : link_llc };
}

/* LINKTYPE_SUNATM: flags, path, channel. */
static struct next
atm_sun(struct decode *d)
{
	return behind(d, 4, (struct next){ atm });
}

/* RFC 4338: addresses of 8 bytes, LLC. */
static struct next
fibre_channel(struct decode *d)
{
	return behind(d, 16, (struct next){ link_llc });
}

/* RFC 2734: addresses of 8 bytes, ethertype. */
static struct next
firewire(struct decode *d)
{
	return typed(d, 18, 16);
}

/* RFC 4391 section 6 behind both link addresses of 20 bytes (section 9.1.1). */
static struct next
infiniband(struct decode *d)
{
	return typed(d, 44, 40);
}

/* DOCSIS 2.0 RF interface section 8.2: frame control, parameter, length, extension, check. */
static struct next
docsis(struct decode *d)
{
	enum { TYPE = 0xc0, EXTENDED = 0x01 };
	const uint8_t *h = decode_header(d, 4);

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	if (h[0] & TYPE)
		return NEXT_NONE;
	if (h[0] & EXTENDED && !decode_header(d, h[1]))
		return decode_fault(d, PACKET_SHORT_LINK);
	return behind(d, 2, (struct next){ link_ethernet });
}

/* LINKTYPE_NETANALYZER, and with the preamble. */
static struct next
analyzer(struct decode *d)
{
	return behind(d, 4, (struct next){ link_ethernet });
}

static struct next
analyzer_preamble(struct decode *d)
{
	return behind(d, 12, (struct next){ link_ethernet });
}

/* LINKTYPE_EPON and LINKTYPE_ETHERNET_MPACKET: a preamble of 8 bytes. */
static struct next
preamble(struct decode *d)
{
	return behind(d, 8, (struct next){ link_ethernet });
}

/* Tags of switch chips behind both addresses: 4 bytes, or 8 with an ethertype of their own. */
static struct next
switch_tag(struct decode *d)
{
	return typed(d, 18, 16);
}

static struct next
switch_long_tag(struct decode *d)
{
	return typed(d, 22, 20);
}

static struct next
switch_prepended(struct decode *d)
{
	return behind(d, 4, (struct next){ link_ethernet });
}

/* Endace's record: time, type, flags, lengths; extensions of 8 bytes, each saying if more. */
static struct next
endace(struct decode *d)
{
	enum { HDLC = 1, ETHERNET = 2, MORE = 0x80, TYPE = 0x7f, EXTENSIONS = 16 };
	const uint8_t *h = decode_header(d, 16);
	uint8_t type, more;

	if (!h)
		return decode_fault(d, PACKET_SHORT_LINK);
	type = h[8] & TYPE;
	more = h[8];
	for (int i = 0; more & MORE && i < EXTENSIONS; i++) {
		h = decode_header(d, 8);
		if (!h)
			return decode_fault(d, PACKET_SHORT_LINK);
		more = *h;
	}
	if (type == HDLC)
		return (struct next){ serial_hdlc };
	return type == ETHERNET ? behind(d, 2, (struct next){ link_ethernet }) : NEXT_NONE;
}

struct link {
	uint16_t linktype;
	struct next next;
};

/*
 * http://www.tcpdump.org/linktypes.html, Ethernet first. 12, 14 and 18 are some systems' raw
 * IP, 19 Linux' classical IP over ATM. barn(1) has the list for readers.
 */
static const struct link LINKS[] = {
	{ 1, { link_ethernet } },
	{ 0, { cooked_null } },
	{ 6, { token_ring } },
	{ 7, { arcnet_bsd } },
	{ 8, { cooked_slip } },
	{ 9, { serial_ppp } },
	{ 10, { fddi } },
	{ 12, { link_ip } },
	{ 14, { link_ip } },
	{ 15, { cooked_slip } },
	{ 18, { link_ip } },
	{ 19, { atm } },
	{ 50, { serial_hdlc } },
	{ 51, { serial_pppoe } },
	{ 100, { atm } },
	{ 101, { link_ip } },
	{ 104, { serial_hdlc } },
	{ 105, { wlan_frame } },
	{ 106, { atm } },
	{ 107, { serial_relay } },
	{ 108, { cooked_null } },
	{ 109, { cooked_enc } },
	{ 113, { cooked_v1 } },
	{ 117, { cooked_pflog } },
	{ 119, { wlan_prism } },
	{ 122, { fibre_channel } },
	{ 123, { atm_sun } },
	{ 127, { wlan_radiotap } },
	{ 129, { arcnet_linux } },
	{ 138, { firewire } },
	{ 143, { docsis } },
	{ 163, { wlan_avs } },
	{ 178, { cooked_juniper_ethernet } },
	{ 179, { cooked_juniper_ppp } },
	{ 180, { cooked_juniper_relay } },
	{ 181, { cooked_juniper_hdlc } },
	{ 192, { wlan_ppi } },
	{ 197, { endace } },
	{ 204, { serial_ppp_directed } },
	{ 226, { cooked_ipnet } },
	{ 228, { only_ip4 } },
	{ 229, { only_ip6 } },
	{ 239, { cooked_nflog } },
	{ 240, { analyzer } },
	{ 241, { analyzer_preamble } },
	{ 242, { infiniband } },
	{ 258, { cooked_pktap } },
	{ 259, { preamble } },
	{ 274, { preamble } },
	{ 276, { cooked_v2 } },
	{ 281, { switch_tag } },
	{ 282, { switch_prepended } },
	{ 283, { switch_tag } },
	{ 285, { switch_long_tag } },
};

struct next
hardware_by_type(uint16_t linktype)
{
	for (size_t i = 0; i < sizeof(LINKS) / sizeof(LINKS[0]); i++)
		if (LINKS[i].linktype == linktype)
			return LINKS[i].next;
	return NEXT_NONE;
}
