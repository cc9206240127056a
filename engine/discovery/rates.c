/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/discovery.h"

#include <math.h>
#include <stdlib.h>

struct rate {
	uint64_t bytes; /* at the last update */
	double bps, max_bps;
};

/* What is kept of an interface; its rates are as of `time_ns`, and decay while nothing comes.
 */
struct line {
	uint64_t changes, time_ns;
};

/* By interface and direction: the protocols, then the interface itself. */
struct rates {
	uint16_t interfaces, protocols;
	uint32_t interval_s;
	bool started;
	uint64_t time_ns; /* of the last update */
	struct line *lines;
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
	r->lines = calloc(interfaces, sizeof(*r->lines));
	if (!r->lines) {
		free(r);
		return BARN_ERR_MEMORY;
	}
	r->interfaces = interfaces;
	r->protocols = protocols;
	r->interval_s = interval_s;
	*rates = r;
	return BARN_OK;
}

void
rates_free(struct rates *rates)
{
	if (!rates)
		return;
	free(rates->lines);
	free(rates);
}

/* After dt seconds the old average weighs e^(-dt/interval), as routers have it in steps of
 * five. */
static double
weight(const struct rates *r, uint64_t from_ns, uint64_t to_ns)
{
	return exp(-(double)(to_ns - from_ns) / 1e9 / r->interval_s);
}

static void
update(struct rate *rate, uint64_t bytes, double dt_s, double old_weight)
{
	double now_bps = (double)(bytes - rate->bytes) * 8 / dt_s;

	rate->bps = rate->bps * old_weight + now_bps * (1 - old_weight);
	rate->bytes = bytes;
	if (rate->max_bps < rate->bps)
		rate->max_bps = rate->bps;
}

/* Nothing came until the last update; what came since then belongs to the step from there on.
 */
static void
update_interface(struct rates *r, const struct discovery *now, uint16_t iface, uint64_t time_ns)
{
	double quiet = weight(r, r->lines[iface].time_ns, r->time_ns);
	double step = weight(r, r->time_ns, time_ns),
	       dt_s = (double)(time_ns - r->time_ns) / 1e9;

	for (uint8_t dir = 0; dir < 2; dir++) {
		struct rate *row = &r->rates[index_of(r, iface, dir, 0)];

		for (uint16_t p = 0; p <= r->protocols; p++) {
			uint64_t bytes = p < r->protocols
						 ? discovery_cell(now, iface, dir, p)->bytes
						 : discovery_total(now, iface, dir).bytes;

			row[p].bps *= quiet;
			update(&row[p], bytes, dt_s, step);
		}
	}
	r->lines[iface] = (struct line){ discovery_changes(now, iface), time_ns };
}

void
rates_update(struct rates *rates, const struct discovery *now, uint64_t time_ns)
{
	if (rates->started && time_ns <= rates->time_ns)
		return;
	for (uint16_t i = 0; i < rates->interfaces; i++) {
		if (!rates->started)
			rates->lines[i].time_ns = time_ns;
		else if (rates->lines[i].changes != discovery_changes(now, i))
			update_interface(rates, now, i, time_ns);
	}
	rates->started = true;
	rates->time_ns = time_ns;
}

uint64_t
rates_bps(const struct rates *rates, uint16_t iface, uint8_t dir, uint16_t protocol)
{
	double quiet = weight(rates, rates->lines[iface].time_ns, rates->time_ns);

	return (uint64_t)(rates->rates[index_of(rates, iface, dir, protocol)].bps * quiet);
}

uint64_t
rates_max_bps(const struct rates *rates, uint16_t iface, uint8_t dir, uint16_t protocol)
{
	return (uint64_t)rates->rates[index_of(rates, iface, dir, protocol)].max_bps;
}
