/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/work.h"

#include <netinet/in.h>

/* What can be said of a flow at its first packet. */

/*
 * Without a SYN the first to be seen counts as the client; but who sends from a port of the
 * port map to one that is not in it is more likely the server.
 */
static void
orient(const struct classify *c, struct flow *flow)
{
	unsigned server = !flow->client;
	const struct flow_key *key = &flow->key;

	if (!flow->client_known &&
	    registry_port(c->epoch->registry, key->ip_proto, key->port[flow->client]) &&
	    !registry_port(c->epoch->registry, key->ip_proto, key->port[server]))
		flow->client = server & 1;
}

/* The protocol of IP, and what the flow's port says that it carries (SCTP). */
static void
name_by_ip_protocol(const struct registry *r, const struct flow *flow, struct flow_verdict *v)
{
	const struct flow_key *key = &flow->key;
	uint16_t child;

	v->protocol = registry_ip_protocol(r, key->ip_proto);
	child = registry_port_child(r, v->protocol, key->ip_proto, key->port[!flow->client]);
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

static struct work *
new_work(struct classify *c)
{
	struct work *w = pool_get(c->works);

	if (!w) {
		c->stats.refused++;
		return NULL;
	}
	memset(w, 0, sizeof(*w));
	w->epoch = c->epoch;
	w->epoch->works++;
	return w;
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
		.path = flow->key.path,
		.port = flow->key.port[server],
		.ip_version = flow->key.ip_version,
		.ip_proto = flow->key.ip_proto,
	};
	struct flow_verdict *learned = &flow->work->learned;

	flow->work->confined = custom_confines(flow->work->epoch->custom, flow);
	if (!c->hooks.recall(c->hooks.self, &wanted, packet->serial, packet->time_ns, &found) ||
	    !is_loaded(c, found.protocol) || !is_loaded(c, found.carrier))
		return;
	learned->protocol = found.protocol;
	learned->carrier = found.carrier;
	learned->evidence = EVIDENCE_LEARNED;
	/* Not final: what it runs over, and its fields, are still looked for. */
	if (custom_resolved(flow->work->epoch->custom, found.protocol))
		flow->verdict = *learned;
}

/* Room is out: the port says what it can. */
static void
name_by_port(const struct classify *c, struct flow *flow)
{
	const struct flow_key *key = &flow->key;
	const struct registry *r = c->epoch->registry;
	struct flow_verdict v = { .final = 1 };

	v.protocol = registry_port(r, key->ip_proto, key->port[!flow->client]);
	v.carrier = registry_port_carrier(r, v.protocol);
	v.evidence = v.protocol ? EVIDENCE_PORT : EVIDENCE_NONE;
	flow->verdict = v;
}

static bool
is_announced(struct classify *c, struct flow *flow, const struct packet *packet)
{
	struct expect_entry entry;

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

void
open_flow(struct classify *c, struct flow *flow, const struct packet *packet)
{
	const struct protocol *p;

	if (packet->path_len)
		notes_add(&flow->notes, c->notes, NOTE_PATH,
			  bytes_of(packet->path, packet->path_len * sizeof(packet->path[0])));
	orient(c, flow);
	if (name_by_header(c, flow, packet))
		return;
	if (!is_endpoint(c, flow, packet) && !is_announced(c, flow, packet)) {
		flow->work = new_work(c);
		if (flow->work)
			recall(c, flow, packet);
		else
			name_by_port(c, flow);
		return;
	}
	p = registry_protocol(c->epoch->registry, flow->verdict.carrier
							  ? flow->verdict.carrier
							  : flow->verdict.protocol);
	if (!p->inspector && !p->module)
		return;
	flow->work = new_work(c);
	if (flow->work)
		flow->work->owner = p;
}
