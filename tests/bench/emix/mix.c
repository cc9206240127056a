/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "mix.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

enum { SUBNETS = 8, HOSTS = 250, SERVERS = 64 };

static const uint64_t epoch_ns = (uint64_t)1767225600 * 1000000000; /* 2026-01-01 */

/* One flow: what follows from its number alone. */
struct flow {
	const struct mix_app *app;
	struct frame_end client, server;
	uint64_t start_ns, duration_ns;
	struct rng rng; /* for the rest */
};

/* An open flow and its next packet. */
struct open {
	uint64_t time_ns;
	size_t number;
	uint64_t start_ns;
	size_t step;
	struct script script;
	struct convo convo;
};

struct start {
	uint64_t time_ns;
	size_t number;
};

/*
 * Clients are in SUBNETS subnets of 10/8, each flow has its own; the servers of an application
 * are in 172.16/12 and 198.18/15 in turn, SERVERS of them at most.
 */
static void
address(const struct mix *mix, struct flow *flow, size_t number)
{
	size_t app = number % mix->n_apps, set = number / mix->n_apps;
	unsigned host = (unsigned)(number / SUBNETS);
	unsigned server = (unsigned)(set % SERVERS);
	uint8_t *c = flow->client.addr.bytes, *s = flow->server.addr.bytes;

	flow->client.addr.family = flow->server.addr.family = mix->ipv6 ? 6 : 4;
	if (mix->ipv6) {
		c[0] = s[0] = 0xfd;
		c[1] = 10, s[1] = server % 2 ? 198 : 172;
		c += 12, s += 12; /* the rest as in IPv4 */
	}
	c[0] = 10;
	c[1] = (uint8_t)(1 + number % SUBNETS + host / HOSTS / 256 * SUBNETS);
	c[2] = (uint8_t)(host / HOSTS % 256);
	c[3] = (uint8_t)(1 + host % HOSTS);
	s[0] = server % 2 ? 198 : 172;
	s[1] = server % 2 ? 18 : 16;
	s[2] = (uint8_t)(1 + app);
	s[3] = (uint8_t)(1 + server);
}

static struct flow
describe(const struct mix *mix, size_t number)
{
	struct flow flow = { .app = &mix->apps[number % mix->n_apps] };
	uint64_t whole = mix->seconds * 1000000000, longest = whole;

	flow.rng = rng_stream(mix->seed, number);
	address(mix, &flow, number);
	flow.client.port = (uint16_t)(32768 + rng_below(&flow.rng, 28232));
	flow.server.port = flow.app->app->port;
	if (!flow.server.port) /* RTP: an even one, RFC 3550 section 11 */
		flow.server.port = (uint16_t)(16384 + 2 * rng_below(&flow.rng, 8192));
	if (mix->sets > MIX_OPEN_SETS)
		longest = whole / mix->sets * MIX_OPEN_SETS;
	flow.duration_ns = longest / 100 * (60 + rng_below(&flow.rng, 36));
	flow.start_ns = rng_below(&flow.rng, whole - flow.duration_ns);
	return flow;
}

static bool
earlier(const struct open *a, const struct open *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->number < b->number;
}

/* A heap of the open flows, the one with the next packet first. */
struct heap {
	struct open **at;
	size_t n;
};

static void
sift_down(struct heap *heap, size_t i)
{
	for (;;) {
		size_t least = i, child = 2 * i + 1;
		struct open *swap = heap->at[i];

		for (size_t k = child; k < child + 2 && k < heap->n; k++)
			if (earlier(heap->at[k], heap->at[least]))
				least = k;
		if (least == i)
			return;
		heap->at[i] = heap->at[least];
		heap->at[least] = swap;
		i = least;
	}
}

static void
push(struct heap *heap, struct open *o)
{
	size_t i = heap->n++;

	for (; i > 0 && earlier(o, heap->at[(i - 1) / 2]); i = (i - 1) / 2)
		heap->at[i] = heap->at[(i - 1) / 2];
	heap->at[i] = o;
}

static void
pop(struct heap *heap)
{
	heap->at[0] = heap->at[--heap->n];
	sift_down(heap, 0);
}

