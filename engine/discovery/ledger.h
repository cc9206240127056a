/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DISCOVERY_LEDGER_H
#define DISCOVERY_LEDGER_H

/*
 * What a daemon shows of discovery: the workers added up, on top of what was counted before the
 * start, less what was counted before a clear, with rates. Owned by the publisher's thread; the
 * workers know nothing of it.
 *
 *	(before the start + worker + worker + ...) - cleared = what is shown
 */

#include "discovery/discovery.h"
#include "discovery/segment.h"

struct ledger;

enum barn_err ledger_new(uint16_t interfaces, uint16_t protocols, struct ledger **ledger);
void ledger_free(struct ledger *ledger); /* of NULL: nothing */

uint16_t ledger_protocols(const struct ledger *ledger); /* room for so many */

/* Before the first update: room for the protocol, if there is memory. UINT16_MAX: the
 * interface, of which packets, bytes and the maximum count. */
enum barn_err ledger_restore(struct ledger *ledger, uint16_t iface, uint8_t dir,
			     uint16_t protocol, const struct discovery_cell *cell,
			     uint64_t max_bps);

/*
 * Takes what the workers have counted by now, each 200 ms to 1 s. Rates are brought up to date
 * each five seconds; now_ns is of a clock that only goes forward. On BARN_ERR_MEMORY new
 * protocols are left out.
 */
enum barn_err ledger_update(struct ledger *ledger, const struct discovery *const *workers,
			    unsigned n, uint64_t now_ns);

/* 30 to 600 s; of the rates from now on. */
void ledger_interval(struct ledger *ledger, uint16_t iface, uint32_t interval_s);
uint32_t ledger_interval_s(const struct ledger *ledger, uint16_t iface);

/* From now on its counters begin at 0, and its rates and maximums. */
enum barn_err ledger_clear(struct ledger *ledger, uint16_t iface);

/* UINT16_MAX: the interface. */
void ledger_row(const struct ledger *ledger, uint16_t iface, uint16_t protocol,
		struct barn_stats_row *row);

/*
 * Writes the rows of the interfaces that have changed since the last call, or whose rates are
 * falling, and their records from `interfaces` (NULL: left as they are), all of one moment. The
 * segment has room: `all` writes it anew, after it was made.
 */
void ledger_publish(struct ledger *ledger, struct segment *segment,
		    const struct barn_stats_interface *interfaces, bool all);

#endif
