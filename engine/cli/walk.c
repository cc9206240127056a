/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/walk.h"
#include "cli/read_workers.h"
#include "program/say.h"

struct state {
	const struct walk_options *options;
	struct read_input *input;
	struct read_workers *workers;
	struct wire *wire;
	uint64_t last_ns, clock_ns, frames;
};

static void
flow_ended(void *self, const struct barn_flow *flow)
{
	const struct state *s = self;

	if (s->options->ended)
		s->options->ended(s->options->self, flow);
}

static void
value_found(void *self, struct flow *flow, uint16_t field, struct bytes value)
{
	(void)self;
	(void)flow;
	(void)field;
	(void)value;
}

static enum barn_err
decide(void *self, struct worker *worker, const struct packet *packet, uint64_t flow,
       uint64_t *slot)
{
	*slot = flow;
	return read_policy_packet(((struct state *)self)->options->policy, worker, packet, flow,
				  NULL);
}

static enum barn_err
closing(void *self, struct worker *worker, uint64_t now_ns)
{
	return read_policy_finish(((struct state *)self)->options->policy, worker, now_ns);
}

static enum barn_err
start(struct state *s)
{
	struct barn_engine *engine = s->options->engine;
	struct wire_options wire = { .seed = { engine->seed[0], engine->seed[1] },
				     .opaque = engine->opaque };
	struct read_workers_options workers = {
		.engine = engine,
		.jobs = 1,
		.interfaces = 1,
		.dir_by_client = true,
		.meter = s->options->meter,
		.ended = flow_ended,
		.value = value_found,
		.policies = s->options->policy ? read_policy_slot(s->options->policy) : NULL,
		.decide = decide,
		.closing = closing,
		.self = s,
	};
	enum barn_err err = wire_new(&wire, &s->wire);

	return err ? err : read_workers_new(&workers, &s->workers);
}

static enum barn_err
deal(struct state *s, struct packet *packet)
{
	uint64_t flow = 0;
	enum barn_err err;

	packet->clock_ns = s->clock_ns;
	err = read_workers_packet(s->workers, packet, &flow);
	if (!err && s->options->packet)
		s->options->packet(s->options->self, packet, flow);
	return err;
}

/* Fragments that have waited for their ports. */
static enum barn_err
deal_early(struct state *s)
{
	enum barn_err err = BARN_OK;
	struct packet packet;

	while (!err && wire_early(s->wire, &packet))
		err = deal(s, &packet);
	return err;
}

static enum barn_err
take(struct state *s, const struct io_frame *frame, uint64_t serial)
{
	struct packet packet = {
		.frame = frame->data,
		.wire_len = frame->length,
		.time_ns = frame->time_ns,
		.serial = serial,
		.linktype = frame->linktype,
	};
	enum barn_err err;

	s->frames++;
	s->clock_ns = packet_clock(s->clock_ns, frame->time_ns);
	if (s->last_ns < frame->time_ns)
		s->last_ns = frame->time_ns;
	wire_decode(s->wire, &packet);
	err = deal_early(s);
	return err || packet.held ? err : deal(s, &packet);
}

static int
run(struct state *s)
{
	enum read_input_answer answer = READ_INPUT_FRAME;
	enum barn_err err = start(s);
	struct io_frame frame;
	uint64_t serial;
	unsigned file;

	while (!err &&
	       (answer = read_input_next(s->input, &frame, &serial, &file)) == READ_INPUT_FRAME)
		err = take(s, &frame, serial);
	wire_flush(s->wire);
	if (!err)
		err = deal_early(s);
	if (err) {
		say_error("%s", barn_strerror(err));
		return EXIT_FAILED;
	}
	err = read_workers_close(s->workers, s->last_ns);
	if (err) {
		say_error("%s", barn_strerror(err));
		return EXIT_FAILED;
	}
	if (answer == READ_INPUT_FILTER)
		return EXIT_USAGE;
	return read_input_damaged(s->input) ? EXIT_FAILED : 0;
}

int
walk(const struct walk_options *options, uint64_t *frames)
{
	struct state s = { .options = options };
	struct read_input_options input = {
		.paths = options->paths,
		.count = options->count,
		.filter = options->filter,
		.command = options->command,
	};
	int status = EXIT_FAILED;

	*frames = 0;
	s.input = read_input_new(&input);
	if (s.input) {
		status = run(&s);
		*frames = s.frames;
	}
	read_workers_free(s.workers);
	wire_free(s.wire);
	read_input_free(s.input);
	return status;
}
