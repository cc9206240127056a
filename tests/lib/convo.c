/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "convo.h"

#include <string.h>

/* Locally administered, and different for hosts that differ in the end of their address. */
static void
make_mac(uint8_t mac[6], const struct frame_addr *addr)
{
	mac[0] = 2;
	mac[1] = addr->family;
	memcpy(mac + 2, addr->bytes + (addr->family == 4 ? 0 : 12), 4);
}

void
convo_init(struct convo *c, uint8_t proto, struct frame_end client, struct frame_end server,
	   convo_sink *sink, void *ctx)
{
	c->proto = proto;
	c->end[CONVO_CLIENT] = client;
	c->end[CONVO_SERVER] = server;
	make_mac(c->mac[CONVO_CLIENT], &client.addr);
	make_mac(c->mac[CONVO_SERVER], &server.addr);
	c->n_tags = 0;
	c->mss = client.addr.family == 4 ? 1460 : 1440;
	c->ack_every = 2;
	c->syn_mss = true;
	c->now_ns = 0;
	c->gap_ns = 1000000;
	c->sink = sink;
	c->ctx = ctx;
	c->seq[CONVO_CLIENT] = 1000;
	c->seq[CONVO_SERVER] = 5000000;
	c->ip_id[CONVO_CLIENT] = 1;
	c->ip_id[CONVO_SERVER] = 30001;
	c->unacked[0] = c->unacked[1] = 0;
}

static enum convo_from
other(enum convo_from from)
{
	return from == CONVO_CLIENT ? CONVO_SERVER : CONVO_CLIENT;
}

/* Puts everything below the transport header in front and hands the frame over. */
static void
deliver(struct convo *c, enum convo_from from, struct frame *f)
{
	const struct frame_end *src = &c->end[from], *dst = &c->end[other(from)];

	frame_ip(f, src->addr, dst->addr, &(struct frame_ip){ .id = c->ip_id[from]++ });
	for (unsigned i = c->n_tags; i-- > 0;)
		frame_vlan(f, i + 1 == c->n_tags ? 0x8100 : 0x88a8, c->tags[i]);
	frame_ether(f, c->mac[from], c->mac[other(from)]);
	c->sink(c->ctx, c->now_ns, f);
	c->now_ns += c->gap_ns;
}

void
convo_segment(struct convo *c, enum convo_from from, uint8_t flags, const void *bytes,
	      size_t len)
{
	const uint8_t mss[4] = { 2, 4, (uint8_t)(c->mss >> 8), (uint8_t)c->mss };
	struct frame_tcp tcp = {
		.sport = c->end[from].port,
		.dport = c->end[other(from)].port,
		.seq = c->seq[from],
		.ack = flags & FRAME_ACK ? c->seq[other(from)] : 0,
		.flags = flags,
	};
	struct frame f;

	if (flags & FRAME_SYN && c->syn_mss) {
		tcp.options = mss;
		tcp.options_len = sizeof(mss);
	}
	c->seq[from] += (uint32_t)len;
	if (flags & (FRAME_SYN | FRAME_FIN))
		c->seq[from]++;
	if (len)
		c->unacked[from]++;
	if (flags & FRAME_ACK)
		c->unacked[other(from)] = 0;
	frame_init(&f, bytes, len);
	frame_tcp(&f, &tcp);
	deliver(c, from, &f);
}

void
convo_open(struct convo *c)
{
	if (c->proto != 6)
		return;
	convo_segment(c, CONVO_CLIENT, FRAME_SYN, NULL, 0);
	convo_segment(c, CONVO_SERVER, FRAME_SYN | FRAME_ACK, NULL, 0);
	convo_ack(c, CONVO_CLIENT);
}

void
convo_send(struct convo *c, enum convo_from from, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;

	if (c->proto != 6) {
		struct frame f;

		frame_init(&f, bytes, len);
		frame_udp(&f, c->end[from].port, c->end[other(from)].port);
		deliver(c, from, &f);
		return;
	}
	while (len) {
		bool last = len <= c->mss;
		size_t cut = last ? len : c->mss;

		convo_segment(c, from, last ? FRAME_PSH | FRAME_ACK : FRAME_ACK, p, cut);
		p += cut;
		len -= cut;
		if (c->ack_every && c->unacked[from] >= c->ack_every)
			convo_ack(c, other(from));
	}
}

void
convo_ack(struct convo *c, enum convo_from from)
{
	convo_segment(c, from, FRAME_ACK, NULL, 0);
}

void
convo_close(struct convo *c, enum convo_from from)
{
	if (c->proto != 6)
		return;
	convo_segment(c, from, FRAME_FIN | FRAME_ACK, NULL, 0);
	convo_segment(c, other(from), FRAME_FIN | FRAME_ACK, NULL, 0);
	convo_ack(c, from);
}

void
convo_reset(struct convo *c, enum convo_from from)
{
	if (c->proto == 6)
		convo_segment(c, from, FRAME_RST | FRAME_ACK, NULL, 0);
}
