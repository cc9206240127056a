/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Policers against models that were written from the RFCs' own words: counters of tokens that
 * get one token each 1/CIR seconds, here by an exact number of tokens between two moments.
 */
#include "policy/police.h"
#include "unit.h"

#include <pthread.h>

enum { SECOND = 1000000000 };

static const uint64_t DAY_NS = UINT64_C(86400) * SECOND;

/* RFC 2697 and 2698 section 3: Tc, Te or Tp; tokens are bits. */
struct model {
	struct police_rates rates;
	uint64_t last_ns, unit, tc, te;
};

static void
model_start(struct model *m, const struct police_rates *rates, uint64_t time_ns)
{
	m->rates = *rates;
	m->last_ns = time_ns;
	m->unit = rates->packets ? 1 : 8;
	m->tc = rates->bc * m->unit;
	m->te = rates->be * m->unit;
}

static uint64_t
ticks(uint64_t rate, uint64_t from_ns, uint64_t to_ns)
{
	return (uint64_t)((unsigned __int128)rate * to_ns / SECOND -
			  (unsigned __int128)rate * from_ns / SECOND);
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* "If Tc is less than the CBS, Tc is incremented by one, else if Te is less than the EBS, Te is
 * incremented by one, else neither." */
static void
model_single(struct model *m, uint64_t time_ns)
{
	uint64_t come = ticks(m->rates.cir, m->last_ns, time_ns);
	uint64_t first = least(come, m->rates.bc * m->unit - m->tc);

	m->tc += first;
	m->te += least(come - first, m->rates.be * m->unit - m->te);
}

static void
model_two(struct model *m, uint64_t time_ns)
{
	m->tc = least(m->tc + ticks(m->rates.cir, m->last_ns, time_ns), m->rates.bc * m->unit);
	m->te = least(m->te + ticks(m->rates.pir, m->last_ns, time_ns), m->rates.be * m->unit);
}

static enum policy_colour
model_packet(struct model *m, uint64_t time_ns, uint32_t bytes)
{
	uint64_t b = m->rates.packets ? 1 : (uint64_t)bytes * 8;

	if (m->rates.two_rates)
		model_two(m, time_ns);
	else
		model_single(m, time_ns);
	m->last_ns = time_ns;
	if (m->rates.two_rates) {
		if (m->te < b)
			return POLICY_VIOLATE;
		m->te -= b;
		if (m->tc < b)
			return POLICY_EXCEED;
		m->tc -= b;
		return POLICY_CONFORM;
	}
	if (m->tc >= b) {
		m->tc -= b;
		return POLICY_CONFORM;
	}
	if (!m->rates.three_colours)
		return POLICY_EXCEED;
	if (m->te < b)
		return POLICY_VIOLATE;
	m->te -= b;
	return POLICY_EXCEED;
}

static uint64_t state;

static uint64_t
chance(uint64_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % n;
}

static void
compare(struct police_rates rates, uint64_t gap_ns, uint64_t length_ns, uint64_t start_ns)
{
	struct police *police = NULL;
	struct model m;
	uint64_t colours[POLICY_COLOURS] = { 0 };

	state = rates.cir + gap_ns;
	CHECK_EQ(police_new(&rates, &police), BARN_OK);
	model_start(&m, &rates, start_ns);
	for (uint64_t t = start_ns; t < start_ns + length_ns;) {
		uint32_t bytes = 60 + (uint32_t)chance(1455);
		enum policy_colour want = model_packet(&m, t, bytes);

		CHECK_EQ(police_packet(police, t, bytes), want);
		colours[want]++;
		/* Bursts, and silences that fill the buckets. */
		t += chance(10) < 3 ? 0 : chance(2 * gap_ns);
		if (chance(1000) == 0)
			t += chance(200 * gap_ns);
	}
	CHECK(colours[POLICY_CONFORM] > 0);
	CHECK(colours[POLICY_EXCEED] > 0);
	CHECK_EQ(colours[POLICY_VIOLATE] > 0, rates.two_rates || rates.three_colours);
	police_drop(police);
}

TEST(a_day_of_traffic_is_coloured_as_rfc_2697_says)
{
	compare((struct police_rates){ .cir = 8000, .bc = 3000 }, UINT64_C(400000000), DAY_NS,
		1700000000000000000);
	compare(
		(struct police_rates){
			.cir = 9999, .bc = 3000, .be = 9000, .three_colours = true },
		UINT64_C(400000000), DAY_NS, 1700000000123456789);
	compare(
		(struct police_rates){
			.cir = 333333, .bc = 10000, .be = 1500, .three_colours = true },
		UINT64_C(10000000), DAY_NS / 24, 5);
}

TEST(a_day_of_traffic_is_coloured_as_rfc_2698_says)
{
	compare(
		(struct police_rates){
			.cir = 8001, .pir = 12007, .bc = 3000, .be = 4500, .two_rates = true },
		UINT64_C(400000000), DAY_NS, 1700000000000000000);
}

TEST(packets_a_second_and_fast_links_are_exact)
{
	compare((struct police_rates){ .packets = true, .cir = 7, .bc = 3 },
		UINT64_C(100000000), DAY_NS, 1700000000000000000);
	compare((struct police_rates){ .cir = UINT64_C(400000000000),
				       .bc = 64000,
				       .be = 20000,
				       .three_colours = true },
		UINT64_C(15), UINT64_C(2000000), 1700000000000000000);
	compare((struct police_rates){ .cir = UINT64_C(17999999999),
				       .pir = 18000000001,
				       .bc = 64000,
				       .be = 70000,
				       .two_rates = true },
		UINT64_C(300), UINT64_C(20000000), 1700000000000000000);
}

/* Not against a model, but against the contract: never a token more, never one less. */
TEST(a_busy_day_passes_the_rate_and_the_burst_to_the_token)
{
	const struct police_rates rates = { .packets = true, .cir = 3, .bc = 1 };
	struct police *police = NULL;
	uint64_t passed = 0, start = 1700000000000000000 - 1700000000000000000 % SECOND;

	CHECK_EQ(police_new(&rates, &police), BARN_OK);
	for (uint64_t t = 0; t <= DAY_NS; t += 50000000)
		passed += police_packet(police, start + t, 1000) == POLICY_CONFORM;
	CHECK_EQ(passed, 1 + 3 * 86400);
	police_drop(police);
}

TEST(time_that_goes_back_gives_nothing_and_takes_nothing)
{
	const struct police_rates rates = { .packets = true, .cir = 1, .bc = 2 };
	const uint64_t t = 1700000000000000000;
	struct police *police = NULL;

	CHECK_EQ(police_new(&rates, &police), BARN_OK);
	CHECK_EQ(police_packet(police, t, 1), POLICY_CONFORM);
	CHECK_EQ(police_packet(police, t - SECOND / 2, 1), POLICY_CONFORM);
	CHECK_EQ(police_packet(police, t - SECOND / 2, 1), POLICY_EXCEED);
	CHECK_EQ(police_packet(police, t + SECOND, 1), POLICY_CONFORM);
	/* A clock that is set back by an hour goes on from there. */
	CHECK_EQ(police_packet(police, t - UINT64_C(3600) * SECOND, 1), POLICY_EXCEED);
	CHECK_EQ(police_packet(police, t - UINT64_C(3598) * SECOND, 1), POLICY_CONFORM);
	CHECK_EQ(police_packet(police, t - UINT64_C(3598) * SECOND, 1), POLICY_CONFORM);
	CHECK_EQ(police_packet(police, t - UINT64_C(3598) * SECOND, 1), POLICY_EXCEED);
	police_drop(police);
}

TEST(sizes_that_are_not_given_are_a_quarter_of_a_second)
{
	struct policy_police config = { .cir = 8000000 };
	struct police_rates rates;

	CHECK(police_rates(&config, 0, &rates));
	CHECK_EQ(rates.bc, 250000);
	CHECK_EQ(rates.be, 0);
	config = (struct policy_police){ .cir = 8000, .pir = 96000, .two_rates = true };
	CHECK(police_rates(&config, 0, &rates));
	CHECK_EQ(rates.bc, 1500);
	CHECK_EQ(rates.be, 3000);
	config = (struct policy_police){ .percent = true, .cir = 10, .bc = 100 };
	CHECK(!police_rates(&config, 0, &rates));
	CHECK(police_rates(&config, 1000000000, &rates));
	CHECK_EQ(rates.cir, 100000000);
	CHECK_EQ(rates.bc, 1250000);
}

enum { THREADS = 4, EACH = 20000 };

struct worker {
	pthread_t thread;
	struct police *police;
	uint64_t passed;
};

static void *
work(void *self)
{
	struct worker *w = self;

	for (uint64_t i = 0; i < EACH; i++)
		w->passed += police_packet(w->police, 1700000000000000000 + i * 1000, 1000) ==
			     POLICY_CONFORM;
	return NULL;
}

/* 20 ms at 8 Gbit/s and a burst of 10,000 packets that is full when they begin. */
TEST(workers_share_a_bucket_to_the_token)
{
	const struct police_rates rates = { .cir = UINT64_C(8000000000), .bc = 10000000 };
	struct worker workers[THREADS] = { 0 };
	struct police *police = NULL;
	uint64_t passed = 0, tokens = 10000000 + UINT64_C(1000000000) * (EACH - 1) / 1000000;

	CHECK_EQ(police_new(&rates, &police), BARN_OK);
	CHECK_EQ(police_packet(police, 1700000000000000000, 0), POLICY_CONFORM);
	for (unsigned i = 0; i < THREADS; i++) {
		workers[i].police = police;
		CHECK_EQ(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		passed += workers[i].passed;
	}
	CHECK(passed * 1000 <= tokens);
	CHECK(passed >= 10000);
	police_drop(police);
}
