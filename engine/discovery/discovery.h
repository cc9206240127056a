/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DISCOVERY_DISCOVERY_H
#define DISCOVERY_DISCOVERY_H

/*
 * Protocol discovery: packets and bytes per interface, direction and protocol. Each worker
 * counts in a discovery of its own, without a lock; readers add them up. No counter ever goes
 * back.
 *
 * A packet counts for its interface at once, and for its protocol when that is known: with the
 * flow's verdict, or as unknown when inspection gives up. So the protocols add up to the
 * interface once no flow is being inspected.
 */

#include "classify/registry.h"

struct discovery;

/* guessed_*: the part of packets and bytes whose protocol was only guessed. */
struct discovery_cell {
	uint64_t packets, bytes, guessed_packets, guessed_bytes;
};

enum barn_err discovery_new(uint16_t interfaces, uint16_t protocols,
			    struct discovery **discovery);
void discovery_free(struct discovery *discovery);

/* Room for so many protocols, if it has less; what was counted stays. On an error all stays. */
enum barn_err discovery_grow(struct discovery **discovery, uint16_t protocols);
uint16_t discovery_protocols(const struct discovery *discovery);

/* The packet path: one add each. dir is enum packet_dir. */
void discovery_interface(struct discovery *discovery, uint16_t iface, uint8_t dir,
			 uint32_t bytes);
void discovery_credit(struct discovery *discovery, uint16_t iface, uint8_t dir,
		      uint16_t protocol, bool guessed, uint64_t packets, uint64_t bytes);

/*
 * Makes `sum` the sum of what n workers count, which may have room for fewer protocols than
 * `sum`, not for more. Only interfaces that have changed since the last
 * call cost anything, so it may be called often, and with thousands of interfaces.
 */
void discovery_sum(struct discovery *sum, const struct discovery *const *workers, unsigned n);

/* How often an interface's counters have changed: a number that differs if they do. */
uint64_t discovery_changes(const struct discovery *discovery, uint16_t iface);

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

enum barn_err rates_new(uint16_t interfaces, uint16_t protocols, uint32_t interval_s,
			struct rates **rates);
void rates_free(struct rates *rates);
/* `now` holds the counters of all workers added up, as of time_ns; the first call only sets the
 * clock. */
void rates_update(struct rates *rates, const struct discovery *now, uint64_t time_ns);
/* bit/s. Protocol UINT16_MAX: the interface. */
uint64_t rates_bps(const struct rates *rates, uint16_t iface, uint8_t dir, uint16_t protocol);
uint64_t rates_max_bps(const struct rates *rates, uint16_t iface, uint8_t dir,
		       uint16_t protocol);

#endif
