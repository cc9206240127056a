/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "worker/engine.h"

#include <stdlib.h>
#include <strings.h>
#include <sys/random.h>

struct barn_worker {
	struct worker *worker;
	struct wire *wire;
	uint64_t serial, last_ns, clock_ns;
};

enum barn_err
barn_engine_new(const struct barn_engine_options *options, struct barn_engine **engine)
{
	struct barn_engine *e = calloc(1, sizeof(*e));
	enum barn_err err;

	if (!e)
		return BARN_ERR_MEMORY;
	if (options && options->size != sizeof(*options)) {
		free(e);
		return BARN_ERR_ARGUMENT;
	}
	pthread_mutex_init(&e->loading, NULL);
	e->ndpi = !options || !options->no_ndpi;
	e->no_hyperscan = options && options->no_hyperscan;
	err = getentropy(e->seed, sizeof(e->seed)) ? BARN_ERR_SYSTEM : BARN_OK;
	if (!err)
		err = catalog_new(&e->catalog);
	if (!err)
		err = indexes_new(&e->indexes);
	if (!err)
		err = current_init(&e->current);
	if (!err)
		err = shared_new(e->seed, &e->shared);
	if (err) {
		barn_engine_free(e);
		return err;
	}
	*engine = e;
	return BARN_OK;
}

void
barn_engine_free(struct barn_engine *engine)
{
	if (!engine)
		return;
	pdl_set_free(engine->staged);
	foreign_free(engine->staged_foreign);
	packs_fini(&engine->staged_packs);
	packs_fini(&engine->packs);
	pdl_set_free(engine->trusted);
	current_fini(&engine->current);
	ndpi_bridge_free(engine->names);
	shared_free(engine->shared);
	indexes_free(engine->indexes);
	catalog_free(engine->catalog);
	pthread_mutex_destroy(&engine->loading);
	free(engine);
}

enum barn_err
barn_worker_new(struct barn_engine *engine, const struct barn_worker_options *options,
		struct barn_worker **worker)
{
	static const struct barn_worker_options none = { .size = sizeof(none) };
	const struct barn_worker_options *o = options ? options : &none;
	struct worker_options inner = {
		.current = &engine->current,
		.shared = engine->shared,
		.interfaces = o->interfaces ? o->interfaces : 1,
		.ndpi = engine->ndpi,
		.flows = o->flows,
		.seed = { engine->seed[0], engine->seed[1] },
		.ended = o->flow_ended,
		.self = o->self,
	};
	struct wire_options wire = { .seed = { engine->seed[0], engine->seed[1] },
				     .opaque = engine->opaque };
	struct barn_worker *w;
	enum barn_err err;

	if (o->size != sizeof(*o) || current_is(&engine->current, NULL))
		return BARN_ERR_ARGUMENT;
	w = calloc(1, sizeof(*w));
	if (!w)
		return BARN_ERR_MEMORY;
	err = wire_new(&wire, &w->wire);
	if (!err)
		err = worker_new(&inner, &w->worker);
	if (err) {
		barn_worker_free(w);
		return err;
	}
	*worker = w;
	return BARN_OK;
}

void
barn_worker_free(struct barn_worker *worker)
{
	if (!worker)
		return;
	worker_free(worker->worker);
	wire_free(worker->wire);
	free(worker);
}

/* Fragments that have waited for their ports. */
static void
count_early(struct barn_worker *worker)
{
	struct packet packet;

	while (wire_early(worker->wire, &packet)) {
		packet.clock_ns = worker->clock_ns;
		worker_packet(worker->worker, &packet);
	}
}

void
barn_worker_frame(struct barn_worker *worker, const struct barn_frame *frame)
{
	struct packet packet = {
		.frame = bytes_of(frame->data, frame->captured),
		.wire_len = frame->length,
		.time_ns = frame->time_ns,
		.serial = ++worker->serial,
		.linktype = frame->linktype,
		.iface = frame->interface,
		.dir = frame->outgoing ? PACKET_OUT : PACKET_IN,
	};

	worker->clock_ns = packet_clock(worker->clock_ns, frame->time_ns);
	packet.clock_ns = worker->clock_ns;
	wire_decode(worker->wire, &packet);
	count_early(worker);
	if (!packet.held)
		worker_packet(worker->worker, &packet);
	if (worker->last_ns < frame->time_ns)
		worker->last_ns = frame->time_ns;
}

uint64_t
barn_worker_faults(const struct barn_worker *worker)
{
	return worker_faults(worker->worker);
}

void
barn_worker_tick(struct barn_worker *worker, uint64_t now_ns)
{
	worker->clock_ns = packet_clock(worker->clock_ns, now_ns);
	worker_tick(worker->worker, worker->clock_ns);
}

void
barn_worker_close(struct barn_worker *worker)
{
	wire_flush(worker->wire);
	count_early(worker);
	worker_close(worker->worker, worker->last_ns);
}

enum barn_err
barn_worker_count(const struct barn_worker *worker, uint16_t interface, bool outgoing,
		  const char *protocol, struct barn_count *count)
{
	const struct registry *r = worker_registry(worker->worker);
	uint16_t number = registry_recall(r, protocol);
	const struct discovery_cell *c;

	if (!number && strcmp(protocol, registry_protocol(r, 0)->name) != 0)
		return BARN_ERR_MISSING;
	c = discovery_cell(worker_discovery(worker->worker), interface,
			   outgoing ? PACKET_OUT : PACKET_IN, number);
	*count = (struct barn_count){ c->packets, c->bytes, c->guessed_packets,
				      c->guessed_bytes };
	return BARN_OK;
}
