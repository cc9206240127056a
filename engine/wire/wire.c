/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "wire/wire.h"

#include "wire/headers.h"

#include <stdlib.h>

enum barn_err
wire_new(const struct wire_options *options, struct wire **wire)
{
	static const struct wire_options DEFAULTS;
	struct wire *w = calloc(1, sizeof(*w));
	enum barn_err err;

	if (!w)
		return BARN_ERR_MEMORY;
	err = fragment_new(options ? options : &DEFAULTS, &w->stats, &w->fragments);
	if (err != BARN_OK) {
		free(w);
		return err;
	}
	w->tunnels = tunnel_port_bits();
	w->opaque = options ? options->opaque : 0;
	*wire = w;
	return BARN_OK;
}

void
wire_free(struct wire *wire)
{
	if (!wire)
		return;
	fragment_free(wire->fragments);
	free(wire);
}

void
decode_settle(struct decode *d)
{
	const struct packet *p = d->packet;

	if (p->fault == PACKET_WHOLE || p->src_port || p->dst_port)
		fragment_learn(d->wire->fragments, d->datagram,
			       &(struct fragment_transport){ .proto = p->ip_proto,
							     .src_port = p->src_port,
							     .dst_port = p->dst_port });
	d->datagram = NULL;
}

/* No IP packet in it: then what the link says is all there is. */
static void
finish_without_ip(struct decode *d)
{
	struct packet *p = d->packet;

	p->ethertype = d->type;
	decode_set_path(d);
}

/* One header after the other. */
static void
walk(struct wire *wire, struct packet *packet)
{
	struct decode d = { .packet = packet, .wire = wire, .at = packet->frame };
	uint32_t captured = (uint32_t)bytes_left(&packet->frame);
	struct next next = hardware_by_type(packet->linktype);
	unsigned int steps = 0;

	fragment_expire(wire->fragments, packet->time_ns);
	decode_reset_network(packet);
	decode_reset_transport(packet);
	if (packet->wire_len > captured)
		d.missing = packet->wire_len - captured;
	if (!next.header)
		packet->fault = PACKET_UNKNOWN_LINK;
	while (next.header) {
		if (++steps > DECODE_STEPS) {
			packet->fault = PACKET_DEEP;
			break;
		}
		next = next.header(&d);
	}
	if (d.datagram)
		decode_settle(&d);
	if (!packet->ip_version)
		finish_without_ip(&d);
}

void
wire_decode(struct wire *wire, struct packet *packet)
{
	if (!plain_decode(wire, packet))
		walk(wire, packet);
	wire->stats.frames++;
	if (packet->held)
		wire->stats.held++;
	else
		wire->stats.faults[packet->fault]++;
}

bool
wire_early(struct wire *wire, struct packet *packet)
{
	if (!fragment_early(wire->fragments, packet))
		return false;
	wire->stats.faults[packet->fault]++;
	return true;
}

void
wire_flush(struct wire *wire)
{
	fragment_flush(wire->fragments);
}

const struct wire_stats *
wire_stats(const struct wire *wire)
{
	return &wire->stats;
}

bool
wire_knows(uint16_t linktype)
{
	return hardware_by_type(linktype).header != NULL;
}
