/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/rate.h"

#include <math.h>
#include <stdlib.h>

struct one {
	struct policy_count last;
	double bps, pps;
};

struct rate {
	uint32_t count, interval_s;
	bool started;
	uint64_t time_ns;
	struct one counters[];
};

enum barn_err
rate_new(uint32_t counters, uint32_t interval_s, struct rate **rate)
{
	struct rate *r = calloc(1, sizeof(*r) + counters * sizeof(r->counters[0]));

	if (!r)
		return BARN_ERR_MEMORY;
	r->count = counters;
	r->interval_s = interval_s ? interval_s : RATE_INTERVAL_S;
	*rate = r;
	return BARN_OK;
}

void
rate_free(struct rate *rate)
{
	free(rate);
}

/* After dt seconds the old average weighs e^(-dt/interval). */
void
rate_update(struct rate *rate, const struct policy_count *counts, uint64_t time_ns)
{
	double dt_s, old;

	if (rate->started && time_ns <= rate->time_ns)
		return;
	dt_s = (double)(time_ns - rate->time_ns) / 1e9;
	old = exp(-dt_s / rate->interval_s);
	for (uint32_t i = 0; i < rate->count; i++) {
		struct one *one = &rate->counters[i];

		if (rate->started) {
			double bits = (double)(counts[i].bytes - one->last.bytes) * 8;
			double packets = (double)(counts[i].packets - one->last.packets);

			one->bps = one->bps * old + bits / dt_s * (1 - old);
			one->pps = one->pps * old + packets / dt_s * (1 - old);
		}
		one->last = counts[i];
	}
	rate->started = true;
	rate->time_ns = time_ns;
}

double
rate_bps(const struct rate *rate, uint32_t counter)
{
	return rate->counters[counter].bps;
}

double
rate_pps(const struct rate *rate, uint32_t counter)
{
	return rate->counters[counter].pps;
}
