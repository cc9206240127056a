/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/threshold.h"

#include "snmp/cnpd.h"

#include <stdlib.h>

enum { SAMPLE_ABSOLUTE = 1, SAMPLE_DELTA };
enum { STARTUP_RISING = 1, STARTUP_FALLING, STARTUP_BOTH }; /* bits */

/* Of a protocol, by its index. */
struct state {
	uint64_t last, amount; /* the sample before; what was counted then */
	enum threshold_event event;
};

struct watch {
	uint64_t due_ns;
	bool begun; /* the first sample was judged */
	struct state state[SNAPSHOT_INDEX_MAX + 1];
};

struct thresholds {
	struct watch *watch[VIEW_THRESHOLDS]; /* of active rows */
	struct threshold_history history[THRESHOLD_HISTORY];
	uint32_t next, count;
};

struct thresholds *
threshold_new(void)
{
	return calloc(1, sizeof(struct thresholds));
}

void
threshold_free(struct thresholds *thresholds)
{
	for (unsigned i = 0; thresholds && i < VIEW_THRESHOLDS; i++)
		free(thresholds->watch[i]);
	free(thresholds);
}

static bool
wants_any(const struct rows_row *row)
{
	return row->value[THRESHOLD_ANY] == TRUTH_TRUE;
}

static const struct barn_stats_row *
counts_of(struct view *view, const struct rows_row *row,
	  const struct snapshot_protocol *protocol)
{
	struct snapshot_interface *interface =
		snapshot_interface(&view->snapshot, row->value[THRESHOLD_IFINDEX]);

	return interface ? snapshot_row(&view->snapshot, interface, protocol->number) : NULL;
}

static uint64_t
now_is(const struct rows_row *row, const struct barn_stats_row *counts)
{
	return cnpd_amount((enum cnpd_select)row->value[THRESHOLD_SELECT], counts);
}

/* Differences are from here on. */
static void
begin(struct view *view, const struct rows_row *row, struct watch *watch)
{
	const struct snapshot *s = &view->snapshot;

	watch->due_ns = view_now_ns() + (uint64_t)row->value[THRESHOLD_INTERVAL_S] * 1000000000;
	for (uint32_t p = 0; p < s->protocol_count; p++) {
		const struct barn_stats_row *counts = counts_of(view, row, &s->protocols[p]);

		if (counts)
			watch->state[s->protocols[p].index].amount = now_is(row, counts);
	}
}

void
threshold_renew(struct view *view)
{
	for (unsigned i = 0; i < VIEW_THRESHOLDS; i++) {
		struct rows_row *row = &view->config.threshold[i];
		struct watch **watch = &view->thresholds->watch[i];
		bool active = rows_status(&threshold_kind, row) == ROW_ACTIVE;

		if (!active || row->renewed) {
			free(*watch);
			*watch = NULL;
		}
		if (active && row->renewed) {
			*watch = calloc(1, sizeof(**watch));
			if (*watch)
				begin(view, row, *watch);
		}
		row->renewed = false;
	}
}

static enum threshold_event
judge(const struct rows_row *row, const struct state *state, bool begun, uint64_t value)
{
	uint32_t rising = row->value[THRESHOLD_RISING], falling = row->value[THRESHOLD_FALLING];
	uint32_t startup = row->value[THRESHOLD_STARTUP];

	if (value >= rising && (begun ? state->last < rising && state->event != EVENT_RISING
				      : (startup & STARTUP_RISING) != 0))
		return EVENT_RISING;
	if (value <= falling && (begun ? state->last > falling && state->event != EVENT_FALLING
				       : (startup & STARTUP_FALLING) != 0))
		return EVENT_FALLING;
	return EVENT_NONE;
}

/* The oldest one's place is taken. */
static uint32_t
record(struct thresholds *t, const struct threshold_history *event)
{
	uint32_t at = t->next;

	t->history[at] = *event;
	t->next = (at + 1) % THRESHOLD_HISTORY;
	t->count += t->count < THRESHOLD_HISTORY;
	return at + 1;
}

