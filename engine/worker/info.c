/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/notes.h"
#include "worker/worker.h"

#include <netinet/in.h>
#include <stdio.h>

static const char *
name_of(const struct registry *r, uint16_t protocol)
{
	return registry_protocol(r, protocol)->name;
}

static void
push(struct barn_flow_info *info, const char *name)
{
	if (info->stack_len && strcmp(info->stack[info->stack_len - 1], name) == 0)
		return;
	if (info->stack_len < BARN_STACK_MAX)
		info->stack[info->stack_len++] = name;
}

/* The network and transport layers as they stand in a stack; NULL: none of their own. */
static const char *
transport_name(uint8_t ip_proto)
{
	switch (ip_proto) {
	case IPPROTO_TCP: return "tcp";
	case IPPROTO_UDP: return "udp";
	case IPPROTO_UDPLITE: return "udp-lite";
	case IPPROTO_DCCP: return "dccp";
	default: return NULL;
	}
}

/* The protocols that handed over to an inner one, outermost first, as the notes have them. */
static void
push_outer(struct barn_flow_info *info, const struct barn_flow *flow)
{
	uint32_t at = 0;
	uint16_t field, number;
	struct bytes value;

	while (notes_next(flow->flow->notes, &at, &field, &value)) {
		if (field != NOTE_OUTER || bytes_left(&value) != sizeof(number))
			continue;
		memcpy(&number, value.p, sizeof(number));
		push(info, name_of(worker_registry(flow->worker), number));
	}
}

static void
fill_stack(struct barn_flow_info *info, const struct barn_flow *flow)
{
	const struct registry *r = worker_registry(flow->worker);
	const struct flow_verdict *v = &flow->flow->verdict;
	const char *transport = info->ip_version ? transport_name(info->ip_proto) : NULL;

	push(info, info->ip_version == 4 ? "ip" : info->ip_version == 6 ? "ipv6" : "ethernet");
	if (transport)
		push(info, transport);
	push_outer(info, flow);
	if (v->carrier)
		push(info, name_of(r, v->carrier));
	if (v->protocol)
		push(info, name_of(r, v->protocol));
}

static void
fill_path(struct barn_flow_info *info, const struct flow *flow)
{
	struct packet_hop hops[PACKET_PATH_MAX];
	uint32_t at = 0;
	uint16_t field;
	struct bytes value;

	while (notes_next(flow->notes, &at, &field, &value)) {
		if (field != NOTE_PATH || bytes_left(&value) > sizeof(hops))
			continue;
		memcpy(hops, value.p, bytes_left(&value));
		info->path_len = (unsigned)(bytes_left(&value) / sizeof(hops[0]));
		for (unsigned i = 0; i < info->path_len; i++)
			info->path[i] = (struct barn_path){
				.layer = packet_layer_name(hops[i].layer),
				.id = hops[i].id,
			};
		return;
	}
}

static struct barn_endpoint
endpoint_of(const struct flow_key *key, unsigned end)
{
	struct barn_endpoint e = { .port = key->port[end] };

	memcpy(e.address, key->addr[end].b, sizeof(e.address));
	return e;
}

/*
 * The protocol whose inspector decided. What a protocol carries by its own word (http3 over
 * quic) has no inspector: then it is what handed over to that.
 */
static const char *
inspector_name(const struct barn_flow *flow)
{
	const struct registry *r = worker_registry(flow->worker);
	const struct flow_verdict *v = &flow->flow->verdict;
	uint16_t number = v->carrier ? v->carrier : v->protocol, field;
	uint32_t at = 0;
	struct bytes value;

	if (registry_protocol(r, number)->inspected)
		return name_of(r, number);
	while (notes_next(flow->flow->notes, &at, &field, &value))
		if (field == NOTE_OUTER && bytes_left(&value) == sizeof(number))
			memcpy(&number, value.p, sizeof(number));
	return name_of(r, number);
}

/* Who decided: "ftp: rule banner", "http: inspector", "ndpi", "port 21". */
static void
fill_by(struct barn_flow_info *info, const struct barn_flow *flow)
{
	const struct registry *r = worker_registry(flow->worker);
	const struct flow_verdict *v = &flow->flow->verdict;
	const char *name = name_of(r, v->carrier ? v->carrier : v->protocol);
	size_t room = sizeof(info->by);

	switch ((enum evidence)v->evidence) {
	case EVIDENCE_INSPECTOR:
		snprintf(info->by, room, "%s: inspector", inspector_name(flow));
		break;
	case EVIDENCE_RULE:
		if (v->by)
			snprintf(info->by, room, "%s", registry_rule_name(r, v->by));
		else if (transport_name(info->ip_proto)) /* a header names no TCP or UDP */
			snprintf(info->by, room, "%s: endpoint", name);
		else if (info->ip_version)
			snprintf(info->by, room, "%s: ip-protocol %u", name, info->ip_proto);
		else
			snprintf(info->by, room, "%s: ethertype 0x%04x", name, info->ethertype);
		break;
	case EVIDENCE_PORT:
		snprintf(info->by, room, "%s: port %u", name_of(r, v->protocol),
			 info->server.port);
		break;
	case EVIDENCE_NDPI: snprintf(info->by, room, "ndpi"); break;
	case EVIDENCE_LEARNED: snprintf(info->by, room, "%s: learned", name); break;
	case EVIDENCE_EXPECTED: snprintf(info->by, room, "%s: expected", name); break;
	case EVIDENCE_NONE:
	case EVIDENCE__COUNT: break;
	}
}

void
barn_flow_info(const struct barn_flow *flow, struct barn_flow_info *info)
{
	const struct flow *f = flow->flow;
	unsigned client = f->client, server = !f->client;

	*info = (struct barn_flow_info){
		.id = f->id,
		.first_ns = f->first_ns,
		.last_ns = f->last_ns,
		.ip_version = f->key.ip_version,
		.ip_proto = f->key.ip_proto,
		.ethertype = f->key.ethertype,
		.client = endpoint_of(&f->key, client),
		.server = endpoint_of(&f->key, server),
		.packets = { f->packets[client], f->packets[server] },
		.bytes = { f->bytes[client], f->bytes[server] },
		.protocol = name_of(worker_registry(flow->worker), f->verdict.protocol),
		.evidence = evidence_name(f->verdict.evidence),
		.sure = f->verdict.sure,
		.decided_at = f->verdict.evidence == EVIDENCE_NONE ? 0 : f->decided_at,
		.end = flow_end_name(flow->end),
	};
	fill_path(info, f);
	fill_stack(info, flow);
	fill_by(info, flow);
}

bool
barn_flow_field(const struct barn_flow *flow, uint32_t *at, const char **name,
		const uint8_t **value, size_t *length)
{
	const struct registry *r = worker_registry(flow->worker);
	struct bytes bytes;
	uint16_t field;

	while (notes_next(flow->flow->notes, at, &field, &bytes)) {
		if (field >= CATALOG_BOUND)
			continue;
		*name = registry_field_name(r, field);
		*value = bytes.p;
		*length = bytes_left(&bytes);
		return true;
	}
	return false;
}
