/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_KEY_H
#define FLOW_KEY_H

/*
 * The flow's identity on the packet path: inline, because each packet pays for it. Private to
 * flow; others call flow_key_of.
 */

#include "base/hash.h"
#include "flow/flow.h"

#include <endian.h>

enum { KEY_TCP = 6, KEY_ICMP = 1, KEY_ICMP6 = 58 };

/* Whether the packet's sender is the higher end: by address, then by port. */
static inline unsigned
key_from(const struct packet *packet, uint16_t src_port, uint16_t dst_port)
{
	uint64_t s = be64toh(packet->src.q[0]), d = be64toh(packet->dst.q[0]);

	if (s == d) {
		s = be64toh(packet->src.q[1]);
		d = be64toh(packet->dst.q[1]);
		if (s == d)
			return src_port > dst_port;
	}
	return s > d;
}

/*
 * The ports of ICMP are type and code, which differ by direction: its flow is all that two
 * addresses tell each other. A frame without IP has no ends that we know of: all frames of an
 * ethertype on a path are one flow, from FLOW_A.
 */
static inline unsigned
key_of(const struct packet *packet, struct flow_key *key)
{
	bool ports = packet->ip_proto != KEY_ICMP && packet->ip_proto != KEY_ICMP6;
	uint16_t src_port = ports ? packet->src_port : 0;
	uint16_t dst_port = ports ? packet->dst_port : 0;
	unsigned from;

	if (packet->ip_version == 0) {
		*key = (struct flow_key){ .path = packet->path_key,
					  .ethertype = packet->ethertype };
		return FLOW_A;
	}
	from = key_from(packet, src_port, dst_port);
	key->addr[from] = packet->src;
	key->addr[from ^ 1] = packet->dst;
	key->path = packet->path_key;
	key->port[from] = src_port;
	key->port[from ^ 1] = dst_port;
	key->ethertype = 0;
	key->ip_version = packet->ip_version;
	key->ip_proto = packet->ip_proto;
	return from;
}

static inline bool
key_equal(const struct flow_key *one, const struct flow_key *other)
{
	uint64_t a[6], b[6];

	_Static_assert(sizeof(a) == sizeof(*one), "a key is six words without holes");
	memcpy(a, one, sizeof(a));
	memcpy(b, other, sizeof(b));
	return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) | (a[4] ^ b[4]) |
		(a[5] ^ b[5])) == 0;
}

/*
 * The first word says how many follow, so that no key is the beginning of another and the
 * closing length word of SipHash can be spared: 2 words for IPv4, 5 for IPv6, 1 for the path.
 */
static inline uint64_t
key_hash(const struct flow_key *key, const struct hash_key *seed)
{
	uint64_t v[4];

	hash_start(seed, v);
	hash_word(v, (uint64_t)key->port[0] | (uint64_t)key->port[1] << 16 |
			     (uint64_t)key->ethertype << 32 | (uint64_t)key->ip_proto << 48 |
			     (uint64_t)key->ip_version << 56 |
			     (uint64_t)(key->path != 0) << 63);
	if (key->ip_version == 4) {
		hash_word(v, (uint64_t)key->addr[0].w[0] << 32 | key->addr[1].w[0]);
	} else if (key->ip_version != 0) {
		hash_word(v, key->addr[0].q[0]);
		hash_word(v, key->addr[0].q[1]);
		hash_word(v, key->addr[1].q[0]);
		hash_word(v, key->addr[1].q[1]);
	}
	if (key->path != 0)
		hash_word(v, key->path);
	return hash_end(v);
}

#endif
