/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "worker/vector.h"

#include <netinet/in.h>
#include <stdlib.h>

/*
 * A module's test vector as packets: a conversation between 192.0.2.1, the client, and
 * 192.0.2.2 (RFC 5737) on ports that no module claims, so that only the payload can decide;
 * then the first packet of each flow that it must have announced. Each run has an encapsulation
 * of its own, so that nothing that one tells (announced flows, names of servers) holds for
 * another.
 */

enum { CLIENT_PORT = 49999, SERVER_PORT = 49998, STEP_NS = 1000000 };

/* Who opens an announced flow: its own port and address are not announced. */
enum { OTHER_PORT = 49997 };

struct vector {
	struct current current;
	struct shared *shared;
	struct worker *worker;
	uint64_t runs;
	struct packet packet;
	uint32_t seq[2];
	uint16_t port[2];
	uint64_t wanted; /* id of the flow that is asked about: its first packet's serial */
	const char *protocol;
};

static void
keep_name(void *self, const struct barn_flow *flow)
{
	struct vector *v = self;

	if (flow->flow->id == v->wanted)
		v->protocol = registry_protocol(worker_registry(flow->worker),
						flow->flow->verdict.protocol)
				      ->name;
}

static void
send_message(struct vector *v, uint8_t dir, uint8_t flags, struct bytes payload)
{
	struct packet *p = &v->packet;

	p->src = (union packet_addr){ .b = { 192, 0, 2, dir ? 2 : 1 } };
	p->dst = (union packet_addr){ .b = { 192, 0, 2, dir ? 1 : 2 } };
	p->src_port = v->port[dir];
	p->dst_port = v->port[!dir];
	p->tcp_flags = flags;
	p->tcp_seq = v->seq[dir];
	p->payload = payload;
	p->payload_len = (uint32_t)bytes_left(&payload);
	p->wire_len = p->payload_len + 54;
	p->serial++;
	p->time_ns += STEP_NS;
	v->seq[dir] += p->payload_len + (flags & (TCP_SYN | TCP_FIN) ? 1 : 0);
	worker_packet(v->worker, p);
}

static void
converse(struct vector *v, const struct pdl_test *test)
{
	struct bytes nothing = { 0 };
	bool tcp = test->transport == PDL_TCP;

	if (tcp) {
		send_message(v, 0, TCP_SYN, nothing);
		send_message(v, 1, TCP_SYN | TCP_ACK, nothing);
	}
	for (unsigned i = 0; i < test->message_count; i++)
		send_message(v, test->messages[i].dir, TCP_ACK, test->messages[i].data);
	if (tcp) {
		send_message(v, 0, TCP_FIN | TCP_ACK, nothing);
		send_message(v, 1, TCP_FIN | TCP_ACK, nothing);
	}
}

static uint8_t
ip_proto(uint8_t transport)
{
	return transport == PDL_TCP ? IPPROTO_TCP : IPPROTO_UDP;
}

/* The first packet of the flow, to the side that was announced. */
static void
open_promised(struct vector *v, const struct pdl_promise *promise)
{
	struct bytes nothing = { 0 };
	bool tcp = promise->transport == PDL_TCP;

	v->port[promise->dir] = promise->port;
	v->port[!promise->dir] = OTHER_PORT;
	v->packet.ip_proto = ip_proto(promise->transport);
	v->wanted = v->packet.serial + 1;
	send_message(v, !promise->dir, tcp ? TCP_SYN : 0, tcp ? nothing : bytes_of("?", 1));
}

/* The registry stays the caller's. */
static enum barn_err
publish(struct vector *v, struct registry *registry)
{
	enum barn_err err = current_publish(&v->current, registry_hold(registry));

	if (err)
		registry_drop(registry);
	return err;
}

enum barn_err
vector_new(struct registry *registry, struct vector **vector)
{
	struct vector *v = calloc(1, sizeof(*v));
	struct worker_options options = {
		.interfaces = 1,
		.flows = 64,
		.ended = keep_name,
		.self = v,
	};
	enum barn_err err;

	if (!v)
		return BARN_ERR_MEMORY;
	options.current = &v->current;
	err = current_init(&v->current);
	if (!err)
		err = publish(v, registry);
	if (!err)
		err = shared_new(options.seed, &v->shared);
	options.shared = v->shared;
	if (!err)
		err = worker_new(&options, &v->worker);
	if (err)
		vector_free(v);
	else
		*vector = v;
	return err;
}

void
vector_free(struct vector *vector)
{
	if (!vector)
		return;
	worker_free(vector->worker);
	shared_free(vector->shared);
	current_fini(&vector->current);
	free(vector);
}

const char *
vector_run(struct vector *vector, const struct pdl_test *test,
	   const struct pdl_promise *promise)
{
	uint64_t serial = vector->packet.serial;

	vector->protocol = registry_protocol(worker_registry(vector->worker), 0)->name;
	vector->packet = (struct packet){
		.ip_version = 4,
		.ip_proto = ip_proto(test->transport),
		.ethertype = 0x0800,
		.path_key = ++vector->runs,
		.serial = serial,
	};
	worker_ask_custom(vector->worker, test->custom);
	vector->seq[0] = vector->seq[1] = 0;
	vector->port[0] = CLIENT_PORT;
	vector->port[1] = test->port ? test->port : SERVER_PORT;
	vector->wanted = serial + 1;
	converse(vector, test);
	if (promise)
		open_promised(vector, promise);
	worker_close(vector->worker, vector->packet.time_ns);
	return vector->protocol;
}

static enum barn_err
run_once(struct registry *registry, const struct pdl_test *test,
	 const struct pdl_promise *promise, const char **protocol)
{
	struct vector *vector;
	enum barn_err err = vector_new(registry, &vector);

	if (err)
		return err;
	*protocol = vector_run(vector, test, promise);
	vector_free(vector);
	return BARN_OK;
}

enum barn_err
worker_run_test(struct registry *registry, const struct pdl_test *test, const char **protocol)
{
	return run_once(registry, test, NULL, protocol);
}

enum barn_err
worker_run_promise(struct registry *registry, const struct pdl_test *test,
		   const struct pdl_promise *promise, const char **protocol)
{
	return run_once(registry, test, promise, protocol);
}
