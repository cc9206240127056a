/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "policy/rate.h"
#include "unit.h"

#include <math.h>

static const uint64_t SECOND = 1000000000;

TEST(a_steady_rate_is_reached_and_forgotten_by_the_interval)
{
	struct policy_count counts[2] = { { 5, 500 }, { 0, 0 } };
	struct rate *rate = NULL;
	uint64_t t = 1700000000 * SECOND;

	CHECK_EQ(rate_new(2, 0, &rate), BARN_OK);
	rate_update(rate, counts, t);
	CHECK_EQ(rate_bps(rate, 0), 0);
	for (unsigned i = 0; i < 60; i++) {
		counts[0].packets += 50;
		counts[0].bytes += 5000;
		rate_update(rate, counts, t += 5 * SECOND);
	}
	/* 8,000 bit/s for as long as the interval: 1 - 1/e of it. */
	CHECK(fabs(rate_bps(rate, 0) - 8000 * (1 - exp(-1))) < 1);
	CHECK(fabs(rate_pps(rate, 0) - 10 * (1 - exp(-1))) < 0.01);
	CHECK_EQ(rate_bps(rate, 1), 0);
	rate_update(rate, counts, t - SECOND);
	rate_update(rate, counts, t += 300 * SECOND);
	CHECK(fabs(rate_bps(rate, 0) - 8000 * (1 - exp(-1)) * exp(-1)) < 1);
	rate_free(rate);
}
