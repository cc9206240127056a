/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/way.h"

#include "flow/key.h"

/*
 * How well a packet answers a flow: the lower the better. Windows of TCP are smaller than NEAR
 * almost always (RFC 7323 allows 1 GiB); random numbers are closer than that once in 128.
 */
enum {
	NEAR = 1 << 24,
	FIT_TWO = 2, /* the first two bytes alone */
	FIT_ANY = 4, /* no bytes; each is 1 more with other identifiers than the flow's */
	FIT_NOT = INT32_MAX,
};

static uint32_t
distance(uint32_t one, uint32_t other)
{
	uint32_t d = one - other;

	return d < 0 - d ? d : 0 - d;
}

/* What it acknowledges against what was sent, and the other way round. */
static uint32_t
fit_tcp(const struct way *way, const struct packet *packet, uint32_t other)
{
	bool answers = packet->tcp_flags & TCP_ACK, asked = way->has_ack;
	uint32_t far = 0;

	if (answers)
		far = distance(packet->tcp_ack, way->next);
	if (asked && distance(packet->tcp_seq, way->ack) > far)
		far = distance(packet->tcp_seq, way->ack);
	return (answers || asked) && far < NEAR ? 2 * far + other : FIT_NOT;
}

static uint32_t
first_bytes(const struct packet *packet)
{
	struct bytes b = packet->payload;
	uint32_t first = bytes_be32(&b);

	return b.bad ? 0 : first;
}

static uint32_t
fit_other(const struct way *way, const struct packet *packet, uint32_t other)
{
	uint32_t first = first_bytes(packet);

	if (first == way->next)
		return other;
	return other + (uint32_t)(first >> 16 == way->next >> 16 ? FIT_TWO : FIT_ANY);
}

/* The ends choose identifiers, and often small numbers: what the packets say counts more. */
static uint32_t
fit(const struct way *way, const struct packet *packet, unsigned from)
{
	uint32_t other = way->id[from ^ 1] != packet->path_way;

	return packet->ip_proto == KEY_TCP ? fit_tcp(way, packet, other)
					   : fit_other(way, packet, other);
}

uint32_t
way_find(const struct table *table, const struct flow_key *key, uint64_t hash,
	 const struct packet *packet, unsigned from)
{
	uint32_t found[2 * BUCKET_PLACES], best = INSIDE_NONE, best_fit = FIT_NOT;
	unsigned count = place_all(table, key, hash, found);

	for (unsigned i = 0; i < count; i++) {
		const struct way *way = &table->way[found[i]];
		const struct flow *flow = &table->flows[found[i]];
		uint32_t f;

		if (way->id[from] == packet->path_way)
			return found[i];
		if (way->id[from] != 0 || inside_over(table, flow, packet->time_ns))
			continue;
		f = fit(way, packet, from);
		if (f < best_fit || (f == best_fit && best != INSIDE_NONE &&
				     flow->id < table->flows[best].id)) {
			best = found[i];
			best_fit = f;
		}
	}
	return best;
}

/* RFC 9293 section 3.4: SYN and FIN are numbered as well. */
static uint32_t
next_of(const struct packet *packet)
{
	return packet->tcp_seq + packet->payload_len + !!(packet->tcp_flags & TCP_SYN) +
	       !!(packet->tcp_flags & TCP_FIN);
}

void
way_start(struct way *way, const struct packet *packet, unsigned from, uint32_t other)
{
	bool tcp = packet->ip_proto == KEY_TCP;

	*way = (struct way){ .next = tcp ? next_of(packet) : first_bytes(packet) };
	way->id[from] = packet->path_way;
	way->id[from ^ 1] = other;
}

void
way_learn(struct way *way, const struct packet *packet, unsigned from)
{
	way->id[from] = packet->path_way;
	if (way->id[from ^ 1] != 0 || packet->ip_proto != KEY_TCP)
		return;
	if ((int32_t)(next_of(packet) - way->next) > 0)
		way->next = next_of(packet);
	if (packet->tcp_flags & TCP_ACK) {
		way->ack = packet->tcp_ack;
		way->has_ack = true;
	}
}
