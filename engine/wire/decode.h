/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WIRE_DECODE_H
#define WIRE_DECODE_H

/*
 * How wire decodes, for the files of this folder only. One function a header:
 * it takes its header from the front of `at`, notes what it says, and returns
 * the function of the header that follows, which it finds in one of the tables
 * (by LINKTYPE_, ethertype, IP protocol, UDP port, PPP protocol). wire_decode
 * calls one after the other, at most DECODE_STEPS of them: a loop, so that a
 * nest of a thousand tunnels costs neither stack nor time.
 *
 * The innermost IP packet is what counts. An IP header that is good replaces
 * what an outer one said, and only then the tunnel around it enters the path;
 * when a tunnel holds no IP packet, or a broken one, the packet that carries it
 * stands.
 */

#include "base/hash.h"
#include "wire/fragment.h"
#include "wire/packet.h"
#include "wire/wire.h"

enum { DECODE_STEPS = 256 };

struct wire {
	struct fragment_table *fragments;
	struct wire_stats stats;
};

struct decode {
	struct packet *packet;
	struct wire *wire;
	struct bytes at;  /* captured and not decoded yet; never longer than left */
	uint32_t left;    /* the same, on the wire */
	uint16_t type;    /* ethertype of the header at hand, as packet.ethertype */
	uint8_t path_len; /* hops so far; the packet's follow when an IP header is good */
	uint64_t path_key;
	struct fragment_datagram *datagram; /* of the IP header at hand; NULL: whole */
};

/* The header that follows; NULL: none, or none that barn knows. */
struct next {
	struct next (*header)(struct decode *d);
};

static const struct next NEXT_NONE = { NULL };

static inline struct next
decode_fault(struct decode *d, enum packet_fault fault)
{
	d->packet->fault = (uint8_t)fault;
	return NEXT_NONE;
}

/* n bytes of header, taken from the front; NULL if they were not captured. */
static inline const uint8_t *
decode_header(struct decode *d, size_t n)
{
	const uint8_t *header = bytes_next(&d->at, n);

	if (header)
		d->left -= (uint32_t)n;
	return header;
}

/* Cuts what follows (padding, trailers) to n bytes; a larger n changes nothing. */
static inline void
decode_limit(struct decode *d, uint32_t n)
{
	if (d->left <= n)
		return;
	d->left = n;
	if (bytes_left(&d->at) > n)
		d->at.end = d->at.p + n;
}

static inline uint16_t
decode_be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t
decode_be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* What the next byte is, without taking it; 0 if there is none. */
static inline uint8_t
decode_peek(const struct decode *d)
{
	return d->at.p < d->at.end ? *d->at.p : 0;
}

/* path.c: one hop more; false (and the fault) when there are too many. */
bool path_push(struct decode *d, enum packet_layer layer, uint32_t id);

/* path.c: the hop of the IP packet that was decoded last, which carries what follows. */
bool path_push_ip(struct decode *d);

/* wire.c: what was found of the datagram at hand is true for its other fragments. */
void decode_settle(struct decode *d);

/* The tables. Each returns NEXT_NONE for what it does not know. */
struct next link_by_type(uint16_t linktype);
struct next link_by_ethertype(uint16_t type);
struct next l4_by_proto(uint8_t proto);
struct next tunnel_by_port(uint16_t src_port, uint16_t dst_port);

/* Notes the ethertype and returns its header. */
struct next link_ethertype(struct decode *d, uint16_t type);

/* Whether an Ethernet header with an ethertype that barn knows is next, maybe after skip bytes.
 */
bool link_is_ethernet(const struct decode *d, size_t skip);

/* Headers that are found from several places. */
struct next link_ethernet(struct decode *d);
struct next link_llc(struct decode *d);
struct next link_snap(struct decode *d);
struct next link_nlpid(struct decode *d);
struct next link_ip(struct decode *d); /* version 4 or 6, as its first bits say */
struct next serial_ppp(struct decode *d);
struct next serial_ppp_directed(struct decode *d);
struct next serial_hdlc(struct decode *d);
struct next serial_relay(struct decode *d);
struct next serial_pppoe(struct decode *d);
struct next wlan_radiotap(struct decode *d);
struct next wlan_prism(struct decode *d);
struct next wlan_avs(struct decode *d);
struct next wlan_ppi(struct decode *d);
struct next wlan_frame(struct decode *d);
struct next ip_4(struct decode *d);
struct next ip_6(struct decode *d);
struct next extension_options(struct decode *d); /* hop-by-hop, destination, routing, ... */
struct next extension_fragment(struct decode *d);
struct next extension_ah(struct decode *d);
struct next tunnel_ip4(struct decode *d);
struct next tunnel_ip6(struct decode *d);
struct next tunnel_etherip(struct decode *d);
struct next tunnel_gre(struct decode *d);
struct next tunnel_mpls(struct decode *d);    /* a label stack on a link */
struct next tunnel_mpls_ip(struct decode *d); /* a label stack in IP */

#endif
