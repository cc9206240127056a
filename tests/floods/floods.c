/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * What a flood costs: memory stays what it was when the worker was made, flows that were there
 * keep their verdict and go on, new ones are still recognised, and the counters tell.
 *
 *	floods [NAME]
 *
 * Beside each flood's packets come those of HTTP connections that were there before, and of new
 * ones. What is printed as `cost` is processor time a packet, against the same without a flood;
 * it is told and not tested.
 */
#include "floods.h"
#include "program/modules.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	FLOWS = 16384,  /* the table's bound */
	OLD = 200,      /* connections that are there before */
	OLD_EVERY = 16, /* packets of the flood between two of theirs */
	NEW_EVERY = 500,
	STEPS = 4, /* packets of a new connection, this many apart: */
	STEP_EVERY = 100,
	QUIET = 100000,
	OLD_NET = 0x0a000000,
	NEW_NET = 0x0a010000,
	SERVER = 0x0b000001,
	SPARE = 65536 /* bytes: what the test itself and the C library take meanwhile */
};

static const char request[] = "GET / HTTP/1.1\r\nHost: www.example.com\r\n\r\n";
static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
			     "Content-Length: 1000000\r\n\r\nhello";

struct floods {
	struct barn_engine *engine;
	struct shared *shared;
	struct wire *wire;
	struct worker *worker;
	uint64_t random, now_ns, serial, packets;
	uint32_t old_seq[OLD];
	unsigned old_sent[OLD], news;
	/* As reported: */
	unsigned old_flows, old_right, new_flows, new_right;
	struct frame frame;
};

