/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/discovery.h"

#include "unit.h"

enum { SECOND = 1000000000 };

static const struct discovery_kind plain;

/* Counts `bytes` for protocol 1 each second, for so long. */
static void
run(struct discovery *d, struct rates *r, uint64_t *second, unsigned seconds, uint32_t bytes)
{
	while (seconds--) {
		discovery_interface(d, 0, PACKET_IN, bytes);
		discovery_credit(d, 0, PACKET_IN, 1, plain, 1, bytes);
		if (++*second % RATES_STEP_S == 0)
			rates_update(r, d, *second * SECOND);
	}
}

static void
begin(struct discovery **d, struct rates **r)
{
	CHECK_EQ(discovery_new(1, 3, d), BARN_OK);
	CHECK_EQ(rates_new(1, 3, RATES_INTERVAL_S, r), BARN_OK);
	rates_update(*r, *d, 0);
}

static void
end(struct discovery *d, struct rates *r)
{
	discovery_free(d);
	rates_free(r);
}

TEST(a_steady_rate_is_reached_and_its_maximum_stays)
{
	struct discovery *d;
	struct rates *r;
	uint64_t second = 0;

	begin(&d, &r);
	run(d, r, &second, 5 * RATES_INTERVAL_S, 1000);
	CHECK(rates_bps(r, 0, PACKET_IN, 1) > 7900);
	CHECK(rates_bps(r, 0, PACKET_IN, 1) <= 8000);
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, UINT16_MAX), rates_bps(r, 0, PACKET_IN, 1));
	run(d, r, &second, 10 * RATES_INTERVAL_S, 0);
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, 1), 0);
	CHECK(rates_max_bps(r, 0, PACKET_IN, 1) > 7900);
	end(d, r);
}

TEST(after_one_interval_a_rate_has_risen_by_63_percent)
{
	struct discovery *d;
	struct rates *r;
	uint64_t second = 0;

	begin(&d, &r);
	run(d, r, &second, RATES_INTERVAL_S, 1000);
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, 1) / 10, 8000 * 632 / 1000 / 10);
	end(d, r);
}

TEST(time_that_goes_back_changes_nothing)
{
	struct discovery *d;
	struct rates *r;
	uint64_t second = 0, before;

	begin(&d, &r);
	run(d, r, &second, 100, 1000);
	before = rates_bps(r, 0, PACKET_IN, 1);
	discovery_credit(d, 0, PACKET_IN, 1, plain, 1, 1000000);
	rates_update(r, d, 50 * UINT64_C(1000000000));
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, 1), before);
	end(d, r);
}

TEST(a_burst_after_silence_counts_for_its_own_step)
{
	struct discovery *d;
	struct rates *r;
	uint64_t second = 0, at_once;

	begin(&d, &r);
	run(d, r, &second, RATES_STEP_S, 1000);
	at_once = rates_bps(r, 0, PACKET_IN, 1);
	run(d, r, &second, 20 * RATES_INTERVAL_S, 0);
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, 1), 0);
	run(d, r, &second, RATES_STEP_S, 1000);
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, 1), at_once);
	end(d, r);
}

TEST(the_sum_of_workers_is_made_anew_where_it_has_changed)
{
	struct discovery *sum, *worker[2];
	const struct discovery *both[2];

	CHECK_EQ(discovery_new(2, 3, &sum), BARN_OK);
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQ(discovery_new(2, 3, &worker[i]), BARN_OK);
		both[i] = worker[i];
		discovery_interface(worker[i], 1, PACKET_OUT, 10 + 10 * i);
		discovery_credit(worker[i], 1, PACKET_OUT, 2,
				 (struct discovery_kind){ .guessed = i == 0 }, 1, 10 + 10 * i);
	}
	discovery_sum(sum, both, 2);
	discovery_sum(sum, both, 2);
	CHECK_EQ(discovery_cell(sum, 1, PACKET_OUT, 2)->bytes, 30);
	CHECK_EQ(discovery_cell(sum, 1, PACKET_OUT, 2)->guessed_bytes, 10);
	CHECK_EQ(discovery_total(sum, 1, PACKET_OUT).packets, 2);
	CHECK_EQ(discovery_total(sum, 1, PACKET_OUT).guessed_packets, 1);
	CHECK_EQ(discovery_cell(sum, 0, PACKET_OUT, 2)->bytes, 0);
	discovery_credit(worker[1], 1, PACKET_OUT, 0, plain, 1, 5);
	discovery_sum(sum, both, 2);
	CHECK_EQ(discovery_cell(sum, 1, PACKET_OUT, 0)->bytes, 5);
	CHECK_EQ(discovery_cell(sum, 1, PACKET_OUT, 2)->bytes, 30);
	discovery_free(sum);
	discovery_free(worker[0]);
	discovery_free(worker[1]);
}

