/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/meter.h"
#include "classify/step.h"

#include <netinet/in.h>

/*
 * How long a flow is inspected: so many packets with payload (nDPI's own budget is of this
 * order, and RTP needs five of one direction) and so many bytes, since segments may be of one
 * byte; a protocol that is sure may take longer to be named. PACKETS_MOST ends it in any case.
 */
enum { BUDGET_TCP = 24, BUDGET_UDP = 16, NDPI_PATIENCE = 3 };
enum { ASKED_AGAIN = 4 }; /* whether it was announced: with datagrams until this one */
enum { BYTES_TO_RECOGNISE = 1024, BYTES_TO_NAME = 8192, PACKETS_MOST = 2048 };

void
decide_credit(struct classify *c, const struct flow *flow)
{
	struct wait *wait = work_wait(flow);
	uint64_t packets = 0;

	for (unsigned i = 0; i < wait->credit_count; i++)
		packets += wait->credits[i].packets;
	for (unsigned i = 0; i < wait->credit_count; i++)
		c->hooks.credit(c->hooks.self, flow, wait->credits[i].iface,
				wait->credits[i].dir, flow->verdict.protocol,
				wait->credits[i].packets, wait->credits[i].bytes,
				i == 0 && packets >= flow_packets(flow));
	wait->credit_count = 0;
}

/* An earlier flow to this server says what the next one may be; not where a custom protocol
 * asks each for certain bytes. */
static void
learn_server(struct step *s)
{
	const struct flow *flow = s->flow;
	unsigned server = !flow->client;
	struct learn_entry entry = {
		.addr = flow->key.addr[server],
		.path = flow->key.path,
		.told_ns = flow->last_ns,
		.until_ns = flow->last_ns + LEARN_SERVER_S * UINT64_C(1000000000),
		.port = flow->key.port[server],
		.ip_version = flow->key.ip_version,
		.ip_proto = flow->key.ip_proto,
		.protocol = flow->verdict.protocol,
		.carrier = flow->verdict.carrier,
		.by_serial = s->packet ? s->packet->serial : 0,
	};

	const struct pdl_protocol *m =
		registry_protocol(work_registry(s), flow->verdict.protocol)->module;

	if (flow->verdict.sure && flow->verdict.evidence != EVIDENCE_EXPECTED && s->packet &&
	    !(m && m->custom.confine_count))
		s->c->hooks.learn(s->c->hooks.self, &entry);
}

/*
 * A custom protocol that a DNS answer gave the server stands in front of what the flow is found
 * to be, unless that is another custom protocol: it saw the flow itself.
 */
static bool
is_resolved(const struct step *s, const struct flow_verdict *v)
{
	const struct registry *r = work_registry(s);
	const struct pdl_protocol *m = registry_protocol(r, v->protocol)->module;

	return !s->w->has_outer &&
	       custom_resolved(s->w->wait.epoch->custom, s->w->wait.learned.protocol) &&
	       !(m && (m->custom.value_count || m->custom.confine_count));
}

static struct flow_verdict
resolved(const struct step *s, const struct flow_verdict *found)
{
	struct flow_verdict v = s->w->wait.learned;

	if (found->protocol && found->protocol != v.protocol &&
	    !evidence_is_guess(found->evidence))
		v.carrier = found->carrier ? found->carrier : found->protocol;
	return v;
}

void
decide_verdict(struct step *s, struct flow_verdict verdict)
{
	struct flow *flow = s->flow;
	uint64_t packets = flow_packets(flow);

	if (is_resolved(s, &verdict)) {
		verdict = resolved(s, &verdict);
		packets = 1;
	}
	verdict.final = 1;
	flow->verdict = verdict;
	flow->decided_at = packets < UINT16_MAX ? (uint16_t)packets : UINT16_MAX;
	s->c->stats.decided[verdict.evidence]++;
	decide_credit(s->c, flow);
	learn_server(s);
	if (s->w->ndpi) {
		ndpi_bridge_flow_free(s->c->ndpi, s->w->ndpi);
		s->w->ndpi = NULL;
	}
}

/* What stands in the flow's stack between the transport and the verdict. */
static void
note_outer(struct step *s, uint16_t outer)
{
	notes_add(&s->flow->notes, s->c->notes, NOTE_OUTER, bytes_of(&outer, sizeof(outer)));
}

/* Nothing that the flow said names what is carried: its port may. What stands behind another
 * protocol's bytes has no port of its own. */
