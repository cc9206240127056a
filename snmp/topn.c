/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/topn.h"

#include "snmp/cnpd.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	uint64_t amount;
	uint32_t protocol;
	char name[64];
};

/* Bit rates that are measured over a time of the manager's choice; by the protocol's index. */
struct sample {
	uint32_t ifindex, length_s; /* of the row that it was begun for */
	uint64_t since_ns;
	bool full;
	uint64_t bytes[SNAPSHOT_INDEX_MAX + 1][2], kbps[SNAPSHOT_INDEX_MAX + 1][2];
};

struct list {
	struct entry *entries;
	uint32_t count;
	uint64_t made_ns;
	struct sample *sample;
};

struct topn {
	struct list list[VIEW_TOPN];
};

struct topn *
topn_new(void)
{
	return calloc(1, sizeof(struct topn));
}

static void
drop(struct list *list)
{
	free(list->entries);
	list->entries = NULL;
	list->count = 0;
	list->made_ns = 0;
}

static void
stop(struct list *list)
{
	free(list->sample);
	list->sample = NULL;
}

void
topn_free(struct topn *topn)
{
	for (unsigned i = 0; topn && i < VIEW_TOPN; i++) {
		drop(&topn->list[i]);
		stop(&topn->list[i]);
	}
	free(topn);
}

static bool
is_rate(const struct rows_row *row)
{
	return row->value[TOPN_SELECT] <= CNPD_BIT_RATE_SUM;
}

static uint64_t
amount(const struct rows_row *row, const struct sample *sample, uint32_t protocol,
       const struct barn_stats_row *counts)
{
	enum cnpd_select select = (enum cnpd_select)row->value[TOPN_SELECT];

	if (is_rate(row) && sample && sample->full)
		return cnpd_pick(select, sample->kbps[protocol]);
	return cnpd_amount(select, counts);
}

/* Most first; what has as much, in the order of indexes. */
static int
by_amount(const void *a, const void *b)
{
	const struct entry *p = a, *q = b;

	if (p->amount != q->amount)
		return p->amount > q->amount ? -1 : 1;
	return (p->protocol > q->protocol) - (p->protocol < q->protocol);
}

static void
make(struct view *view, const struct rows_row *row, struct list *list)
{
	struct snapshot *s = &view->snapshot;
	struct snapshot_interface *interface = snapshot_interface(s, row->value[TOPN_IFINDEX]);
	uint32_t n = 0;

	drop(list);
	list->made_ns = view_now_ns();
	list->entries = calloc((size_t)s->protocol_count + 1, sizeof(*list->entries));
	if (!list->entries || !interface)
		return;
	for (uint32_t p = 0; p < s->protocol_count; p++) {
		const struct snapshot_protocol *protocol = &s->protocols[p];
		const struct barn_stats_row *counts =
			snapshot_row(s, interface, protocol->number);

		if (!counts || !snapshot_is_seen(counts))
			continue;
		list->entries[n].amount = amount(row, list->sample, protocol->index, counts);
		list->entries[n].protocol = protocol->index;
		memcpy(list->entries[n].name, protocol->name, sizeof(protocol->name));
		n++;
	}
	qsort(list->entries, n, sizeof(*list->entries), by_amount);
	list->count = n < row->value[TOPN_REQUESTED] ? n : row->value[TOPN_REQUESTED];
}

void
topn_renew(struct view *view)
{
	for (unsigned i = 0; i < VIEW_TOPN; i++) {
		struct rows_row *row = &view->config.topn[i];
		struct list *list = &view->topn->list[i];

		if (rows_status(&topn_kind, row) != ROW_ACTIVE)
			drop(list);
		else if (row->renewed)
			make(view, row, list);
		row->renewed = false;
		if (rows_status(&topn_kind, row) == ROW_ABSENT || !is_rate(row))
			stop(list);
	}
}

static void
read_bytes(struct snapshot *s, struct snapshot_interface *interface, struct sample *sample,
	   uint64_t elapsed_ns)
{
	for (uint32_t p = 0; p < s->protocol_count; p++) {
		const struct snapshot_protocol *protocol = &s->protocols[p];
		const struct barn_stats_row *counts =
			snapshot_row(s, interface, protocol->number);

		for (unsigned d = 0; counts && d < 2; d++) {
			uint64_t *last = &sample->bytes[protocol->index][d];
			uint64_t bytes = counts->bytes[d];
			double bits = bytes > *last ? (double)(bytes - *last) * 8 : 0;

			/* bits in nanoseconds are Gbit/s */
			sample->kbps[protocol->index][d] =
				elapsed_ns ? (uint64_t)(bits * 1e6 / (double)elapsed_ns) : 0;
			*last = bytes;
		}
	}
}