TEST(rates_go_on_when_modules_come_and_new_protocols_begin_at_none)
{
	struct discovery *d;
	struct rates *r;
	uint64_t second = 0, before;

	begin(&d, &r);
	run(d, r, &second, 300, 1000);
	before = rates_bps(r, 0, PACKET_IN, 1);
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, 40), 0);
	CHECK_EQ(discovery_grow(d, 41), BARN_OK);
	discovery_credit(d, 0, PACKET_OUT, 40, plain, 1, 1000000);
	run(d, r, &second, 5, 1000);
	CHECK(rates_bps(r, 0, PACKET_IN, 1) >= before);
	CHECK(rates_bps(r, 0, PACKET_OUT, 40) > 20000);
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, 40), 0);
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, UINT16_MAX), rates_bps(r, 0, PACKET_IN, 1));
	end(d, r);
}

TEST(each_interface_has_its_load_interval)
{
	struct discovery *d;
	struct rates *r;

	CHECK_EQ(discovery_new(2, 2, &d), BARN_OK);
	CHECK_EQ(rates_new(2, 2, RATES_INTERVAL_S, &r), BARN_OK);
	rates_interval(r, 1, 30);
	CHECK_EQ(rates_interval_s(r, 0), 300);
	CHECK_EQ(rates_interval_s(r, 1), 30);
	rates_update(r, d, 0);
	for (uint64_t t = 1; t <= 6; t++) {
		for (uint16_t i = 0; i < 2; i++) {
			discovery_interface(d, i, PACKET_IN, 5000);
			discovery_credit(d, i, PACKET_IN, 1, plain, 1, 5000);
		}
		rates_update(r, d, t * RATES_STEP_S * SECOND);
	}
	/* 30 s of 8 kbit/s: 63 % of it over 30 s, 10 % over five minutes. */
	CHECK_EQ(rates_bps(r, 1, PACKET_IN, 1) / 10, 505);
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, 1) / 10, 76);
	end(d, r);
}

TEST(after_a_clear_only_what_comes_then_counts)
{
	struct discovery *d;
	struct rates *r;
	uint64_t second = 0;

	begin(&d, &r);
	run(d, r, &second, 300, 1000);
	discovery_credit(d, 0, PACKET_IN, 1, plain, 1, 1000000);
	rates_clear(r, 0, d);
	CHECK_EQ(rates_bps(r, 0, PACKET_IN, 1), 0);
	CHECK_EQ(rates_max_bps(r, 0, PACKET_IN, UINT16_MAX), 0);
	run(d, r, &second, 5, 1000);
	CHECK(rates_max_bps(r, 0, PACKET_IN, 1) > 100);
	CHECK(rates_max_bps(r, 0, PACKET_IN, 1) < 200);
	end(d, r);
}

TEST(what_grows_keeps_its_counts_and_the_sum_grows_with_it)
{
	struct discovery *sum, *worker;
	const struct discovery *one[1];

	CHECK_EQ(discovery_new(2, 2, &sum), BARN_OK);
	CHECK_EQ(discovery_new(2, 2, &worker), BARN_OK);
	one[0] = worker;
	discovery_credit(worker, 1, PACKET_OUT, 1, plain, 1, 7);
	CHECK_EQ(discovery_grow(worker, 100), BARN_OK);
	CHECK_EQ(discovery_grow(worker, 50), BARN_OK);
	CHECK(discovery_protocols(worker) >= 100);
	discovery_credit(worker, 1, PACKET_OUT, 99, plain, 1, 9);
	CHECK_EQ(discovery_sum(sum, one, 1), BARN_OK);
	CHECK_EQ(discovery_cell(sum, 1, PACKET_OUT, 1)->bytes, 7);
	CHECK_EQ(discovery_cell(sum, 1, PACKET_OUT, 99)->bytes, 9);
	CHECK_EQ(discovery_cell(sum, 0, PACKET_OUT, 1)->bytes, 0);
	CHECK_EQ(discovery_cell(sum, 0, PACKET_OUT, UINT16_MAX - 1)->bytes, 0);
	discovery_free(sum);
	discovery_free(worker);
}

TEST(flows_and_versions_of_ip_are_told_apart)
{
	struct discovery *d;
	struct discovery_cell total;

	CHECK_EQ(discovery_new(1, 3, &d), BARN_OK);
	discovery_credit(d, 0, 0, 1, (struct discovery_kind){ 1, 4, false }, 2, 20);
	discovery_credit(d, 0, 0, 1, (struct discovery_kind){ 1, 6, true }, 3, 30);
	discovery_credit(d, 0, 0, 2, (struct discovery_kind){ 1, 0, false }, 4, 40);
	discovery_credit(d, 0, 0, 2, (struct discovery_kind){ 0, 6, false }, 5, 50);
	total = discovery_total(d, 0, 0);
	CHECK_EQ(discovery_cell(d, 0, 0, 1)->flows, 2);
	CHECK_EQ(discovery_cell(d, 0, 0, 1)->ip4_bytes, 20);
	CHECK_EQ(total.ip4_packets, 2);
	CHECK_EQ(total.ip6_packets, 8);
	CHECK_EQ(total.ip6_bytes, 80);
	CHECK_EQ(total.guessed_bytes, 30);
	CHECK_EQ(total.flows, 3);
	CHECK_EQ(total.packets, 0); /* the interface counts by itself */
	discovery_free(d);
}
