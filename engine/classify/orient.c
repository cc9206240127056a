/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/step.h"
#include "pdl/pdl.h"

/*
 * Who is the client of a flow whose SYN was not seen: the first to be seen counts as the
 * client, unless ports or words tell otherwise.
 */

enum { EPHEMERAL = 32768 }; /* Linux gives clients ports from here on, others from 49152 */
enum { REPLY = 4 };         /* bytes of a reply's code and what is behind it */

static void
turn(struct flow *flow)
{
	flow->client = !flow->client;
}

/* What the port map says: 1, the sender serves; -1, the receiver does; 0, both or neither. */
static int
port_map(const struct classify *c, const struct flow *flow)
{
	const struct flow_key *key = &flow->key;
	const struct registry *r = c->epoch->registry;
	bool from = registry_port(r, key->ip_proto, key->port[flow->client]) != 0;
	bool to = registry_port(r, key->ip_proto, key->port[!flow->client]) != 0;

	return (int)from - (int)to;
}

void
orient_by_ports(const struct classify *c, struct flow *flow)
{
	const struct flow_key *key = &flow->key;
	int told;

	if (flow->client_known)
		return;
	told = port_map(c, flow);
	if (told > 0 ||
	    (told == 0 && key->ip_proto == IPPROTO_TCP && key->port[flow->client] < EPHEMERAL &&
	     key->port[!flow->client] >= EPHEMERAL))
		turn(flow);
}

/* Codes of three digits (RFC 959, RFC 5321, section 4.2) and status lines: servers' words. */
static bool
is_reply(struct bytes data)
{
	static const char *const status[] = { "HTTP/1.", "RTSP/1." };
	uint8_t code[REPLY];

	for (unsigned i = 0; i < sizeof(status) / sizeof(status[0]); i++)
		if (bytes_starts(&data, status[i]))
			return true;
	for (unsigned i = 0; i < REPLY; i++)
		code[i] = bytes_u8(&data);
	return !data.bad && code[0] >= '1' && code[0] <= '5' && code[1] >= '0' &&
	       code[1] <= '9' && code[2] >= '0' && code[2] <= '9' &&
	       (code[3] == ' ' || code[3] == '-');
}

struct asked {
	const struct registry *registry;
	unsigned best; /* 1 above enum pdl_strength's place: the strongest so far */
};

static bool
take_rule(void *self, uint16_t number)
{
	struct asked *asked = self;
	const struct registry_rule *r = registry_rule(asked->registry, number);
	unsigned worth = r->rule->strength == PDL_SURE ? 2 : r->rule->strength == PDL_LIKELY;

	if (worth > asked->best)
		asked->best = worth;
	return asked->best < 2;
}

/* How strongly the rules believe that this side begins so. */
static unsigned
ask(const struct classify *c, struct bytes data, unsigned side)
{
	struct match_view view = { .first_known = true, .first = (uint8_t)side };
	struct asked asked = { .registry = c->epoch->registry };

	view.side[side] = (struct match_side){
		.data = data.p,
		.len = (uint32_t)bytes_left(&data),
		.turn = (uint32_t)bytes_left(&data),
	};
	rule_set_run(registry_rules(asked.registry, PDL_TCP), &view, c->epoch->rules, NULL,
		     take_rule, &asked);
	return asked.best;
}

bool
orient_by_words(const struct classify *c, struct flow *flow, const struct packet *packet,
		unsigned from)
{
	struct wait *wait = work_wait(flow);
	bool client = from == flow->client, is_client = client;

	if (flow->client_known || packet->ip_proto != IPPROTO_TCP ||
	    bytes_left(&packet->payload) == 0 || port_map(c, flow) != 0)
		return false;
	if (is_reply(packet->payload)) {
		is_client = false;
	} else {
		unsigned asks = ask(c, packet->payload, MATCH_CLIENT);
		unsigned serves = ask(c, packet->payload, MATCH_SERVER);

		if (asks != serves)
			is_client = asks > serves;
	}
	if (is_client == client)
		return false;
	turn(flow);
	for (unsigned i = 0; c->dir_by_client && i < wait->credit_count; i++)
		wait->credits[i].dir =
			wait->credits[i].dir == PACKET_IN ? PACKET_OUT : PACKET_IN;
	return true;
}
