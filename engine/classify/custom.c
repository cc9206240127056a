/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/custom_impl.h"

#include "match/rule.h"

#include <netinet/in.h>
#include <string.h>

/* End points and confined rules; custom_value.c has the values. */

static bool
in_prefix(const struct pdl_prefix *prefix, const uint8_t *address)
{
	unsigned whole = prefix->bits / 8, rest = prefix->bits % 8;

	if (memcmp(prefix->address, address, whole) != 0)
		return false;
	return rest == 0 || (address[whole] ^ prefix->address[whole]) >> (8 - rest) == 0;
}

static bool
in_ports(const struct pdl_ports *ports, unsigned count, uint16_t port)
{
	for (unsigned i = 0; i < count; i++)
		if (port >= ports[i].low && port <= ports[i].high)
			return true;
	return count == 0;
}

static uint8_t
transport_of(const struct flow *flow)
{
	return flow->key.ip_proto == IPPROTO_TCP ? PDL_TCP : PDL_UDP;
}

/* Whether an end of the flow is one that `side` asks for. */
static bool
is_side(const struct flow *flow, unsigned end, uint8_t side)
{
	return side == PDL_ANY || (end == flow->client) == (side == PDL_CLIENT);
}

static bool
fits(const struct custom_end *e, const struct flow *flow)
{
	const struct pdl_endpoint *want = e->endpoint;

	for (unsigned end = 0; end < 2; end++) {
		if (!is_side(flow, end, want->side) ||
		    !in_ports(want->ports, want->port_count, flow->key.port[end]))
			continue;
		if (!e->prefix || (e->prefix->ip_version == flow->key.ip_version &&
				   in_prefix(e->prefix, flow->key.addr[end].b)))
			return true;
	}
	return false;
}

uint16_t
custom_endpoint(const struct custom *custom, const struct flow *flow,
		const struct packet *packet)
{
	uint8_t transport = transport_of(flow), dscp = packet->tos >> 2;

	for (unsigned i = 0; custom && i < custom->end_count; i++) {
		const struct custom_end *e = &custom->ends[i];

		if (!(e->endpoint->transports & transport) ||
		    (e->endpoint->dscp != PDL_DSCP_ANY && e->endpoint->dscp != dscp))
			continue;
		if (fits(e, flow))
			return e->protocol;
	}
	return 0;
}

static bool
is_marked(const uint64_t *ports, uint16_t port)
{
	return ports[port / 64] >> port % 64 & 1;
}

static bool
is_confined_to(const struct custom_confined *c, const struct flow *flow)
{
	if (!(c->rule->transports & transport_of(flow)))
		return false;
	for (unsigned end = 0; end < 2; end++)
		if (is_side(flow, end, c->confine->side) &&
		    in_ports(c->confine->ports, c->confine->port_count, flow->key.port[end]))
			return true;
	return false;
}

bool
custom_confines(const struct custom *custom, const struct flow *flow)
{
	const uint64_t *ports;

	if (!custom || !custom->confined_count)
		return false;
	ports = custom->confined_ports[transport_of(flow) == PDL_UDP];
	if (!is_marked(ports, flow->key.port[0]) && !is_marked(ports, flow->key.port[1]))
		return false;
	for (unsigned i = 0; i < custom->confined_count; i++)
		if (is_confined_to(&custom->confined[i], flow))
			return true;
	return false;
}

enum match_answer
custom_rule(const struct custom *custom, const struct flow *flow, const struct match_view *view,
	    struct regex_scratch *scratch, uint16_t *rule)
{
	for (unsigned i = 0; i < custom->confined_count; i++) {
		const struct custom_confined *c = &custom->confined[i];
		enum match_answer answer;

		if (!is_confined_to(c, flow))
			continue;
		answer = rule_run(c->rule->rule, view, scratch);
		if (answer == MATCH_NO)
			continue;
		*rule = c->number;
		return answer; /* LATER: a better one may still hold, so worse ones wait */
	}
	return MATCH_NO;
}