static void
sample(struct view *view, const struct rows_row *row, struct list *list, uint64_t now_ns)
{
	struct snapshot *s = &view->snapshot;
	uint32_t ifindex = row->value[TOPN_IFINDEX], length_s = row->value[TOPN_SAMPLE_S];
	struct snapshot_interface *interface = snapshot_interface(s, ifindex);
	struct sample *at = list->sample;
	uint64_t elapsed_ns;

	if (!interface || !interface->record.enabled) {
		stop(list);
		return;
	}
	if (!at || at->ifindex != ifindex || at->length_s != length_s) {
		stop(list);
		list->sample = at = calloc(1, sizeof(*at));
		if (!at)
			return;
		*at = (struct sample){ .ifindex = ifindex,
				       .length_s = length_s,
				       .since_ns = now_ns };
		read_bytes(s, interface, at, 0);
		return;
	}
	elapsed_ns = now_ns - at->since_ns;
	if (elapsed_ns < (uint64_t)length_s * 1000000000)
		return;
	read_bytes(s, interface, at, elapsed_ns);
	at->since_ns = now_ns;
	at->full = true;
}

void
topn_tick(struct view *view, uint64_t now_ns)
{
	for (unsigned i = 0; i < VIEW_TOPN; i++) {
		const struct rows_row *row = &view->config.topn[i];

		if (rows_status(&topn_kind, row) != ROW_ABSENT && is_rate(row) &&
		    row->value[TOPN_IFINDEX])
			sample(view, row, &view->topn->list[i], now_ns);
	}
}

static bool
get_made(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	const struct list *list = &view->topn->list[row->number];

	if (column->sub == TOPN_GRANTED)
		value->number = list->count;
	else if (list->made_ns)
		value->number = view_ticks(view, list->made_ns);
	return true;
}

static const struct column config_columns[] = {
	{ TOPN_IFINDEX, VALUE_INTEGER, ACCESS_CREATE, rows_get, 1, INT32_MAX, 0 },
	{ TOPN_SELECT, VALUE_INTEGER, ACCESS_CREATE, rows_get, CNPD_BIT_RATE_IN,
	  CNPD_PACKETS_SUM, 0 },
	{ TOPN_SAMPLE_S, VALUE_UNSIGNED, ACCESS_CREATE, rows_get, 1, TOPN_SAMPLE_MAX_S, 0 },
	{ TOPN_REQUESTED, VALUE_UNSIGNED, ACCESS_CREATE, rows_get, 1, TOPN_SIZE_MAX, 0 },
	{ TOPN_GRANTED, VALUE_UNSIGNED, ACCESS_READ, get_made, 0, 0, 0 },
	{ TOPN_TIME, VALUE_TICKS, ACCESS_READ, get_made, 0, 0, 0 },
	{ TOPN_STATUS, VALUE_INTEGER, ACCESS_CREATE, rows_get, ROW_ACTIVE, ROW_DESTROY, 0 },
};

static bool
fits(const void *self, const struct rows_row *row)
{
	return view_is_on(self, row->value[TOPN_IFINDEX]);
}

const struct rows_kind topn_kind = {
	.status = TOPN_STATUS,
	.needed = 1u << TOPN_IFINDEX,
	.parks = true,
	.value = { [TOPN_SELECT] = CNPD_BYTES_SUM,
		   [TOPN_SAMPLE_S] = 10,
		   [TOPN_REQUESTED] = 10 },
	.fits = fits,
};

static bool
seek_config(struct view *view, uint32_t *index, struct row *row)
{
	return rows_seek(&topn_kind, view->config.topn, VIEW_TOPN, index, row);
}

const struct table topn_config_table = {
	.name = "cnpdTopNConfigEntry",
	.entry = { 1, 3, 1, 1 },
	.entry_length = 4,
	.index_length = 1,
	.columns = config_columns,
	.column_count = sizeof(config_columns) / sizeof(config_columns[0]),
	.seek = seek_config,
};

static bool
get_entry(const struct view *view, const struct column *column, const struct row *row,
	  struct value *value)
{
	const struct entry *entry = row->of;

	(void)view;
	if (column->sub == 2)
		value->text = entry->name;
	else
		value->number = entry->amount;
	return true;
}

static const struct column stats_columns[] = {
	{ 2, VALUE_TEXT, ACCESS_READ, get_entry, 0, 0, 0 },
	{ 3, VALUE_COUNTER32, ACCESS_READ, get_entry, 0, 0, 0 },
	{ 4, VALUE_COUNTER64, ACCESS_READ, get_entry, 0, 0, 0 },
};

static bool
seek_stats(struct view *view, uint32_t *index, struct row *row)
{
	for (uint32_t i = index[0] ? index[0] - 1 : 0; i < VIEW_TOPN; i++) {
		const struct list *list = &view->topn->list[i];
		uint32_t from = i + 1 == index[0] && index[1] ? index[1] - 1 : 0;

		if (from >= list->count)
			continue;
		row->of = &list->entries[from];
		index[0] = i + 1;
		index[1] = from + 1;
		return true;
	}
	return false;
}

const struct table topn_stats_table = {
	.name = "cnpdTopNStatsEntry",
	.entry = { 1, 4, 1, 1 },
	.entry_length = 4,
	.index_length = 2,
	.columns = stats_columns,
	.column_count = sizeof(stats_columns) / sizeof(stats_columns[0]),
	.seek = seek_stats,
};
