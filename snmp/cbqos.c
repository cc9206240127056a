/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/cbqos.h"

#include "snmp/view.h"

#include <stdio.h>
#include <string.h>

#define COUNT(list)    (sizeof(list) / sizeof((list)[0]))
#define OBJECT(member) offsetof(struct barn_stats_object, member)

/* cbQosIfType, cbQosPolicyDirection, cbQosCMInfo, cbQosMatchStmtInfo, cbQosObjectsType */
enum { MAIN_INTERFACE = 1, INPUT = 1, OUTPUT = 2 };
enum { MATCH_ALL = 2, MATCH_ANY = 3 };
enum { STATEMENT_PLAIN = 1, STATEMENT_NOT = 2 };

static const struct records *
policies_of(struct view *view)
{
	return records_of(&view->snapshot, BARN_STATS_POLICIES,
			  sizeof(struct barn_stats_policy));
}

static const struct records *
objects_of(struct view *view)
{
	return records_of(&view->snapshot, BARN_STATS_OBJECTS,
			  sizeof(struct barn_stats_object));
}

/* 0: there is no such interface any more. */
static uint32_t
ifindex_of(const struct view *view, const struct barn_stats_policy *policy)
{
	const struct snapshot *s = &view->snapshot;

	for (uint32_t i = 0; i < s->interface_count; i++)
		if (s->interfaces[i].number == policy->interface)
			return s->interfaces[i].record.ifindex;
	return 0;
}

static int
compare(const uint32_t *a, const uint32_t *b, unsigned n)
{
	return table_compare(a, n, b, n);
}

/*
 * The record with the smallest index that is not below `index`; records are in the order of the
 * configuration, and there are few. `key` says a record's index, or that it has none here.
 */
static bool
smallest(struct view *view, const struct records *records, unsigned n, uint32_t *index,
	 bool (*key)(const struct view *view, const void *record, uint32_t *key),
	 struct row *row)
{
	uint32_t best[TABLE_INDEX_MAX], own[TABLE_INDEX_MAX];
	bool found = false;

	for (uint32_t i = 0; records && i < records->count; i++) {
		const void *record = records_at(records, i);

		if (!key(view, record, own) || compare(own, index, n) < 0 ||
		    (found && compare(own, best, n) >= 0))
			continue;
		memcpy(best, own, sizeof(best));
		*row = (struct row){ .of = record, .number = i };
		found = true;
	}
	if (found)
		memcpy(index, best, n * sizeof(*index));
	return found;
}

/* cbQosServicePolicyTable: by policy */

static bool
by_policy(const struct view *view, const void *record, uint32_t *key)
{
	const struct barn_stats_policy *policy = record;

	key[0] = policy->id;
	return ifindex_of(view, policy) != 0;
}

static bool
seek_policy(struct view *view, uint32_t *index, struct row *row)
{
	return smallest(view, policies_of(view), 1, index, by_policy, row);
}

static bool
get_type(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	(void)view, (void)column, (void)row;
	value->number = MAIN_INTERFACE;
	return true;
}

static bool
get_direction(const struct view *view, const struct column *column, const struct row *row,
	      struct value *value)
{
	(void)view, (void)column;
	value->number = ((const struct barn_stats_policy *)row->of)->output ? OUTPUT : INPUT;
	return true;
}

static bool
get_ifindex(const struct view *view, const struct column *column, const struct row *row,
	    struct value *value)
{
	(void)column;
	value->number = ifindex_of(view, row->of);
	return true;
}

static const struct column policy_columns[] = {
	{ 2, VALUE_INTEGER, ACCESS_READ, get_type, 0, 0, 0 },
	{ 3, VALUE_INTEGER, ACCESS_READ, get_direction, 0, 0, 0 },
	{ 4, VALUE_INTEGER, ACCESS_READ, get_ifindex, 0, 0, 0 },
};

static const struct table policy_table = {
	.name = "cbQosServicePolicyEntry",
	.entry = { 1, 1, 1, 1 },
	.entry_length = 4,
	.index_length = 1,
	.columns = policy_columns,
	.column_count = COUNT(policy_columns),
	.seek = seek_policy,
};

/* cbQosInterfacePolicyTable: by ifIndex and direction */

static bool
by_interface(const struct view *view, const void *record, uint32_t *key)
{
	const struct barn_stats_policy *policy = record;

	key[0] = ifindex_of(view, policy);
	key[1] = policy->output ? OUTPUT : INPUT;
	return key[0] != 0;
}

static bool
seek_interface(struct view *view, uint32_t *index, struct row *row)
{
	return smallest(view, policies_of(view), 2, index, by_interface, row);
}

