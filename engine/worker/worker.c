/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "worker/worker.h"

#include "classify/classify.h"

#include <stdlib.h>

struct worker {
	struct current *current;
	struct shared *shared;
	struct table *table;
	struct classify *classify;
	struct discovery *discovery;
	void (*ended)(void *self, const struct barn_flow *flow);
	void (*value)(void *self, struct flow *flow, uint16_t field, struct bytes value);
	void *self;
	void (*settle)(void *settle_self, uint64_t serial);
	uint64_t ticked_ns;
	uint64_t missed;
	struct decide *decide; /* NULL: no policies */
	struct flow *flow;     /* the last packet's */
	unsigned from;
};

/*
 * Takes up the registry in force: for flows that begin from now on. Numbers of protocols that
 * the worker comes to know afterwards have a counter.
 */
static bool
take_up(struct worker *w)
{
	struct registry *registry;
	enum barn_err err;

	if (current_is(w->current, classify_registry(w->classify)))
		return true;
	registry = current_take(w->current);
	err = discovery_grow(w->discovery, registry_count(registry));
	if (!err)
		err = classify_adopt(w->classify, registry);
	if (!err)
		return true;
	registry_drop(registry);
	w->missed++;
	return false;
}

/* What another worker has told may be a protocol of a registry that this one has yet to take
 * up: it was in force before it was told of. */
static bool
is_known(struct worker *w, uint16_t protocol)
{
	return protocol < discovery_protocols(w->discovery) || take_up(w);
}

static void
hook_credit(void *self, const struct flow *flow, uint16_t iface, uint8_t dir, uint16_t protocol,
	    uint64_t packets, uint64_t bytes, bool first)
{
	struct worker *w = self;
	struct discovery_kind kind = { .flows = first,
				       .ip_version = flow->key.ip_version,
				       .guessed = evidence_is_guess(flow->verdict.evidence) };

	discovery_credit(w->discovery, iface, dir, protocol, kind, packets, bytes);
}

static bool
hook_meet(void *self, const struct packet *packet, struct expect_entry *entry)
{
	struct worker *w = self;

	if (w->settle)
		w->settle(w->self, packet->serial);
	return shared_meet(w->shared, packet, entry) && is_known(w, entry->protocol) &&
	       is_known(w, entry->carrier);
}

static void
hook_announce(void *self, const struct expect_entry *entry)
{
	shared_announce(((struct worker *)self)->shared, entry);
}

/* Asked only after hook_meet for the same packet, so that it is settled. */
static bool
hook_recall(void *self, const struct learn_entry *wanted, uint64_t time_ns,
	    struct learn_entry *found)
{
	struct worker *w = self;

	return shared_recall(w->shared, wanted, time_ns, found) &&
	       is_known(w, found->protocol) && is_known(w, found->carrier);
}

static void
hook_learn(void *self, const struct learn_entry *entry)
{
	shared_learn(((struct worker *)self)->shared, entry);
}

static uint32_t
hook_way(void *self, const struct flow *flow, unsigned from)
{
	return table_way(((struct worker *)self)->table, flow, from);
}

static void
hook_value(void *self, struct flow *flow, uint16_t field, struct bytes value)
{
	struct worker *w = self;

	if (w->decide)
		decide_value(w->decide, flow, field, value);
	if (w->value)
		w->value(w->self, flow, field, value);
}

/* The table lets a flow go: the last decision, the report, and its memory. */
static void
flow_ended(void *self, struct flow *flow, enum flow_end end)
{
	struct worker *w = self;
	struct barn_flow report = { .worker = w, .flow = flow, .end = end };

	if (w->flow == flow)
		w->flow = NULL;
	classify_finish(w->classify, flow);
	if (w->ended)
		w->ended(w->self, &report);
	classify_close(w->classify, flow);
}

enum barn_err
worker_new(const struct worker_options *options, struct worker **worker)
{
	struct worker *w = calloc(1, sizeof(*w));
	struct table_options table = {
		.flows = options->flows,
		.seed = { options->seed[0], options->seed[1] },
		.ended = flow_ended,
		.self = w,
	};
	struct classify_options classify = {
		.hooks = { .self = w,
			   .credit = hook_credit,
			   .meet = hook_meet,
			   .announce = hook_announce,
			   .recall = hook_recall,
			   .learn = hook_learn,
			   .way = hook_way,
			   .value = hook_value },
		.ndpi = options->ndpi,
		.dir_by_client = options->dir_by_client,
		.meter = options->meter,
		.flows = options->flows,
	};
	enum barn_err err;

	if (!w)
		return BARN_ERR_MEMORY;
	w->current = options->current;
	w->shared = options->shared;
	w->ended = options->ended;
	w->value = options->value;
	w->self = options->self;
	w->settle = options->settle;
	classify.registry = current_take(options->current);
	err = table_new(&table, &w->table);
	if (!err)
		err = discovery_new(options->interfaces, registry_count(classify.registry),
				    &w->discovery);
	if (!err)
		err = classify_new(&classify, &w->classify);
	if (err)
		registry_drop(classify.registry);
	if (!err && options->policies)
		err = decide_new(options->policies, &w->decide);
	if (err) {
		worker_free(w);
		return err;
	}
	*worker = w;
	return BARN_OK;
}

