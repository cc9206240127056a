/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/tally.h"

#include <math.h>
#include <stdlib.h>

struct rate {
	uint64_t bytes; /* at the last update */
	double bps;
	uint32_t interval_s;
};

struct tally {
	const struct policy *policy;
	uint32_t counters;
	bool started;
	uint64_t time_ns; /* of the last update */
	struct rate rates[];
};

enum barn_err
tally_new(const struct policy *policy, struct tally **tally)
{
	uint32_t counters = policy_counter_count(policy);
	struct tally *t = calloc(1, sizeof(*t) + counters * sizeof(t->rates[0]));

	if (!t)
		return BARN_ERR_MEMORY;
	t->policy = policy;
	t->counters = counters;
	for (uint32_t i = 0; i < counters; i++)
		t->rates[i].interval_s = TALLY_INTERVAL_S;
	*tally = t;
	return BARN_OK;
}

void
tally_free(struct tally *tally)
{
	free(tally);
}

/* Places are compiled one after the other, and a stage's first counter is its own. */
void
tally_interval(struct tally *t, unsigned place, uint32_t interval_s)
{
	unsigned count;
	const struct policy_place_at *places = policy_places(t->policy, &count);
	uint32_t end = place + 1 < count ? places[place + 1].stage->undecided : t->counters;

	for (uint32_t i = places[place].stage->undecided; i < end; i++)
		t->rates[i].interval_s = interval_s;
}

void
tally_update(struct tally *t, const struct policy_count *counts, uint64_t time_ns)
{
	double dt_s;

	if (t->started && time_ns <= t->time_ns)
		return;
	dt_s = (double)(time_ns - t->time_ns) / 1e9;
	for (uint32_t i = 0; i < t->counters; i++) {
		struct rate *r = &t->rates[i];
		double old = exp(-dt_s / r->interval_s);

		if (t->started)
			r->bps = r->bps * old +
				 (double)(counts[i].bytes - r->bytes) * 8 / dt_s * (1 - old);
		r->bytes = counts[i].bytes;
	}
	t->started = true;
	t->time_ns = time_ns;
}

uint64_t
tally_bps(const struct tally *tally, uint32_t counter)
{
	return (uint64_t)(tally->rates[counter].bps + 0.5);
}
