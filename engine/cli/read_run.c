/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/read_run.h"
#include "program/say.h"
#include <stdlib.h>

static const uint64_t STEP_NS = UINT64_C(1000000000) * RATES_STEP_S;

struct read_run {
	struct read_run_options options;
	struct wire *wire;
	struct read_workers *workers;
	struct rates *rates;
	struct discovery *sum; /* as of the last step */
	uint64_t packets;
	uint64_t first_ns, last_ns; /* the extremes of the packets' times */
	uint64_t clock_ns;          /* of the packets */
	uint64_t step_ns;           /* when the rates are next brought up to date */
};

/* A run's user, and its policies, see the same packets. */
static void
ended(void *self, const struct barn_flow *flow)
{
	const struct read_run_options *o = &((struct read_run *)self)->options;

	o->ended(o->self, flow);
}

static void
value_found(void *self, struct flow *flow, uint16_t field, struct bytes value)
{
	const struct read_run_options *o = &((struct read_run *)self)->options;

	/* flow->policy is the policy's, where there is one. */
	if (!o->policy)
		o->value(o->self, flow, field, value);
}

static enum barn_err
decide(void *self, struct worker *worker, const struct packet *packet, uint64_t flow,
       uint64_t *slot)
{
	return read_policy_packet(((struct read_run *)self)->options.policy, worker, packet,
				  flow, slot);
}

static enum barn_err
closing(void *self, struct worker *worker, uint64_t now_ns)
{
	return read_policy_finish(((struct read_run *)self)->options.policy, worker, now_ns);
}

static enum barn_err
start(struct read_run *r)
{
	uint16_t protocols = registry_count(r->options.engine->registry);
	struct read_workers_options workers = {
		.engine = r->options.engine,
		.jobs = r->options.policy ? 1 : r->options.read->jobs,
		.interfaces = r->options.interfaces,
		.dir_by_client = r->options.read->inside_count == 0,
		.ended = ended,
		.value = value_found,
		.decide = decide,
		.closing = closing,
		.self = r,
	};
	struct wire_options wire = {
		.seed = { r->options.engine->seed[0], r->options.engine->seed[1] },
		.opaque = r->options.engine->opaque,
	};
	enum barn_err err = wire_new(&wire, &r->wire);

	if (r->options.policy)
		workers.policies = read_policy_slot(r->options.policy);
	if (!err)
		err = read_workers_new(&workers, &r->workers);
	if (!err)
		err = rates_new(r->options.interfaces, protocols, RATES_INTERVAL_S, &r->rates);
	if (!err)
		err = discovery_new(r->options.interfaces, protocols, &r->sum);
	return err;
}

enum barn_err
read_run_new(const struct read_run_options *options, struct read_run **run)
{
	struct read_run *r = calloc(1, sizeof(*r));
	enum barn_err err;

	if (!r)
		return BARN_ERR_MEMORY;
	r->options = *options;
	err = start(r);
	if (err)
		read_run_free(r);
	else
		*run = r;
	return err;
}

void
read_run_free(struct read_run *r)
{
	if (!r)
		return;
	read_workers_free(r->workers);
	wire_free(r->wire);
	rates_free(r->rates);
	discovery_free(r->sum);
	free(r);
}

/* The counters of now as those of time_ns. */
static void
update_rates(struct read_run *r, uint64_t time_ns)
{
	read_workers_sum(r->workers, time_ns, r->sum);
	rates_update(r->rates, r->sum, time_ns);
}

/* Only tables show rates, and to bring them up to date all workers must come to rest. */
static bool
wants_rates(const struct read_run *r)
{
	enum read_display display = r->options.read->display;

	return display == READ_TABLE || display == READ_TABLE_JSON;
}

/* Times of damaged captures may be as late as can be. */
static uint64_t
later(uint64_t time_ns, uint64_t by_ns)
{
	return time_ns > UINT64_MAX - by_ns ? UINT64_MAX : time_ns + by_ns;
}

