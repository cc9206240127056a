/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/room.h"
#include "classify/step.h"

#include <netinet/in.h>

/* What can be said of a flow at its first packet. */

/* The protocol of IP, and what the flow's port says that it carries (SCTP). */
static void
name_by_ip_protocol(const struct registry *r, const struct flow *flow, struct flow_verdict *v)
{
	const struct flow_key *key = &flow->key;
	uint16_t child;

	v->protocol = registry_ip_protocol(r, key->ip_proto);
	child = registry_port_child(r, v->protocol, key->ip_proto, key->port[!flow->client]);
	/* One that TCP carries as well is over none of them (Diameter). */
	if (!child)
		child = registry_port(r, key->ip_proto, key->port[!flow->client]);
	if (child) {
		v->carrier = v->protocol;
		v->protocol = child;
	}
}

/* Flows whose name does not depend on payload: not IP, or a transport that barn does not look
 * into. */
static bool
name_by_header(const struct classify *c, struct flow *flow, const struct packet *packet)
{
	const struct flow_key *key = &flow->key;
	struct flow_verdict v = { .evidence = EVIDENCE_RULE, .sure = 1, .final = 1 };

	switch (key->ip_version ? key->ip_proto : -1) {
	case IPPROTO_TCP:
	case IPPROTO_UDP:
	case IPPROTO_UDPLITE:
		if (packet->fault != PACKET_FRAGMENT_LOST)
			return false;
		v = (struct flow_verdict){ .final = 1 };
		break;
	case -1: v.protocol = registry_ethertype(c->epoch->registry, key->ethertype); break;
	default: name_by_ip_protocol(c->epoch->registry, flow, &v); break;
	}
	if (!v.protocol)
		v = (struct flow_verdict){ .final = 1 };
	flow->verdict = v;
	flow->decided_at = v.protocol ? 1 : 0;
	return true;
}

static bool
new_wait(struct classify *c, struct flow *flow)
{
	struct wait *wait = pool_get(c->waits);

	if (!wait)
		return false;
	*wait = (struct wait){ .epoch = c->epoch, .alone = true };
	c->epoch->works++;
	flow->work = (struct work *)(void *)wait;
	return true;
}

/* What was told of may have been unloaded since. */
static bool
is_loaded(const struct classify *c, uint16_t protocol)
{
	return registry_protocol(c->epoch->registry, protocol)->loaded;
}

/* What earlier flows say of this one; it stands if nothing better comes. */
static void
recall(struct classify *c, struct flow *flow, const struct packet *packet)
{
	unsigned server = !flow->client;
	struct learn_entry found, wanted = {
		.addr = flow->key.addr[server],
		.client = flow->key.addr[flow->client],
		.has_client = true,
		.path = flow->key.path,
		.by_serial = packet->serial,
		.port = flow->key.port[server],
		.ip_version = flow->key.ip_version,
		.ip_proto = flow->key.ip_proto,
	};
	struct flow_verdict *learned = &work_wait(flow)->learned;

	if (!c->hooks.recall(c->hooks.self, &wanted, packet->time_ns, &found) ||
	    !is_loaded(c, found.protocol) || !is_loaded(c, found.carrier))
		return;
	learned->protocol = found.protocol;
	learned->carrier = found.carrier;
	learned->evidence = EVIDENCE_LEARNED;
	/* Not final: what the flow itself proves takes its place. */
	flow->verdict = *learned;
}

bool
open_announced(struct classify *c, struct flow *flow, const struct packet *packet)
{
	struct wait *wait = work_wait(flow);
	struct expect_entry entry;

	/* A flow ends with the registry that it began with, which may not know the protocol. */
	if (wait && wait->epoch != c->epoch)
		return false;
	if (!c->hooks.meet(c->hooks.self, packet, &entry) || !is_loaded(c, entry.protocol) ||
	    !is_loaded(c, entry.carrier))
		return false;
	flow->verdict = (struct flow_verdict){
		.protocol = entry.protocol,
		.carrier = entry.carrier,
		.evidence = EVIDENCE_EXPECTED,
		.sure = 1,
		.final = 1,
	};
	flow->decided_at = 1;
	c->stats.decided[EVIDENCE_EXPECTED]++;
	if (flow->work)
		decide_credit(c, flow);
	return true;
}

