/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/cnpd.h"

#include "snmp/threshold.h"
#include "snmp/topn.h"
#include "snmp/view.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

uint64_t
cnpd_pick(enum cnpd_select select, const uint64_t pair[2])
{
	unsigned which = ((unsigned)select - 1) % 3;

	return which < 2 ? pair[which] : pair[0] + pair[1];
}

uint64_t
cnpd_amount(enum cnpd_select select, const struct barn_stats_row *counts)
{
	if (select <= CNPD_BIT_RATE_SUM)
		return cnpd_pick(select, counts->bps) / 1000;
	return cnpd_pick(select, select <= CNPD_BYTES_SUM ? counts->bytes : counts->packets);
}

static bool
get_enabled(const struct view *view, const struct column *column, const struct row *row,
	    struct value *value)
{
	const struct snapshot_interface *interface = row->of;

	(void)view, (void)column;
	value->number = interface->record.enabled ? TRUTH_TRUE : TRUTH_FALSE;
	return true;
}

static bool
get_since(const struct view *view, const struct column *column, const struct row *row,
	  struct value *value)
{
	const struct snapshot_interface *interface = row->of;

	(void)column;
	if (interface->record.enabled)
		value->number = view_ticks(view, interface->since_ns);
	return true;
}

static const struct column status_columns[] = {
	{ 1, VALUE_INTEGER, ACCESS_WRITE, get_enabled, TRUTH_TRUE, TRUTH_FALSE, 0 },
	{ 2, VALUE_TICKS, ACCESS_READ, get_since, 0, 0, 0 },
};

static bool
seek_interface(struct view *view, uint32_t *index, struct row *row)
{
	struct snapshot *s = &view->snapshot;
	uint32_t i = snapshot_interface_from(s, index[0]);

	if (i >= s->interface_count)
		return false;
	row->of = &s->interfaces[i];
	index[0] = s->interfaces[i].record.ifindex;
	return true;
}

const struct table cnpd_status_table = {
	.name = "cnpdStatusEntry",
	.entry = { 1, 1, 1, 1 },
	.entry_length = 4,
	.index_length = 1,
	.columns = status_columns,
	.column_count = COUNT(status_columns),
	.seek = seek_interface,
};

static bool
get_name(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	const struct snapshot_protocol *protocol = row->of;

	(void)view, (void)column;
	value->text = protocol->name;
	return true;
}

/* Columns 3 to 6 are 32 bits of 7 to 10: packets in and out, bytes in and out. */
static bool
get_count(const struct view *view, const struct column *column, const struct row *row,
	  struct value *value)
{
	const struct barn_stats_row *counts = row->part;
	uint32_t which = (column->sub - 3) % 4;

	(void)view;
	value->number = which < 2 ? counts->packets[which] : counts->bytes[which - 2];
	return true;
}

static bool
get_rate(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	const struct barn_stats_row *counts = row->part;
	uint64_t kbps = counts->bps[column->sub - 11] / 1000;

	(void)view;
	value->number = kbps < UINT32_MAX ? kbps : UINT32_MAX;
	return true;
}

static const struct column stats_columns[] = {
	{ 2, VALUE_TEXT, ACCESS_READ, get_name, 0, 0, 0 },
	{ 3, VALUE_COUNTER32, ACCESS_READ, get_count, 0, 0, 0 },
	{ 4, VALUE_COUNTER32, ACCESS_READ, get_count, 0, 0, 0 },
	{ 5, VALUE_COUNTER32, ACCESS_READ, get_count, 0, 0, 0 },
	{ 6, VALUE_COUNTER32, ACCESS_READ, get_count, 0, 0, 0 },
	{ 7, VALUE_COUNTER64, ACCESS_READ, get_count, 0, 0, 0 },
	{ 8, VALUE_COUNTER64, ACCESS_READ, get_count, 0, 0, 0 },
	{ 9, VALUE_COUNTER64, ACCESS_READ, get_count, 0, 0, 0 },
	{ 10, VALUE_COUNTER64, ACCESS_READ, get_count, 0, 0, 0 },
	{ 11, VALUE_UNSIGNED, ACCESS_READ, get_rate, 0, 0, 0 },
	{ 12, VALUE_UNSIGNED, ACCESS_READ, get_rate, 0, 0, 0 },
};

