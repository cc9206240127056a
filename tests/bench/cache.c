/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * What the flow cache costs a packet.
 *
 *	cache [PACKETS [FLOWS...]]
 *
 * Packets of established IPv4 TCP connections, in random order, in batches of 32: a loop that
 * only makes them and hashes their ends, the table called packet by packet, and the table with
 * table_prefetch for the batch. Prints nanoseconds of processor time a packet and the ratio to
 * the bare loop. A flow is made before the clock starts. Compare lines of one run only.
 */
#include "flow/table.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { BATCH = 32, RUNS = 3 };
enum mode { BARE, SINGLE, BATCHED };

static struct packet batch[BATCH];
static uint64_t serial, sum;

static void
ignore(void *self, struct flow *flow, enum flow_end end)
{
	(void)self;
	(void)flow;
	(void)end;
}

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A packet of flow n: a million clients, ports and addresses, of one server. */
static void
make(struct packet *p, uint32_t n, uint8_t flags)
{
	p->ip_version = 4;
	p->ip_proto = 6;
	p->src.w[0] = htonl(0x0a000000 + (n >> 4));
	p->dst.w[0] = htonl(0xc0a80001);
	p->src_port = (uint16_t)(40000 + (n & 15));
	p->dst_port = 443;
	p->tcp_flags = flags;
	p->wire_len = 100;
	p->time_ns = 1700000000000000000 + serial;
	p->serial = ++serial;
}

static uint32_t
random_flow(uint64_t *state, uint32_t flows)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)((*state >> 32) * flows >> 32);
}

static void
run_batch(struct table *table, enum mode mode)
{
	unsigned from;
	bool fresh;

	if (mode == BATCHED)
		for (unsigned i = 0; i < BATCH; i++)
			table_prefetch(table, &batch[i]);
	for (unsigned i = 0; i < BATCH; i++)
		sum += mode == BARE ? table_steer(&batch[i])
				    : table_packet(table, &batch[i], &from, &fresh)->id;
}

static double
run(struct table *table, uint32_t flows, uint64_t packets, enum mode mode)
{
	uint64_t state = 1;
	double start = now_ns();

	for (uint64_t i = 0; i < packets / BATCH; i++) {
		for (unsigned k = 0; k < BATCH; k++)
			make(&batch[k], random_flow(&state, flows), TCP_ACK);
		run_batch(table, mode);
	}
	return (now_ns() - start) / (double)(packets / BATCH * BATCH);
}

static double
best(struct table *table, uint32_t flows, uint64_t packets, enum mode mode)
{
	double least = run(table, flows, packets, mode);

	for (int i = 1; i < RUNS; i++) {
		double ns = run(table, flows, packets, mode);
		if (ns < least)
			least = ns;
	}
	return least;
}

static void
measure(uint32_t flows, uint64_t packets)
{
	struct table_options options = { .flows = flows, .seed = { 1, 2 }, .ended = ignore };
	struct table *table;
	double bare, single, batched;
	unsigned from;
	bool fresh;

	if (table_new(&options, &table) != BARN_OK) {
		fprintf(stderr, "cache: no memory for %u flows\n", flows);
		exit(1);
	}
	for (uint32_t n = 0; n < flows; n++)
		for (int i = 0; i < 3; i++) {
			make(&batch[0], n, i ? TCP_ACK : TCP_SYN);
			table_packet(table, &batch[0], &from, &fresh)->verdict.final = 1;
		}
	bare = best(table, flows, packets, BARE);
	single = best(table, flows, packets, SINGLE);
	batched = best(table, flows, packets, BATCHED);
	printf("%9u flows  bare %6.1f ns  single %6.1f ns (%4.1f)  batched %6.1f ns (%4.1f)  "
	       "evicted "
	       "%llu\n",
	       flows, bare, single, single / bare, batched, batched / bare,
	       (unsigned long long)table_stats(table)->ended[FLOW_EVICTED]);
	table_free(table);
}

int
main(int argc, char **argv)
{
	static const uint32_t usual[] = { 1000, 100000, 1000000 };
	uint64_t packets = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;

	if (packets < BATCH) {
		fprintf(stderr, "usage: cache [PACKETS [FLOWS...]]\n");
		return 2;
	}
	for (int i = 2; i < argc; i++)
		measure((uint32_t)strtoul(argv[i], NULL, 10), packets);
	for (unsigned i = 0; argc <= 2 && i < sizeof(usual) / sizeof(usual[0]); i++)
		measure(usual[i], packets);
	return sum == 1; /* sum is used, so nothing is left out */
}
