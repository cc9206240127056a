/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "worker/worker.h"

#include <netinet/in.h>

/*
 * A module's test vector as packets: a conversation between 192.0.2.1, the client, and
 * 192.0.2.2 (RFC 5737) on ports that no module claims, so that only the payload can decide;
 * then the first packet of each flow that it must have announced.
 */

enum { CLIENT_PORT = 49999, SERVER_PORT = 49998, STEP_NS = 1000000 };

/* Who opens an announced flow: its own port and address are not announced. */
enum { OTHER_PORT = 49997 };

struct run {
	struct worker *worker;
	struct packet packet;
	uint32_t seq[2];
	uint16_t port[2];
	uint64_t wanted; /* id of the flow that is asked about: its first packet's serial */
	const char *protocol;
};

static void
keep_name(void *self, const struct barn_flow *flow)
{
	struct run *run = self;

	if (flow->flow->id == run->wanted)
		run->protocol = registry_protocol(worker_registry(flow->worker),
						  flow->flow->verdict.protocol)
					->name;
}

static void
send_message(struct run *run, uint8_t dir, uint8_t flags, struct bytes payload)
{
	struct packet *p = &run->packet;

	p->src = (union packet_addr){ .b = { 192, 0, 2, dir ? 2 : 1 } };
	p->dst = (union packet_addr){ .b = { 192, 0, 2, dir ? 1 : 2 } };
	p->src_port = run->port[dir];
	p->dst_port = run->port[!dir];
	p->tcp_flags = flags;
	p->tcp_seq = run->seq[dir];
	p->payload = payload;
	p->payload_len = (uint32_t)bytes_left(&payload);
	p->wire_len = p->payload_len + 54;
	p->serial++;
	p->time_ns += STEP_NS;
	run->seq[dir] += p->payload_len + (flags & (TCP_SYN | TCP_FIN) ? 1 : 0);
	worker_packet(run->worker, p);
}

static void
converse(struct run *run, const struct pdl_test *test)
{
	struct bytes nothing = { 0 };
	bool tcp = test->transport == PDL_TCP;

	if (tcp) {
		send_message(run, 0, TCP_SYN, nothing);
		send_message(run, 1, TCP_SYN | TCP_ACK, nothing);
	}
	for (unsigned i = 0; i < test->message_count; i++)
		send_message(run, test->messages[i].dir, TCP_ACK, test->messages[i].data);
	if (tcp) {
		send_message(run, 0, TCP_FIN | TCP_ACK, nothing);
		send_message(run, 1, TCP_FIN | TCP_ACK, nothing);
	}
}

static uint8_t
ip_proto(uint8_t transport)
{
	return transport == PDL_TCP ? IPPROTO_TCP : IPPROTO_UDP;
}

/* The first packet of the flow, to the side that was announced. */
static void
open_promised(struct run *run, const struct pdl_promise *promise)
{
	struct bytes nothing = { 0 };
	bool tcp = promise->transport == PDL_TCP;

	run->port[promise->dir] = promise->port;
	run->port[!promise->dir] = OTHER_PORT;
	run->packet.ip_proto = ip_proto(promise->transport);
	run->wanted = run->packet.serial + 1;
	send_message(run, !promise->dir, tcp ? TCP_SYN : 0, tcp ? nothing : bytes_of("?", 1));
}

/* The conversation, and with `promise` (NULL: none) the flow that it announces. */
static enum barn_err
run_once(const struct registry *registry, const struct pdl_test *test,
	 const struct pdl_promise *promise, const char **protocol)
{
	struct run run = {
		.protocol = registry_protocol(registry, 0)->name,
		.port = { CLIENT_PORT, test->port ? test->port : SERVER_PORT },
		.wanted = 1,
	};
	struct worker_options options = {
		.registry = registry,
		.interfaces = 1,
		.flows = 64,
		.ended = keep_name,
		.self = &run,
	};
	enum barn_err err = shared_new(options.seed, &options.shared);

	if (!err)
		err = worker_new(&options, &run.worker);
	if (!err) {
		run.packet = (struct packet){
			.ip_version = 4,
			.ip_proto = ip_proto(test->transport),
			.ethertype = 0x0800,
		};
		converse(&run, test);
		if (promise)
			open_promised(&run, promise);
		worker_close(run.worker, run.packet.time_ns);
		*protocol = run.protocol;
	}
	worker_free(run.worker);
	shared_free(options.shared);
	return err;
}

enum barn_err
worker_run_test(const struct registry *registry, const struct pdl_test *test,
		const char **protocol)
{
	return run_once(registry, test, NULL, protocol);
}

enum barn_err
worker_run_promise(const struct registry *registry, const struct pdl_test *test,
		   const struct pdl_promise *promise, const char **protocol)
{
	return run_once(registry, test, promise, protocol);
}
