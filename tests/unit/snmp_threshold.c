/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Thresholds: rising, falling, startup, hysteresis, samples, any protocol, history. */
#include "unit.h"

#include "snmp_rig.h"

#include <stdarg.h>

/* What was told: R or F and the protocol's index, one after the other. */
static char log_text[4096];

static void
tell(struct view *view, const struct threshold_history *event, uint32_t index)
{
	size_t n = strlen(log_text);

	CHECK(index >= 1 && index <= THRESHOLD_HISTORY);
	CHECK(view->config.threshold[event->config - 1].value[THRESHOLD_STATUS] == ROW_ACTIVE);
	snprintf(log_text + n, sizeof(log_text) - n, "%s%c%u=%u", n ? " " : "",
		 event->event == EVENT_RISING ? 'R' : 'F', event->protocol, event->value);
}

/* Row 1: rising 100, falling 50, of packets in on eth7, each second. */
static void
ask(struct rig *r, uint32_t sample, uint32_t startup, uint32_t protocol)
{
	const struct table *t = &threshold_config_table;
	const struct rig_write writes[] = {
		{ t, THRESHOLD_IFINDEX, 1, 7 },
		{ t, THRESHOLD_INTERVAL_S, 1, 1 },
		{ t, THRESHOLD_SAMPLE, 1, sample },
		{ t, THRESHOLD_SELECT, 1, CNPD_PACKETS_IN },
		{ t, THRESHOLD_STARTUP, 1, startup },
		{ t, THRESHOLD_RISING, 1, 100 },
		{ t, THRESHOLD_FALLING, 1, 50 },
		{ t, THRESHOLD_STATUS, 1, ROW_CREATE_AND_GO },
		{ t, THRESHOLD_ANY, 1, protocol ? TRUTH_FALSE : TRUTH_TRUE },
		{ t, THRESHOLD_PROTOCOL, 1, protocol },
	};
	unsigned at;

	CHECK_EQ(rig_set(r, writes, protocol ? 10 : 9, &at), SET_OK);
}

/* Protocol 30 has these packets in one second after the other; what is told then. */
static const char *
feed(struct rig *r, unsigned count, ...)
{
	static uint64_t now_ns;
	va_list list;

	if (!now_ns)
		now_ns = view_now_ns() + UINT64_C(3600000000000);
	log_text[0] = 0;
	va_start(list, count);
	for (unsigned i = 0; i < count; i++) {
		rig_row(r, 0, 1, (uint64_t)va_arg(list, int));
		rig_publish(r, false);
		now_ns += UINT64_C(1000000001);
		threshold_tick(&r->view, now_ns, tell);
	}
	va_end(list);
	return log_text;
}

enum { ABSOLUTE = 1, DELTA, RISING = 1, FALLING, BOTH };

TEST(once_until_the_other_one_came)
{
	struct rig r;

	rig_begin(&r);
	ask(&r, ABSOLUTE, RISING, 30);
	CHECK_STR(feed(&r, 9, 70, 100, 99, 120, 60, 130, 50, 49, 55), "R30=100 F30=50");
	CHECK_STR(feed(&r, 4, 40, 200, 90, 300), "R30=200");
	rig_end(&r);
}

TEST(the_first_sample_is_judged_by_startup)
{
	static const struct {
		uint32_t startup;
		int first;
		const char *told;
	} cases[] = {
		{ RISING, 100, "R30=100" }, { FALLING, 100, "" },      { BOTH, 100, "R30=100" },
		{ RISING, 50, "" },         { FALLING, 50, "F30=50" }, { BOTH, 50, "F30=50" },
		{ BOTH, 75, "" },
	};
	struct rig r;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		rig_begin(&r);
		ask(&r, ABSOLUTE, cases[i].startup, 30);
		CHECK_STR(feed(&r, 1, cases[i].first), cases[i].told);
		rig_end(&r);
	}
}

TEST(differences_rise_and_fall_though_counters_only_grow)
{
	struct rig r;

	rig_begin(&r);
	rig_row(&r, 0, 1, 1000);
	rig_publish(&r, false);
	ask(&r, DELTA, RISING, 30);
	CHECK_STR(feed(&r, 4, 1070, 1200, 1240, 1500), "R30=130 F30=40 R30=260");
	/* A counter that began anew. */
	CHECK_STR(feed(&r, 2, 20, 70), "F30=20");
	rig_end(&r);
}

TEST(any_protocol_has_a_hysteresis_of_its_own)
{
	struct rig r;

	rig_begin(&r);
	ask(&r, ABSOLUTE, RISING, 0);
	rig_row(&r, 0, 2, 150);
	CHECK_STR(feed(&r, 2, 150, 150), "R2=150 R30=150");
	/* Seen for the first time: it had 0 so far. */
	rig_row(&r, 0, 4, 101);
	CHECK_STR(feed(&r, 2, 10, 10), "F30=10 R1024=101");
	rig_end(&r);
}

TEST(of_any_those_never_seen_do_not_fall)
{
	struct rig r;

	rig_begin(&r);
	ask(&r, ABSOLUTE, BOTH, 0);
	CHECK_STR(feed(&r, 1, 70), "");
	CHECK_EQ(rig_get(&r, &threshold_history_table, HISTORY_VALUE, 1, 0), -1);
	rig_end(&r);
}

TEST(history_keeps_the_last_thousand)
{
	struct rig r;

	rig_begin(&r);
	ask(&r, ABSOLUTE, RISING, 30);
	for (unsigned i = 0; i < 600; i++)
		(void)feed(&r, 2, 100 + (int)i, 10);
	/* 1,200 events: the last are 599th rising and falling, at places 199 and 200. */
	CHECK_EQ(rig_get(&r, &threshold_history_table, HISTORY_VALUE, 199, 0), 699);
	CHECK_EQ(rig_get(&r, &threshold_history_table, HISTORY_TYPE, 199, 0), 1);
	CHECK_EQ(rig_get(&r, &threshold_history_table, HISTORY_TYPE, 200, 0), 2);
	CHECK_EQ(rig_get(&r, &threshold_history_table, HISTORY_VALUE, 201, 0), 200);
	CHECK_EQ(rig_get(&r, &threshold_history_table, HISTORY_CONFIG, 1000, 0), 1);
	CHECK_EQ(rig_get(&r, &threshold_history_table, HISTORY_PROTOCOL, 1000, 0), 30);
	CHECK_EQ(rig_get(&r, &threshold_history_table, HISTORY_SELECT, 1000, 0),
		 CNPD_PACKETS_IN);
	CHECK_EQ(rig_get(&r, &threshold_history_table, HISTORY_VALUE, 1001, 0), -1);
	rig_end(&r);
}

TEST(a_row_that_is_not_active_is_not_watched)
{
	struct rig r;
	unsigned at;

	rig_begin(&r);
	ask(&r, ABSOLUTE, RISING, 30);
	CHECK_EQ(
		rig_set(&r,
			(const struct rig_write[]){ { &threshold_config_table, THRESHOLD_STATUS,
						      1, ROW_NOT_IN_SERVICE } },
			1, &at),
		SET_OK);
	CHECK_STR(feed(&r, 1, 200), "");
	rig_end(&r);
}
