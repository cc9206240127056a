/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLASSIFY_CLASSIFY_H
#define CLASSIFY_CLASSIFY_H

/*
 * The decision on a flow. From the strongest evidence to the weakest:
 *
 *	expected   a control connection announced the flow
 *	sure       an inspector, or a rule that says `sure`
 *	ndpi       nDPI, by the flow's content
 *	likely     an inspector or a rule that is not sure
 *	learned    a DNS answer or an earlier flow named the server
 *	port       the port map
 *	none       unknown
 *
 * A flow is inspected until the verdict, or until its budget of packets with payload is spent.
 * Packets that came before the verdict are kept as counts and credited with it. After the
 * verdict a flow is followed only if its module wants more: fields, announced flows, an inner
 * protocol.
 *
 * One classify a worker; nothing here is shared but the registry, which is immutable. When the
 * worker adopts another registry, new flows are decided by that one, and a flow under
 * inspection ends with the one that it began with.
 */

#include "classify/notes.h"
#include "classify/registry.h"
#include "flow/expect.h"
#include "flow/learn.h"
#include "flow/stream.h"

struct classify;
struct meter; /* classify/meter.h */

/* What classify tells its worker, and asks of it. All are set. */
struct classify_hooks {
	void *self;
	/* These packets of the flow belong to the protocol; `first`: and with them the flow, of
	 * which nothing was credited before. */
	void (*credit)(void *self, const struct flow *flow, uint16_t iface, uint8_t dir,
		       uint16_t protocol, uint64_t packets, uint64_t bytes, bool first);
	/* Whether a flow that starts with this packet was announced. */
	bool (*meet)(void *self, const struct packet *packet, struct expect_entry *entry);
	void (*announce)(void *self, const struct expect_entry *entry);
	/* What is known of a server; `serial` is that of the packet at hand. */
	bool (*recall)(void *self, const struct learn_entry *wanted, uint64_t time_ns,
		       struct learn_entry *found);
	void (*learn)(void *self, const struct learn_entry *entry);
	/* packet.path_way of the flow's packets from this end (FLOW_A, FLOW_B); 0: none. */
	uint32_t (*way)(void *self, const struct flow *flow, unsigned from);
	/* A field's value was found in the flow; it may be one that notes do not keep. */
	void (*value)(void *self, struct flow *flow, uint16_t field, struct bytes value);
};

struct classify_options {
	struct registry
		*registry; /* a reference, which classify_new takes over if it succeeds */
	struct classify_hooks hooks;
	bool ndpi;
	bool dir_by_client;  /* a packet's direction is in from the client, out from the server
			      */
	struct meter *meter; /* the caller's, told what recognition costs; NULL: nobody asks */
	uint32_t flows;      /* of the table, at most; 0: 1 Mi. The bounds follow from it */
};

struct classify_stats {
	uint64_t decided[EVIDENCE__COUNT];
	uint64_t given_up; /* flows whose inspection ended early, for want of room */
	uint64_t ndpi_packets;
	uint64_t faults; /* of inspectors, against their contract */
	uint16_t faulty; /* whose protocol that was last */
};

enum barn_err classify_new(const struct classify_options *options, struct classify **classify);
void classify_free(struct classify *classify);

/* Between packets, or in the hooks `meet` and `recall`: the registry for flows that begin from
 * now on. Takes over the reference, if it succeeds. */
enum barn_err classify_adopt(struct classify *classify, struct registry *registry);
const struct registry *classify_registry(const struct classify *classify);

/* A new flow, before classify_packet: who opened it, and what can be said of it at once. */
void classify_open(struct classify *classify, struct flow *flow, const struct packet *packet);

/* Every packet, the first included; table_packet has counted it. `from` is FLOW_A or FLOW_B. */
void classify_packet(struct classify *classify, struct flow *flow, const struct packet *packet,
		     unsigned from);

/* The direction in which the packet counts on its interface. */
uint8_t classify_dir(const struct classify *classify, const struct flow *flow,
		     const struct packet *packet, unsigned from);

/* The flow ends: decides by what there is. Its notes stand until classify_close. */
void classify_finish(struct classify *classify, struct flow *flow);
void classify_close(struct classify *classify, struct flow *flow);

const struct classify_stats *classify_stats(const struct classify *classify);

/* Bytes of streams and values of fields that found no room. */
const struct stream_store_stats *classify_streams(const struct classify *classify);
uint64_t classify_notes_refused(const struct classify *classify);

/* Times that an expression tried too much and was cut, which counts as no match. */
uint64_t classify_cuts(const struct classify *classify);

/* Whether custom protocols are asked about new flows; at first they are. */
void classify_ask_custom(struct classify *classify, bool ask);

/* "2.8.0", or NULL without nDPI. */
const char *classify_ndpi_version(const struct classify *classify);

#endif
