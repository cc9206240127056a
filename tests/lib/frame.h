/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_FRAME_H
#define BARN_TESTS_FRAME_H

/*
 * Frames for tests and benches, built from the inside out.
 *
 * A frame starts as payload; each call then puts one header in front of what is there, so that
 * lengths, next-protocol fields and checksums are known when the header is written:
 *
 *	struct frame f;
 *
 *	frame_init(&f, "GET / HTTP/1.0\r\n\r\n", 18);
 *	frame_tcp(&f, &(struct frame_tcp){ .sport = 40000, .dport = 80, .seq = 1,
 *					   .ack = 1, .flags = FRAME_PSH | FRAME_ACK });
 *	frame_ipv4(&f, frame_addr("10.0.0.1"), frame_addr("10.0.0.2"));
 *	frame_vlan(&f, 0x8100, 7);		inner tag
 *	frame_vlan(&f, 0x88a8, 100);		outer tag
 *	frame_ether(&f, NULL, NULL);
 *
 *	f.data[0 .. f.len) is the frame
 *
 * Anything without a call of its own goes in front with frame_push(); f.ip_proto and
 * f.ethertype say what the next header in front will announce, and may be set by hand. Tests
 * of bad frames build a good one and then spoil f.data. A tunnel is more calls.
 *
 * The builder owns its bytes and has no state elsewhere. A caller that overfills the headroom
 * or passes nonsense gets a message and abort(): this is test code.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	FRAME_HEADROOM = 1024,
	FRAME_PAYLOAD_MAX = 65535,
};

enum {
	FRAME_FIN = 0x01,
	FRAME_SYN = 0x02,
	FRAME_RST = 0x04,
	FRAME_PSH = 0x08,
	FRAME_ACK = 0x10,
};

struct frame {
	uint8_t *data;      /* first byte, inside room */
	size_t len;         /* bytes from data to the end */
	uint8_t ip_proto;   /* what data starts with, as an IP protocol number */
	uint16_t ethertype; /* what data starts with, as an ethertype */
	/* The transport header whose checksum the next IP header completes; NULL: none. */
	uint8_t *transport;
	uint8_t transport_proto;
	uint8_t room[FRAME_HEADROOM + FRAME_PAYLOAD_MAX];
};

/* An IPv4 (family 4, first 4 bytes) or IPv6 (family 6) address, network order. */
struct frame_addr {
	uint8_t family;
	uint8_t bytes[16];
};

struct frame_end {
	struct frame_addr addr;
	uint16_t port;
};

/* Both IP headers: what a caller rarely needs to say. Zero means the value in brackets. */
struct frame_ip {
	uint8_t ttl;            /* [64] */
	uint8_t tos;            /* DSCP and ECN, or the traffic class [0] */
	uint16_t id;            /* IPv4 [0] */
	bool fragmentable;      /* IPv4: clears DF [DF set, unless a fragment] */
	uint16_t fragment;      /* IPv4: flags and offset as in the header [0] */
	uint32_t flow_label;    /* IPv6 [0] */
	const uint8_t *options; /* IPv4, a multiple of 4 bytes, at most 40 [none] */
	size_t options_len;
};

struct frame_tcp {
	uint16_t sport, dport;
	uint32_t seq, ack;
	uint8_t flags;
	uint16_t window;        /* [64240] */
	const uint8_t *options; /* a multiple of 4 bytes, at most 40 [none] */
	size_t options_len;
};

/* Reads "10.0.0.1" or "fd00::1"; the second form answers false where the first aborts. */
struct frame_addr frame_addr(const char *text);
bool frame_addr_parse(const char *text, struct frame_addr *addr);

/* Starts a frame whose only content is these bytes (copied; NULL with 0 for none). */
void frame_init(struct frame *f, const void *payload, size_t len);

/* Transport headers. The checksum is completed by the IP header put in front. */
void frame_tcp(struct frame *f, const struct frame_tcp *tcp);
void frame_udp(struct frame *f, uint16_t sport, uint16_t dport);

/*
 * IP headers. frame_ipv4 and frame_ipv6 take the defaults above; frame_ip takes either family
 * and the rest. The transport checksum of what follows is completed, through any extension
 * headers in between.
 */
void frame_ip(struct frame *f, struct frame_addr src, struct frame_addr dst,
	      const struct frame_ip *ip);
void frame_ipv4(struct frame *f, struct frame_addr src, struct frame_addr dst);
void frame_ipv6(struct frame *f, struct frame_addr src, struct frame_addr dst);

/*
 * An IPv6 extension header of the common form (RFC 8200 section 4: hop-by-hop 0, routing 43,
 * destination 60, ...): body is what follows the two first bytes; it is filled up with zeros,
 * Pad1 options, to a multiple of 8 bytes. With no body: 6 bytes of padding.
 */
void frame_extension(struct frame *f, uint8_t type, const void *body, size_t len);

/* An IPv6 fragment header (RFC 8200 section 4.5). offset: bytes, a multiple of 8. */
void frame_fragment(struct frame *f, uint16_t offset, bool more, uint32_t id);

/* One VLAN tag: tpid 0x8100 or 0x88a8, tci is priority, DEI and VLAN number. */
void frame_vlan(struct frame *f, uint16_t tpid, uint16_t tci);

/* One MPLS label stack entry; the bottom-of-stack bit is set where IP follows at once. */
void frame_mpls(struct frame *f, uint32_t label);

/* Ethernet addresses of 6 bytes; NULL takes a made-up one. */
void frame_ether(struct frame *f, const uint8_t *src, const uint8_t *dst);

/* Any bytes in front. Leaves ip_proto and ethertype as they are. */
void frame_push(struct frame *f, const void *bytes, size_t len);

/* The Internet checksum (RFC 1071) of these bytes, as a number to store in network order. */
uint16_t frame_checksum(const void *bytes, size_t len);

#endif
