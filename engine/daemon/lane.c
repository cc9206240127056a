/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/lane.h"

#include "daemon/act.h"
#include "daemon/log.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	WAIT_MS = 50, /* of no packets, until it looks around */
	BATCHES = 32, /* of one way, before the others have their turn */
	AROUND_NS = 50000000,
	SHOW_NS = 200000000,
	HOSTS = 4096, /* names that wait for the publisher */
	WAYS = 64,    /* of one lane */
};

struct job {
	void (*run)(void *self, struct worker *worker);
	void *self;
	bool done;
};

struct lane {
	struct lane_options options;
	pthread_t thread;
	bool started;
	struct wire *wire;
	struct worker *worker;
	struct act act;
	struct hosts_ring *hosts;
	const struct ways_item *ways[WAYS];
	unsigned count;
	bool live; /* time goes on without packets; a capture has its own */
	uint64_t serial, clock_ns, last_ns;
	uint64_t packets, undecodable;
	uint64_t around_ns, shown_ns;  /* CLOCK_MONOTONIC */
	uint8_t told[WAYS_INTERFACES]; /* the last change, and 1 more */
	atomic_bool stop;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t done;
	struct lane_stats stats;
	struct job *job; /* that waits, or is done */
};

static uint64_t
now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* Who the server of a flow that has ended was, and how much it took. */
static void
flow_ended(void *self, const struct barn_flow *flow)
{
	struct lane *l = self;
	const struct registry *r = worker_registry(l->worker);
	struct barn_flow_info info;
	const uint8_t *value;
	const char *name;
	uint32_t at = 0;
	size_t length;

	if (!flow->flow->notes)
		return;
	while (barn_flow_field(flow, &at, &name, &value, &length)) {
		const struct field *field = registry_field(r, registry_field_find(r, name));

		if (!field || !field->server_name)
			continue;
		barn_flow_info(flow, &info);
		hosts_ring_put(l->hosts, flow->flow->verdict.protocol, (const char *)value,
			       length, info.bytes[0] + info.bytes[1]);
		return;
	}
}

enum barn_err
lane_new(const struct lane_options *options, struct lane **lane)
{
	struct barn_engine *engine = options->engine;
	struct worker_options worker = {
		.current = &engine->current,
		.shared = engine->shared,
		.interfaces = options->ways->interfaces ? options->ways->interfaces : 1,
		.ndpi = engine->ndpi,
		.flows = options->settings->flows,
		.policies = options->policies,
		.ended = flow_ended,
		.seed = { engine->seed[0], engine->seed[1] },
	};
	struct wire_options wire = { .seed = { engine->seed[0], engine->seed[1] },
				     .opaque = engine->opaque };
	struct lane *l = calloc(1, sizeof(*l));
	enum barn_err err;

	if (!l)
		return BARN_ERR_MEMORY;
	l->options = *options;
	worker.self = l;
	pthread_mutex_init(&l->lock, NULL);
	pthread_cond_init(&l->done, NULL);
	for (unsigned i = 0; i < options->ways->count && l->count < WAYS; i++)
		if (options->ways->items[i].worker == options->number) {
			l->ways[l->count++] = &options->ways->items[i];
			l->live |= options->ways->items[i].kind != &way_replay;
		}
	err = wire_new(&wire, &l->wire);
	if (!err)
		err = worker_new(&worker, &l->worker);
	if (!err)
		err = hosts_ring_new(HOSTS, &l->hosts);
	if (!err)
		err = act_init(&l->act, options->ways, options->settings->dry_run);
	if (err) {
		lane_free(l);
		return err;
	}
	*lane = l;
	return BARN_OK;
}

void
lane_free(struct lane *lane)
{
	if (!lane)
		return;
	act_fini(&lane->act);
	hosts_ring_free(lane->hosts);
	worker_free(lane->worker);
	wire_free(lane->wire);
	pthread_cond_destroy(&lane->done);
	pthread_mutex_destroy(&lane->lock);
	free(lane);
}

/* Fragments that have waited for their ports. */
static void
count_early(struct lane *l)
{
	struct packet packet;

	while (wire_early(l->wire, &packet)) {
		packet.clock_ns = l->clock_ns;
		worker_packet(l->worker, &packet);
	}
}

static void
take(struct lane *l, const struct ways_item *item, const struct way_frame *f,
     struct way_verdict *verdict)
{
	struct packet packet = {
		.frame = f->data,
		.wire_len = f->length,
		.time_ns = f->time_ns,
		.linktype = f->linktype,
		.iface = (uint16_t)(item->first +
				    (f->interface < item->count ? f->interface : 0)),
		.dir = f->outgoing ? PACKET_OUT : PACKET_IN,
		.leaves =
			f->towards < item->count ? (uint16_t)(item->first + f->towards + 1) : 0,
	};

	/* Numbers of their own for each worker's flows. */
	l->serial++;
	packet.serial = l->serial * l->options.settings->workers + l->options.number;
	l->clock_ns = packet_clock(l->clock_ns, f->time_ns);
	packet.clock_ns = l->clock_ns;
	wire_decode(l->wire, &packet);
	count_early(l);
	if (!packet.held) {
		worker_packet(l->worker, &packet);
		act_on(&l->act, l->worker, item, f, &packet, verdict);
	}
	if (l->last_ns < f->time_ns)
		l->last_ns = f->time_ns;
	l->packets++;
	l->undecodable += packet.fault != PACKET_WHOLE;
}