/* Before the packet of this time is counted. */
static void
advance(struct read_run *r, uint64_t time_ns)
{
	uint64_t steps;

	if (!r->packets++) {
		r->first_ns = r->last_ns = time_ns;
		r->step_ns = later(time_ns, STEP_NS);
		rates_update(r->rates, r->sum, time_ns);
	}
	if (time_ns >= r->step_ns && wants_rates(r)) {
		steps = (time_ns - r->step_ns) / STEP_NS;
		update_rates(r, r->step_ns); /* all that came until now came before it */
		update_rates(r, r->step_ns + steps * STEP_NS);
		r->step_ns = later(r->step_ns + steps * STEP_NS, STEP_NS);
	}
	r->clock_ns = packet_clock(r->clock_ns, time_ns);
	if (time_ns < r->first_ns)
		r->first_ns = time_ns;
	if (time_ns > r->last_ns)
		r->last_ns = time_ns;
}

/* A packet that is complete, and where its flow is noted. */
static enum barn_err
deal(struct read_run *r, struct packet *packet)
{
	const struct read_options *o = r->options.read;
	uint64_t *slot = NULL;

	packet->clock_ns = r->clock_ns;
	if (r->options.write) {
		slot = read_write_slot(r->options.write, packet->serial);
		if (!slot)
			return BARN_ERR_MEMORY;
	}
	if (o->inside_count)
		packet->dir = (uint8_t)inside_dir(o->inside, o->inside_count, packet);
	return read_workers_packet(r->workers, packet, slot);
}

/* Fragments that have waited for their ports. */
static enum barn_err
deal_early(struct read_run *r)
{
	enum barn_err err = BARN_OK;
	struct packet packet;

	while (!err && wire_early(r->wire, &packet))
		err = deal(r, &packet);
	return err;
}

static enum barn_err
take(struct read_run *r, const struct io_frame *frame, uint64_t serial, unsigned file)
{
	struct packet packet = {
		.frame = frame->data,
		.wire_len = frame->length,
		.time_ns = frame->time_ns,
		.serial = serial,
		.linktype = frame->linktype,
		.iface = r->options.interfaces > 1 ? (uint16_t)file : 0,
	};
	enum barn_err err = BARN_OK;

	advance(r, frame->time_ns);
	if (r->options.save)
		err = savefile_write(r->options.save, frame);
	if (err)
		return err;
	wire_decode(r->wire, &packet);
	err = deal_early(r);
	return err || packet.held ? err : deal(r, &packet);
}

int
read_run(struct read_run *r)
{
	enum read_input_answer answer = READ_INPUT_FRAME;
	enum barn_err err = BARN_OK;
	struct io_frame frame;
	uint64_t serial;
	unsigned file;

	while (!err && (answer = read_input_next(r->options.input, &frame, &serial, &file)) ==
			       READ_INPUT_FRAME)
		err = take(r, &frame, serial, file);
	wire_flush(r->wire);
	if (!err)
		err = deal_early(r);
	if (err)
		read_workers_close(r->workers, r->last_ns);
	else
		err = read_workers_close(r->workers, r->last_ns);
	if (answer == READ_INPUT_FILTER)
		return EXIT_USAGE;
	if (!err && wants_rates(r))
		update_rates(r, r->last_ns);
	if (err == BARN_ERR_ARGUMENT)
		say_error("%s: a capture holds packets of one link type only",
			  r->options.read->write);
	else if (err)
		say_error("%s", barn_strerror(err));
	return err ? EXIT_FAILED : 0;
}

struct read_run_result
read_run_result(const struct read_run *r)
{
	const char *faulty = NULL;
	uint64_t faults = read_workers_faults(r->workers, &faulty);

	return (struct read_run_result){
		.faults = faults,
		.faulty = faulty,
		.sum = r->sum,
		.rates = r->rates,
		.packets = r->packets,
		.flows = read_workers_flows(r->workers),
		.cuts = read_workers_cuts(r->workers),
		.last_ns = r->last_ns,
		.span_ns = r->last_ns - r->first_ns,
		.limits = read_limits_of(r->workers, r->wire, r->options.engine->shared),
	};
}
