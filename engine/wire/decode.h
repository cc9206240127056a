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

#include <stddef.h>

enum { DECODE_STEPS = 256 };

struct wire {
	struct fragment_table *fragments;
	struct wire_stats stats;
	uint64_t tunnels; /* tunnel_port_bits() */
	uint32_t opaque;  /* 1 << enum packet_layer, or'd */
};

struct decode {
	struct packet *packet;
	struct wire *wire;
	struct bytes at;  /* captured and not decoded yet; never bad */
	uint32_t missing; /* that follow on the wire and were not captured */
	uint16_t type;    /* ethertype of the header at hand, as packet.ethertype */
	uint8_t path_len; /* hops so far; the packet's follow when an IP header is good */
	uint32_t path_way;
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

/*
 * n bytes of header, taken from the front; NULL if they were not captured. The one
 * way to a header's bytes; those at the pointer are checked, and no others.
 */
static inline const uint8_t *
decode_header(struct decode *d, size_t n)
{
	const uint8_t *header = d->at.p;

	if (bytes_left(&d->at) < n)
		return NULL;
	d->at.p += n;
	return header;
}

/* What is not decoded yet, on the wire. */
static inline uint32_t
decode_left(const struct decode *d)
{
	return (uint32_t)bytes_left(&d->at) + d->missing;
}

/* Cuts what follows (padding, trailers) to n bytes; a larger n changes nothing. */
static inline void
decode_limit(struct decode *d, uint32_t n)
{
	uint32_t captured = (uint32_t)bytes_left(&d->at);

	if (n < captured) {
		d->at.end = d->at.p + n;
		d->missing = 0;
	} else if (n - captured < d->missing) {
		d->missing = n - captured;
	}
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

/* The hops so far are those of the packet. */
static inline void
decode_set_path(const struct decode *d)
{
	d->packet->path_len = d->path_len;
	d->packet->path_key = d->path_key;
	d->packet->path_way = d->path_way;
}

/*
 * What decoding sets, in two parts: a packet in a packet replaces what the outer
 * one's transport said. The path's hops mean nothing beyond path_len.
 */
static inline void
decode_reset_network(struct packet *p)
{
	size_t from = offsetof(struct packet, fault), to = offsetof(struct packet, src_port);

	memset((uint8_t *)p + from, 0, to - from);
	p->path_key = 0;
}

static inline void
decode_reset_transport(struct packet *p)
{
	size_t from = offsetof(struct packet, src_port), to = offsetof(struct packet, path);

	memset((uint8_t *)p + from, 0, to - from);
}

#endif
