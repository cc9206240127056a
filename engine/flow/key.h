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
#ifdef __SSE2__
#include <emmintrin.h>
#endif

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
	_Static_assert(sizeof(*one) == 48, "three registers, six words, no holes");
#ifdef __SSE2__
	const __m128i *a = (const void *)one, *b = (const void *)other;
	__m128i same = _mm_cmpeq_epi8(_mm_loadu_si128(a), _mm_loadu_si128(b));

	same = _mm_and_si128(same,
			     _mm_cmpeq_epi8(_mm_loadu_si128(a + 1), _mm_loadu_si128(b + 1)));
	same = _mm_and_si128(same,
			     _mm_cmpeq_epi8(_mm_loadu_si128(a + 2), _mm_loadu_si128(b + 2)));
	return _mm_movemask_epi8(same) == 0xffff;
#else
	return memcmp(one, other, sizeof(*one)) == 0;
#endif
}

/*
 * The first word says how many follow, so that no key is the beginning of another and the
 * closing length word of SipHash can be spared: 1 word for IPv4, 4 for IPv6, 1 for the path,
 * which turns all bits of the first one.
 */
static inline uint64_t
key_hash(const struct flow_key *key, const struct hash_key *seed)
{
	uint64_t v[4], head;

	_Static_assert(offsetof(struct flow_key, port) + sizeof(head) == sizeof(*key),
		       "ports, ethertype, version and protocol are the last word");
	memcpy(&head, (const uint8_t *)key + offsetof(struct flow_key, port), sizeof(head));
	hash_start(seed, v);
	hash_word(v, key->path ? ~head : head);
	if (key->ip_version == 4) {
		hash_word(v, (uint64_t)key->addr[0].w[0] << 32 | key->addr[1].w[0]);
	} else if (key->ip_version != 0) {
		hash_word(v, key->addr[0].q[0]);
		hash_word(v, key->addr[0].q[1]);
		hash_word(v, key->addr[1].q[0]);
		hash_word(v, key->addr[1].q[1]);
	}
	if (key->path)
		hash_word(v, key->path);
	return hash_end(v);
}

#endif
