/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/discovery.h"

#include <math.h>
#include <stdlib.h>

struct rate {
	uint64_t bytes; /* at the last update */
	double bps, max_bps;
};

/* By interface and direction: the protocols, then the interface itself. */
struct rates {
	uint16_t interfaces, protocols;
	uint32_t interval_s;
	bool started;
	uint64_t time_ns; /* of the last update */
	struct rate rates[];
};

static size_t
index_of(const struct rates *r, uint16_t iface, uint8_t dir, uint16_t protocol)
{
	size_t column = protocol == UINT16_MAX ? r->protocols : protocol;

	return ((size_t)iface * 2 + dir) * (r->protocols + 1u) + column;
}

enum barn_err
rates_new(uint16_t interfaces, uint16_t protocols, uint32_t interval_s, struct rates **rates)
{
	size_t count = (size_t)interfaces * 2 * (protocols + 1u);
	struct rates *r = calloc(1, sizeof(*r) + count * sizeof(r->rates[0]));

	if (!r)
		return BARN_ERR_MEMORY;
	r->interfaces = interfaces;
	r->protocols = protocols;
	r->interval_s = interval_s;
	*rates = r;
	return BARN_OK;
}

void
rates_free(struct rates *rates)
{
	free(rates);
}

/*
 * After dt seconds the old average weighs e^(-dt/interval). For steady steps of five seconds
 * this is what routers compute; for any other dt it is the same curve.
 */
static void
update(struct rate *rate, uint64_t bytes, double dt_s, double old_weight)
{
	double now_bps = (double)(bytes - rate->bytes) * 8 / dt_s;

	rate->bps = rate->bps * old_weight + now_bps * (1 - old_weight);
	rate->bytes = bytes;
	if (rate->max_bps < rate->bps)
		rate->max_bps = rate->bps;
}

void
rates_update(struct rates *rates, const struct discovery *now, uint64_t time_ns)
{
	double dt_s = (double)(time_ns - rates->time_ns) / 1e9, old_weight;

	if (rates->started && time_ns <= rates->time_ns)
		return;
	rates->time_ns = time_ns;
	if (!rates->started) {
		rates->started = true;
		return;
	}
	old_weight = exp(-dt_s / rates->interval_s);
	for (uint16_t i = 0; i < rates->interfaces; i++)
		for (uint8_t dir = 0; dir < 2; dir++) {
			struct rate *row = &rates->rates[index_of(rates, i, dir, 0)];

			for (uint16_t p = 0; p < rates->protocols; p++)
				update(&row[p], discovery_cell(now, i, dir, p)->bytes, dt_s,
				       old_weight);
			update(&row[rates->protocols], discovery_total(now, i, dir).bytes, dt_s,
			       old_weight);
		}
}

uint64_t
rates_bps(const struct rates *rates, uint16_t iface, uint8_t dir, uint16_t protocol)
{
	return (uint64_t)rates->rates[index_of(rates, iface, dir, protocol)].bps;
}

uint64_t
rates_max_bps(const struct rates *rates, uint16_t iface, uint8_t dir, uint16_t protocol)
{
	return (uint64_t)rates->rates[index_of(rates, iface, dir, protocol)].max_bps;
}
