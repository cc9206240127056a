/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/barnmib.h"
#include "snmp/cnpd.h"
#include "snmp/view.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
/* A column each of what comes in and what goes out. */
#define PAIR(sub, member)                                                          \
	{ sub,                                                                     \
	  VALUE_COUNTER64,                                                         \
	  ACCESS_READ,                                                             \
	  get_count,                                                               \
	  0,                                                                       \
	  0,                                                                       \
	  offsetof(struct barn_stats_row, member) },                               \
	{                                                                          \
		(sub) + 1, VALUE_COUNTER64, ACCESS_READ, get_count, 0, 0,          \
			offsetof(struct barn_stats_row, member) + sizeof(uint64_t) \
	}

static const struct barn_stats_interface *
record_of(const struct row *row)
{
	return &((const struct snapshot_interface *)row->of)->record;
}

static bool
get_name(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	(void)view, (void)column;
	value->text = record_of(row)->name;
	return true;
}

static bool
get_enabled(const struct view *view, const struct column *column, const struct row *row,
	    struct value *value)
{
	(void)view, (void)column;
	value->number = record_of(row)->enabled ? TRUTH_TRUE : TRUTH_FALSE;
	return true;
}

/* Both (1), IPv4 (2) or IPv6 (3). */
static bool
get_families(const struct view *view, const struct column *column, const struct row *row,
	     struct value *value)
{
	uint32_t families = record_of(row)->families;

	(void)view, (void)column;
	value->number = families == 4 ? 2 : families == 6 ? 3 : 1;
	return true;
}

static bool
get_load_interval(const struct view *view, const struct column *column, const struct row *row,
		  struct value *value)
{
	(void)view, (void)column;
	value->number = record_of(row)->load_interval_s;
	return true;
}

static bool
get_since(const struct view *view, const struct column *column, const struct row *row,
	  struct value *value)
{
	const struct snapshot_interface *interface = row->of;

	(void)column;
	value->number = view_ticks(view, interface->since_ns);
	return true;
}

static bool
get_kernel_dropped(const struct view *view, const struct column *column, const struct row *row,
		   struct value *value)
{
	(void)view, (void)column;
	value->number = record_of(row)->kernel_dropped;
	return true;
}

static const struct column interface_columns[] = {
	{ 1, VALUE_TEXT, ACCESS_READ, get_name, 0, 0, 0 },
	{ 2, VALUE_INTEGER, ACCESS_READ, get_enabled, 0, 0, 0 },
	{ 3, VALUE_INTEGER, ACCESS_READ, get_families, 0, 0, 0 },
	{ 4, VALUE_UNSIGNED, ACCESS_READ, get_load_interval, 0, 0, 0 },
	{ 5, VALUE_TICKS, ACCESS_READ, get_since, 0, 0, 0 },
	{ 6, VALUE_COUNTER64, ACCESS_READ, get_kernel_dropped, 0, 0, 0 },
};

static bool
seek_interface(struct view *view, uint32_t *index, struct row *row)
{
	const struct snapshot *s = &view->snapshot;
	uint32_t i = snapshot_interface_from(s, index[0]);

	if (i >= s->interface_count)
		return false;
	row->of = &s->interfaces[i];
	index[0] = s->interfaces[i].record.ifindex;
	return true;
}

const struct table barnmib_interface_table = {
	.name = "barnInterfaceEntry",
	.entry = { 1, 5, 1 },
	.entry_length = 3,
	.index_length = 1,
	.columns = interface_columns,
	.column_count = COUNT(interface_columns),
	.seek = seek_interface,
};

/* Of the interface as a whole: no protocol, and no name. */
static bool
get_protocol(const struct view *view, const struct column *column, const struct row *row,
	     struct value *value)
{
	const struct snapshot_protocol *protocol = row->part;

	(void)view, (void)column;
	value->text = protocol ? protocol->name : "";
	return true;
}

static bool
get_count(const struct view *view, const struct column *column, const struct row *row,
	  struct value *value)
{
	const char *counts = row->of;

	(void)view;
	value->number = *(const uint64_t *)(const void *)(counts + column->offset);
	return true;
}

static const struct column traffic_columns[] = {
	{ 2, VALUE_TEXT, ACCESS_READ, get_protocol, 0, 0, 0 },
	PAIR(3, packets),
	PAIR(5, bytes),
	PAIR(7, bps),
	PAIR(9, max_bps),
	PAIR(11, flows),
	PAIR(13, guessed_packets),
	PAIR(15, guessed_bytes),
	PAIR(17, ip4_packets),
	PAIR(19, ip4_bytes),
	PAIR(21, ip6_packets),
	PAIR(23, ip6_bytes),
};

/* Index 0 is the interface's own row; then the protocols that were seen there. */
static bool
seek_in(struct snapshot *s, struct snapshot_interface *interface, uint32_t from,
	uint32_t *index, struct row *row)
{
	if (from == 0) {
		row->of = snapshot_row(s, interface, BARN_STATS_TOTAL);
		row->part = NULL;
		*index = 0;
		if (row->of)
			return true;
	}
	for (uint32_t p = snapshot_protocol_from(s, from); p < s->protocol_count; p++) {
		const struct snapshot_protocol *protocol = &s->protocols[p];
		const struct barn_stats_row *counts =
			snapshot_row(s, interface, protocol->number);

		if (!counts || !snapshot_is_seen(counts))
			continue;
		*row = (struct row){ .of = counts, .part = protocol };
		*index = protocol->index;
		return true;
	}
	return false;
}

static bool
seek_traffic(struct view *view, uint32_t *index, struct row *row)
{
	struct snapshot *s = &view->snapshot;

	for (uint32_t i = snapshot_interface_from(s, index[0]); i < s->interface_count; i++) {
		struct snapshot_interface *interface = &s->interfaces[i];
		bool at = interface->record.ifindex == index[0];

		if (!interface->record.enabled ||
		    !seek_in(s, interface, at ? index[1] : 0, &index[1], row))
			continue;
		index[0] = interface->record.ifindex;
		return true;
	}
	return false;
}

const struct table barnmib_traffic_table = {
	.name = "barnTrafficEntry",
	.entry = { 1, 6, 1 },
	.entry_length = 3,
	.index_length = 2,
	.columns = traffic_columns,
	.column_count = COUNT(traffic_columns),
	.seek = seek_traffic,
};
