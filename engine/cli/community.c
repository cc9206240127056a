/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/community.h"
#include <openssl/evp.h>
#include <string.h>

enum { ICMP = 1, TCP = 6, UDP = 17, ICMPV6 = 58, SCTP = 132 };

/* The ICMP types that are answered by another; the type takes the place of a port. */
static const struct {
	uint8_t ip_proto, type, answer;
} pairs[] = {
	{ ICMP, 8, 0 },                             /* echo */
	{ ICMP, 0, 8 },       { ICMP, 13, 14 },     /* time stamp */
	{ ICMP, 14, 13 },     { ICMP, 15, 16 },     /* information */
	{ ICMP, 16, 15 },     { ICMP, 10, 9 },      /* router solicitation, advertisement */
	{ ICMP, 9, 10 },      { ICMP, 17, 18 },     /* address mask */
	{ ICMP, 18, 17 },     { ICMPV6, 128, 129 }, /* echo */
	{ ICMPV6, 129, 128 }, { ICMPV6, 133, 134 }, /* router solicitation, advertisement */
	{ ICMPV6, 134, 133 }, { ICMPV6, 135, 136 }, /* neighbour solicitation, advertisement */
	{ ICMPV6, 136, 135 }, { ICMPV6, 130, 131 }, /* multicast listener query, report */
	{ ICMPV6, 131, 130 }, { ICMPV6, 144, 145 }, /* home agent address discovery */
	{ ICMPV6, 145, 144 },
};

static bool
has_ports(uint8_t ip_proto)
{
	return ip_proto == TCP || ip_proto == UDP || ip_proto == SCTP || ip_proto == ICMP ||
	       ip_proto == ICMPV6;
}

/* Both ends' ports, as the hash takes them. False: the flow has one direction only. */
static bool
ports(const struct community_flow *flow, uint16_t *source, uint16_t *destination)
{
	*source = flow->source_port;
	*destination = flow->destination_port;
	if (flow->ip_proto != ICMP && flow->ip_proto != ICMPV6)
		return true;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (pairs[i].ip_proto != flow->ip_proto || pairs[i].type != flow->source_port)
			continue;
		*destination = pairs[i].answer;
		return true;
	}
	return false;
}

bool
community_id(const struct community_flow *flow, char id[COMMUNITY_SIZE])
{
	size_t size = flow->ip_version == 4 ? 4 : 16, n = 2;
	const uint8_t *low = flow->source, *high = flow->destination;
	uint8_t text[2 + 16 + 16 + 2 + 4] = { 0 }, digest[EVP_MAX_MD_SIZE];
	uint16_t low_port, high_port;
	unsigned digest_size;
	int order;

	if (flow->ip_version != 4 && flow->ip_version != 6)
		return false;
	order = memcmp(low, high, size);
	if (ports(flow, &low_port, &high_port) &&
	    (order > 0 || (order == 0 && low_port > high_port))) {
		uint16_t port = low_port;

		low = flow->destination;
		high = flow->source;
		low_port = high_port;
		high_port = port;
	}
	memcpy(text + n, low, size);
	memcpy(text + n + size, high, size);
	n += 2 * size;
	text[n] = flow->ip_proto;
	n += 2;
	if (has_ports(flow->ip_proto)) {
		text[n++] = (uint8_t)(low_port >> 8);
		text[n++] = (uint8_t)low_port;
		text[n++] = (uint8_t)(high_port >> 8);
		text[n++] = (uint8_t)high_port;
	}
	if (!EVP_Digest(text, n, digest, &digest_size, EVP_sha1(), NULL))
		return false;
	memcpy(id, "1:", 2);
	EVP_EncodeBlock((unsigned char *)id + 2, digest, (int)digest_size);
	return true;
}
