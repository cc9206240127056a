/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/meter.h"

#include "match/need.h"

#include <stdlib.h>

enum { TRIALS = 1000 };

struct meter {
	struct meter_clock clock;
	uint64_t clock_ns; /* what asking it takes */
	struct meter_sum sum;
	struct meter_cell cells[METER_PROTOCOLS];
};

/* The least of many tries: what is more was something else's. */
static uint64_t
time_clock(const struct meter_clock *clock)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < TRIALS; i++) {
		uint64_t start = clock->now_ns(clock->self);
		uint64_t ns = clock->now_ns(clock->self) - start;

		least = ns < least ? ns : least;
	}
	return least;
}

enum barn_err
meter_new(const struct meter_clock *clock, struct meter **meter)
{
	struct meter *m = calloc(1, sizeof(*m));

	if (!m)
		return BARN_ERR_MEMORY;
	m->clock = *clock;
	m->clock_ns = time_clock(clock);
	*meter = m;
	return BARN_OK;
}

void
meter_free(struct meter *meter)
{
	free(meter);
}

uint64_t
meter_start(const struct meter *meter)
{
	return meter ? meter->clock.now_ns(meter->clock.self) : 0;
}

static uint64_t
since(const struct meter *meter, uint64_t start)
{
	uint64_t ns = meter->clock.now_ns(meter->clock.self) - start;

	return ns > meter->clock_ns ? ns - meter->clock_ns : 0;
}

void
meter_inspector(struct meter *meter, uint16_t protocol, uint64_t start)
{
	if (!meter)
		return;
	meter->cells[protocol].inspector_ns += since(meter, start);
	meter->cells[protocol].calls++;
}

void
meter_ndpi(struct meter *meter, uint64_t start)
{
	if (!meter)
		return;
	meter->sum.ndpi_ns += since(meter, start);
	meter->sum.ndpi_calls++;
}

void
meter_rules(struct meter *meter, const struct registry *registry, const struct match_view *view,
	    struct regex_scratch *scratch, uint64_t start)
{
	const struct registry_rule *r;
	uint8_t transport;

	if (!meter)
		return;
	transport = view->udp ? PDL_UDP : PDL_TCP;
	meter->sum.rules_ns += since(meter, start);
	meter->sum.asked++;
	for (uint16_t i = 1; i < registry_rule_count(registry); i++) {
		struct meter_cell *cell;
		uint64_t ns;

		r = registry_rule(registry, i);
		if (!r)
			continue;
		cell = &meter->cells[r->protocol];
		if (!(r->rule->transports & transport) ||
		    need_may(r->rule->rule, view) == MATCH_NO)
			continue;
		start = meter_start(meter);
		(void)rule_run(r->rule->rule, view, scratch);
		ns = since(meter, start);
		cell->alone_ns += ns;
		cell->calls++;
		meter->sum.alone_ns += ns;
	}
}

const struct meter_cell *
meter_cell(const struct meter *meter, uint16_t protocol)
{
	return &meter->cells[protocol];
}

struct meter_sum
meter_sum(const struct meter *meter)
{
	return meter->sum;
}

uint64_t
meter_ns(const struct meter *meter, uint16_t protocol)
{
	const struct meter_cell *cell = &meter->cells[protocol];
	double part =
		meter->sum.alone_ns ? (double)cell->alone_ns / (double)meter->sum.alone_ns : 0;

	return cell->inspector_ns + (uint64_t)(part * (double)meter->sum.rules_ns);
}