/* An end point of a custom protocol: what the site says comes before what others announce. */
static bool
is_endpoint(struct classify *c, struct flow *flow, const struct packet *packet)
{
	uint16_t protocol = custom_endpoint(c->epoch->custom, flow, packet);

	if (!protocol)
		return false;
	flow->verdict = (struct flow_verdict){
		.protocol = protocol,
		.evidence = EVIDENCE_RULE,
		.sure = 1,
		.final = 1,
	};
	flow->decided_at = 1;
	c->stats.decided[EVIDENCE_RULE]++;
	return true;
}

/* Whether inspection can do anything with the packet: bytes, or the end of a stream. */
static bool
is_telling(const struct packet *packet)
{
	if (packet->fragment &&
	    !packet->reassembled) /* the first: if no more come, that is all */
		return bytes_left(&packet->payload) > 0;
	if (packet->ip_proto != IPPROTO_TCP)
		return bytes_left(&packet->payload) > 0;
	return (packet->fault == PACKET_WHOLE || packet->fault == PACKET_FRAGMENT_LOST) &&
	       !(packet->tcp_flags & TCP_RST) &&
	       (packet->payload_len || packet->tcp_flags & TCP_FIN);
}

/* Its protocol's inspector and lines read on. */
static void
own(struct classify *c, struct flow *flow)
{
	const struct protocol *p = registry_protocol(
		c->epoch->registry,
		flow->verdict.carrier ? flow->verdict.carrier : flow->verdict.protocol);
	struct work *w = p->inspector || p->module ? room_take(c, flow) : NULL;

	if (w)
		w->owner = p;
	else
		classify_release(c, flow);
}

/* What the SYNs said that came before. */
static void
place_streams(struct classify *c, struct flow *flow)
{
	struct work *w = flow->work;
	struct bytes nothing = bytes_of("", 0);

	for (unsigned from = 0; from < 2; from++)
		if (w->wait.has_syn[from])
			stream_add(&w->stream[from != flow->client], c->streams,
				   w->wait.syn[from], true, false, nothing, 0, false);
}

bool
open_work(struct classify *c, struct flow *flow, const struct packet *packet, unsigned from)
{
	struct wait *wait = work_wait(flow);

	if (!wait->alone)
		return true;
	if ((packet->tcp_flags & (TCP_SYN | TCP_RST)) == TCP_SYN &&
	    packet->ip_proto == IPPROTO_TCP && packet->fault == PACKET_WHOLE) {
		if (!wait->has_syn[from])
			wait->syn[from] = packet->tcp_seq;
		wait->has_syn[from] = true;
	}
	if (!is_telling(packet))
		return false;
	if (orient_by_words(c, flow, packet, from)) {
		wait->learned = (struct flow_verdict){ 0 };
		flow->verdict = wait->learned;
		if (wait->epoch == c->epoch)
			recall(c, flow, packet);
	}
	/* The end of what announces it may have come behind its first packet. */
	if (flow_packets(flow) > 1 && open_announced(c, flow, packet)) {
		own(c, flow);
		if (!flow->work)
			return false;
	} else if (room_take(c, flow)) {
		flow->work->confined = custom_confines(flow->work->wait.epoch->custom, flow);
	} else {
		return false;
	}
	place_streams(c, flow);
	return true;
}

void
open_flow(struct classify *c, struct flow *flow, const struct packet *packet)
{
	if (packet->path_len)
		notes_add(&flow->notes, c->notes, NOTE_PATH,
			  bytes_of(packet->path, packet->path_len * sizeof(packet->path[0])));
	orient_by_ports(c, flow);
	if (name_by_header(c, flow, packet))
		return;
	if (is_endpoint(c, flow, packet) || open_announced(c, flow, packet)) {
		own(c, flow);
		return;
	}
	if (!new_wait(c, flow)) { /* more flows than were stated */
		flow->verdict.final = 1;
		return;
	}
	recall(c, flow, packet);
	if (custom_confines(c->epoch->custom, flow)) {
		room_take(c, flow);
		flow->work->confined = true;
	}
}
