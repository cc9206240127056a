/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* Sets: bounds, RowStatus in each transition, all or nothing, what the daemon is asked. */
#include "unit.h"

#include "snmp_rig.h"

#define TOPN(sub, index, number)                       \
	{                                              \
		&topn_config_table, sub, index, number \
	}
#define THRESHOLD(sub, index, number)                       \
	{                                                   \
		&threshold_config_table, sub, index, number \
	}
#define SET(r, at, ...)                                                                       \
	rig_set(r, (const struct rig_write[]){ __VA_ARGS__ },                                 \
		sizeof((const struct rig_write[]){ __VA_ARGS__ }) / sizeof(struct rig_write), \
		at)

/* Row 1, and what it was made: absent, or the status. */
static void
bring(struct rig *r, enum row_status status)
{
	unsigned at;

	CHECK_EQ(SET(r, &at, TOPN(TOPN_STATUS, 1, ROW_DESTROY)), SET_OK);
	if (status == ROW_ABSENT)
		return;
	CHECK_EQ(SET(r, &at, TOPN(TOPN_STATUS, 1, ROW_CREATE_AND_WAIT),
		     TOPN(TOPN_IFINDEX, 1, 7)),
		 SET_OK);
	if (status != ROW_NOT_READY)
		CHECK_EQ(SET(r, &at, TOPN(TOPN_STATUS, 1, status)), SET_OK);
	CHECK_EQ(rig_get(r, &topn_config_table, TOPN_STATUS, 1, 0), (int64_t)status);
}

static const struct transition {
	enum row_status from, set, to;
	enum set_err err;
} transitions[] = {
	{ ROW_ABSENT, ROW_ACTIVE, ROW_ABSENT, SET_INCONSISTENT_VALUE },
	{ ROW_ABSENT, ROW_NOT_IN_SERVICE, ROW_ABSENT, SET_INCONSISTENT_VALUE },
	{ ROW_ABSENT, ROW_NOT_READY, ROW_ABSENT, SET_WRONG_VALUE },
	{ ROW_ABSENT, ROW_CREATE_AND_GO, ROW_ABSENT, SET_INCONSISTENT_VALUE },
	{ ROW_ABSENT, ROW_CREATE_AND_WAIT, ROW_NOT_READY, SET_OK },
	{ ROW_ABSENT, ROW_DESTROY, ROW_ABSENT, SET_OK },
	{ ROW_NOT_READY, ROW_ACTIVE, ROW_ACTIVE, SET_OK },
	{ ROW_NOT_READY, ROW_NOT_IN_SERVICE, ROW_NOT_IN_SERVICE, SET_OK },
	{ ROW_NOT_READY, ROW_NOT_READY, ROW_NOT_READY, SET_OK },
	{ ROW_NOT_READY, ROW_CREATE_AND_GO, ROW_ACTIVE, SET_OK },
	{ ROW_NOT_READY, ROW_CREATE_AND_WAIT, ROW_NOT_READY, SET_OK },
	{ ROW_NOT_READY, ROW_DESTROY, ROW_ABSENT, SET_OK },
	{ ROW_NOT_IN_SERVICE, ROW_ACTIVE, ROW_ACTIVE, SET_OK },
	{ ROW_NOT_IN_SERVICE, ROW_NOT_IN_SERVICE, ROW_NOT_IN_SERVICE, SET_OK },
	{ ROW_NOT_IN_SERVICE, ROW_NOT_READY, ROW_NOT_READY, SET_OK },
	{ ROW_NOT_IN_SERVICE, ROW_CREATE_AND_GO, ROW_ACTIVE, SET_OK },
	{ ROW_NOT_IN_SERVICE, ROW_CREATE_AND_WAIT, ROW_NOT_READY, SET_OK },
	{ ROW_NOT_IN_SERVICE, ROW_DESTROY, ROW_ABSENT, SET_OK },
	{ ROW_ACTIVE, ROW_ACTIVE, ROW_ACTIVE, SET_OK },
	{ ROW_ACTIVE, ROW_NOT_IN_SERVICE, ROW_NOT_IN_SERVICE, SET_OK },
	{ ROW_ACTIVE, ROW_NOT_READY, ROW_NOT_READY, SET_OK },
	{ ROW_ACTIVE, ROW_CREATE_AND_GO, ROW_ACTIVE, SET_OK },
	{ ROW_ACTIVE, ROW_CREATE_AND_WAIT, ROW_NOT_READY, SET_OK },
	{ ROW_ACTIVE, ROW_DESTROY, ROW_ABSENT, SET_OK },
};

