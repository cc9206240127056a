/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_COMMUNITY_H
#define CLI_COMMUNITY_H

/*
 * Community ID, version 1, seed 0: the name by which other tools know the same flow
 * (github.com/corelight/community-id-spec).
 */

#include <stdbool.h>
#include <stdint.h>

enum { COMMUNITY_SIZE = 2 + 28 + 1 }; /* "1:", SHA-1 in base64, NUL */

struct community_flow {
	uint8_t ip_version; /* 4, 6 */
	uint8_t ip_proto;
	uint8_t source[16], destination[16]; /* the first four bytes for IPv4 */
	/* Of TCP, UDP, SCTP; of ICMP and ICMPv6 the type and the code. */
	uint16_t source_port, destination_port;
};

/* False if the flow has none: it is not IP. */
bool community_id(const struct community_flow *flow, char id[COMMUNITY_SIZE]);

#endif