/*
 * An interface where discovery is enabled has a row for each protocol that can be recognised,
 * so that a poller who asks for one that was not seen yet gets 0; and for one whose module is
 * gone, if it was seen.
 */
static bool
seek_protocol(struct snapshot *s, struct snapshot_interface *interface, uint32_t from,
	      struct row *row)
{
	for (uint32_t p = from; p < s->protocol_count; p++) {
		const struct snapshot_protocol *protocol = &s->protocols[p];
		const struct barn_stats_row *counts =
			snapshot_row(s, interface, protocol->number);

		if (!counts || (!protocol->loaded && !snapshot_is_seen(counts)))
			continue;
		*row = (struct row){ .of = protocol, .part = counts };
		return true;
	}
	return false;
}

static bool
seek_stats(struct view *view, uint32_t *index, struct row *row)
{
	struct snapshot *s = &view->snapshot;

	for (uint32_t i = snapshot_interface_from(s, index[0]); i < s->interface_count; i++) {
		struct snapshot_interface *interface = &s->interfaces[i];
		bool at = interface->record.ifindex == index[0];
		uint32_t from = at ? snapshot_protocol_from(s, index[1]) : 0;

		if (!interface->record.enabled || !seek_protocol(s, interface, from, row))
			continue;
		index[0] = interface->record.ifindex;
		index[1] = ((const struct snapshot_protocol *)row->of)->index;
		return true;
	}
	return false;
}

const struct table cnpd_stats_table = {
	.name = "cnpdAllStatsEntry",
	.entry = { 1, 2, 1, 1 },
	.entry_length = 4,
	.index_length = 2,
	.columns = stats_columns,
	.column_count = COUNT(stats_columns),
	.seek = seek_stats,
};

static bool
get_notify(const struct view *view, const struct column *column, const struct row *row,
	   struct value *value)
{
	(void)column, (void)row;
	value->number = view->config.notify ? TRUTH_TRUE : TRUTH_FALSE;
	return true;
}

static const struct column notify_columns[] = {
	{ 1, VALUE_INTEGER, ACCESS_WRITE, get_notify, TRUTH_TRUE, TRUTH_FALSE, 0 },
};

static bool
seek_scalar(struct view *view, uint32_t *index, struct row *row)
{
	(void)view, (void)row;
	return index[0] == 0;
}

const struct table cnpd_notify_table = {
	.name = "cnpdNotificationsConfig",
	.entry = { 1, 7 },
	.entry_length = 2,
	.index_length = 1,
	.columns = notify_columns,
	.column_count = COUNT(notify_columns),
	.seek = seek_scalar,
};

static const struct column supported_columns[] = {
	{ 2, VALUE_TEXT, ACCESS_READ, get_name, 0, 0, 0 },
};

static bool
seek_supported(struct view *view, uint32_t *index, struct row *row)
{
	const struct snapshot *s = &view->snapshot;

	for (uint32_t p = snapshot_protocol_from(s, index[0]); p < s->protocol_count; p++) {
		if (!s->protocols[p].loaded)
			continue;
		row->of = &s->protocols[p];
		index[0] = s->protocols[p].index;
		return true;
	}
	return false;
}

const struct table cnpd_supported_table = {
	.name = "cnpdSupportedProtocolsEntry",
	.entry = { 1, 8, 1, 1 },
	.entry_length = 4,
	.index_length = 1,
	.columns = supported_columns,
	.column_count = COUNT(supported_columns),
	.seek = seek_supported,
};

static const struct table *const tables[] = {
	&cnpd_status_table, &cnpd_stats_table,       &topn_config_table,
	&topn_stats_table,  &threshold_config_table, &threshold_history_table,
	&cnpd_notify_table, &cnpd_supported_table,
};

const struct mib cnpd_mib = {
	.name = "CISCO-NBAR-PROTOCOL-DISCOVERY-MIB",
	.root = { 1, 3, 6, 1, 4, 1, 9, 9, 244 },
	.root_length = 9,
	.tables = tables,
	.table_count = COUNT(tables),
};