static struct open *
open_flow(const struct mix *mix, size_t number, convo_sink *sink, void *ctx)
{
	struct flow flow = describe(mix, number);
	struct open *o = calloc(1, sizeof(*o));
	struct variation v = { flow.rng, (unsigned)number, flow.server.addr };

	if (!o || !script_build(&o->script, flow.app->app, &flow.app->dialogue,
				flow.app->exchanges, &v)) {
		free(o);
		return NULL;
	}
	rng_next(&flow.rng);
	script_time(&o->script, &flow.rng, flow.duration_ns);
	o->number = number;
	o->start_ns = o->time_ns = epoch_ns + flow.start_ns;
	convo_init(&o->convo, o->script.proto, flow.client, flow.server, sink, ctx);
	o->convo.mss = o->script.mss;
	for (int i = 0; i < 2; i++) {
		o->convo.seq[i] = (uint32_t)rng_next(&flow.rng);
		o->convo.ip_id[i] = (uint16_t)rng_next(&flow.rng);
	}
	return o;
}

static void
close_flow(struct open *o)
{
	script_free(&o->script);
	free(o);
}

/* Sends the flow's next packet. False when there is no more. */
static bool
send_next(struct open *o)
{
	const struct step *step = &o->script.steps[o->step++];
	const uint8_t *bytes = o->script.messages.at[step->message].bytes + step->offset;

	o->convo.now_ns = o->time_ns;
	if (o->script.proto == 6)
		convo_segment(&o->convo, step->from, step->flags, bytes, step->len);
	else
		convo_send(&o->convo, step->from, bytes, step->len);
	if (o->step == o->script.n)
		return false;
	o->time_ns = o->start_ns + o->script.steps[o->step].time_ns;
	return true;
}

static int
compare_starts(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->number < y->number ? -1 : 1;
}

static bool
merge(const struct mix *mix, const struct start *starts, size_t n, struct heap *heap,
      convo_sink *sink, void *ctx)
{
	size_t next = 0;

	while (next < n || heap->n) {
		struct open *o;

		if (next < n && (!heap->n || starts[next].time_ns <= heap->at[0]->time_ns)) {
			o = open_flow(mix, starts[next++].number, sink, ctx);
			if (!o)
				return false;
			push(heap, o);
			continue;
		}
		o = heap->at[0];
		if (send_next(o)) {
			sift_down(heap, 0);
		} else {
			pop(heap);
			close_flow(o);
		}
	}
	return true;
}

bool
mix_run(const struct mix *mix, convo_sink *sink, void *ctx)
{
	size_t n = mix->sets * mix->n_apps;
	struct start *starts = calloc(n, sizeof(*starts));
	struct heap heap = { calloc(n, sizeof(*heap.at)), 0 };
	bool ok = starts && heap.at;

	for (size_t i = 0; ok && i < n; i++) {
		starts[i].number = i;
		starts[i].time_ns = epoch_ns + describe(mix, i).start_ns;
	}
	if (ok) {
		qsort(starts, n, sizeof(*starts), compare_starts);
		ok = merge(mix, starts, n, &heap, sink, ctx);
	}
	for (size_t i = 0; heap.at && i < heap.n; i++)
		close_flow(heap.at[i]);
	free(heap.at);
	free(starts);
	return ok;
}

static void
print_end(char *to, size_t size, const struct frame_end *end)
{
	char text[INET6_ADDRSTRLEN];
	bool v6 = end->addr.family == 6;

	inet_ntop(v6 ? AF_INET6 : AF_INET, end->addr.bytes, text, sizeof(text));
	snprintf(to, size, v6 ? "[%s]:%u" : "%s:%u", text, end->port);
}

static int
compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool
mix_truth(const struct mix *mix, FILE *file)
{
	size_t n = mix->sets * mix->n_apps;
	char **lines = calloc(n, sizeof(*lines));
	bool ok = lines != NULL;

	for (size_t i = 0; ok && i < n; i++) {
		struct flow flow = describe(mix, i);
		char client[64], server[64], line[256];

		print_end(client, sizeof(client), &flow.client);
		print_end(server, sizeof(server), &flow.server);
		snprintf(line, sizeof(line), "%s %s > %s %s",
			 flow.app->dialogue.proto == 6 ? "tcp" : "udp", client, server,
			 flow.app->app->truth);
		lines[i] = strdup(line);
		ok = lines[i] != NULL;
	}
	if (ok)
		qsort(lines, n, sizeof(*lines), compare_lines);
	for (size_t i = 0; lines && i < n; i++) {
		if (ok)
			fprintf(file, "%s\n", lines[i]);
		free(lines[i]);
	}
	free(lines);
	return ok;
}
