/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/headers.h"

enum {
	IP4_HEADER = 20,
	IP4_PLAIN = 0x45, /* version 4, no options */
	IP4_MORE = 0x2000,
	IP4_OFFSET = 0x1fff,
	IP6_HEADER = 40,
	PROTO_HOP_BY_HOP = 0,
	PROTO_TCP = 6,
	PROTO_UDP = 17,
};

/* The header is good: from here on this is the packet. */
static inline void
commit(struct decode *d, uint8_t version, uint16_t ethertype, const uint8_t *header)
{
	struct packet *p = d->packet;

	if (p->ip_version) { /* of the packet around this one; that is one of fragments stays */
		p->src = p->dst = (union packet_addr){ 0 };
		decode_reset_transport(p);
	}
	p->ip_version = version;
	p->ethertype = ethertype;
	decode_set_path(d);
	p->network = (struct bytes){ .p = header, .end = d->at.end };
}

/*
 * A fragment: to the table with it. The first goes on as far as it reaches, a
 * later one takes what the first one said, and the last to come goes on with all.
 */
struct next
ip_fragment(struct decode *d, struct fragment *f)
{
	struct packet *p = d->packet;
	const struct fragment_transport *known;
	struct fragment_joined joined;

	f->packet = p;
	f->path_key = d->path_key;
	if (d->path_way) /* a datagram has one direction */
		f->path_key = hash_mix(f->path_key ^ d->path_way);
	f->data = d->at;
	f->len = decode_left(d);
	p->fragment = true;
	p->reassembled = false;
	d->datagram = fragment_add(d->wire->fragments, f, &joined);
	if (joined.network.p) {
		p->reassembled = true;
		p->network = joined.network;
		d->at = joined.data;
		d->missing = 0;
		return l4_follow(d, joined.proto);
	}
	if (f->offset == 0)
		return l4_follow(d, f->proto);

	known = fragment_known(d->datagram);
	p->ip_proto = known ? known->proto : f->proto;
	if (!known)
		p->held = fragment_hold(d->wire->fragments, d->datagram, p);
	d->datagram = NULL;
	if (!known)
		return p->held ? NEXT_NONE : decode_fault(d, PACKET_FRAGMENT_LOST);
	p->src_port = known->src_port;
	p->dst_port = known->dst_port;
	return NEXT_NONE;
}

/* An IPv4 header that is not plain: with options, without a length, or bad. */
static __attribute__((noinline)) bool
unusual(struct decode *d, const uint8_t *h, uint16_t total)
{
	uint32_t header = (h[0] & 0x0fu) * 4;

	if (h[0] >> 4 != 4 || header < IP4_HEADER || (total < header && total != 0)) {
		d->packet->fault = PACKET_BAD_NETWORK;
		return false;
	}
	if (total != 0)
		decode_limit(d, total - IP4_HEADER);
	if (!decode_header(d, header - IP4_HEADER)) {
		d->packet->fault = PACKET_SHORT_NETWORK;
		return false;
	}
	return true;
}

/*
 * RFC 791 section 3.1. Segmentation offload leaves a total length of 0 in frames
 * of more than 64 KiB; such a packet ends with its frame.
 */
struct next
ip_4(struct decode *d)
{
	struct packet *p = d->packet;
	const uint8_t *h = decode_header(d, IP4_HEADER);
	uint16_t total, fragment;

	if (!h)
		return decode_fault(d, PACKET_SHORT_NETWORK);
	total = decode_be16(h + 2);
	if (h[0] == IP4_PLAIN && total >= IP4_HEADER)
		decode_limit(d, total - IP4_HEADER);
	else if (!unusual(d, h, total))
		return NEXT_NONE;
	commit(d, 4, 0x0800, h);
	p->tos = h[1];
	p->ttl = h[8];
	memcpy(p->src.b, h + 12, 4);
	memcpy(p->dst.b, h + 16, 4);
	fragment = decode_be16(h + 6);
	if (fragment & (IP4_MORE | IP4_OFFSET))
		return ip_fragment(
			d, &(struct fragment){ .id = decode_be16(h + 4),
					       .proto = h[9],
					       .more = fragment & IP4_MORE,
					       .offset = (fragment & IP4_OFFSET) * 8u });
	return l4_follow(d, h[9]);
}

/*
 * Whether a payload length of 0 means that of the frame: in jumbograms, whose option
 * is a hop-by-hop one (RFC 2675 section 2), and after segmentation offload, known by
 * a transport that cannot be empty.
 */
static bool
is_unsized(uint8_t proto)
{
	return proto == PROTO_HOP_BY_HOP || proto == PROTO_TCP || proto == PROTO_UDP;
}

/* RFC 8200 section 3. */
struct next
ip_6(struct decode *d)
{
	struct packet *p = d->packet;
	const uint8_t *h = decode_header(d, IP6_HEADER);
	uint32_t len;

	if (!h)
		return decode_fault(d, PACKET_SHORT_NETWORK);
	if (h[0] >> 4 != 6)
		return decode_fault(d, PACKET_BAD_NETWORK);
	len = decode_be16(h + 4);
	if (len != 0 || !is_unsized(h[6]))
		decode_limit(d, len);
	commit(d, 6, 0x86dd, h);
	p->tos = (uint8_t)(h[0] << 4 | h[1] >> 4);
	p->ttl = h[7];
	memcpy(p->src.b, h + 8, 16);
	memcpy(p->dst.b, h + 24, 16);
	return l4_follow(d, h[6]);
}