/* Whether there was anything. */
static bool
take_batch(struct lane *l, const struct ways_item *item)
{
	struct way_frame frames[WAY_BATCH];
	struct way_verdict verdicts[WAY_BATCH];
	unsigned n = item->kind->receive(item->way, frames);

	for (unsigned i = 0; i < n; i++) {
		verdicts[i] = (struct way_verdict){ .action = WAY_FORWARD };
		take(l, item, &frames[i], &verdicts[i]);
	}
	if (n)
		item->kind->verdict(item->way, verdicts, n);
	return n > 0;
}

static void
take_events(struct lane *l, const struct ways_item *item)
{
	static const char *const words[] = {
		[WAY_LINK_UP] = "its link is up",    [WAY_LINK_DOWN] = "its link is down",
		[WAY_GONE] = "it is gone",           [WAY_APPEARED] = "it is there again",
		[WAY_END] = "the capture has ended",
	};
	const struct ways *ways = l->options.ways;
	struct way_event event;

	while (item->kind->event(item->way, &event)) {
		/* WAY_NONE: of the way as a whole. */
		uint16_t at = event.interface == WAY_NONE ? 0 : event.interface;
		uint16_t number = (uint16_t)(item->first + at);

		if (event.change == WAY_APPEARED)
			atomic_store(&l->options.pulse->reopen, true);
		if (at >= item->count || l->options.number != 0 ||
		    l->told[number] == (int)event.change + 1)
			continue;
		l->told[number] = (uint8_t)(event.change + 1);
		log_say(LOG_NOTICE, "%s: %s", ways->names[number], words[event.change]);
	}
}

static void
run_job(struct lane *l)
{
	pthread_mutex_lock(&l->lock);
	if (l->job && !l->job->done) {
		l->job->run(l->job->self, l->worker);
		l->job->done = true;
		pthread_cond_broadcast(&l->done);
	}
	pthread_mutex_unlock(&l->lock);
}

static struct lane_stats
stats_of(const struct lane *l)
{
	struct lane_stats s = { .packets = l->packets,
				.undecodable = l->undecodable,
				.faults = worker_faults(l->worker),
				.table = *worker_table_stats(l->worker) };

	for (unsigned i = 0; i < l->count; i++) {
		struct way_stats w = { 0 };

		l->ways[i]->kind->stats(l->ways[i]->way, WAY_NONE, &w);
		s.kernel_drops += w.kernel_drops;
		s.send_failures += w.send_failures;
	}
	return s;
}

/* What others see. */
static void
show(struct lane *l)
{
	pthread_mutex_lock(&l->lock);
	l->stats = stats_of(l);
	pthread_mutex_unlock(&l->lock);
}

/* Time goes on without packets, too. */
static void
look_around(struct lane *l)
{
	uint64_t now = now_ns(CLOCK_MONOTONIC_COARSE);

	if (now - l->around_ns < AROUND_NS)
		return;
	l->around_ns = now;
	pulse_beat(l->options.pulse, l->options.number + 1);
	if (l->live)
		l->clock_ns = packet_clock(l->clock_ns, now_ns(CLOCK_REALTIME));
	worker_tick(l->worker, l->clock_ns);
	for (unsigned i = 0; i < l->count; i++)
		take_events(l, l->ways[i]);
	run_job(l);
	if (now - l->shown_ns < SHOW_NS)
		return;
	l->shown_ns = now;
	show(l);
}

static void *
work(void *self)
{
	struct lane *l = self;
	struct pollfd fds[WAYS];

	for (unsigned i = 0; i < l->count; i++)
		fds[i] = (struct pollfd){ l->ways[i]->kind->fd(l->ways[i]->way), POLLIN, 0 };
	while (!atomic_load_explicit(&l->stop, memory_order_relaxed)) {
		bool any = false;

		for (unsigned i = 0; i < l->count; i++)
			for (unsigned n = 0; n < BATCHES && take_batch(l, l->ways[i]); n++)
				any = true;
		look_around(l);
		if (!any)
			poll(fds, l->count, WAIT_MS);
	}
	wire_flush(l->wire);
	count_early(l);
	worker_close(l->worker, l->last_ns);
	show(l);
	run_job(l);
	return NULL;
}

bool
lane_start(struct lane *lane)
{
	lane->started = pthread_create(&lane->thread, NULL, work, lane) == 0;
	return lane->started;
}

void
lane_stop(struct lane *lane)
{
	atomic_store(&lane->stop, true);
	if (lane->started)
		pthread_join(lane->thread, NULL);
	lane->started = false;
}

struct hosts_ring *
lane_hosts(struct lane *lane)
{
	return lane->hosts;
}

const struct discovery *
lane_look(struct lane *lane, struct lane_stats *stats)
{
	pthread_mutex_lock(&lane->lock);
	*stats = lane->stats;
	pthread_mutex_unlock(&lane->lock);
	return worker_discovery(lane->worker);
}

void
lane_run(struct lane *lane, void (*run)(void *self, struct worker *worker), void *self)
{
	struct job job = { run, self, false };

	pthread_mutex_lock(&lane->lock);
	lane->job = &job;
	while (!job.done)
		pthread_cond_wait(&lane->done, &lane->lock);
	lane->job = NULL;
	pthread_mutex_unlock(&lane->lock);
}