TEST(a_row_goes_through_each_transition)
{
	struct rig r;
	unsigned at;

	rig_begin(&r);
	for (size_t i = 0; i < sizeof(transitions) / sizeof(transitions[0]); i++) {
		const struct transition *t = &transitions[i];

		bring(&r, t->from);
		CHECK_EQ(SET(&r, &at, TOPN(TOPN_STATUS, 1, t->set)), t->err);
		CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_STATUS, 1, 0),
			 t->to ? (int64_t)t->to : -1);
	}
	rig_end(&r);
}

TEST(a_row_that_goes_at_once_has_defaults)
{
	struct rig r;
	unsigned at;

	rig_begin(&r);
	CHECK_EQ(SET(&r, &at, TOPN(TOPN_IFINDEX, 50, 7),
		     TOPN(TOPN_STATUS, 50, ROW_CREATE_AND_GO)),
		 SET_OK);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_STATUS, 50, 0), ROW_ACTIVE);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_SELECT, 50, 0), CNPD_BYTES_SUM);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_SAMPLE_S, 50, 0), 10);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_REQUESTED, 50, 0), 10);
	CHECK_EQ(SET(&r, &at, THRESHOLD(THRESHOLD_IFINDEX, 100, 7),
		     THRESHOLD(THRESHOLD_RISING, 100, 20),
		     THRESHOLD(THRESHOLD_FALLING, 100, 10),
		     THRESHOLD(THRESHOLD_STATUS, 100, ROW_CREATE_AND_GO)),
		 SET_OK);
	CHECK_EQ(rig_get(&r, &threshold_config_table, THRESHOLD_INTERVAL_S, 100, 0), 10);
	CHECK_EQ(rig_get(&r, &threshold_config_table, THRESHOLD_SAMPLE, 100, 0), 1);
	CHECK_EQ(rig_get(&r, &threshold_config_table, THRESHOLD_PROTOCOL, 100, 0), -1);
	CHECK_EQ(rig_get(&r, &threshold_config_table, THRESHOLD_ANY, 100, 0), TRUTH_TRUE);
	CHECK_EQ(rig_get(&r, &threshold_config_table, THRESHOLD_SELECT, 100, 0),
		 CNPD_BIT_RATE_SUM);
	CHECK_EQ(rig_get(&r, &threshold_config_table, THRESHOLD_STARTUP, 100, 0), 3);
	rig_end(&r);
}

TEST(what_is_out_of_bounds_is_refused)
{
	static const struct {
		struct rig_write write;
		enum set_err err;
	} cases[] = {
		{ TOPN(TOPN_STATUS, 51, ROW_CREATE_AND_WAIT), SET_NO_CREATION },
		{ TOPN(TOPN_STATUS, 0, ROW_CREATE_AND_WAIT), SET_NO_CREATION },
		{ TOPN(TOPN_STATUS, 1, 0), SET_WRONG_VALUE },
		{ TOPN(TOPN_STATUS, 1, 7), SET_WRONG_VALUE },
		{ TOPN(TOPN_IFINDEX, 1, 7), SET_INCONSISTENT_NAME },
		{ TOPN(TOPN_IFINDEX, 1, 0), SET_WRONG_VALUE },
		{ TOPN(TOPN_IFINDEX, 1, 0xffffffff), SET_WRONG_VALUE },
		{ TOPN(TOPN_SELECT, 1, 10), SET_WRONG_VALUE },
		{ TOPN(TOPN_SAMPLE_S, 1, 2049), SET_WRONG_VALUE },
		{ TOPN(TOPN_REQUESTED, 1, 501), SET_WRONG_VALUE },
		{ TOPN(TOPN_REQUESTED, 1, 0), SET_WRONG_VALUE },
		{ TOPN(TOPN_GRANTED, 1, 5), SET_NOT_WRITABLE },
		{ THRESHOLD(THRESHOLD_STATUS, 101, ROW_CREATE_AND_WAIT), SET_NO_CREATION },
		{ THRESHOLD(THRESHOLD_PROTOCOL, 1, 1025), SET_WRONG_VALUE },
		{ THRESHOLD(THRESHOLD_SAMPLE, 1, 3), SET_WRONG_VALUE },
		{ THRESHOLD(THRESHOLD_STARTUP, 1, 4), SET_WRONG_VALUE },
		{ THRESHOLD(THRESHOLD_RISING, 1, 0), SET_WRONG_VALUE },
		{ THRESHOLD(11, 1, 1), SET_NOT_WRITABLE },
	};
	struct rig r;
	unsigned at;

	rig_begin(&r);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		CHECK_EQ(rig_set(&r, &cases[i].write, 1, &at), cases[i].err);
	rig_end(&r);
}

