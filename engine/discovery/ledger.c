/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/ledger.h"

#include <barn/stats.h>
#include <stdlib.h>

enum { WORKERS = 256 };

static const uint64_t step_ns = RATES_STEP_S * UINT64_C(1000000000);

struct ledger {
	uint16_t interfaces;
	struct discovery *before; /* the start */
	struct discovery *sum, *cleared;
	struct rates *rates;
	bool started;
	uint64_t rated_ns;
	uint64_t *published; /* [interface]: discovery_changes of what was written last */
	bool *falling;       /* [interface]: a rate that was written is not 0 */
};

enum barn_err
ledger_new(uint16_t interfaces, uint16_t protocols, struct ledger **ledger)
{
	struct ledger *l = calloc(1, sizeof(*l));
	enum barn_err err = BARN_ERR_MEMORY;

	if (!l)
		return err;
	l->interfaces = interfaces;
	l->published = calloc(interfaces, sizeof(*l->published));
	l->falling = calloc(interfaces, sizeof(*l->falling));
	if (l->published && l->falling)
		err = discovery_new(interfaces, protocols, &l->before);
	if (!err)
		err = discovery_new(interfaces, protocols, &l->sum);
	if (!err)
		err = discovery_new(interfaces, protocols, &l->cleared);
	if (!err)
		err = rates_new(interfaces, protocols, RATES_INTERVAL_S, &l->rates);
	if (err)
		ledger_free(l);
	else
		*ledger = l;
	return err;
}

void
ledger_free(struct ledger *ledger)
{
	if (!ledger)
		return;
	discovery_free(ledger->before);
	discovery_free(ledger->sum);
	discovery_free(ledger->cleared);
	rates_free(ledger->rates);
	free(ledger->published);
	free(ledger->falling);
	free(ledger);
}

uint16_t
ledger_protocols(const struct ledger *ledger)
{
	return discovery_protocols(ledger->sum);
}

enum barn_err
ledger_restore(struct ledger *ledger, uint16_t iface, uint8_t dir, uint16_t protocol,
	       const struct discovery_cell *cell, uint64_t max_bps)
{
	uint16_t room = protocol == UINT16_MAX ? 0 : (uint16_t)(protocol + 1);
	enum barn_err err = discovery_grow(ledger->before, room);

	if (!err)
		err = discovery_grow(ledger->sum, discovery_protocols(ledger->before));
	if (!err)
		err = rates_grow(ledger->rates, discovery_protocols(ledger->sum));
	if (err)
		return err;
	discovery_restore(ledger->before, iface, dir, protocol, cell);
	rates_restore(ledger->rates, iface, dir, protocol, max_bps);
	return BARN_OK;
}

/* What was counted before the start is in no rate. */
static enum barn_err
start(struct ledger *l, uint64_t now_ns)
{
	enum barn_err err = rates_update(l->rates, l->sum, now_ns);

	for (uint16_t i = 0; !err && i < l->interfaces; i++)
		rates_begin(l->rates, i, l->sum);
	l->started = !err;
	l->rated_ns = now_ns;
	return err;
}

enum barn_err
ledger_update(struct ledger *ledger, const struct discovery *const *workers, unsigned n,
	      uint64_t now_ns)
{
	const struct discovery *all[1 + WORKERS] = { ledger->before };
	enum barn_err err, more;

	if (n > WORKERS)
		return BARN_ERR_ARGUMENT;
	if (!ledger->started) {
		err = discovery_sum(ledger->sum, all, 1);
		if (!err)
			err = start(ledger, now_ns);
		if (err)
			return err;
	}
	if (n)
		memcpy(all + 1, workers, n * sizeof(all[0]));
	err = discovery_sum(ledger->sum, all, n + 1);
	if (now_ns >= ledger->rated_ns + step_ns) {
		more = rates_update(ledger->rates, ledger->sum, now_ns);
		ledger->rated_ns = now_ns;
		err = err ? err : more;
	}
	return err;
}

void
ledger_interval(struct ledger *ledger, uint16_t iface, uint32_t interval_s)
{
	rates_interval(ledger->rates, iface, interval_s);
}

uint32_t
ledger_interval_s(const struct ledger *ledger, uint16_t iface)
{
	return rates_interval_s(ledger->rates, iface);
}

enum barn_err
ledger_clear(struct ledger *ledger, uint16_t iface)
{
	enum barn_err err = discovery_grow(ledger->cleared, discovery_protocols(ledger->sum));

	if (err)
		return err;
	discovery_copy(ledger->cleared, ledger->sum, iface);
	rates_clear(ledger->rates, iface, ledger->sum);
	ledger->falling[iface] = true;
	return BARN_OK;
}

static struct discovery_cell
cell_of(const struct discovery *d, uint16_t iface, uint8_t dir, uint16_t protocol)
{
	return protocol == UINT16_MAX ? discovery_total(d, iface, dir)
				      : *discovery_cell(d, iface, dir, protocol);
}

void
ledger_row(const struct ledger *ledger, uint16_t iface, uint16_t protocol,
	   struct barn_stats_row *row)
{
	for (uint8_t d = 0; d < 2; d++) {
		struct discovery_cell now = cell_of(ledger->sum, iface, d, protocol);
		struct discovery_cell was = cell_of(ledger->cleared, iface, d, protocol);

		row->packets[d] = now.packets - was.packets;
		row->bytes[d] = now.bytes - was.bytes;
		row->guessed_packets[d] = now.guessed_packets - was.guessed_packets;
		row->guessed_bytes[d] = now.guessed_bytes - was.guessed_bytes;
		row->ip4_packets[d] = now.ip4_packets - was.ip4_packets;
		row->ip4_bytes[d] = now.ip4_bytes - was.ip4_bytes;
		row->ip6_packets[d] = now.ip6_packets - was.ip6_packets;
		row->ip6_bytes[d] = now.ip6_bytes - was.ip6_bytes;
		row->flows[d] = now.flows - was.flows;
		row->bps[d] = rates_bps(ledger->rates, iface, d, protocol);
		row->max_bps[d] = rates_max_bps(ledger->rates, iface, d, protocol);
	}
}

static void
publish_rows(struct ledger *l, struct segment *segment, uint16_t iface)
{
	struct barn_stats_row row;
	bool falling = false;

	for (uint16_t p = 0; p < discovery_protocols(l->sum); p++) {
		ledger_row(l, iface, p, &row);
		falling |= row.bps[0] || row.bps[1];
		(void)segment_write_row(segment, iface, p, &row);
	}
	ledger_row(l, iface, UINT16_MAX, &row);
	(void)segment_write_row(segment, iface, BARN_STATS_TOTAL, &row);
	l->falling[iface] = falling;
	l->published[iface] = discovery_changes(l->sum, iface);
}

void
ledger_publish(struct ledger *ledger, struct segment *segment,
	       const struct barn_stats_interface *interfaces, bool all)
{
	for (uint16_t i = 0; i < ledger->interfaces; i++) {
		segment_begin(segment, i);
		if (interfaces)
			(void)segment_write(segment, BARN_STATS_INTERFACES, i, &interfaces[i],
					    sizeof(interfaces[i]));
		if (all || ledger->falling[i] ||
		    ledger->published[i] != discovery_changes(ledger->sum, i))
			publish_rows(ledger, segment, i);
		segment_end(segment, i);
	}
}