uint64_t
floods_random(struct floods *f)
{
	uint64_t x = f->random += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static struct frame_addr
address(uint32_t host)
{
	return (struct frame_addr){ 4,
				    { (uint8_t)(host >> 24), (uint8_t)(host >> 16),
				      (uint8_t)(host >> 8), (uint8_t)host } };
}

static void
give(struct floods *f)
{
	struct packet packet = { .frame = bytes_of(f->frame.data, f->frame.len),
				 .wire_len = (uint32_t)f->frame.len,
				 .time_ns = f->now_ns,
				 .clock_ns = f->now_ns,
				 .serial = ++f->serial,
				 .linktype = 1 };
	struct packet early;

	f->now_ns += 10000;
	f->packets++;
	wire_decode(f->wire, &packet);
	while (wire_early(f->wire, &early)) {
		early.clock_ns = packet.clock_ns;
		worker_packet(f->worker, &early);
	}
	if (!packet.held)
		worker_packet(f->worker, &packet);
}

void
floods_send(struct floods *f, const struct floods_packet *p)
{
	frame_init(&f->frame, p->bytes, p->len);
	if (p->fragment)
		f->frame.ip_proto = 17;
	else if (p->udp)
		frame_udp(&f->frame, p->sport, p->dport);
	else
		frame_tcp(&f->frame, &(struct frame_tcp){ .sport = p->sport,
							  .dport = p->dport,
							  .seq = p->seq,
							  .ack = p->ack,
							  .flags = p->flags });
	frame_ip(&f->frame, address(p->from), address(p->to),
		 &(struct frame_ip){ .id = p->id, .fragment = p->fragment });
	frame_ether(&f->frame, NULL, NULL);
	give(f);
}

/* A step of a connection to port 8080 of SERVER, which no module claims for itself alone. */
static void
converse(struct floods *f, uint32_t client, unsigned step)
{
	struct floods_packet p = {
		.from = client, .to = SERVER, .sport = 40000, .dport = 8080
	};

	switch (step) {
	case 0: p.flags = FRAME_SYN; break;
	case 2:
		p.flags = FRAME_ACK;
		p.seq = p.ack = 1;
		p.bytes = request;
		p.len = sizeof(request) - 1;
		break;
	default:
		p.from = SERVER;
		p.to = client;
		p.sport = 8080;
		p.dport = 40000;
		p.flags = step == 1 ? FRAME_SYN | FRAME_ACK : FRAME_ACK;
		p.seq = step == 1 ? 0 : 1;
		p.ack = step == 1 ? 1 : sizeof(request);
		p.bytes = step == 1 ? NULL : answer;
		p.len = step == 1 ? 0 : sizeof(answer) - 1;
	}
	floods_send(f, &p);
}

/* Another piece of an answer that is under way. */
static void
go_on(struct floods *f, unsigned n)
{
	static const char more[] = "and more";

	floods_send(f, &(struct floods_packet){ .from = SERVER,
						.to = OLD_NET + n,
						.sport = 8080,
						.dport = 40000,
						.flags = FRAME_ACK,
						.seq = f->old_seq[n],
						.ack = sizeof(request),
						.bytes = more,
						.len = sizeof(more) - 1 });
	f->old_seq[n] += sizeof(more) - 1;
	f->old_sent[n]++;
}

static void
flow_ended(void *self, const struct barn_flow *flow)
{
	struct floods *f = self;
	struct barn_flow_info info;
	const uint8_t *a;
	bool http;

	barn_flow_info(flow, &info);
	a = info.client.address;
	http = strcmp(info.protocol, "http") == 0 && info.sure;
	if (info.server.port != 8080)
		return;
	if (a[0] == 10 && a[1] == 0) {
		f->old_flows++;
		f->old_right += http && info.packets[0] == 2 &&
				info.packets[1] == 2 + f->old_sent[a[3]];
	} else if (a[0] == 10) {
		f->new_flows++;
		f->new_right += http && info.packets[0] + info.packets[1] == STEPS;
	}
}

static bool
begin(struct floods *f)
{
	struct worker_options worker = {
		.current = &f->engine->current,
		.interfaces = 1,
		.flows = FLOWS,
		.seed = { 1, 2 },
		.ended = flow_ended,
		.self = f,
	};
	struct wire_options wire = { .seed = { 3, 4 } };

	f->now_ns = UINT64_C(1700000000000000000);
	if (shared_new(worker.seed, &f->shared) || wire_new(&wire, &f->wire))
		return false;
	worker.shared = f->shared;
	if (worker_new(&worker, &f->worker))
		return false;
	for (unsigned n = 0; n < OLD; n++) {
		for (unsigned step = 0; step < STEPS; step++)
			converse(f, OLD_NET + n, step);
		f->old_seq[n] = sizeof(answer);
	}
	return true;
}

/* The flood's packet i, and those of the others that fall between. */
static void
go(struct floods *f, const struct flood *flood, unsigned i)
{
	unsigned phase = i % NEW_EVERY;

	if (flood->packet)
		flood->packet(f, i);
	if (i % OLD_EVERY == 0)
		go_on(f, i / OLD_EVERY % OLD);
	if (phase % STEP_EVERY == 0 && phase / STEP_EVERY < STEPS)
		converse(f, NEW_NET + i / NEW_EVERY, phase / STEP_EVERY);
	f->news = i / NEW_EVERY;
}

static double
cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static size_t
allocated(void)
{
	struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

/* Resident memory. */
static size_t
resident(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long size = 0, pages = 0;

	if (file) {
		if (fscanf(file, "%lu %lu", &size, &pages) != 2)
			pages = 0;
		fclose(file);
	}
	return (size_t)pages * 4096;
}

static void
end(struct floods *f)
{
	worker_free(f->worker);
	shared_free(f->shared);
	wire_free(f->wire);
}

static unsigned passed, failed;

static void
check(bool holds, const char *flood, const char *claim)
{
	if (holds)
		passed++;
	else
		failed++;
	if (!holds)
		printf("FAILED %s: %s\n", flood, claim);
}

static struct read_limits
limits_of(const struct floods *f)
{
	struct worker_limits l = worker_limits(f->worker);
	struct expect_stats announced = shared_announced(f->shared);

	return (struct read_limits){ .count = {
					     [LIMIT_FLOWS] = l.flows_evicted,
					     [LIMIT_INSPECTIONS] = l.given_up,
					     [LIMIT_STREAM] = l.blocks,
					     [LIMIT_VALUES] = l.values,
					     [LIMIT_DATAGRAMS] =
						     wire_stats(f->wire)->datagrams_evicted,
					     [LIMIT_ANNOUNCEMENTS] = announced.evicted,
				     } };
}

static void
judge(const struct flood *flood, const struct floods *f, const struct read_limits *limits)
{
	char claim[80];

	snprintf(claim, sizeof(claim), "%u of %d old flows, %u right", f->old_flows, OLD,
		 f->old_right);
	check(f->old_flows == OLD && f->old_right == OLD, flood->name, claim);
	snprintf(claim, sizeof(claim), "%u of %u new flows, %u right", f->new_flows, f->news,
		 f->new_right);
	check(f->new_right >= f->news && f->new_flows <= f->news + 1, flood->name, claim);
	for (unsigned i = 0; i < READ_LIMITS; i++) {
		snprintf(claim, sizeof(claim), "counter %u is %llu", i,
			 (unsigned long long)limits->count[i]);
		if (flood->reached & 1u << i)
			check(limits->count[i] > 0, flood->name, claim);
		if (flood->spared & 1u << i)
			check(limits->count[i] == 0, flood->name, claim);
	}
}

/* Returns nanoseconds a packet. */
static double
run(struct barn_engine *engine, const struct flood *flood)
{
	static struct floods f;
	struct read_limits limits;
	size_t before, rss = resident();
	double began;

	f = (struct floods){ .engine = engine, .random = 1 };
	if (!begin(&f))
		exit(1);
	before = allocated();
	f.packets = 0;
	began = cpu_ns();
	for (unsigned i = 0; i < flood->packets; i++)
		go(&f, flood, i);
	began = (cpu_ns() - began) / (double)f.packets;
	check(allocated() <= before + SPARE, flood->name, "memory grew");
	limits = limits_of(&f);
	rss = resident() > rss ? resident() - rss : 0;
	worker_close(f.worker, f.now_ns);
	judge(flood, &f, &limits);
	printf("%-16s %6llu packets, %3zu MB of memory used;", flood->name,
	       (unsigned long long)f.packets, rss >> 20);
	for (unsigned i = 0; i < READ_LIMITS; i++)
		printf(" %llu", (unsigned long long)limits.count[i]);
	end(&f);
	return began;
}

int
main(int argc, char **argv)
{
	const struct flood quiet = { .name = "quiet", .packets = QUIET };
	const char *top = getenv("srcdir") ? getenv("srcdir") : ".";
	struct modules_options options = { .no_ndpi = true };
	struct barn_engine *engine;
	char path[512];
	double calm;

	snprintf(path, sizeof(path), "%s/pdlm", top);
	options.folder = path;
	if (modules_load(&options, &engine) != BARN_OK)
		return 1;
	calm = run(engine, &quiet);
	printf("; cost %.0f ns a packet\n", calm);
	for (unsigned i = 0; i < flood_count; i++) {
		double cost;

		if (argc > 1 && strcmp(argv[1], flood_table[i].name) != 0)
			continue;
		cost = run(engine, &flood_table[i]);
		printf("; cost %.0f ns, %.1f times\n", cost, cost / calm);
	}
	barn_engine_free(engine);
	printf("%u passed, %u failed\n", passed, failed);
	return failed || !passed;
}
