/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef WIRE_HEADERS_H
#define WIRE_HEADERS_H

/* The functions that decode.h speaks of, one a header, and the tables that find them. */

#include "wire/decode.h"

/*
 * path.c: one hop more; false when the layer is opaque, and (with a fault) when there are too
 * many.
 */
bool path_push(struct decode *d, enum packet_layer layer, uint32_t id);

/* Whether this layer is not to be looked into (wire_options). */
static inline bool
path_opaque(const struct decode *d, enum packet_layer layer)
{
	return d->wire->opaque >> layer & 1;
}

/* path.c: the hop of the IP packet that was decoded last, which carries what follows. */
bool path_push_ip(struct decode *d);

/* wire.c: what was found of the datagram at hand is true for its other fragments. */
void decode_settle(struct decode *d);

/* The tables. Each returns NEXT_NONE for what it does not know. */
struct next hardware_by_type(uint16_t linktype);
struct next link_by_ethertype(uint16_t type);

/* plain.c: all of a frame that is one of the most frequent kind; false: any other. */
bool plain_decode(const struct wire *wire, struct packet *packet);

/* Notes the ethertype and returns its header. */
struct next link_ethertype(struct decode *d, uint16_t type);

/* Whether an Ethernet header with an ethertype that barn knows is next, maybe after skip bytes.
 */
bool link_is_ethernet(const struct decode *d, size_t skip);

struct next l4_other(struct decode *d);

/* By IANA's protocol number; NULL: all payload, see l4_by_proto. */
extern const struct next l4_protos[256];

static inline struct next
l4_by_proto(uint8_t proto)
{
	struct next next = l4_protos[proto];

	return next.header ? next : (struct next){ l4_other };
}

static inline struct next
l4_follow(struct decode *d, uint8_t proto)
{
	d->packet->ip_proto = proto;
	return l4_by_proto(proto);
}

/*
 * By UDP port. A word in which each tunnel's port has set a bit tells at once that
 * nearly all ports are no tunnel's.
 */
static inline unsigned int
tunnel_port_bit(uint16_t port)
{
	return port / 8 % 64;
}

uint64_t tunnel_port_bits(void);
struct next tunnel_port_either(uint16_t src_port, uint16_t dst_port);

static inline struct next
tunnel_port_find(uint64_t ports, uint16_t src_port, uint16_t dst_port)
{
	if (!((ports >> tunnel_port_bit(src_port) | ports >> tunnel_port_bit(dst_port)) & 1))
		return NEXT_NONE;
	return tunnel_port_either(src_port, dst_port);
}

/* Headers that are found from several places. */
struct next link_ethernet(struct decode *d);
struct next link_llc(struct decode *d);
struct next link_typed_or_llc(struct decode *d, uint16_t type);
struct next link_snap(struct decode *d);
struct next link_nlpid(struct decode *d);
struct next link_ip(struct decode *d); /* version 4 or 6, as its first bits say */
struct next tag_customer(struct decode *d);
struct next tag_service(struct decode *d);
struct next tag_backbone(struct decode *d);
struct next tag_vn(struct decode *d);
struct next tag_bridge_port(struct decode *d);
struct next tag_trill(struct decode *d);
struct next tag_macsec(struct decode *d);
struct next tag_metadata(struct decode *d);
struct next cooked_v1(struct decode *d);
struct next cooked_v2(struct decode *d);
struct next cooked_null(struct decode *d);
struct next cooked_nflog(struct decode *d);
struct next cooked_ipnet(struct decode *d);
struct next cooked_enc(struct decode *d);
struct next cooked_pflog(struct decode *d);
struct next cooked_slip(struct decode *d);
struct next cooked_pktap(struct decode *d);
struct next cooked_juniper_ethernet(struct decode *d);
struct next cooked_juniper_ppp(struct decode *d);
struct next cooked_juniper_relay(struct decode *d);
struct next cooked_juniper_hdlc(struct decode *d);
struct next serial_ppp(struct decode *d);
struct next serial_ppp_directed(struct decode *d);
struct next serial_hdlc(struct decode *d);
struct next serial_relay(struct decode *d);
struct next serial_pppoe(struct decode *d);
bool serial_is_ppp(const struct decode *d, size_t skip); /* a PPP frame that barn decodes */
struct next wlan_radiotap(struct decode *d);
struct next wlan_prism(struct decode *d);
struct next wlan_avs(struct decode *d);
struct next wlan_ppi(struct decode *d);
struct next wlan_frame(struct decode *d);
struct next wlan_tunnelled(struct decode *d); /* as controllers get it */
struct next ip_4(struct decode *d);
struct next ip_6(struct decode *d);
struct next ip_fragment(struct decode *d, struct fragment *f); /* all but its packet is set */
struct next extension_options(struct decode *d); /* hop-by-hop, destination, routing, ... */
struct next extension_fragment(struct decode *d);
struct next extension_ah(struct decode *d);
struct next tunnel_ip4(struct decode *d);
struct next tunnel_ip6(struct decode *d);
struct next tunnel_ethernet(struct decode *d);
struct next tunnel_etherip(struct decode *d);
struct next tunnel_gre(struct decode *d);
struct next tunnel_mpls(struct decode *d);    /* a label stack on a link */
struct next tunnel_mpls_ip(struct decode *d); /* a label stack in IP */
struct next tunnel_vxlan(struct decode *d);
struct next tunnel_vxlan_gpe(struct decode *d);
struct next tunnel_geneve(struct decode *d);
struct next tunnel_nsh(struct decode *d);
uint16_t tunnel_nsh_type(uint8_t protocol); /* 0: none that barn knows */
struct next tunnel_lisp(struct decode *d);
struct next tunnel_gtp(struct decode *d);
struct next tunnel_gtp_0(struct decode *d);
struct next tunnel_teredo(struct decode *d);
struct next tunnel_ayiya(struct decode *d);
struct next tunnel_l2tp(struct decode *d);    /* in UDP */
struct next tunnel_l2tp_ip(struct decode *d); /* in IP */
struct next tunnel_capwap(struct decode *d);
struct next tunnel_tzsp(struct decode *d);
struct next tunnel_esp(struct decode *d);

/* tunnel.c: the packet at hand becomes a hop. Not that of a first fragment: false. */
bool tunnel_enter(struct decode *d);

/* What follows is all payload of the packet at hand, until an inner one is found. */
void tunnel_keep(struct decode *d);

/* Whether an IPv4 or IPv6 header of a plausible length is next, after skip bytes. */
bool tunnel_is_ip(const struct decode *d, size_t skip);

#endif