static uint16_t
port_child(const struct step *s)
{
	const struct flow_key *key = &s->flow->key;

	return s->w->has_outer
		       ? 0
		       : registry_port_child(work_registry(s), s->w->owner->number,
					     key->ip_proto, key->port[!s->flow->client]);
}

/*
 * The module that is sure, what it carries, and the application that its server's name or its
 * port belongs to: quic, http3, youtube; each but the first where there is one.
 */
static void
decide_owner(struct step *s)
{
	const struct custom *custom = s->w->wait.epoch->custom;
	struct work *w = s->w;
	uint16_t child = custom ? custom_child(custom, &w->found, w->owner->number) : 0;
	struct flow_verdict v = {
		.protocol = w->owner->number,
		.by = w->owner_rule,
		.evidence = w->owner_rule ? EVIDENCE_RULE : EVIDENCE_INSPECTOR,
		.sure = 1,
	};

	if (w->application && w->application != v.protocol) {
		v.carrier = v.protocol;
		v.protocol = w->application;
	}
	if (!child)
		child = w->child;
	if (!child && !v.carrier)
		child = port_child(s);
	if (child && child != v.protocol) {
		if (v.carrier)
			note_outer(s, v.carrier);
		v.carrier = v.protocol;
		v.protocol = child;
	}
	decide_verdict(s, v);
}

static void
decide_ndpi(struct step *s)
{
	struct work *w = s->w;
	const struct ndpi_answer *a = &w->ndpi_answer;
	struct flow_verdict v = {
		.protocol = registry_ndpi(work_registry(s), a->app ? a->app : a->master),
		.carrier = a->app ? registry_ndpi(work_registry(s), a->master) : 0,
		.evidence = EVIDENCE_NDPI,
	};
	const struct protocol *p =
		registry_protocol(work_registry(s), v.carrier ? v.carrier : v.protocol);

	w->owner = p->module ? p : NULL;
	decide_verdict(s, v);
}

/* Our own inspector is stricter: what it has refused is not what nDPI takes it for. */
static bool
is_acceptable(const struct step *s, const struct ndpi_answer *answer)
{
	const struct registry *r = work_registry(s);

	return answer->by_content && !probe_refuses(s, registry_ndpi(r, answer->master)) &&
	       !probe_refuses(s, registry_ndpi(r, answer->app));
}

/* Asks nDPI about the packet at hand, if it still has something to say about this flow. */
static void
ask_ndpi(struct step *s)
{
	struct work *w = s->w;
	struct classify *c = s->c;

	if (!c->ndpi || w->ndpi_done || w->has_outer || w->payloads > BUDGET_TCP ||
	    bytes_left(&s->packet->network) == 0)
		return;
	if (!w->ndpi && ndpi_bridge_flow_new(c->ndpi, &w->ndpi)) {
		w->ndpi_done = true;
		return;
	}
	c->stats.ndpi_packets++;
	uint64_t began = meter_start(c->meter);
	struct ndpi_answer a =
		ndpi_bridge_flow_packet(c->ndpi, w->ndpi, s->packet->network,
					s->packet->time_ns, s->dir == INSPECT_CLIENT);

	meter_ndpi(c->meter, began);
	if (is_acceptable(s, &a)) {
		if (!w->ndpi_answer.by_content)
			w->ndpi_since = w->payloads;
		w->ndpi_answer = a;
	}
	w->ndpi_done = a.final;
}

/* A better rule comes before a worse one of the same flow: the first that matched. */
static bool
take_rule(void *self, uint16_t number)
{
	struct step *s = self;
	const struct registry_rule *r = registry_rule(work_registry(s), number);
	struct work *w = s->w;
	struct opinion opinion = { r->protocol, number, EVIDENCE_RULE };

	switch (r->rule->strength) {
	case PDL_SURE:
		w->owner = registry_protocol(work_registry(s), r->protocol);
		w->owner_rule = number;
		return false;
	case PDL_LIKELY:
		if (!w->opinion.protocol)
			w->opinion = opinion;
		break;
	default:
		if (!w->hint.protocol)
			w->hint = opinion;
		break;
	}
	return true;
}