/* A counter that was cleared begins anew; a rate that fell has risen by nothing. */
static uint64_t
sample(const struct rows_row *row, struct state *state, uint64_t amount)
{
	bool rate = row->value[THRESHOLD_SELECT] <= CNPD_BIT_RATE_SUM;
	uint64_t before = state->amount;

	state->amount = amount;
	if (row->value[THRESHOLD_SAMPLE] == SAMPLE_ABSOLUTE)
		return amount;
	if (amount >= before)
		return amount - before;
	return rate ? 0 : amount;
}

/*
 * Of any protocol, those are watched that were seen on the interface: one that was not has had
 * 0 so far. The one that was asked for is watched in any case.
 */
static void
watch_protocol(struct view *view, unsigned place, const struct snapshot_protocol *protocol,
	       const struct barn_stats_row *counts, uint64_t now_ns,
	       void (*tell)(struct view *view, const struct threshold_history *event,
			    uint32_t index))
{
	const struct rows_row *row = &view->config.threshold[place];
	struct watch *watch = view->thresholds->watch[place];
	struct state *state = &watch->state[protocol->index];
	uint64_t value;
	struct threshold_history event;

	if (wants_any(row) && !snapshot_is_seen(counts))
		return;
	value = sample(row, state, now_is(row, counts));
	event = (struct threshold_history){
		.config = place + 1,
		.value = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX,
		.protocol = protocol->index,
		.select = row->value[THRESHOLD_SELECT],
		.event = judge(row, state, watch->begun, value),
		.time_ns = now_ns,
	};
	state->last = value;
	if (event.event == EVENT_NONE)
		return;
	state->event = event.event;
	tell(view, &event, record(view->thresholds, &event));
}

void
threshold_tick(struct view *view, uint64_t now_ns,
	       void (*tell)(struct view *view, const struct threshold_history *event,
			    uint32_t index))
{
	const struct snapshot *s = &view->snapshot;

	for (unsigned i = 0; i < VIEW_THRESHOLDS; i++) {
		const struct rows_row *row = &view->config.threshold[i];
		struct watch *watch = view->thresholds->watch[i];

		if (!watch || now_ns < watch->due_ns ||
		    !view_is_on(view, row->value[THRESHOLD_IFINDEX]))
			continue;
		watch->due_ns =
			now_ns + (uint64_t)row->value[THRESHOLD_INTERVAL_S] * 1000000000;
		for (uint32_t p = 0; p < s->protocol_count; p++) {
			const struct snapshot_protocol *protocol = &s->protocols[p];
			const struct barn_stats_row *counts = counts_of(view, row, protocol);

			if (counts && (wants_any(row) ||
				       protocol->index == row->value[THRESHOLD_PROTOCOL]))
				watch_protocol(view, i, protocol, counts, now_ns, tell);
		}
		watch->begun = true;
	}
}

static const struct column config_columns[] = {
	{ THRESHOLD_IFINDEX, VALUE_INTEGER, ACCESS_CREATE, rows_get, 1, INT32_MAX, 0 },
	{ THRESHOLD_INTERVAL_S, VALUE_UNSIGNED, ACCESS_CREATE, rows_get, 1,
	  THRESHOLD_INTERVAL_MAX_S, 0 },
	{ THRESHOLD_SAMPLE, VALUE_INTEGER, ACCESS_CREATE, rows_get, SAMPLE_ABSOLUTE,
	  SAMPLE_DELTA, 0 },
	{ THRESHOLD_PROTOCOL, VALUE_UNSIGNED, ACCESS_CREATE, rows_get, 1, SNAPSHOT_INDEX_MAX,
	  0 },
	{ THRESHOLD_ANY, VALUE_INTEGER, ACCESS_CREATE, rows_get, TRUTH_TRUE, TRUTH_FALSE, 0 },
	{ THRESHOLD_SELECT, VALUE_INTEGER, ACCESS_CREATE, rows_get, CNPD_BIT_RATE_IN,
	  CNPD_PACKETS_SUM, 0 },
	{ THRESHOLD_STARTUP, VALUE_INTEGER, ACCESS_CREATE, rows_get, STARTUP_RISING,
	  STARTUP_BOTH, 0 },
	{ THRESHOLD_RISING, VALUE_UNSIGNED, ACCESS_CREATE, rows_get, 1, UINT32_MAX, 0 },
	{ THRESHOLD_FALLING, VALUE_UNSIGNED, ACCESS_CREATE, rows_get, 1, UINT32_MAX, 0 },
	{ THRESHOLD_STATUS, VALUE_INTEGER, ACCESS_CREATE, rows_get, ROW_ACTIVE, ROW_DESTROY,
	  0 },
};