TEST(an_active_row_is_changed_only_with_its_status)
{
	struct rig r;
	unsigned at;

	rig_begin(&r);
	bring(&r, ROW_ACTIVE);
	CHECK_EQ(SET(&r, &at, TOPN(TOPN_REQUESTED, 1, 3)), SET_INCONSISTENT_VALUE);
	CHECK_EQ(SET(&r, &at, TOPN(TOPN_STATUS, 1, ROW_ACTIVE), TOPN(TOPN_REQUESTED, 1, 3)),
		 SET_OK);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_REQUESTED, 1, 0), 3);
	rig_end(&r);
}

TEST(an_interface_without_discovery_cannot_be_active)
{
	struct rig r;
	unsigned at;

	rig_begin(&r);
	CHECK_EQ(
		SET(&r, &at, TOPN(TOPN_IFINDEX, 1, 5), TOPN(TOPN_STATUS, 1, ROW_CREATE_AND_GO)),
		SET_INCONSISTENT_VALUE);
	CHECK_EQ(at, 1);
	CHECK_EQ(SET(&r, &at, TOPN(TOPN_IFINDEX, 1, 5),
		     TOPN(TOPN_STATUS, 1, ROW_CREATE_AND_WAIT)),
		 SET_OK);
	CHECK_EQ(SET(&r, &at, TOPN(TOPN_STATUS, 1, ROW_ACTIVE)), SET_INCONSISTENT_VALUE);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_STATUS, 1, 0), ROW_NOT_READY);
	rig_end(&r);
}

TEST(thresholds_that_fit_not_are_refused)
{
	struct rig r;
	unsigned at;

	rig_begin(&r);
	CHECK_EQ(SET(&r, &at, THRESHOLD(THRESHOLD_IFINDEX, 1, 7),
		     THRESHOLD(THRESHOLD_RISING, 1, 9), THRESHOLD(THRESHOLD_FALLING, 1, 10),
		     THRESHOLD(THRESHOLD_STATUS, 1, ROW_CREATE_AND_GO)),
		 SET_INCONSISTENT_VALUE);
	CHECK_EQ(SET(&r, &at, THRESHOLD(THRESHOLD_IFINDEX, 1, 7),
		     THRESHOLD(THRESHOLD_RISING, 1, 10), THRESHOLD(THRESHOLD_FALLING, 1, 10),
		     THRESHOLD(THRESHOLD_ANY, 1, TRUTH_FALSE),
		     THRESHOLD(THRESHOLD_STATUS, 1, ROW_CREATE_AND_GO)),
		 SET_INCONSISTENT_VALUE);
	CHECK_EQ(SET(&r, &at, THRESHOLD(THRESHOLD_IFINDEX, 1, 7),
		     THRESHOLD(THRESHOLD_RISING, 1, 10), THRESHOLD(THRESHOLD_FALLING, 1, 10),
		     THRESHOLD(THRESHOLD_PROTOCOL, 1, 30),
		     THRESHOLD(THRESHOLD_ANY, 1, TRUTH_FALSE),
		     THRESHOLD(THRESHOLD_STATUS, 1, ROW_CREATE_AND_GO)),
		 SET_OK);
	/* This kind knows no notInService. */
	CHECK_EQ(SET(&r, &at, THRESHOLD(THRESHOLD_STATUS, 1, ROW_NOT_IN_SERVICE)), SET_OK);
	CHECK_EQ(rig_get(&r, &threshold_config_table, THRESHOLD_STATUS, 1, 0), ROW_NOT_READY);
	rig_end(&r);
}

TEST(a_set_is_done_as_a_whole_or_not)
{
	struct rig r;
	unsigned at;

	rig_begin(&r);
	CHECK_EQ(SET(&r, &at, { &cnpd_notify_table, 1, 0, TRUTH_TRUE },
		     TOPN(TOPN_STATUS, 1, ROW_CREATE_AND_WAIT),
		     TOPN(TOPN_STATUS, 2, ROW_CREATE_AND_GO)),
		 SET_INCONSISTENT_VALUE);
	CHECK_EQ(at, 2);
	CHECK(!r.view.config.notify);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_STATUS, 1, 0), -1);
	CHECK_EQ(SET(&r, &at, { &cnpd_notify_table, 1, 0, TRUTH_TRUE }), SET_OK);
	CHECK_EQ(rig_get(&r, &cnpd_notify_table, 1, 0, 0), TRUTH_TRUE);
	rig_end(&r);
}

