/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_workers.h"
#include "cli/crew.h"
#include <stdlib.h>

struct lane {
	struct read_workers *all;
	unsigned number;
	struct worker *worker;
};

struct read_workers {
	struct read_workers_options options;
	struct crew *crew; /* NULL: one worker, in the reader's thread */
	struct lane lanes[CREW_MAX];
};

static void
ended(void *self, const struct barn_flow *flow)
{
	const struct read_workers_options *o = &((struct lane *)self)->all->options;

	o->ended(o->self, flow);
}

static void
value_found(void *self, struct flow *flow, uint16_t field, struct bytes value)
{
	const struct read_workers_options *o = &((struct lane *)self)->all->options;

	o->value(o->self, flow, field, value);
}

static void
settle(void *self, uint64_t serial)
{
	struct lane *lane = self;

	crew_settle(lane->all->crew, lane->number, serial);
}

static void
handle(void *self, unsigned number, const struct packet *packet, uint64_t *slot)
{
	struct read_workers *w = self;
	uint64_t flow = worker_packet(w->lanes[number].worker, packet);

	if (slot)
		*slot = flow;
}

static enum barn_err
add_lane(struct read_workers *w, unsigned number)
{
	struct lane *lane = &w->lanes[number];
	struct barn_engine *engine = w->options.engine;
	struct worker_options options = {
		.current = &engine->current,
		.shared = engine->shared,
		.interfaces = w->options.interfaces,
		.ndpi = engine->ndpi,
		.dir_by_client = w->options.dir_by_client,
		.meter = w->options.meter,
		.seed = { engine->seed[0], engine->seed[1] },
		.ended = ended,
		.value = value_found,
		.self = lane,
		.settle = w->options.jobs > 1 ? settle : NULL,
		.policies = w->options.policies,
	};

	lane->all = w;
	lane->number = number;
	return worker_new(&options, &lane->worker);
}

enum barn_err
read_workers_new(const struct read_workers_options *options, struct read_workers **workers)
{
	struct read_workers *w = calloc(1, sizeof(*w));
	struct crew_options crew = { .lanes = options->jobs, .packet = handle, .self = w };
	enum barn_err err = BARN_OK;

	if (!w)
		return BARN_ERR_MEMORY;
	w->options = *options;
	for (unsigned i = 0; i < options->jobs && !err; i++)
		err = add_lane(w, i);
	if (!err && options->jobs > 1)
		err = crew_new(&crew, &w->crew);
	if (err)
		read_workers_free(w);
	else
		*workers = w;
	return err;
}

void
read_workers_free(struct read_workers *w)
{
	if (!w)
		return;
	crew_free(w->crew);
	for (unsigned i = 0; i < w->options.jobs; i++)
		worker_free(w->lanes[i].worker);
	free(w);
}

enum barn_err
read_workers_packet(struct read_workers *w, const struct packet *packet, uint64_t *slot)
{
	if (w->crew)
		return crew_deal(w->crew, (unsigned)(table_steer(packet) % w->options.jobs),
				 packet, slot);
	if (w->options.policies)
		return w->options.decide(w->options.self, w->lanes[0].worker, packet,
					 worker_packet(w->lanes[0].worker, packet), slot);
	handle(w, 0, packet, slot);
	return BARN_OK;
}

void
read_workers_sum(struct read_workers *w, uint64_t now_ns, struct discovery *sum)
{
	const struct discovery *counters[CREW_MAX];

	if (w->crew)
		crew_quiet(w->crew);
	for (unsigned i = 0; i < w->options.jobs; i++) {
		worker_tick(w->lanes[i].worker, now_ns);
		counters[i] = worker_discovery(w->lanes[i].worker);
	}
	discovery_sum(sum, counters, w->options.jobs);
}

enum barn_err
read_workers_close(struct read_workers *w, uint64_t now_ns)
{
	enum barn_err err = BARN_OK;

	if (w->crew)
		crew_quiet(w->crew);
	if (w->options.policies)
		err = w->options.closing(w->options.self, w->lanes[0].worker, now_ns);
	for (unsigned i = 0; i < w->options.jobs; i++)
		worker_close(w->lanes[i].worker, now_ns);
	return err;
}

uint64_t
read_workers_flows(const struct read_workers *w)
{
	uint64_t flows = 0;

	for (unsigned i = 0; i < w->options.jobs; i++)
		flows += worker_table_stats(w->lanes[i].worker)->created;
	return flows;
}

uint64_t
read_workers_faults(const struct read_workers *w, const char **faulty)
{
	uint64_t faults = 0;

	for (unsigned i = 0; i < w->options.jobs; i++) {
		uint64_t more = worker_faults(w->lanes[i].worker);

		if (more)
			*faulty = worker_faulty(w->lanes[i].worker);
		faults += more;
	}
	return faults;
}

uint64_t
read_workers_cuts(const struct read_workers *w)
{
	uint64_t cuts = 0;

	for (unsigned i = 0; i < w->options.jobs; i++)
		cuts += worker_cuts(w->lanes[i].worker);
	return cuts;
}

struct worker_limits
read_workers_limits(const struct read_workers *w)
{
	struct worker_limits sum = { 0 };

	for (unsigned i = 0; i < w->options.jobs; i++) {
		struct worker_limits l = worker_limits(w->lanes[i].worker);

		sum.flows_evicted += l.flows_evicted;
		sum.given_up += l.given_up;
		sum.blocks += l.blocks;
		sum.values += l.values;
	}
	return sum;
}
