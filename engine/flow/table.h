/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef FLOW_TABLE_H
#define FLOW_TABLE_H

/*
 * The flow cache of one worker. Its memory is taken when it is made and never grows.
 *
 *	hash ──► bucket, one cache line: 8 tags of 16 bits │ 8 indexes of 32 bits
 *		      │ (a flow lies in one of two buckets)
 *		      ▼ flows[]: identity, hot record; links[]: the timer wheel's
 *
 * The hash is keyed by a random seed, so that nobody can choose addresses that collide. Ageing
 * is a timer wheel that packet time drives; whether a flow has expired is decided by its last
 * packet and its idle time alone, to the nanosecond (it lives while the silence is not longer
 * than that), so that results do not depend on when the wheel turns. Time may go backwards:
 * first_ns and last_ns are the extremes, and a flow that is ahead of a packet has not expired.
 *
 * At the bound closed, half-open and unclassified flows go first, the oldest before the others,
 * unless they are as young as one that will be answered (a quarter of the bound in packets);
 * then the least recently seen of a sample, those first that nobody has answered. Each flow
 *that leaves is handed to `ended` exactly once. Its reason is what its state says: closed by
 *FIN or RST, though silence or the bound came after; else what ended it. A closed flow stays
 *for its idle time, so that late segments do not make a flow of their own.
 */

#include "flow/flow.h"
#include <barn/err.h>

struct table;

struct table_options {
	uint32_t flows;               /* the bound; 0: 1 million */
	uint64_t seed[2];             /* keys the hash */
	uint32_t idle_s[FLOW_STATES]; /* 0: the default of that state */
	/*
	 * The flow leaves. It is valid during the call, in which the table must not be used;
	 * work and notes are the callee's to free.
	 */
	void (*ended)(void *self, struct flow *flow, enum flow_end end);
	void *self;
};

struct table_stats {
	uint64_t created, ended[FLOW_ENDS];
	uint32_t flows, flows_peak;
};

/* BARN_ERR_ARGUMENT: more than 64 Mi flows, or no `ended`. Nothing is allocated after it. */
enum barn_err table_new(const struct table_options *options, struct table **table);

/*
 * Ends every flow, in order of id: FLOW_SHUTDOWN, or FLOW_IDLE where its idle time was over at
 * now_ns, or FLOW_FIN, FLOW_RST where it was closed. The table is empty then and may be used
 * on.
 */
void table_close(struct table *table, uint64_t now_ns);

/* Of NULL: nothing. Flows that are still in it are not ended: close first. */
void table_free(struct table *table);

/*
 * The flow of this packet, made if need be (`fresh` says so; never NULL), with the packet
 * counted and the transport's state advanced. A packet after the flow's idle time, or the
 * start of another connection (port reuse), ends the old flow first and makes a new one. *from
 * is FLOW_A or FLOW_B. The flow is valid until the next call. In tunnels whose
 * identifiers are those of one direction, flows with equal keys are told apart by them (way.h);
 * at most 16 such flows at once.
 */
struct flow *table_packet(struct table *table, const struct packet *packet, unsigned *from,
			  bool *fresh);

/* The same for a packet that was counted before: NULL, if its flow is gone. Nothing changes. */
struct flow *table_find(struct table *table, const struct packet *packet, unsigned *from);

/*
 * For batches: computes the packet's hash and fetches its bucket, then its flow. Optional. The
 * packet is known again by its serial (none with 0), and must not change until it comes to
 * table_packet; packets come there in the order in which they were announced here, up to 64 at
 * once.
 */
void table_prefetch(struct table *table, const struct packet *packet);

/* Ends what has expired before now_ns. Called now and then; costs what has expired. */
void table_tick(struct table *table, uint64_t now_ns);

/* Every flow that is in the table, in no order; `visit` must not use the table. */
void table_each(struct table *table, void (*visit)(void *self, struct flow *flow), void *self);

/*
 * The symmetric hash by which a reader deals packets to workers: both directions, and all flows
 * between the same two addresses, whatever their path, have the same.
 */
uint64_t table_steer(const struct packet *packet);

/* packet.path_way of the flow's packets from this end, FLOW_A or FLOW_B; 0: none was seen. */
uint32_t table_way(const struct table *table, const struct flow *flow, unsigned from);

const struct table_stats *table_stats(const struct table *table);

#endif
