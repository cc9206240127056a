/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef TESTS_UNIT_POLICY_RIG_H
#define TESTS_UNIT_POLICY_RIG_H

/*
 * Policies from a configuration's text, on packets through a worker:
 *
 *	struct rig r = { 0 };
 *	rig_open(&r), rig_policy(&r, "class-map ..."), rig_work(&r);
 *	rig_packet(&r, true, 46, "GET / ...");      from the client, DSCP 46
 *	CHECK_STR(rig_class(&r), "VOICE");
 *	rig_end(&r);
 *
 * Interface 0 is eth0, whose input policy is asked; 1 is eth1, of 1 Gbit/s.
 */

#include "../lib/frame.h"
#include "conf/conf.h"
#include "unit.h"
#include "wire/wire.h"
#include "worker/engine.h"

#pragma GCC diagnostic ignored "-Wunused-function" /* no test needs all of them */

static const char rig_modules[] =
	"protocol web { attribute business-relevance business-irrelevant\n"
	" rule get over tcp { client 0: \"GET \" } => sure\n"
	" field url: client line /^GET (\\S+)/\n"
	" sub-class url glob url }\n"
	"protocol mail { attribute business-relevance business-relevant\n"
	" rule hello over tcp { server 0: \"220 \" } => sure }\n";

static const char *rig_more; /* further modules; NULL: none */

struct rig {
	struct barn_engine *engine;
	struct policy_slot *slot;
	struct worker *worker;
	struct wire *wire;
	struct conf *confs[8]; /* each policy's, which needs its model */
	struct policy_model models[8];
	unsigned conf_count;
	struct list accesses; /* of the next policy */
	struct arena *arena;
	uint16_t port;
	uint32_t seq[2];
	uint64_t serial, time_ns;
	struct frame frame;
	struct packet packet;
	bool output, last;
	uint32_t vlan; /* 0: no tag */
	struct policy_verdict verdict;
	struct barn_faults faults;
};

static const struct policy_interface rig_interfaces[] = { { "eth0", 0 },
							  { "eth1", 1000000000 } };

static enum barn_err
rig_compile(struct rig *r, const char *text, struct policy **policy)
{
	const struct policy_options options = { .interfaces = rig_interfaces,
						.interface_count = 2 };
	unsigned n = r->conf_count++;

	r->faults = (struct barn_faults){ 0 };
	CHECK_EQ(conf_new(&r->confs[n]), BARN_OK);
	if (conf_add(r->confs[n], "test", text, strlen(text), &r->faults))
		CHECK_STR(r->faults.fault[0].text, "");
	r->models[n] = *conf_model(r->confs[n]);
	r->models[n].accesses = r->accesses;
	return policy_new(&r->models[n], r->engine->registry, &options, policy, &r->faults);
}

static void
rig_policy(struct rig *r, const char *text)
{
	struct policy *policy = NULL;

	if (rig_compile(r, text, &policy))
		CHECK_STR(r->faults.fault[0].text, "");
	policy_carry(slot_policy(r->slot), policy);
	CHECK_EQ(slot_publish(r->slot, policy), BARN_OK);
}

static void
rig_open(struct rig *r)
{
	struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };

	CHECK_EQ(barn_engine_new(&options, &r->engine), BARN_OK);
	if (barn_engine_module(r->engine, "test.pdlm", rig_modules, strlen(rig_modules),
			       &r->faults) ||
	    (rig_more && barn_engine_module(r->engine, "more.pdlm", rig_more, strlen(rig_more),
					    &r->faults)) ||
	    barn_engine_commit(r->engine, &r->faults))
		CHECK_STR(r->faults.fault[0].text, "");
	CHECK_EQ(slot_new(&r->slot), BARN_OK);
	CHECK_EQ(wire_new(NULL, &r->wire), BARN_OK);
	CHECK_EQ(arena_new(0, &r->arena), BARN_OK);
	r->time_ns = UINT64_C(1700000000000000000);
	r->port = 40000;
}

static void
rig_work(struct rig *r)
{
	struct worker_options worker = { .interfaces = 2,
					 .current = &r->engine->current,
					 .shared = r->engine->shared,
					 .policies = r->slot };

	CHECK_EQ(worker_new(&worker, &r->worker), BARN_OK);
}

static void
rig_end(struct rig *r)
{
	if (r->worker)
		worker_close(r->worker, r->time_ns);
	worker_free(r->worker);
	slot_free(r->slot);
	wire_free(r->wire);
	arena_free(r->arena);
	for (unsigned i = 0; i < r->conf_count; i++)
		conf_free(r->confs[i]);
	barn_engine_free(r->engine);
}

static void
rig_ask(struct rig *r, bool redo)
{
	const struct decide_ask ask = {
		.iface = 0, .output = r->output, .last = r->last, .redo = redo
	};

	worker_decide(r->worker, &r->packet, &ask, &r->verdict);
}

static void
rig_segment(struct rig *r, bool client, uint8_t dscp, uint8_t flags, const char *payload)
{
	struct frame *f = &r->frame;

	frame_init(f, payload, strlen(payload));
	frame_tcp(f, &(struct frame_tcp){ .sport = client ? r->port : 80,
					  .dport = client ? 80 : r->port,
					  .seq = r->seq[client],
					  .ack = r->seq[!client],
					  .flags = flags });
	frame_ip(f, frame_addr(client ? "10.0.0.1" : "10.0.0.2"),
		 frame_addr(client ? "10.0.0.2" : "10.0.0.1"),
		 &(struct frame_ip){ .tos = (uint8_t)(dscp << 2) });
	if (r->vlan)
		frame_vlan(f, 0x8100, (uint16_t)r->vlan);
	frame_ether(f, NULL, NULL);
	r->seq[client] += (uint32_t)strlen(payload) + !!(flags & FRAME_SYN);
	r->time_ns += 1000000;
	r->packet = (struct packet){ .frame = bytes_of(f->data, f->len),
				     .wire_len = (uint32_t)f->len,
				     .time_ns = r->time_ns,
				     .serial = ++r->serial,
				     .linktype = 1,
				     .dir = client ? PACKET_IN : PACKET_OUT };
	wire_decode(r->wire, &r->packet);
	worker_packet(r->worker, &r->packet);
	rig_ask(r, false);
}

static void
rig_packet(struct rig *r, bool client, uint8_t dscp, const char *payload)
{
	rig_segment(r, client, dscp, FRAME_ACK | FRAME_PSH, payload);
}

/* A new flow: its handshake. */
static void
rig_flow(struct rig *r)
{
	r->port++;
	r->seq[0] = r->seq[1] = 1000;
	rig_segment(r, true, 0, FRAME_SYN, "");
	rig_segment(r, false, 0, FRAME_SYN | FRAME_ACK, "");
}

/* "A", "A/B" of the last packet; "" where none took it. */
static const char *
rig_class(const struct rig *r)
{
	static char path[256];
	size_t used = 0;

	path[0] = '\0';
	for (unsigned i = 0; i < r->verdict.depth; i++)
		used += (size_t)snprintf(path + used, sizeof(path) - used, "%s%s", i ? "/" : "",
					 r->verdict.path[i].node->name);
	return path;
}

#endif