/* `closed`: nothing more will be shown, so that a rule must say yes or no. */
static struct match_view
view_of(const struct step *s, bool closed)
{
	const struct work *w = s->w;
	struct match_view view = {
		.udp = work_is_udp(s->flow),
		.first_known = w->turn_count > 0,
		.first = w->first_dir,
	};

	for (unsigned d = 0; d < 2; d++) {
		const struct stream *stream = &w->stream[d];

		view.side[d] = (struct match_side){
			.data = stream->data,
			.len = stream->len,
			.turn = w->turn_over[d] ? w->turn[d] : stream->len,
			.turn_over = w->turn_over[d],
			.ends = stream->ends,
			.datagrams = stream->kept,
			.closed = closed || stream->ended || stream->full,
		};
	}
	return view;
}

static void
run_rules(struct step *s, bool closed)
{
	struct work *w = s->w;
	struct match_view view = view_of(s, closed);
	const struct rule_set *rules =
		registry_rules(work_registry(s), view.udp ? PDL_UDP : PDL_TCP);
	uint64_t began = meter_start(s->c->meter);

	w->rules_later = rule_set_run(rules, &view, w->wait.epoch->rules, &w->rules, take_rule,
				      s) == MATCH_LATER;
	meter_rules(s->c->meter, work_registry(s), &view,
		    rule_scratch_regex(w->wait.epoch->rules), began);
	if (w->owner && s->packet)
		probe_attach(s, w->owner);
}

/* The rules of custom protocols on this flow's ports; whether one holds. */
static bool
run_confined(struct step *s, bool closed)
{
	struct work *w = s->w;
	struct match_view view;
	enum match_answer answer;
	uint16_t rule = 0;

	if (!w->confined)
		return false;
	view = view_of(s, closed);
	answer = custom_rule(s->w->wait.epoch->custom, s->flow, &view,
			     rule_scratch_regex(s->w->wait.epoch->rules), &rule);
	w->confined = answer == MATCH_LATER;
	if (answer != MATCH_YES)
		return false;
	w->owner = registry_protocol(work_registry(s),
				     registry_rule(work_registry(s), rule)->protocol);
	w->owner_rule = rule;
	w->child = w->application = 0;
	return true;
}

/* An inspector that thinks so, but is not sure. */
static void
take_opinions(struct work *w)
{
	for (unsigned i = 0; i < w->probe_count; i++)
		if (w->probes[i].answer == INSPECT_LIKELY)
			w->opinion = (struct opinion){ w->probes[i].protocol->number, 0,
						       EVIDENCE_INSPECTOR };
}

static bool
is_spent(const struct step *s)
{
	const struct work *w = s->w;
	uint32_t bytes = w->stream[0].len + w->stream[1].len;

	if (work_is_udp(s->flow))
		return w->payloads >= BUDGET_UDP;
	if (w->stream[0].ended && w->stream[1].ended)
		return true;
	if (w->payloads < BUDGET_TCP)
		return false;
	return bytes >= (w->owner ? BYTES_TO_NAME : BYTES_TO_RECOGNISE) ||
	       w->payloads >= PACKETS_MOST;
}

/* Nobody is left who could say more. */
static bool
is_hopeless(const struct step *s)
{
	const struct work *w = s->w;

	return w->probe_count == 0 && !w->rules_later && w->probed == 3 &&
	       (w->ndpi_done || !s->c->ndpi || w->has_outer);
}

static bool
ndpi_stands(const struct step *s)
{
	const struct work *w = s->w;

	if (!w->ndpi_answer.by_content)
		return false;
	return (w->probe_count == 0 && !w->rules_later) ||
	       w->payloads - w->ndpi_since >= NDPI_PATIENCE;
}

/* What tells of the flow may have come behind its first packets. */
static bool
decide_announced(struct step *s)
{
	const struct flow_verdict *v = &s->flow->verdict;
	struct work *w = s->w;

	if (!s->packet || w->has_outer || !open_announced(s->c, s->flow, s->packet))
		return false;
	probe_clear(w);
	w->probed = 0;
	w->owner = registry_protocol(work_registry(s), v->carrier ? v->carrier : v->protocol);
	if (w->ndpi) {
		ndpi_bridge_flow_free(s->c->ndpi, w->ndpi);
		w->ndpi = NULL;
	}
	return true;
}

