/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef TESTS_UNIT_TALK_H
#define TESTS_UNIT_TALK_H

/*
 * Conversations for the tests of classify and worker: modules from text, packets
 * without frames, and the reports of flows that ended. Everything is in one struct talk, set to
 * zeros.
 *
 *	struct talk t = { 0 };
 *	talk_begin(&t, "protocol ftp { ... }");
 *	talk_open(&t, 1, 21);                 TCP handshake from 10.0.0.1 to 10.0.0.2
 *	talk_server(&t, "220 ...\r\n");
 *	talk_end(&t);
 *	CHECK_STR(t.flow[0].protocol, "ftp");
 *	talk_fini(&t);
 */

#include "unit.h"
#include "worker/engine.h"

#include <netinet/in.h>

#pragma GCC diagnostic ignored "-Wunused-function" /* no test needs all of them */

enum { TALK_FLOWS = 16 };

struct talk_report {
	bool sure;
	uint32_t decided_at;
	uint16_t server_port;
	uint64_t packets[2];
	char protocol[32], stack[96], evidence[16], fields[512], end[16];
};

struct talk {
	struct barn_engine *engine;
	struct worker *worker;
	struct packet packet;
	uint8_t proto, client_host, server_host;
	uint16_t client_port, server_port;
	uint32_t seq[2];
	unsigned flows;
	struct talk_report flow[TALK_FLOWS];
};

static void
talk_ended(void *self, const struct barn_flow *flow)
{
	struct talk *t = self;
	struct talk_report *r = &t->flow[t->flows++ % TALK_FLOWS];
	struct barn_flow_info info;
	const char *name;
	const uint8_t *value;
	size_t length, used = 0;
	uint32_t at = 0;

	barn_flow_info(flow, &info);
	*r = (struct talk_report){ .sure = info.sure, .decided_at = info.decided_at };
	r->server_port = info.server.port;
	snprintf(r->protocol, sizeof(r->protocol), "%s", info.protocol);
	snprintf(r->evidence, sizeof(r->evidence), "%s", info.evidence);
	snprintf(r->end, sizeof(r->end), "%s", info.end);
	memcpy(r->packets, info.packets, sizeof(r->packets));
	for (unsigned i = 0; i < info.stack_len; i++)
		snprintf(r->stack + strlen(r->stack), sizeof(r->stack) - strlen(r->stack),
			 "%s%s", i ? "/" : "", info.stack[i]);
	while (barn_flow_field(flow, &at, &name, &value, &length) && used < sizeof(r->fields))
		used += (size_t)snprintf(r->fields + used, sizeof(r->fields) - used,
					 "%s%s=%.*s", used ? " " : "", name, (int)length,
					 (const char *)value);
}

static void
talk_begin(struct talk *t, const char *modules)
{
	struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };
	struct barn_faults faults = { 0 };
	struct worker_options worker = {
		.interfaces = 2, .dir_by_client = true, .ended = talk_ended, .self = t
	};

	CHECK_EQ(barn_engine_new(&options, &t->engine), BARN_OK);
	if (barn_engine_module(t->engine, "test.pdlm", modules, strlen(modules), &faults) ||
	    barn_engine_commit(t->engine, &faults))
		CHECK_STR(faults.fault[0].text, "");
	worker.current = &t->engine->current;
	worker.shared = t->engine->shared;
	CHECK_EQ(worker_new(&worker, &t->worker), BARN_OK);
	t->packet.time_ns = UINT64_C(1700000000000000000);
	t->packet.ip_version = 4;
}

static void
talk_fini(struct talk *t)
{
	worker_free(t->worker);
	barn_engine_free(t->engine);
}

/* One packet; dir 0 is from the client. The frame counts for 54 bytes more than its payload. */
static void
talk_packet(struct talk *t, unsigned dir, uint8_t flags, uint32_t seq, const void *data,
	    size_t len)
{
	struct packet *p = &t->packet;

	p->ip_proto = t->proto;
	p->src =
		(union packet_addr){ .b = { 10, 0, 0, dir ? t->server_host : t->client_host } };
	p->dst =
		(union packet_addr){ .b = { 10, 0, 0, dir ? t->client_host : t->server_host } };
	p->src_port = dir ? t->server_port : t->client_port;
	p->dst_port = dir ? t->client_port : t->server_port;
	p->tcp_flags = flags;
	p->tcp_seq = seq;
	p->payload = bytes_of(data, len);
	p->payload_len = (uint32_t)len;
	p->wire_len = (uint32_t)len + 54;
	p->time_ns += 1000000;
	p->serial++;
	worker_packet(t->worker, p);
}

/* Who talks from here on: 10.0.0.1 with 10.0.0.2. */
static void
talk_between(struct talk *t, uint8_t proto, uint16_t client_port, uint16_t server_port)
{
	t->proto = proto;
	t->client_host = 1;
	t->server_host = 2;
	t->client_port = client_port;
	t->server_port = server_port;
}

static void
talk_open(struct talk *t, uint16_t client_port, uint16_t server_port)
{
	talk_between(t, IPPROTO_TCP, client_port, server_port);
	t->seq[0] = 1001;
	t->seq[1] = 5001;
	talk_packet(t, 0, TCP_SYN, 1000, "", 0);
	talk_packet(t, 1, TCP_SYN | TCP_ACK, 5000, "", 0);
}

#define talk_udp(t, client_port, server_port) \
	talk_between(t, IPPROTO_UDP, client_port, server_port)

static void
talk_say(struct talk *t, unsigned dir, const void *data, size_t len)
{
	talk_packet(t, dir, TCP_ACK | TCP_PSH, t->seq[dir], data, len);
	t->seq[dir] += (uint32_t)len;
}

static void
talk_client(struct talk *t, const char *text)
{
	talk_say(t, 0, text, strlen(text));
}

static void
talk_server(struct talk *t, const char *text)
{
	talk_say(t, 1, text, strlen(text));
}

static void
talk_close(struct talk *t)
{
	talk_packet(t, 0, TCP_FIN | TCP_ACK, t->seq[0], "", 0);
	talk_packet(t, 1, TCP_FIN | TCP_ACK, t->seq[1], "", 0);
}

/* All flows end and are reported, in the order of their first packets. */
static void
talk_end(struct talk *t)
{
	worker_close(t->worker, t->packet.time_ns);
}

/* Packets credited to the protocol, both directions of interface 0. */
static uint64_t
talk_credited(const struct talk *t, const char *protocol)
{
	uint16_t number = registry_find(t->engine->registry, protocol);
	const struct discovery *d = worker_discovery(t->worker);

	return discovery_cell(d, 0, PACKET_IN, number)->packets +
	       discovery_cell(d, 0, PACKET_OUT, number)->packets;
}

static uint64_t
talk_total(const struct talk *t)
{
	return discovery_total(worker_discovery(t->worker), 0, PACKET_IN).packets +
	       discovery_total(worker_discovery(t->worker), 0, PACKET_OUT).packets;
}

#endif
