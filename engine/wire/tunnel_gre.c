/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

/*
 * Generic routing encapsulation, and what only it carries: ERSPAN's mirrored frames and
 * WCCP's redirected packets.
 *
 *	flags and version | type | checksum, offset | key | sequence | (ack) | routing ...
 */

enum {
	CHECKSUM = 0x8000, /* RFC 2784 section 2.1 and RFC 2890 section 2 */
	ROUTING = 0x4000,  /* RFC 1701 */
	KEY = 0x2000,
	SEQUENCE = 0x1000,
	ACK = 0x0080, /* version 1, RFC 2637 section 4.1 */
	VERSION = 0x0007,
	TYPE_PPP = 0x880b,
	TYPE_ERSPAN = 0x88be, /* types I and II, draft-foschiano-erspan section 4 */
	TYPE_ERSPAN_3 = 0x22eb,
	TYPE_WCCP = 0x883e,
	TYPE_IP4 = 0x0800,
	ROUTES = 16, /* source route entries that are followed */
};

struct gre {
	uint16_t flags, type;
	uint32_t key;
	size_t len; /* of the header */
};

/* RFC 1701: address family, offset and length of each entry; the last has neither. */
static void
skip_routes(struct bytes *b)
{
	for (int i = 0; i < ROUTES && !b->bad; i++) {
		uint16_t family = bytes_be16(b);
		uint8_t len;

		bytes_skip(b, 1);
		len = bytes_u8(b);
		if (family == 0 && len == 0)
			return;
		bytes_skip(b, len);
	}
	b->bad = true;
}

static bool
read(struct bytes at, struct gre *gre)
{
	struct bytes b = at;
	unsigned version;

	gre->flags = bytes_be16(&b);
	gre->type = bytes_be16(&b);
	version = gre->flags & VERSION;
	gre->key = 0;
	if (version > 1 || (version == 1 && gre->type != TYPE_PPP))
		return false;
	if (gre->flags & (CHECKSUM | ROUTING))
		bytes_skip(&b, 4);
	if (gre->flags & KEY)
		gre->key = bytes_be32(&b);
	if (gre->flags & SEQUENCE)
		bytes_skip(&b, 4);
	if (version == 1 && gre->flags & ACK)
		bytes_skip(&b, 4);
	if (gre->flags & ROUTING)
		skip_routes(&b);
	if (version == 1) /* RFC 2637 section 4.1: length and call */
		gre->key &= 0xffff;
	gre->len = (size_t)(b.p - at.p);
	return !b.bad && bytes_left(&b) > 0;
}

/* Enters the tunnel and takes the header, its own and `more` bytes. */
static bool
take(struct decode *d, const struct gre *gre, enum packet_layer layer, uint32_t id, size_t more)
{
	return tunnel_enter(d) && path_push(d, layer, id) &&
	       decode_header(d, gre->len + more) != NULL;
}

/* Type I has no header, which a GRE header without sequence tells; type II has 8 bytes. */
static struct next
erspan(struct decode *d, const struct gre *gre)
{
	enum { HEADER = 8, SESSION = 0x03ff };
	struct bytes b = d->at;
	size_t header = gre->flags & SEQUENCE ? HEADER : 0;
	uint32_t session = 0;

	bytes_skip(&b, gre->len);
	if (header)
		session = bytes_be32(&b) & SESSION;
	if (b.bad || !link_is_ethernet(d, gre->len + header) ||
	    !take(d, gre, LAYER_ERSPAN, session, header))
		return NEXT_NONE;
	return (struct next){ link_ethernet };
}

/* Type III: 12 bytes, and 8 more where the last bit says so; the frame may be an IP packet. */
static struct next
erspan_3(struct decode *d, const struct gre *gre)
{
	enum { HEADER = 12, SUBHEADER = 8, SESSION = 0x03ff, HAS_SUBHEADER = 1, IP = 2 };
	struct bytes b = d->at;
	size_t header = HEADER;
	uint32_t session;
	uint16_t last;
	bool ip;

	bytes_skip(&b, gre->len);
	session = bytes_be32(&b) & SESSION;
	bytes_skip(&b, 6);
	last = bytes_be16(&b);
	if (last & HAS_SUBHEADER)
		header += SUBHEADER;
	ip = (last >> 10 & 0x1f) == IP;
	if (b.bad || (ip ? !tunnel_is_ip(d, gre->len + header)
			 : !link_is_ethernet(d, gre->len + header)))
		return NEXT_NONE;
	if (!take(d, gre, LAYER_ERSPAN, session, header))
		return NEXT_NONE;
	return (struct next){ ip ? link_ip : link_ethernet };
}

/* Version 1 sends the packet at once, version 2 behind 4 bytes of its own. */
static struct next
wccp(struct decode *d, const struct gre *gre)
{
	size_t own = tunnel_is_ip(d, gre->len) ? 0 : 4;

	if (!tunnel_is_ip(d, gre->len + own) || !take(d, gre, LAYER_GRE, gre->key, own))
		return NEXT_NONE;
	return link_ethertype(d, TYPE_IP4);
}

struct next
tunnel_gre(struct decode *d)
{
	struct gre gre;

	tunnel_keep(d);
	if (!read(d->at, &gre))
		return NEXT_NONE;
	switch (gre.type) {
	case TYPE_ERSPAN: return erspan(d, &gre);
	case TYPE_ERSPAN_3: return erspan_3(d, &gre);
	case TYPE_WCCP: return wccp(d, &gre);
	default: break;
	}
	if (!link_by_ethertype(gre.type).header ||
	    !take(d, &gre, gre.flags & VERSION ? LAYER_PPTP : LAYER_GRE, gre.key, 0))
		return NEXT_NONE;
	return link_ethertype(d, gre.type);
}
