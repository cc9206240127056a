/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/rewrite.h"

static uint16_t
get(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static void
put(uint8_t *at, uint32_t value)
{
	at[0] = (uint8_t)(value >> 8);
	at[1] = (uint8_t)value;
}

/* RFC 1624, equation 3: HC' = ~(~HC + ~m + m'). */
static uint16_t
update(uint16_t checksum, uint16_t before, uint16_t after)
{
	uint32_t sum = (uint16_t)~checksum + (uint32_t)(uint16_t)~before + after;

	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~sum;
}

static bool
mark_ip4(uint8_t *ip, const struct policy_verdict *v)
{
	uint16_t before = get(ip);

	ip[1] = (uint8_t)((ip[1] & ~v->tos_mask) | (v->tos & v->tos_mask));
	put(ip + 10, update(get(ip + 10), before, get(ip)));
	return get(ip) != before;
}

/* The traffic class lies across the first two bytes. */
static bool
mark_ip6(uint8_t *ip, const struct policy_verdict *v)
{
	uint16_t before = get(ip);
	uint32_t mask = (uint32_t)v->tos_mask << 4, value = (uint32_t)v->tos << 4;

	put(ip, (before & ~mask) | (value & mask));
	return get(ip) != before;
}

bool
rewrite_frame(uint8_t *frame, size_t length, const struct header_place *place,
	      const struct policy_verdict *verdict)
{
	bool changed = false;

	if (verdict->has & POLICY_HAS_COS && place->tag != HEADER_NONE &&
	    place->tag + 2u <= length) {
		uint16_t tag = get(frame + place->tag);
		uint32_t marked = (tag & 0x1fffu) | (uint32_t)(verdict->cos & 7) << 13;

		put(frame + place->tag, marked);
		changed = marked != tag;
	}
	if (!verdict->tos_mask)
		return changed;
	if (place->ip_version == 4 && place->ip + 20u <= length)
		changed = mark_ip4(frame + place->ip, verdict) || changed;
	else if (place->ip_version == 6 && place->ip + 40u <= length)
		changed = mark_ip6(frame + place->ip, verdict) || changed;
	return changed;
}
