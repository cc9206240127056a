/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/barnmib.h"

#include "snmp/cnpd.h"
#include "snmp/view.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
/* A column that is a member of a record. */
#define WIDE(sub, record, member)                                  \
	{                                                          \
		sub, VALUE_COUNTER64, ACCESS_READ, get_wide, 0, 0, \
			offsetof(struct record, member)            \
	}
#define GAUGE(sub, record, member)                                 \
	{                                                          \
		sub, VALUE_UNSIGNED, ACCESS_READ, get_gauge, 0, 0, \
			offsetof(struct record, member)            \
	}
#define SMALL(sub, record, member)                                 \
	{                                                          \
		sub, VALUE_UNSIGNED, ACCESS_READ, get_small, 0, 0, \
			offsetof(struct record, member)            \
	}
#define TEXT(sub, record, member)                                                             \
	{                                                                                     \
		sub, VALUE_TEXT, ACCESS_READ, get_text, 0, 0, offsetof(struct record, member) \
	}

static bool
get_wide(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	(void)view;
	value->number =
		*(const uint64_t *)(const void *)((const char *)row->of + column->offset);
	return true;
}

/* 64 bits where SNMP has 32: as large as it can be. */
static bool
get_gauge(const struct view *view, const struct column *column, const struct row *row,
	  struct value *value)
{
	(void)get_wide(view, column, row, value);
	if (value->number > UINT32_MAX)
		value->number = UINT32_MAX;
	return true;
}

static bool
get_small(const struct view *view, const struct column *column, const struct row *row,
	  struct value *value)
{
	(void)view;
	value->number =
		*(const uint32_t *)(const void *)((const char *)row->of + column->offset);
	return true;
}

/* A text ends in NUL, as the segment's writer promises; behind the last record are zeros. */
static bool
get_text(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	(void)view;
	value->text = (const char *)row->of + column->offset;
	return true;
}

static bool
seek_record(struct view *view, enum barn_stats_table table, size_t size, uint32_t *index,
	    struct row *row)
{
	const struct records *records = records_of(&view->snapshot, table, size);
	uint32_t i = index[0] ? index[0] - 1 : 0;

	if (!records || i >= records->count)
		return false;
	*row = (struct row){ .of = records_at(records, i), .number = i };
	index[0] = i + 1;
	return true;
}

static bool
get_discontinuity(const struct view *view, const struct column *column, const struct row *row,
		  struct value *value)
{
	(void)column, (void)row;
	value->number = view_ticks(view, view->snapshot.since_ns);
	return true;
}

static bool
get_age(const struct view *view, const struct column *column, const struct row *row,
	struct value *value)
{
	uint64_t age_ms = barn_stats_age_ms(view->snapshot.stats);

	(void)column, (void)row;
	value->number = age_ms < UINT32_MAX ? age_ms : UINT32_MAX;
	return true;
}

static const struct column engine_columns[] = {
	TEXT(1, barn_stats_engine, version),
	{ 2, VALUE_TICKS, ACCESS_READ, get_discontinuity, 0, 0, 0 },
	WIDE(3, barn_stats_engine, packets),
	WIDE(4, barn_stats_engine, dropped),
	WIDE(5, barn_stats_engine, undecodable),
	SMALL(6, barn_stats_engine, unindexed),
	{ 7, VALUE_UNSIGNED, ACCESS_READ, get_age, 0, 0, 0 },
};

static bool
seek_engine(struct view *view, uint32_t *index, struct row *row)
{
	row->of = &view->snapshot.engine;
	return view->snapshot.there && index[0] == 0;
}

const struct table barnmib_engine_table = {
	.name = "barnEngine",
	.entry = { 1, 1 },
	.entry_length = 2,
	.index_length = 1,
	.columns = engine_columns,
	.column_count = COUNT(engine_columns),
	.seek = seek_engine,
};

static bool
get_trusted(const struct view *view, const struct column *column, const struct row *row,
	    struct value *value)
{
	(void)get_small(view, column, row, value);
	value->number = value->number ? TRUTH_TRUE : TRUTH_FALSE;
	return true;
}

static const struct column pack_columns[] = {
	TEXT(2, barn_stats_pack, name),
	TEXT(3, barn_stats_pack, version),
	TEXT(4, barn_stats_pack, publisher),
	SMALL(5, barn_stats_pack, modules),
	{ 6, VALUE_INTEGER, ACCESS_READ, get_trusted, 0, 0,
	  offsetof(struct barn_stats_pack, trusted) },
};

static bool
seek_pack(struct view *view, uint32_t *index, struct row *row)
{
	return seek_record(view, BARN_STATS_PACKS, sizeof(struct barn_stats_pack), index, row);
}

