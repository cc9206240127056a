/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/inside.h"
#include "flow/key.h"

static bool
is_loose(unsigned state)
{
	return state == FLOW_NEW || state == FLOW_SYN || state == FLOW_CLOSED;
}

/*
 * A SYN says who is the client, also when it comes after other packets of its flow (reordered);
 * of two SYNs, as in a simultaneous open, the first counts. Turning the client is left to
 * nobody else here: ports are no proof.
 */
static void
learn_client(struct flow *flow, struct syn *syn, const struct packet *packet, unsigned from)
{
	bool answer = packet->tcp_flags & TCP_ACK;
	unsigned client = answer ? from ^ 1 : from;

	if (!flow->client_known) {
		flow->client = client & 1;
		flow->client_known = 1;
	}
	if (!syn->known || (!answer && flow->state == FLOW_SYN && syn->from == from)) {
		syn->seq = answer ? packet->tcp_ack - 1 : packet->tcp_seq;
		syn->from = (uint8_t)client;
		syn->known = 1;
	}
}

/*
 * RFC 9293, section 3.3.2, as far as an onlooker can tell. SYN and SYN+ACK may both have been
 * forged or answered by a machine that knows nothing of it; the connection stands with the
 * first packet beside them. A RST is taken at its word: its sequence number is not checked.
 */
static unsigned
tcp_state(struct flow *flow, const struct packet *packet, unsigned from)
{
	uint8_t flags = packet->tcp_flags;
	unsigned state = flow->state;

	if (state == FLOW_CLOSED)
		return state;
	if (flags & TCP_RST)
		return FLOW_CLOSED;
	if (flags & TCP_FIN) {
		flow->fin = (flow->fin | 1u << from) & 3;
		return flow->fin == 3 ? FLOW_CLOSED : FLOW_CLOSING;
	}
	if (state != FLOW_NEW && state != FLOW_SYN)
		return state;
	if (flags & TCP_SYN)
		return FLOW_SYN;
	return flow_packets(flow) > 1 && (flags & TCP_ACK) ? FLOW_ESTABLISHED : state;
}

static unsigned
next_state(struct table *table, uint32_t n, const struct packet *packet, unsigned from)
{
	struct flow *flow = &table->flows[n];

	if (packet->ip_proto != KEY_TCP)
		return flow->packets[0] && flow->packets[1] ? FLOW_ANSWERED : FLOW_NEW;
	if ((packet->tcp_flags & (TCP_SYN | TCP_RST)) == TCP_SYN)
		learn_client(flow, &table->syn[n], packet, from);
	return tcp_state(flow, packet, from);
}

void
state_advance(struct table *table, uint32_t n, const struct packet *packet, unsigned from)
{
	struct flow *flow = &table->flows[n];
	unsigned old = flow->state, state = next_state(table, n, packet, from);

	if (state == old)
		return;
	flow->state = (uint8_t)state;
	if (is_loose(state) && !chain_linked(table->loose, n))
		chain_join(table->loose, table->bound, n);
	else if (!is_loose(state) && chain_linked(table->loose, n))
		chain_leave(table->loose, n);
	/* A longer time is found out by the wheel when it gets there. */
	if (table->idle_ns[state] < table->idle_ns[old])
		wheel_place(table, n);
}

/*
 * The same ports for a new connection. RFC 6191 lets an end in TIME-WAIT take a SYN; late
 * segments of the old connection have none, and a retransmitted one has the old number. Who has
 * sent its FIN and now sends a SYN is in a new connection too, if the other side was seen or
 * not. On an open connection a SYN alone may be forged and gets no more than a challenge (RFC
 * 5961, section 4); a server that answers another SYN has a new connection.
 */
bool
state_reopens(const struct table *table, uint32_t n, const struct packet *packet, unsigned from)
{
	const struct flow *flow = &table->flows[n];
	const struct syn *syn = &table->syn[n];

	if (packet->ip_proto != KEY_TCP || flow->state < FLOW_ESTABLISHED ||
	    (packet->tcp_flags & (TCP_SYN | TCP_RST)) != TCP_SYN)
		return false;
	if (packet->tcp_flags & TCP_ACK)
		return syn->known && syn->from != from && syn->seq != packet->tcp_ack - 1;
	if (flow->state != FLOW_CLOSED && !(flow->fin & 1u << from))
		return false;
	return !syn->known || syn->from != from || syn->seq != packet->tcp_seq;
}