static bool
fits(const void *self, const struct rows_row *row)
{
	return view_is_on(self, row->value[THRESHOLD_IFINDEX]) &&
	       row->value[THRESHOLD_RISING] >= row->value[THRESHOLD_FALLING] &&
	       (wants_any(row) || row->value[THRESHOLD_PROTOCOL]);
}

const struct rows_kind threshold_kind = {
	.status = THRESHOLD_STATUS,
	.needed = 1u << THRESHOLD_IFINDEX | 1u << THRESHOLD_RISING | 1u << THRESHOLD_FALLING,
	.value = { [THRESHOLD_INTERVAL_S] = 10,
		   [THRESHOLD_SAMPLE] = SAMPLE_ABSOLUTE,
		   [THRESHOLD_ANY] = TRUTH_TRUE,
		   [THRESHOLD_SELECT] = CNPD_BIT_RATE_SUM,
		   [THRESHOLD_STARTUP] = STARTUP_BOTH },
	.fits = fits,
};

static bool
seek_config(struct view *view, uint32_t *index, struct row *row)
{
	return rows_seek(&threshold_kind, view->config.threshold, VIEW_THRESHOLDS, index, row);
}

const struct table threshold_config_table = {
	.name = "cnpdThresholdConfigEntry",
	.entry = { 1, 5, 1, 1 },
	.entry_length = 4,
	.index_length = 1,
	.columns = config_columns,
	.column_count = sizeof(config_columns) / sizeof(config_columns[0]),
	.seek = seek_config,
};

static bool
get_history(const struct view *view, const struct column *column, const struct row *row,
	    struct value *value)
{
	const struct threshold_history *event = row->of;

	switch (column->sub) {
	case HISTORY_CONFIG: value->number = event->config; break;
	case HISTORY_VALUE: value->number = event->value; break;
	case HISTORY_TYPE: value->number = event->event; break;
	case HISTORY_TIME: value->number = view_ticks(view, event->time_ns); break;
	case HISTORY_PROTOCOL: value->number = event->protocol; break;
	default: value->number = event->select;
	}
	return true;
}

static const struct column history_columns[] = {
	{ HISTORY_CONFIG, VALUE_UNSIGNED, ACCESS_READ, get_history, 0, 0, 0 },
	{ HISTORY_VALUE, VALUE_UNSIGNED, ACCESS_READ, get_history, 0, 0, 0 },
	{ HISTORY_TYPE, VALUE_INTEGER, ACCESS_READ, get_history, 0, 0, 0 },
	{ HISTORY_TIME, VALUE_TICKS, ACCESS_READ, get_history, 0, 0, 0 },
	{ HISTORY_PROTOCOL, VALUE_UNSIGNED, ACCESS_READ, get_history, 0, 0, 0 },
	{ HISTORY_SELECT, VALUE_INTEGER, ACCESS_READ, get_history, 0, 0, 0 },
};

static bool
seek_history(struct view *view, uint32_t *index, struct row *row)
{
	const struct thresholds *t = view->thresholds;

	if (index[0] == 0)
		index[0] = 1;
	if (index[0] > t->count)
		return false;
	row->of = &t->history[index[0] - 1];
	return true;
}

const struct table threshold_history_table = {
	.name = "cnpdThresholdHistoryEntry",
	.entry = { 1, 6, 1, 1 },
	.entry_length = 4,
	.index_length = 1,
	.columns = history_columns,
	.column_count = sizeof(history_columns) / sizeof(history_columns[0]),
	.seek = seek_history,
};