static bool
get_policy(const struct view *view, const struct column *column, const struct row *row,
	   struct value *value)
{
	(void)view, (void)column;
	value->number = ((const struct barn_stats_policy *)row->of)->id;
	return true;
}

static const struct column interface_columns[] = {
	{ 1, VALUE_UNSIGNED, ACCESS_READ, get_policy, 0, 0, 0 },
};

static const struct table interface_table = {
	.name = "cbQosInterfacePolicyEntry",
	.entry = { 1, 2, 1, 1 },
	.entry_length = 4,
	.index_length = 2,
	.columns = interface_columns,
	.column_count = COUNT(interface_columns),
	.seek = seek_interface,
};

/* cbQosObjectsTable, and the statistics: by policy and object */

static bool
by_object(const struct view *view, const void *record, uint32_t *key)
{
	const struct barn_stats_object *object = record;

	(void)view;
	key[0] = object->policy;
	key[1] = object->id;
	return object->id != 0;
}

static bool
is_kind(const void *record, uint32_t kind)
{
	return ((const struct barn_stats_object *)record)->kind == kind;
}

static bool
by_class(const struct view *view, const void *record, uint32_t *key)
{
	return is_kind(record, BARN_STATS_CLASS_MAP) && by_object(view, record, key);
}

static bool
by_statement(const struct view *view, const void *record, uint32_t *key)
{
	return is_kind(record, BARN_STATS_STATEMENT) && by_object(view, record, key);
}

static bool
by_police(const struct view *view, const void *record, uint32_t *key)
{
	return is_kind(record, BARN_STATS_POLICE) && by_object(view, record, key);
}

static bool
seek_object(struct view *view, uint32_t *index, struct row *row)
{
	return smallest(view, objects_of(view), 2, index, by_object, row);
}

static bool
seek_class(struct view *view, uint32_t *index, struct row *row)
{
	return smallest(view, objects_of(view), 2, index, by_class, row);
}

static bool
seek_statement(struct view *view, uint32_t *index, struct row *row)
{
	return smallest(view, objects_of(view), 2, index, by_statement, row);
}