void
worker_free(struct worker *worker)
{
	if (!worker)
		return;
	table_free(worker->table);
	classify_free(worker->classify);
	discovery_free(worker->discovery);
	decide_free(worker->decide);
	free(worker);
}

uint64_t
worker_packet(struct worker *worker, const struct packet *packet)
{
	struct flow *flow;
	unsigned from;
	bool fresh;

	if (packet->clock_ns > worker->ticked_ns)
		worker_tick(worker, packet->clock_ns);
	flow = table_packet(worker->table, packet, &from, &fresh);
	if (fresh) {
		take_up(worker);
		classify_open(worker->classify, flow, packet);
	}
	discovery_interface(worker->discovery, packet->iface,
			    classify_dir(worker->classify, flow, packet, from),
			    packet->wire_len);
	if (packet->leaves)
		discovery_interface(worker->discovery, packet->leaves - 1, PACKET_OUT,
				    packet->wire_len);
	if (worker->decide) {
		decide_refresh(worker->decide);
		worker->flow = flow;
		worker->from = from;
	}
	classify_packet(worker->classify, flow, packet, from);
	return flow->id;
}

void
worker_decide(struct worker *worker, const struct packet *packet, const struct decide_ask *ask,
	      struct policy_verdict *verdict)
{
	struct flow *flow = worker->flow;
	unsigned from = worker->from;

	if (worker->decide && ask->redo)
		flow = table_find(worker->table, packet, &from);
	if (worker->decide && flow)
		decide_packet(worker->decide, flow, from, packet, ask, verdict);
	else
		decide_nothing(verdict);
}

uint8_t
worker_dir(const struct worker *worker, const struct packet *packet)
{
	return worker->flow ? classify_dir(worker->classify, worker->flow, packet, worker->from)
			    : packet->dir;
}

const struct decide_work *
worker_decide_work(const struct worker *worker)
{
	return worker->decide ? decide_work(worker->decide) : NULL;
}

void
worker_tick(struct worker *worker, uint64_t now_ns)
{
	if (worker->ticked_ns < now_ns)
		worker->ticked_ns = now_ns;
	take_up(worker);
	if (worker->decide)
		decide_refresh(worker->decide);
	table_tick(worker->table, now_ns);
}

void
worker_close(struct worker *worker, uint64_t now_ns)
{
	table_close(worker->table, now_ns);
}

struct each {
	const struct worker *worker;
	void (*visit)(void *self, const struct barn_flow *flow);
	void *self;
};

static void
visit_one(void *self, struct flow *flow)
{
	const struct each *each = self;
	const struct barn_flow report = { .worker = each->worker,
					  .flow = flow,
					  .end = FLOW_ACTIVE };

	each->visit(each->self, &report);
}

void
worker_each(const struct worker *worker,
	    void (*visit)(void *self, const struct barn_flow *flow), void *self)
{
	struct each each = { worker, visit, self };

	table_each(worker->table, visit_one, &each);
}

const struct registry *
worker_registry(const struct worker *worker)
{
	return classify_registry(worker->classify);
}

const struct discovery *
worker_discovery(const struct worker *worker)
{
	return worker->discovery;
}

uint64_t
worker_missed(const struct worker *worker)
{
	return worker->missed;
}

const struct table_stats *
worker_table_stats(const struct worker *worker)
{
	return table_stats(worker->table);
}

struct worker_limits
worker_limits(const struct worker *worker)
{
	return (struct worker_limits){
		.flows_evicted = table_stats(worker->table)->ended[FLOW_EVICTED],
		.given_up = classify_stats(worker->classify)->given_up,
		.blocks = classify_streams(worker->classify)->failed,
		.values = classify_notes_refused(worker->classify),
	};
}

uint64_t
worker_faults(const struct worker *worker)
{
	return classify_stats(worker->classify)->faults;
}

const char *
worker_faulty(const struct worker *worker)
{
	return registry_protocol(classify_registry(worker->classify),
				 classify_stats(worker->classify)->faulty)
		->name;
}

void
worker_ask_custom(struct worker *worker, bool ask)
{
	classify_ask_custom(worker->classify, ask);
}

uint64_t
worker_cuts(const struct worker *worker)
{
	return classify_cuts(worker->classify);
}
