/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_WIRE_SANE_H
#define BARN_TESTS_WIRE_SANE_H

/* What holds for every decoded packet, whatever the frame was. */

#include "wire/wire.h"

static inline bool
sane_within(struct bytes inner, struct bytes outer)
{
	return inner.p == inner.end || (inner.p >= outer.p && inner.end <= outer.end);
}

/* Touches all of a window, for the sanitizers. */
static inline void
sane_touch(struct bytes b)
{
	for (; b.p < b.end; b.p++)
		(void)*(const volatile uint8_t *)b.p;
}

static inline bool
sane_addr(const struct packet *p, const union packet_addr *addr)
{
	return p->ip_version == 6 || (addr->q[1] == 0 && addr->w[1] == 0);
}

static inline bool
sane_path(const struct packet *p)
{
	if (p->path_len > PACKET_PATH_MAX || (p->path_len == 0 && p->path_key != 0))
		return false;
	for (int i = 0; i < p->path_len; i++)
		if (p->path[i].layer == LAYER_NONE || p->path[i].layer >= LAYER__COUNT)
			return false;
	return true;
}

/* The rule that is broken; NULL: none. */
static inline const char *
wire_insane(const struct packet *p)
{
	size_t payload = bytes_left(&p->payload);

	sane_touch(p->network);
	sane_touch(p->payload);
	if (!p->fragment && !sane_within(p->network, p->frame))
		return "network outside the frame";
	if (payload > 0 && !sane_within(p->payload, p->network))
		return "payload outside network";
	if (p->network.bad || p->payload.bad)
		return "a window is bad from the start";
	if (payload > p->payload_len)
		return "payload longer than on the wire";
	if (!p->fragment && p->payload_len > p->wire_len && p->payload_len > payload)
		return "more payload than frame";
	if (p->reassembled && !p->fragment)
		return "joined of no fragments";
	if (p->fault >= PACKET_FAULTS || !sane_path(p))
		return "fault or path";
	if (p->ip_version != 0 && p->ip_version != 4 && p->ip_version != 6)
		return "IP version";
	if (!sane_addr(p, &p->src) || !sane_addr(p, &p->dst))
		return "an IPv4 address of more than four bytes";
	if (p->ip_version == 0 && (p->ip_proto || p->src_port || p->network.p || payload))
		return "transport without network";
	return NULL;
}

#endif