static bool
seek_police(struct view *view, uint32_t *index, struct row *row)
{
	return smallest(view, objects_of(view), 2, index, by_police, row);
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

static const struct column object_columns[] = {
	{ 2, VALUE_UNSIGNED, ACCESS_READ, get_small, 0, 0, OBJECT(config) },
	{ 3, VALUE_INTEGER, ACCESS_READ, get_small, 0, 0, OBJECT(kind) },
	{ 4, VALUE_UNSIGNED, ACCESS_READ, get_small, 0, 0, OBJECT(parent) },
};

static const struct table object_table = {
	.name = "cbQosObjectsEntry",
	.entry = { 1, 5, 1, 1 },
	.entry_length = 4,
	.index_length = 2,
	.columns = object_columns,
	.column_count = COUNT(object_columns),
	.seek = seek_object,
};

/* The configuration of maps, classes, statements, policers: by what is the same wherever it is
 * applied */

static bool
by_config(const void *record, uint32_t kind, uint32_t *key)
{
	key[0] = ((const struct barn_stats_object *)record)->config;
	return is_kind(record, kind) && key[0] != 0;
}

static bool
by_map_config(const struct view *view, const void *record, uint32_t *key)
{
	(void)view;
	return by_config(record, BARN_STATS_POLICY_MAP, key);
}

static bool
by_class_config(const struct view *view, const void *record, uint32_t *key)
{
	(void)view;
	return by_config(record, BARN_STATS_CLASS_MAP, key);
}

static bool
by_statement_config(const struct view *view, const void *record, uint32_t *key)
{
	(void)view;
	return by_config(record, BARN_STATS_STATEMENT, key);
}

static bool
by_police_config(const struct view *view, const void *record, uint32_t *key)
{
	(void)view;
	return by_config(record, BARN_STATS_POLICE, key);
}

static bool
seek_map_config(struct view *view, uint32_t *index, struct row *row)
{
	return smallest(view, objects_of(view), 1, index, by_map_config, row);
}

static bool
seek_class_config(struct view *view, uint32_t *index, struct row *row)
{
	return smallest(view, objects_of(view), 1, index, by_class_config, row);
}

static bool
seek_statement_config(struct view *view, uint32_t *index, struct row *row)
{
	return smallest(view, objects_of(view), 1, index, by_statement_config, row);
}

static bool
seek_police_config(struct view *view, uint32_t *index, struct row *row)
{
	return smallest(view, objects_of(view), 1, index, by_police_config, row);
}

static bool
get_text(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	(void)view;
	value->text = (const char *)row->of + column->offset;
	return true;
}

static bool
get_class_info(const struct view *view, const struct column *column, const struct row *row,
	       struct value *value)
{
	(void)view, (void)column;
	value->number =
		((const struct barn_stats_object *)row->of)->all ? MATCH_ALL : MATCH_ANY;
	return true;
}

/* A router's name of a statement is without `match` and without `not`. */
static bool
get_statement(const struct view *view, const struct column *column, const struct row *row,
	      struct value *value)
{
	const char *text = ((const struct barn_stats_object *)row->of)->text;

	(void)view, (void)column;
	value->text = strncmp(text, "not ", 4) == 0 ? text + 4 : text;
	return true;
}

static bool
get_statement_info(const struct view *view, const struct column *column, const struct row *row,
		   struct value *value)
{
	const char *text = ((const struct barn_stats_object *)row->of)->text;

	(void)view, (void)column;
	value->number = strncmp(text, "not ", 4) == 0 ? STATEMENT_NOT : STATEMENT_PLAIN;
	return true;
}

static bool
get_rate(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	const uint64_t *rate = (const void *)((const char *)row->of + column->offset);

	(void)view;
	value->number = *rate > UINT32_MAX ? UINT32_MAX : *rate;
	return true;
}

static const struct column map_config_columns[] = {
	{ 1, VALUE_TEXT, ACCESS_READ, get_text, 0, 0, OBJECT(name) },
	{ 2, VALUE_TEXT, ACCESS_READ, get_text, 0, 0, OBJECT(text) },
};

static const struct table map_config_table = {
	.name = "cbQosPolicyMapCfgEntry",
	.entry = { 1, 6, 1, 1 },
	.entry_length = 4,
	.index_length = 1,
	.columns = map_config_columns,
	.column_count = COUNT(map_config_columns),
	.seek = seek_map_config,
};

static const struct column class_config_columns[] = {
	{ 1, VALUE_TEXT, ACCESS_READ, get_text, 0, 0, OBJECT(name) },
	{ 2, VALUE_TEXT, ACCESS_READ, get_text, 0, 0, OBJECT(text) },
	{ 3, VALUE_INTEGER, ACCESS_READ, get_class_info, 0, 0, 0 },
};

static const struct table class_config_table = {
	.name = "cbQosCMCfgEntry",
	.entry = { 1, 7, 1, 1 },
	.entry_length = 4,
	.index_length = 1,
	.columns = class_config_columns,
	.column_count = COUNT(class_config_columns),
	.seek = seek_class_config,
};

static const struct column statement_config_columns[] = {
	{ 1, VALUE_TEXT, ACCESS_READ, get_statement, 0, 0, 0 },
	{ 2, VALUE_INTEGER, ACCESS_READ, get_statement_info, 0, 0, 0 },
};

static const struct table statement_config_table = {
	.name = "cbQosMatchStmtCfgEntry",
	.entry = { 1, 8, 1, 1 },
	.entry_length = 4,
	.index_length = 1,
	.columns = statement_config_columns,
	.column_count = COUNT(statement_config_columns),
	.seek = seek_statement_config,
};

static const struct column police_config_columns[] = {
	{ 1, VALUE_UNSIGNED, ACCESS_READ, get_rate, 0, 0, OBJECT(cir) },
	{ 2, VALUE_UNSIGNED, ACCESS_READ, get_rate, 0, 0, OBJECT(bc) },
	{ 3, VALUE_UNSIGNED, ACCESS_READ, get_rate, 0, 0, OBJECT(be) },
};

static const struct table police_config_table = {
	.name = "cbQosPoliceCfgEntry",
	.entry = { 1, 12, 1, 1 },
	.entry_length = 4,
	.index_length = 1,
	.columns = police_config_columns,
	.column_count = COUNT(police_config_columns),
	.seek = seek_police_config,
};

/* Counters: the upper 32 bits, the lower, and all 64 */

static uint64_t
wide(const struct row *row, const struct column *column)
{
	return *(const uint64_t *)(const void *)((const char *)row->of + column->offset);
}

static bool
get_upper(const struct view *view, const struct column *column, const struct row *row,
	  struct value *value)
{
	(void)view;
	value->number = wide(row, column) >> 32;
	return true;
}

static bool
get_wide(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	(void)view;
	value->number = wide(row, column);
	return true;
}

/* What the policy has let through; no packet's bytes are dropped in part. */
static uint64_t
passed(const struct row *row)
{
	const struct barn_stats_object *o = row->of;

	return o->bytes - o->dropped_bytes;
}

static bool
get_passed(const struct view *view, const struct column *column, const struct row *row,
	   struct value *value)
{
	(void)view, (void)column;
	value->number = passed(row);
	return true;
}

static bool
get_passed_upper(const struct view *view, const struct column *column, const struct row *row,
		 struct value *value)
{
	(void)view, (void)column;
	value->number = passed(row) >> 32;
	return true;
}

static bool
get_passed_rate(const struct view *view, const struct column *column, const struct row *row,
		struct value *value)
{
	const struct barn_stats_object *o = row->of;
	uint64_t bps = o->bps > o->dropped_bps ? o->bps - o->dropped_bps : 0;

	(void)view, (void)column;
	value->number = bps > UINT32_MAX ? UINT32_MAX : bps;
	return true;
}

/* Nothing of barn's is dropped for want of buffers. */
static bool
get_none(const struct view *view, const struct column *column, const struct row *row,
	 struct value *value)
{
	(void)view, (void)column, (void)row;
	value->number = 0;
	return true;
}

#define THREE(sub, member)                                                                   \
	{ (sub), VALUE_COUNTER32, ACCESS_READ, get_upper, 0, 0, OBJECT(member) },            \
		{ (sub) + 1, VALUE_COUNTER32, ACCESS_READ, get_wide, 0, 0, OBJECT(member) }, \
	{                                                                                    \
		(sub) + 2, VALUE_COUNTER64, ACCESS_READ, get_wide, 0, 0, OBJECT(member)      \
	}
#define RATE(sub, member)                                                          \
	{                                                                          \
		(sub), VALUE_UNSIGNED, ACCESS_READ, get_rate, 0, 0, OBJECT(member) \
	}

static const struct column class_columns[] = {
	THREE(1, packets),
	THREE(4, bytes),
	RATE(7, bps),
	{ 8, VALUE_COUNTER32, ACCESS_READ, get_passed_upper, 0, 0, 0 },
	{ 9, VALUE_COUNTER32, ACCESS_READ, get_passed, 0, 0, 0 },
	{ 10, VALUE_COUNTER64, ACCESS_READ, get_passed, 0, 0, 0 },
	{ 11, VALUE_UNSIGNED, ACCESS_READ, get_passed_rate, 0, 0, 0 },
	THREE(12, dropped_packets),
	THREE(15, dropped_bytes),
	RATE(18, dropped_bps),
	{ 19, VALUE_COUNTER32, ACCESS_READ, get_none, 0, 0, 0 },
	{ 20, VALUE_COUNTER32, ACCESS_READ, get_none, 0, 0, 0 },
	{ 21, VALUE_COUNTER64, ACCESS_READ, get_none, 0, 0, 0 },
};

static const struct table class_table = {
	.name = "cbQosCMStatsEntry",
	.entry = { 1, 15, 1, 1 },
	.entry_length = 4,
	.index_length = 2,
	.columns = class_columns,
	.column_count = COUNT(class_columns),
	.seek = seek_class,
};

static const struct column statement_columns[] = {
	THREE(1, packets),
	THREE(4, bytes),
	RATE(7, bps),
};

static const struct table statement_table = {
	.name = "cbQosMatchStmtStatsEntry",
	.entry = { 1, 16, 1, 1 },
	.entry_length = 4,
	.index_length = 2,
	.columns = statement_columns,
	.column_count = COUNT(statement_columns),
	.seek = seek_statement,
};

static const struct column police_columns[] = {
	THREE(1, colour_packets[0]),  THREE(4, colour_bytes[0]),  RATE(7, colour_bps[0]),
	THREE(8, colour_packets[1]),  THREE(11, colour_bytes[1]), RATE(14, colour_bps[1]),
	THREE(15, colour_packets[2]), THREE(18, colour_bytes[2]), RATE(21, colour_bps[2]),
};

static const struct table police_table = {
	.name = "cbQosPoliceStatsEntry",
	.entry = { 1, 17, 1, 1 },
	.entry_length = 4,
	.index_length = 2,
	.columns = police_columns,
	.column_count = COUNT(police_columns),
	.seek = seek_police,
};

static const struct table *const tables[] = {
	&policy_table,       &interface_table,        &object_table,        &map_config_table,
	&class_config_table, &statement_config_table, &police_config_table, &class_table,
	&statement_table,    &police_table,
};

const struct mib cbqos_mib = {
	.name = "CISCO-CLASS-BASED-QOS-MIB",
	.root = { 1, 3, 6, 1, 4, 1, 9, 9, 166 },
	.root_length = 9,
	.tables = tables,
	.table_count = COUNT(tables),
};
