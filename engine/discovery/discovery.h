/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DISCOVERY_DISCOVERY_H
#define DISCOVERY_DISCOVERY_H

/*
 * Protocol discovery: packets and bytes per interface, direction and protocol. Each worker
 * counts in a discovery of its own, without a lock; another thread may add them up meanwhile
 * (discovery_sum, and whatever only reads). No counter ever goes back.
 *
 * A packet counts for its interface at once, and for its protocol when that is known: with the
 * flow's verdict, or as unknown when inspection gives up. So the protocols add up to the
 * interface once no flow is being inspected.
 */

#include "classify/registry.h"

struct discovery;

/*
 * guessed_*: the part of packets and bytes whose protocol was only guessed; ip4_*, ip6_*: the
 * part that is IP, of what has its protocol. A cache line, but for the flows, which are counted
 * with their verdict: on the interface and in the direction of their first packet.
 */
struct discovery_cell {
	uint64_t packets, bytes, guessed_packets, guessed_bytes;
	uint64_t ip4_packets, ip4_bytes, ip6_packets, ip6_bytes;
	uint64_t flows;
};

/* What packets are that are counted together. */
struct discovery_kind {
	uint32_t flows;     /* that begin with them */
	uint8_t ip_version; /* 4, 6, or another: not IP */
	bool guessed;
};

enum barn_err discovery_new(uint16_t interfaces, uint16_t protocols,
			    struct discovery **discovery);
void discovery_free(struct discovery *discovery);

/*
 * Room for so many protocols, if it has less; what was counted stays. On an error all stays.
 * For the thread that counts; who reads meanwhile sees the room before or the one after, so
 * memory is kept until discovery_free. Rooms grow by a quarter at least.
 */
enum barn_err discovery_grow(struct discovery *discovery, uint16_t protocols);
uint16_t discovery_protocols(const struct discovery *discovery); /* room for so many */
uint16_t discovery_interfaces(const struct discovery *discovery);

/* The packet path: one add each. dir is enum packet_dir. */
void discovery_interface(struct discovery *discovery, uint16_t iface, uint8_t dir,
			 uint32_t bytes);
void discovery_credit(struct discovery *discovery, uint16_t iface, uint8_t dir,
		      uint16_t protocol, struct discovery_kind kind, uint64_t packets,
		      uint64_t bytes);

/*
 * Makes `sum` the sum of what n workers count; it grows as they do. Only interfaces that have
 * changed since the last call cost anything, so it may be called often, and with thousands of
 * interfaces. BARN_ERR_MEMORY: what had no room is left out this time.
 */
enum barn_err discovery_sum(struct discovery *sum, const struct discovery *const *workers,
			    unsigned n);

/* How often an interface's counters have changed: a number that differs if they do. */
uint64_t discovery_changes(const struct discovery *discovery, uint16_t iface);

/* What was counted before the start; UINT16_MAX: packets and bytes of the interface. */
void discovery_restore(struct discovery *discovery, uint16_t iface, uint8_t dir,
		       uint16_t protocol, const struct discovery_cell *cell);

/* An interface's counters as they are in `from`, which has room for as many protocols. */
void discovery_copy(struct discovery *discovery, const struct discovery *from, uint16_t iface);

/* All zero of a protocol that there is no room for. */
const struct discovery_cell *discovery_cell(const struct discovery *discovery, uint16_t iface,
					    uint8_t dir, uint16_t protocol);
struct discovery_cell discovery_total(const struct discovery *discovery, uint16_t iface,
				      uint8_t dir);

/*
 * Bit rates over a load interval as routers compute them: an exponentially weighted average,
 * brought up to date every five seconds of packet time, and its maximum.
 */
struct rates;

enum { RATES_STEP_S = 5, RATES_INTERVAL_S = 300 };

/* interval_s is that of all interfaces; rates_interval sets another one. */
enum barn_err rates_new(uint16_t interfaces, uint16_t protocols, uint32_t interval_s,
			struct rates **rates);
void rates_free(struct rates *rates);
/* From the next update on; the rate so far stays. */
void rates_interval(struct rates *rates, uint16_t iface, uint32_t interval_s);
uint32_t rates_interval_s(const struct rates *rates, uint16_t iface);
/* What `now` has is in no rate: it was counted before. */
void rates_begin(struct rates *rates, uint16_t iface, const struct discovery *now);
/* As if nothing had come yet: rates and maximums are 0. */
void rates_clear(struct rates *rates, uint16_t iface, const struct discovery *now);
/* Room for so many protocols, if it has less. */
enum barn_err rates_grow(struct rates *rates, uint16_t protocols);
/* A maximum that was reached before the start. There is room for the protocol. */
void rates_restore(struct rates *rates, uint16_t iface, uint8_t dir, uint16_t protocol,
		   uint64_t max_bps);
/*
 * `now` holds the counters of all workers added up, as of time_ns; the first call only sets the
 * clock. There is room for as many protocols as `now` has, if memory allows; BARN_ERR_MEMORY:
 * nothing is brought up to date.
 */
enum barn_err rates_update(struct rates *rates, const struct discovery *now, uint64_t time_ns);
/* bit/s; 0 of a protocol that came after the last update. UINT16_MAX: the interface. */
uint64_t rates_bps(const struct rates *rates, uint16_t iface, uint8_t dir, uint16_t protocol);
uint64_t rates_max_bps(const struct rates *rates, uint16_t iface, uint8_t dir,
		       uint16_t protocol);

#endif
