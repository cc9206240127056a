/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/police.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { NS = 1000000000, BURST_LEAST = 1500, WORD_RATE = 18000000 };

/* `gone` is V of the header: tokens modulo 2^64, compared by difference. */
struct bucket {
	uint64_t rate; /* tokens a second */
	uint64_t room; /* tokens */
	_Atomic uint64_t gone;
};

struct police {
	struct police_rates rates;
	struct bucket first;  /* of CIR and CBS */
	struct bucket second; /* of PIR and PBS */
	_Atomic uint64_t excess;
	_Atomic uint64_t latest_ns; /* the clock, which never goes back; 0: before the start */
	_Atomic uint64_t shift_ns;  /* from the packets' time to it */
	_Atomic unsigned held;
};

bool
police_rates(const struct policy_police *config, uint64_t speed_bps, struct police_rates *rates)
{
	uint64_t least = config->packets ? 1 : BURST_LEAST;
	uint64_t per = config->packets ? 4 : 32;

	*rates = (struct police_rates){
		config->packets, config->two_rates, config->three_colours,
		config->cir,     config->pir,       config->bc,
		config->be
	};
	if (config->percent) {
		if (!speed_bps)
			return false;
		rates->cir =
			speed_bps / 100 * config->cir + speed_bps % 100 * config->cir / 100;
		rates->pir =
			speed_bps / 100 * config->pir + speed_bps % 100 * config->pir / 100;
		rates->bc = rates->cir / 8000 * config->bc;
		rates->be = (config->two_rates ? rates->pir : rates->cir) / 8000 * config->be;
	}
	if (!rates->bc)
		rates->bc = rates->cir / per > least ? rates->cir / per : least;
	if (!rates->be && config->two_rates)
		rates->be = rates->pir / per > least ? rates->pir / per : least;
	else if (!rates->be && config->three_colours)
		rates->be = rates->bc;
	return true;
}

enum barn_err
police_new(const struct police_rates *rates, struct police **police)
{
	struct police *p = calloc(1, sizeof(*p));
	uint64_t unit = rates->packets ? 1 : 8;

	if (!p)
		return BARN_ERR_MEMORY;
	p->rates = *rates;
	p->first.rate = rates->cir;
	p->first.room = rates->bc * unit;
	p->second.rate = rates->pir;
	p->second.room = rates->be * unit;
	atomic_init(&p->held, 1);
	*police = p;
	return BARN_OK;
}

struct police *
police_hold(struct police *police)
{
	atomic_fetch_add(&police->held, 1);
	return police;
}

void
police_drop(struct police *police)
{
	if (police && atomic_fetch_sub(&police->held, 1) == 1)
		free(police);
}

const struct police_rates *
police_rates_of(const struct police *police)
{
	return &police->rates;
}

/* A(t) modulo 2^64. Whole seconds are exact in any case. */
static uint64_t
come(const struct bucket *b, uint64_t time_ns)
{
	uint64_t seconds = time_ns / NS, rest = time_ns % NS;

	if (b->rate / 1000 < WORD_RATE) /* rate * 10^9 fits 64 bits */
		return b->rate * seconds + b->rate * rest / NS;
	return b->rate * seconds + (uint64_t)((unsigned __int128)b->rate * rest / NS);
}

/* Takes `cost` tokens if there are so many; what was spilt before goes to *spilt. */
static bool
spend(struct bucket *b, uint64_t time_ns, uint64_t cost, uint64_t *spilt)
{
	uint64_t all = come(b, time_ns);
	uint64_t gone = atomic_load_explicit(&b->gone, memory_order_relaxed), next;
	bool enough;

	do {
		int64_t level = (int64_t)(all - gone); /* below 0: a slower thread's time */

		*spilt = level > 0 && (uint64_t)level > b->room ? (uint64_t)level - b->room : 0;
		level -= (int64_t)*spilt;
		enough = level >= 0 && (uint64_t)level >= cost;
		next = gone + *spilt + (enough ? cost : 0);
		if (next == gone)
			return enough;
	} while (!atomic_compare_exchange_weak_explicit(
		&b->gone, &gone, next, memory_order_relaxed, memory_order_relaxed));
	return enough;
}

static void
fill(struct police *p, uint64_t tokens)
{
	uint64_t room = p->second.room;
	uint64_t level = atomic_load_explicit(&p->excess, memory_order_relaxed), next;

	do
		next = room - level < tokens ? room : level + tokens;
	while (!atomic_compare_exchange_weak_explicit(
		&p->excess, &level, next, memory_order_relaxed, memory_order_relaxed));
}

static bool
spend_excess(struct police *p, uint64_t cost)
{
	uint64_t level = atomic_load_explicit(&p->excess, memory_order_relaxed);

	do {
		if (level < cost)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(
		&p->excess, &level, level - cost, memory_order_relaxed, memory_order_relaxed));
	return true;
}

static void
start(struct police *p, uint64_t now_ns)
{
	atomic_store(&p->first.gone, come(&p->first, now_ns) - p->first.room);
	atomic_store(&p->second.gone, come(&p->second, now_ns) - p->second.room);
	atomic_store(&p->excess, p->second.room);
}

/*
 * The clock. The first packet sets it and fills the buckets; others that come in that very
 * moment may find them empty. 1 stands for the time 0.
 */
static uint64_t
now(struct police *p, uint64_t time_ns)
{
	uint64_t latest = atomic_load_explicit(&p->latest_ns, memory_order_relaxed);
	uint64_t t = time_ns + atomic_load_explicit(&p->shift_ns, memory_order_relaxed);

	if (!latest) {
		t = t ? t : 1;
		if (atomic_compare_exchange_strong(&p->latest_ns, &latest, t)) {
			start(p, t);
			return t;
		}
	}
	while (t > latest)
		if (atomic_compare_exchange_weak_explicit(&p->latest_ns, &latest, t,
							  memory_order_relaxed,
							  memory_order_relaxed))
			return t;
	if (latest - t > NS)
		atomic_store_explicit(&p->shift_ns, latest - time_ns, memory_order_relaxed);
	return latest;
}

static enum policy_colour
two_rates(struct police *p, uint64_t now_ns, uint64_t cost)
{
	uint64_t spilt;

	if (!spend(&p->second, now_ns, cost, &spilt))
		return POLICY_VIOLATE;
	return spend(&p->first, now_ns, cost, &spilt) ? POLICY_CONFORM : POLICY_EXCEED;
}

enum policy_colour
police_packet(struct police *police, uint64_t time_ns, uint32_t bytes)
{
	uint64_t now_ns = now(police, time_ns), spilt;
	uint64_t cost = police->rates.packets ? 1 : (uint64_t)bytes * 8;
	bool conforms;

	if (police->rates.two_rates)
		return two_rates(police, now_ns, cost);
	conforms = spend(&police->first, now_ns, cost, &spilt);
	if (police->rates.three_colours && spilt)
		fill(police, spilt);
	if (conforms)
		return POLICY_CONFORM;
	if (!police->rates.three_colours)
		return POLICY_EXCEED;
	return spend_excess(police, cost) ? POLICY_EXCEED : POLICY_VIOLATE;
}