void
decide(struct step *s)
{
	struct work *w = s->w;
	struct probe *probe;
	bool wait;

	if (work_is_udp(s->flow) && w->payloads > 1 && w->payloads <= ASKED_AGAIN &&
	    decide_announced(s))
		return;
	if (run_confined(s, false)) {
		probe_settle(s);
		decide_owner(s);
		return;
	}
	probe_feed(s);
	if (!w->owner && !s->hand_over)
		run_rules(s, false);
	/* A custom protocol may still be it; then none of the others is. */
	wait = w->confined && !is_spent(s) && !s->hand_over;
	if (w->owner) {
		probe_settle(s);
		probe = probe_owner(w);
		if (is_spent(s))
			decide_finally(s);
		else if (!wait && (!probe || probe->answer >= INSPECT_NAMED || s->hand_over))
			decide_owner(s);
		return;
	}
	ask_ndpi(s);
	if (wait)
		return;
	if (ndpi_stands(s))
		decide_ndpi(s);
	else if (is_spent(s) || is_hopeless(s))
		decide_finally(s);
	if (s->flow->verdict.final)
		probe_settle(s);
}

/* Whether the protocol claims the port, alone or with others: a hint decides among them. */
static bool
has_port(const struct registry *r, uint16_t protocol, uint8_t ip_proto, uint16_t port)
{
	const struct pdl_protocol *m = registry_protocol(r, protocol)->module;
	uint8_t transport = ip_proto == IPPROTO_TCP ? PDL_TCP : PDL_UDP;

	for (unsigned i = 0; m && i < m->port_count; i++)
		if (m->ports[i].transport & transport && port >= m->ports[i].low &&
		    port <= m->ports[i].high)
			return true;
	return false;
}

/* By what other flows have told, or by the port; or not at all. `hint`: a rule's, or 0. */
static struct flow_verdict
guess(const struct wait *wait, const struct flow *flow, uint16_t hint)
{
	const struct registry *r = wait->epoch->registry;
	const struct flow_key *key = &flow->key;
	uint16_t port = key->port[!flow->client];
	struct flow_verdict v = wait->learned;

	if (!v.protocol && has_port(r, hint, key->ip_proto, port)) {
		v.protocol = hint;
		v.evidence = EVIDENCE_PORT;
	} else if (!v.protocol) {
		v.protocol = registry_port(r, key->ip_proto, port);
		v.evidence = v.protocol ? EVIDENCE_PORT : EVIDENCE_NONE;
	}
	if (v.evidence == EVIDENCE_PORT)
		v.carrier = registry_port_carrier(r, v.protocol);
	return v;
}

void
decide_alone(struct classify *c, struct flow *flow)
{
	uint64_t packets = flow_packets(flow);

	flow->verdict = guess(work_wait(flow), flow, 0);
	if (custom_resolved(work_wait(flow)->epoch->custom, flow->verdict.protocol))
		packets = 1;
	flow->verdict.final = 1;
	flow->decided_at = packets < UINT16_MAX ? (uint16_t)packets : UINT16_MAX;
	c->stats.decided[flow->verdict.evidence]++;
	decide_credit(c, flow);
}

/* What handed over stands, with the inner protocol that it announced, if it did. */
static void
decide_outer(struct step *s)
{
	struct flow_verdict v = s->w->outer;

	if (s->w->inner) {
		v.carrier = s->w->outer.protocol;
		v.protocol = s->w->inner;
		v.evidence = EVIDENCE_EXPECTED;
		v.sure = 0;
	}
	decide_verdict(s, v);
}

static void
take_last_answer(struct step *s)
{
	struct ndpi_answer a = ndpi_bridge_flow_giveup(s->c->ndpi, s->w->ndpi);

	if (is_acceptable(s, &a))
		s->w->ndpi_answer = a;
}

void
decide_finally(struct step *s)
{
	struct work *w = s->w;

	if (run_confined(s, true)) {
		decide_owner(s);
		return;
	}
	if (!w->owner && w->rules_later)
		run_rules(s, true);
	take_opinions(w);
	if (w->ndpi && !w->ndpi_done && !w->ndpi_answer.by_content)
		take_last_answer(s);
	if (w->owner) {
		decide_owner(s);
	} else if (w->ndpi_answer.by_content) {
		decide_ndpi(s);
	} else if (w->opinion.protocol) {
		struct flow_verdict v = { .protocol = w->opinion.protocol,
					  .by = w->opinion.rule,
					  .evidence = w->opinion.evidence };

		w->owner = registry_protocol(work_registry(s), v.protocol);
		decide_verdict(s, v);
	} else if (w->has_outer) {
		decide_outer(s);
	} else if (!decide_announced(s)) {
		decide_verdict(s, guess(&w->wait, s->flow, w->hint.protocol));
	}
}
