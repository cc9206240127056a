/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef BARN_TESTS_FLOW_RIG_H
#define BARN_TESTS_FLOW_RIG_H

/*
 * A table under test, what it has handed out, and packets for it; included once in a test
 * program. begin() makes the table; finish() closes it, and checks that each flow was ended
 * exactly once.
 */

#include "flow/table.h"
#include "unit.h"

#include <arpa/inet.h>

/* What the table handed out, newest last. */
static struct {
	unsigned count[FLOW_ENDS], total;
	struct flow last;
	enum flow_end last_end;
	uint64_t ids[4096];
} gone;

__attribute__((unused)) static void
note_end(void *self, struct flow *flow, enum flow_end end)
{
	CHECK_EQ(*(int *)self, 4711);
	gone.count[end]++;
	if (gone.total < 4096)
		gone.ids[gone.total] = flow->id;
	gone.total++;
	gone.last = *flow;
	gone.last_end = end;
}

static int owner = 4711;
static struct table *table;
static struct flow *flow;
static uint64_t serial;
static unsigned from;
static bool fresh;

__attribute__((unused)) static const uint64_t second = 1000000000, start = 1700000000000000000;

__attribute__((unused)) static void
begin(uint32_t flows)
{
	struct table_options options = {
		.flows = flows, .seed = { 1, 2 }, .ended = note_end, .self = &owner
	};

	memset(&gone, 0, sizeof(gone));
	serial = 0;
	CHECK_EQ(table_new(&options, &table), BARN_OK);
}

__attribute__((unused)) static void
finish(void)
{
	const struct table_stats *stats = table_stats(table);
	uint64_t ended = 0;

	table_close(table, start);
	for (int i = 0; i < FLOW_ENDS; i++) {
		ended += stats->ended[i];
		CHECK_EQ(stats->ended[i], gone.count[i]);
	}
	CHECK_EQ(stats->created, ended);
	CHECK_EQ(stats->flows, 0);
	CHECK_EQ(stats->ended[FLOW_ACTIVE], 0);
	table_free(table);
}

/* A packet of client n to the server, or back; 100 bytes. */
static struct packet
packet_of(uint32_t n, bool back, uint8_t proto, uint8_t flags, uint64_t at_ns)
{
	struct packet p = {
		.ip_version = 4,
		.ip_proto = proto,
		.tcp_flags = flags,
		.wire_len = 100,
		.time_ns = start + at_ns,
		.serial = ++serial,
	};
	union packet_addr client = { .w = { htonl(0x0a000000 + (n >> 12)) } };
	union packet_addr server = { .w = { htonl(0xc0a80001) } };

	p.src = back ? server : client;
	p.dst = back ? client : server;
	p.src_port = back ? 80 : (uint16_t)(20000 + (n & 0xfff));
	p.dst_port = back ? (uint16_t)(20000 + (n & 0xfff)) : 80;
	return p;
}

__attribute__((unused)) static void
tcp(uint32_t n, bool back, uint8_t flags, uint64_t at_ns)
{
	struct packet p = packet_of(n, back, 6, flags, at_ns);

	p.tcp_seq = back ? 9000 : 1000;
	p.tcp_ack = back ? 1001 : 9001;
	flow = table_packet(table, &p, &from, &fresh);
}

__attribute__((unused)) static void
syn(uint32_t n, uint32_t seq, uint64_t at_ns)
{
	struct packet p = packet_of(n, false, 6, TCP_SYN, at_ns);

	p.tcp_seq = seq;
	flow = table_packet(table, &p, &from, &fresh);
}

/* The server's answer to a SYN with this number. */
__attribute__((unused)) static void
syn_ack(uint32_t n, uint32_t seq, uint64_t at_ns)
{
	struct packet p = packet_of(n, true, 6, TCP_SYN | TCP_ACK, at_ns);

	p.tcp_ack = seq + 1;
	flow = table_packet(table, &p, &from, &fresh);
}

__attribute__((unused)) static void
udp(uint32_t n, bool back, uint64_t at_ns)
{
	struct packet p = packet_of(n, back, 17, 0, at_ns);

	flow = table_packet(table, &p, &from, &fresh);
}

__attribute__((unused)) static void
establish(uint32_t n, uint64_t at_ns)
{
	tcp(n, false, TCP_SYN, at_ns);
	tcp(n, true, TCP_SYN | TCP_ACK, at_ns);
	tcp(n, false, TCP_ACK, at_ns);
	CHECK_EQ(flow->state, FLOW_ESTABLISHED);
}

#endif
