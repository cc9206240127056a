/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/discovery.h"

#include <math.h>
#include <stdlib.h>

struct rate {
	uint64_t bytes; /* at the last update */
	double bps, max_bps;
};

/*
 * What is kept of an interface; its rates are as of `time_ns`, and decay while nothing comes.
 */
struct line {
	uint64_t changes, time_ns;
	uint32_t interval_s;
};

/* By interface and direction: the interface itself, then the protocols. */
struct rates {
	uint16_t interfaces, protocols;
	bool started;
	uint64_t time_ns; /* of the last update */
	struct line *lines;
	struct rate *rates;
};

static size_t
row_size(const struct rates *r)
{
	return r->protocols + 1u;
}

static struct rate *
row_of(const struct rates *r, uint16_t iface, uint8_t dir)
{
	return &r->rates[((size_t)iface * 2 + dir) * row_size(r)];
}

static size_t
column_of(uint16_t protocol)
{
	return protocol == UINT16_MAX ? 0 : protocol + 1u;
}

enum barn_err
rates_new(uint16_t interfaces, uint16_t protocols, uint32_t interval_s, struct rates **rates)
{
	struct rates *r = calloc(1, sizeof(*r));

	if (!r)
		return BARN_ERR_MEMORY;
	r->interfaces = interfaces;
	r->protocols = protocols;
	r->lines = calloc(interfaces, sizeof(*r->lines));
	r->rates = calloc(interfaces * 2u * row_size(r), sizeof(*r->rates));
	if (!r->lines || !r->rates) {
		rates_free(r);
		return BARN_ERR_MEMORY;
	}
	for (uint16_t i = 0; i < interfaces; i++)
		r->lines[i].interval_s = interval_s;
	*rates = r;
	return BARN_OK;
}

void
rates_free(struct rates *rates)
{
	if (!rates)
		return;
	free(rates->lines);
	free(rates->rates);
	free(rates);
}

void
rates_interval(struct rates *rates, uint16_t iface, uint32_t interval_s)
{
	rates->lines[iface].interval_s = interval_s;
}

uint32_t
rates_interval_s(const struct rates *rates, uint16_t iface)
{
	return rates->lines[iface].interval_s;
}

/* Modules were loaded: new protocols begin with a rate of 0. */
enum barn_err
rates_grow(struct rates *rates, uint16_t protocols)
{
	size_t lines = rates->interfaces * 2u, before = row_size(rates);
	struct rate *old = rates->rates, *more;

	if (protocols <= rates->protocols)
		return BARN_OK;
	more = calloc(lines * (protocols + 1u), sizeof(*more));
	if (!more)
		return BARN_ERR_MEMORY;
	for (size_t i = 0; i < lines; i++)
		memcpy(&more[i * (protocols + 1u)], &old[i * before], before * sizeof(*more));
	rates->rates = more;
	rates->protocols = protocols;
	free(old);
	return BARN_OK;
}

/* After dt seconds the old average weighs e^(-dt/interval), as routers have it in steps of
 * five. */
static double
weight(const struct line *line, uint64_t from_ns, uint64_t to_ns)
{
	return exp(-(double)(to_ns - from_ns) / 1e9 / line->interval_s);
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

static uint64_t
bytes_of_column(const struct discovery *now, uint16_t iface, uint8_t dir, size_t column)
{
	return column ? discovery_cell(now, iface, dir, (uint16_t)(column - 1))->bytes
		      : discovery_total(now, iface, dir).bytes;
}

/* Nothing came until the last update; what came since then belongs to the step from there on.
 */
static void
update_interface(struct rates *r, const struct discovery *now, uint16_t iface, uint64_t time_ns)
{
	struct line *line = &r->lines[iface];
	double quiet = weight(line, line->time_ns, r->time_ns);
	double step = weight(line, r->time_ns, time_ns);
	double dt_s = (double)(time_ns - r->time_ns) / 1e9;

	for (uint8_t dir = 0; dir < 2; dir++) {
		struct rate *row = row_of(r, iface, dir);

		for (size_t i = 0; i < row_size(r); i++) {
			row[i].bps *= quiet;
			update(&row[i], bytes_of_column(now, iface, dir, i), dt_s, step);
		}
	}
	line->changes = discovery_changes(now, iface);
	line->time_ns = time_ns;
}

void
rates_begin(struct rates *rates, uint16_t iface, const struct discovery *now)
{
	for (uint8_t dir = 0; dir < 2; dir++)
		for (size_t i = 0; i < row_size(rates); i++)
			row_of(rates, iface, dir)[i].bytes =
				bytes_of_column(now, iface, dir, i);
	rates->lines[iface].changes = discovery_changes(now, iface);
}

void
rates_clear(struct rates *rates, uint16_t iface, const struct discovery *now)
{
	for (uint8_t dir = 0; dir < 2; dir++)
		memset(row_of(rates, iface, dir), 0, row_size(rates) * sizeof(struct rate));
	rates_begin(rates, iface, now);
	rates->lines[iface].time_ns = rates->time_ns;
}

void
rates_restore(struct rates *rates, uint16_t iface, uint8_t dir, uint16_t protocol,
	      uint64_t max_bps)
{
	row_of(rates, iface, dir)[column_of(protocol)].max_bps = (double)max_bps;
}

enum barn_err
rates_update(struct rates *rates, const struct discovery *now, uint64_t time_ns)
{
	enum barn_err err = rates_grow(rates, discovery_protocols(now));

	if (err || (rates->started && time_ns <= rates->time_ns))
		return err;
	for (uint16_t i = 0; i < rates->interfaces; i++) {
		if (!rates->started)
			rates->lines[i].time_ns = time_ns;
		else if (rates->lines[i].changes != discovery_changes(now, i))
			update_interface(rates, now, i, time_ns);
	}
	rates->started = true;
	rates->time_ns = time_ns;
	return BARN_OK;
}

static const struct rate *
rate_of(const struct rates *r, uint16_t iface, uint8_t dir, uint16_t protocol)
{
	static const struct rate none;
	size_t column = column_of(protocol);

	return column < row_size(r) ? &row_of(r, iface, dir)[column] : &none;
}

uint64_t
rates_bps(const struct rates *rates, uint16_t iface, uint8_t dir, uint16_t protocol)
{
	const struct line *line = &rates->lines[iface];

	return (uint64_t)(rate_of(rates, iface, dir, protocol)->bps *
			  weight(line, line->time_ns, rates->time_ns));
}

uint64_t
rates_max_bps(const struct rates *rates, uint16_t iface, uint8_t dir, uint16_t protocol)
{
	return (uint64_t)rate_of(rates, iface, dir, protocol)->max_bps;
}