TEST(what_was_committed_can_be_undone)
{
	struct rig r;
	unsigned at;

	rig_begin(&r);
	CHECK_EQ(SET(&r, &at, { &cnpd_status_table, 1, 5, TRUTH_TRUE },
		     { &cnpd_notify_table, 1, 0, TRUTH_TRUE },
		     TOPN(TOPN_STATUS, 1, ROW_CREATE_AND_WAIT)),
		 SET_OK);
	CHECK_STR(r.told, "eth5 1");
	set_undo(&r.set, &r.view, &(const struct set_machine){ &r, rig_enable });
	CHECK_STR(r.told, "eth5 0");
	CHECK(!r.view.config.notify);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_STATUS, 1, 0), -1);
	rig_end(&r);
}

TEST(the_daemon_is_asked_where_it_changes_something)
{
	struct rig r;
	unsigned at;

	rig_begin(&r);
	CHECK_EQ(SET(&r, &at, { &cnpd_status_table, 1, 7, TRUTH_TRUE }), SET_OK);
	CHECK_EQ(r.asked, 0);
	CHECK_EQ(SET(&r, &at, { &cnpd_status_table, 1, 7, TRUTH_FALSE }), SET_OK);
	CHECK_STR(r.told, "eth7 0");
	CHECK_EQ(SET(&r, &at, { &cnpd_status_table, 1, 4, TRUTH_FALSE }), SET_NO_CREATION);
	r.refuses = true;
	CHECK_EQ(SET(&r, &at, { &cnpd_status_table, 1, 5, TRUTH_TRUE }), SET_FAILED);
	rig_end(&r);
}

TEST(a_list_has_most_first_and_stays_until_it_is_asked_anew)
{
	struct rig r;
	unsigned at;

	rig_begin(&r);
	rig_row(&r, 0, 1, 5);
	rig_row(&r, 0, 2, 9);
	rig_row(&r, 0, 4, 9);
	rig_publish(&r, false);
	bring(&r, ROW_ACTIVE);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_GRANTED, 1, 0), 3);
	CHECK_EQ(rig_get(&r, &topn_stats_table, 4, 1, 1), 181); /* index 2 before 1024 */
	CHECK_EQ(rig_get(&r, &topn_stats_table, 4, 1, 3), 101);
	CHECK_EQ(rig_get(&r, &topn_stats_table, 4, 1, 4), -1);
	rig_row(&r, 0, 1, 50);
	rig_publish(&r, false);
	CHECK_EQ(rig_get(&r, &topn_stats_table, 4, 1, 1), 181);
	CHECK_EQ(SET(&r, &at, TOPN(TOPN_STATUS, 1, ROW_ACTIVE), TOPN(TOPN_REQUESTED, 1, 2),
		     TOPN(TOPN_SELECT, 1, CNPD_PACKETS_OUT)),
		 SET_OK);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_GRANTED, 1, 0), 2);
	CHECK_EQ(rig_get(&r, &topn_stats_table, 3, 1, 1), 51);
	CHECK_EQ(rig_get(&r, &topn_stats_table, 3, 1, 2), 10);
	CHECK_EQ(SET(&r, &at, TOPN(TOPN_STATUS, 1, ROW_NOT_IN_SERVICE)), SET_OK);
	CHECK_EQ(rig_get(&r, &topn_stats_table, 3, 1, 1), -1);
	CHECK_EQ(rig_get(&r, &topn_config_table, TOPN_TIME, 1, 0), 0);
	rig_end(&r);
}

TEST(bit_rates_are_sampled_as_long_as_was_asked)
{
	const uint64_t second = 1000000000;
	struct rig r;
	unsigned at;

	rig_begin(&r);
	rig_row(&r, 0, 1, 1000);
	rig_publish(&r, false);
	CHECK_EQ(SET(&r, &at, TOPN(TOPN_IFINDEX, 1, 7), TOPN(TOPN_SAMPLE_S, 1, 4),
		     TOPN(TOPN_SELECT, 1, CNPD_BIT_RATE_IN),
		     TOPN(TOPN_STATUS, 1, ROW_CREATE_AND_GO)),
		 SET_OK);
	CHECK_EQ(rig_get(&r, &topn_stats_table, 3, 1, 1), 1000000); /* the daemon's own */
	topn_tick(&r.view, second);
	rig_row(&r, 0, 1, 2000); /* 10,000 bytes more */
	rig_publish(&r, false);
	topn_tick(&r.view, 4 * second);
	CHECK_EQ(SET(&r, &at, TOPN(TOPN_STATUS, 1, ROW_ACTIVE)), SET_OK);
	CHECK_EQ(rig_get(&r, &topn_stats_table, 3, 1, 1), 2000000);
	topn_tick(&r.view, 5 * second);
	CHECK_EQ(SET(&r, &at, TOPN(TOPN_STATUS, 1, ROW_ACTIVE)), SET_OK);
	CHECK_EQ(rig_get(&r, &topn_stats_table, 3, 1, 1), 20); /* 80,000 bit in 4 s */
	rig_end(&r);
}