const struct table barnmib_pack_table = {
	.name = "barnPackEntry",
	.entry = { 1, 2, 1 },
	.entry_length = 3,
	.index_length = 1,
	.columns = pack_columns,
	.column_count = COUNT(pack_columns),
	.seek = seek_pack,
};

/* 1 runs, 2 is stuck or gone. */
static bool
get_state(const struct view *view, const struct column *column, const struct row *row,
	  struct value *value)
{
	const struct barn_stats_worker *worker = row->of;

	(void)view, (void)column;
	value->number = worker->state ? 2 : 1;
	return true;
}

static const struct column worker_columns[] = {
	GAUGE(2, barn_stats_worker, flows),
	GAUGE(3, barn_stats_worker, capacity),
	GAUGE(4, barn_stats_worker, peak),
	WIDE(5, barn_stats_worker, created),
	WIDE(6, barn_stats_worker, evicted),
	GAUGE(7, barn_stats_worker, undecided),
	WIDE(8, barn_stats_worker, packets),
	WIDE(9, barn_stats_worker, dropped),
	WIDE(10, barn_stats_worker, restarts),
	WIDE(11, barn_stats_worker, busy_ns),
	SMALL(12, barn_stats_worker, pid),
	{ 13, VALUE_INTEGER, ACCESS_READ, get_state, 0, 0, 0 },
};

static bool
seek_worker(struct view *view, uint32_t *index, struct row *row)
{
	return seek_record(view, BARN_STATS_WORKERS, sizeof(struct barn_stats_worker), index,
			   row);
}

const struct table barnmib_worker_table = {
	.name = "barnWorkerEntry",
	.entry = { 1, 3, 1 },
	.entry_length = 3,
	.index_length = 1,
	.columns = worker_columns,
	.column_count = COUNT(worker_columns),
	.seek = seek_worker,
};

static const struct column module_columns[] = {
	TEXT(2, barn_stats_module, name),          WIDE(3, barn_stats_module, calls),
	WIDE(4, barn_stats_module, matches),       WIDE(5, barn_stats_module, time_ns),
	WIDE(6, barn_stats_module, decided_at[0]), WIDE(7, barn_stats_module, decided_at[1]),
	WIDE(8, barn_stats_module, decided_at[2]), WIDE(9, barn_stats_module, decided_at[3]),
};

static bool
seek_module(struct view *view, uint32_t *index, struct row *row)
{
	return seek_record(view, BARN_STATS_MODULES, sizeof(struct barn_stats_module), index,
			   row);
}

const struct table barnmib_module_table = {
	.name = "barnModuleEntry",
	.entry = { 1, 4, 1 },
	.entry_length = 3,
	.index_length = 1,
	.columns = module_columns,
	.column_count = COUNT(module_columns),
	.seek = seek_module,
};

static const struct column host_columns[] = {
	TEXT(3, barn_stats_host, name),
	WIDE(4, barn_stats_host, flows),
	WIDE(5, barn_stats_host, bytes),
	WIDE(6, barn_stats_host, over),
};

static bool
seek_host(struct view *view, uint32_t *index, struct row *row)
{
	const struct records *records =
		records_of(&view->snapshot, BARN_STATS_HOSTS, sizeof(struct barn_stats_host));
	uint32_t low = 0, high = records ? records->count : 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct records_host *at = &records->hosts[middle];

		if (at->protocol < index[0] ||
		    (at->protocol == index[0] && at->rank < index[1]))
			low = middle + 1;
		else
			high = middle;
	}
	if (!records || low == records->count)
		return false;
	row->of = records_at(records, records->hosts[low].number);
	index[0] = records->hosts[low].protocol;
	index[1] = records->hosts[low].rank;
	return true;
}

const struct table barnmib_host_table = {
	.name = "barnHostEntry",
	.entry = { 1, 7, 1 },
	.entry_length = 3,
	.index_length = 2,
	.columns = host_columns,
	.column_count = COUNT(host_columns),
	.seek = seek_host,
};

static const struct table *const tables[] = {
	&barnmib_engine_table, &barnmib_pack_table,      &barnmib_worker_table,
	&barnmib_module_table, &barnmib_interface_table, &barnmib_traffic_table,
	&barnmib_host_table,
};

/* Under net-snmp's numbers for whoever has none of their own (netSnmpPlaypen). */
const struct mib barnmib_mib = {
	.name = "BARN-MIB",
	.root = { 1, 3, 6, 1, 4, 1, 8072, 9999, 9999, 2276 },
	.root_length = 10,
	.tables = tables,
	.table_count = COUNT(tables),
};
