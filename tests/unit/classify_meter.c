/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* What recognition costs, by a clock that the test sets. */
#include "classify/meter.h"
#include "unit.h"
#include "worker/engine.h"

/* Each question takes `step`. */
struct watch {
	uint64_t now, step;
};

static uint64_t
ask(void *self)
{
	struct watch *watch = self;

	return watch->now += watch->step;
}

static struct meter *
begin(struct watch *watch)
{
	const struct meter_clock clock = { ask, watch };
	struct meter *meter;

	*watch = (struct watch){ .step = 7 };
	CHECK_EQ(meter_new(&clock, &meter), BARN_OK);
	return meter;
}

TEST(without_a_meter_nothing_is_asked)
{
	CHECK_EQ(meter_start(NULL), 0);
	meter_inspector(NULL, 1, 0);
	meter_ndpi(NULL, 0);
	meter_rules(NULL, NULL, NULL, NULL, 0);
	meter_free(NULL);
}

TEST(what_the_clock_takes_is_taken_off)
{
	struct watch watch;
	struct meter *meter = begin(&watch);
	uint64_t start = meter_start(meter);

	meter_inspector(meter, 3, start);
	CHECK_EQ(meter_ns(meter, 3), 0);
	start = meter_start(meter);
	watch.now += 1000;
	meter_inspector(meter, 3, start);
	CHECK_EQ(meter_ns(meter, 3), 1000);
	CHECK_EQ(meter_cell(meter, 3)->calls, 2);
	CHECK_EQ(meter_cell(meter, 4)->calls, 0);
	start = meter_start(meter);
	watch.now += 30;
	meter_ndpi(meter, start);
	CHECK_EQ(meter_sum(meter).ndpi_ns, 30);
	CHECK_EQ(meter_sum(meter).ndpi_calls, 1);
	meter_free(meter);
}

TEST(time_of_rules_is_divided_among_those_that_were_run)
{
	static const char text[] =
		"protocol alpha { rule a over tcp { client 0: \"AL\" } => likely\n"
		"                 rule b over tcp { client 0: \"ALP\" } => likely }\n"
		"protocol beta  { rule a over tcp { client 0: \"ALPHA\" } => sure }\n"
		"protocol gamma { rule a over tcp { client 0: \"GA\" } => sure\n"
		"                 rule b over udp { client 0: \"AL\" } => sure }\n";
	const struct barn_engine_options options = { .size = sizeof(options), .no_ndpi = true };
	const struct match_view view = { .side[0] = { .data = (const uint8_t *)"ALPHA 1",
						      .len = 7 } };
	struct barn_faults faults = { 0 };
	struct regex_scratch *scratch;
	struct barn_engine *engine;
	struct watch watch;
	struct meter *meter = begin(&watch);
	uint64_t start;

	CHECK_EQ(barn_engine_new(&options, &engine), BARN_OK);
	CHECK_EQ(barn_engine_module(engine, "test", text, sizeof(text) - 1, &faults), BARN_OK);
	CHECK_EQ(barn_engine_commit(engine, &faults), BARN_OK);
	CHECK_EQ(regex_scratch_new(&scratch), BARN_OK);
	const struct registry *r = engine->registry;
	uint16_t alpha = registry_find(r, "alpha"), beta = registry_find(r, "beta");
	uint16_t gamma = registry_find(r, "gamma");

	start = meter_start(meter);
	watch.now += 300;
	watch.step = 17; /* each run alone takes 10 */
	meter_rules(meter, r, &view, scratch, start);
	CHECK_EQ(meter_sum(meter).asked, 1);
	CHECK_EQ(meter_sum(meter).rules_ns, 310);
	CHECK_EQ(meter_sum(meter).alone_ns, 30);
	CHECK_EQ(meter_cell(meter, alpha)->calls, 2);
	CHECK_EQ(meter_cell(meter, beta)->calls, 1);
	CHECK_EQ(meter_cell(meter, gamma)->calls, 0);
	CHECK_EQ(meter_ns(meter, alpha), 206);
	CHECK_EQ(meter_ns(meter, beta), 103);
	CHECK_EQ(meter_ns(meter, gamma), 0);
	regex_scratch_free(scratch);
	barn_engine_free(engine);
	meter_free(meter);
}
