/* SPDX-License-Identifier: LGPL-3.0-or-later */
/* The modules' tables as tables, and walks over them without an agent. */
#include "unit.h"

#include "snmp/barnmib.h"
#include "snmp/cbqos.h"
#include "snmp_rig.h"

static const struct mib *const mibs[] = { &cbqos_mib, &cnpd_mib, &barnmib_mib };

enum { MIBS = sizeof(mibs) / sizeof(mibs[0]) };

TEST(tables_are_in_the_order_of_their_identifiers)
{
	for (unsigned m = 0; m < MIBS; m++)
		for (unsigned t = 1; t < mibs[m]->table_count; t++) {
			const struct table *a = mibs[m]->tables[t - 1], *b = mibs[m]->tables[t];

			CHECK(table_compare(a->entry, a->entry_length, b->entry,
					    b->entry_length) < 0);
			/* None lies within another one. */
			CHECK(memcmp(a->entry, b->entry,
				     a->entry_length * sizeof(a->entry[0])) != 0);
		}
}

TEST(columns_are_in_order_and_have_getters)
{
	for (unsigned m = 0; m < MIBS; m++)
		for (unsigned t = 0; t < mibs[m]->table_count; t++) {
			const struct table *table = mibs[m]->tables[t];

			CHECK(table->name && table->seek && table->column_count);
			CHECK(table->index_length >= 1 &&
			      table->index_length <= TABLE_INDEX_MAX);
			CHECK(table->entry_length >= 1 &&
			      table->entry_length <= TABLE_ENTRY_MAX);
			for (unsigned c = 0; c < table->column_count; c++) {
				CHECK(table->columns[c].get);
				CHECK(!c || table->columns[c - 1].sub < table->columns[c].sub);
			}
		}
}

TEST(what_may_be_written_has_a_type_of_sets_and_bounds)
{
	for (unsigned m = 0; m < MIBS; m++)
		for (unsigned t = 0; t < mibs[m]->table_count; t++) {
			const struct table *table = mibs[m]->tables[t];

			for (unsigned c = 0; c < table->column_count; c++) {
				const struct column *column = &table->columns[c];

				if (column->access == ACCESS_READ) {
					CHECK_EQ(column->low + column->high, 0);
					continue;
				}
				CHECK(column->type == VALUE_INTEGER ||
				      column->type == VALUE_UNSIGNED);
				CHECK(column->low < column->high);
				CHECK(column->access != ACCESS_CREATE ||
				      column->sub < ROWS_SUBS);
			}
		}
}

/* Cisco's module: sub-identifiers, types and access, column by column. */
struct wanted {
	const char *entry;
	uint32_t sub[4];
	const char *types, *access; /* a letter each: i u c C t s; r w n */
	uint32_t first;
};

static const struct wanted wanted[] = {
	{ "cnpdStatusEntry", { 1, 1, 1, 1 }, "it", "wr", 1 },
	{ "cnpdAllStatsEntry", { 1, 2, 1, 1 }, "sccccCCCCuu", "rrrrrrrrrrr", 2 },
	{ "cnpdTopNConfigEntry", { 1, 3, 1, 1 }, "iiuuuti", "nnnnrrn", 2 },
	{ "cnpdTopNStatsEntry", { 1, 4, 1, 1 }, "scC", "rrr", 2 },
	{ "cnpdThresholdConfigEntry", { 1, 5, 1, 1 }, "iuiuiiiuu-i", "nnnnnnnnn-n", 2 },
	{ "cnpdThresholdHistoryEntry", { 1, 6, 1, 1 }, "uuitui", "rrrrrr", 2 },
	{ "cnpdNotificationsConfig", { 1, 7 }, "i", "w", 1 },
	{ "cnpdSupportedProtocolsEntry", { 1, 8, 1, 1 }, "s", "r", 2 },
};

TEST(the_discovery_module_is_complete)
{
	static const char types[] = {
		[VALUE_INTEGER] = 'i',   [VALUE_UNSIGNED] = 'u', [VALUE_COUNTER32] = 'c',
		[VALUE_COUNTER64] = 'C', [VALUE_TICKS] = 't',    [VALUE_TEXT] = 's'
	};
	static const char access[] = {
		[ACCESS_READ] = 'r', [ACCESS_WRITE] = 'w', [ACCESS_CREATE] = 'n'
	};

	CHECK_EQ(cnpd_mib.table_count, sizeof(wanted) / sizeof(wanted[0]));
	for (unsigned t = 0; t < cnpd_mib.table_count; t++) {
		const struct table *table = cnpd_mib.tables[t];
		const struct wanted *w = &wanted[t];
		unsigned c = 0;

		CHECK_STR(table->name, w->entry);
		CHECK_MEM(table->entry, w->sub, table->entry_length * sizeof(w->sub[0]));
		for (size_t i = 0; w->types[i]; i++) {
			if (w->types[i] == '-')
				continue;
			CHECK(c < table->column_count);
			CHECK_EQ(table->columns[c].sub, w->first + i);
			CHECK_EQ(types[table->columns[c].type], w->types[i]);
			CHECK_EQ(access[table->columns[c].access], w->access[i]);
			c++;
		}
		CHECK_EQ(c, table->column_count);
	}
}

/* A walk from this identifier on: each instance is behind the one before and can be got. */
static unsigned
walk(struct rig *r, struct table_oid oid)
{
	struct table_oid before = oid;
	struct value next, got;
	unsigned n = 0;

	while (table_next(&cnpd_mib, &r->view, &oid, &next)) {
		CHECK(table_compare(before.sub, before.length, oid.sub, oid.length) < 0);
		CHECK_EQ(table_get(&cnpd_mib, &r->view, &oid, &got), TABLE_FOUND);
		CHECK_EQ(got.number, next.number);
		CHECK_STR(got.text, next.text);
		before = oid;
		n++;
	}
	return n;
}

TEST(a_walk_is_in_order_and_each_instance_can_be_got)
{
	struct rig r;

	rig_begin(&r);
	/* Status 2 x 3, all-stats 11 x 2 x 3, notifications 1, supported 3. */
	CHECK_EQ(walk(&r, (struct table_oid){ { 1 }, 1 }), 6 + 66 + 1 + 3);
	rig_row(&r, 0, 5, 4); /* no longer loaded, but seen on eth7 */
	rig_publish(&r, false);
	CHECK_EQ(walk(&r, (struct table_oid){ { 1 }, 1 }), 6 + 66 + 11 + 1 + 3);
	rig_end(&r);
}

/* What comes next from each identifier of a row's neighbourhood is the same as by a search of
 * all that there is. */
TEST(next_is_the_first_behind_for_any_identifier)
{
	struct rig r;
	struct table_oid all[256], oid = { { 1 }, 1 }, from;
	struct value value;
	unsigned n = 0;

	rig_begin(&r);
	while (n < 256 && table_next(&cnpd_mib, &r.view, &oid, &value))
		all[n++] = oid;
	for (unsigned i = 0; i < n; i++)
		for (unsigned length = 8; length <= all[i].length + 1; length++)
			for (int change = -1; change <= 1; change++) {
				unsigned k = 0;

				from = all[i];
				from.sub[all[i].length] = 0;
				from.length = length;
				if (change < 0 && !from.sub[length - 1])
					continue;
				from.sub[length - 1] += (uint32_t)change;
				while (k < n && table_compare(all[k].sub, all[k].length,
							      from.sub, from.length) <= 0)
					k++;
				CHECK_EQ(table_next(&cnpd_mib, &r.view, &from, &value), k < n);
				CHECK(k == n || !table_compare(all[k].sub, all[k].length,
							       from.sub, from.length));
			}
	rig_end(&r);
}

TEST(the_largest_sub_identifiers_have_a_next)
{
	struct rig r;
	struct value value;
	struct table_oid oid, want = rig_oid(&cnpd_stats_table, 4, 3, 2);

	rig_begin(&r);
	oid = rig_oid(&cnpd_stats_table, 3, UINT32_MAX, UINT32_MAX);
	CHECK(table_next(&cnpd_mib, &r.view, &oid, &value));
	CHECK_EQ(table_compare(oid.sub, oid.length, want.sub, want.length), 0);
	oid = rig_oid(&cnpd_stats_table, UINT32_MAX, UINT32_MAX, UINT32_MAX);
	CHECK(table_next(&cnpd_mib, &r.view, &oid, &value));
	memset(&oid, 0xff, sizeof(oid));
	oid.length = TABLE_OID_MAX;
	CHECK(!table_next(&cnpd_mib, &r.view, &oid, &value));
	rig_end(&r);
}

TEST(counters_of_32_bits_wrap_and_rates_stop)
{
	struct rig r;

	rig_begin(&r);
	rig_row(&r, 0, 1, UINT64_C(1) << 32);
	rig_publish(&r, false);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 3, 7, 30), 0);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 4, 7, 30), 1);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 7, 7, 30), INT64_C(1) << 32);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 8, 7, 30), (INT64_C(1) << 32) + 1);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 9, 7, 30), INT64_C(10) << 32);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 11, 7, 30), UINT32_MAX);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 11, 7, 2), 0);
	rig_end(&r);
}

TEST(a_refresh_between_requests_only)
{
	struct rig r;

	rig_begin(&r);
	rig_row(&r, 1, 1, 5);
	rig_publish(&r, false);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 3, 3, 30), 5);
	rig_row(&r, 1, 1, 6);
	segment_publish(r.segment);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 3, 3, 30), 5);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 4, 3, 30), 6);
	snapshot_refresh(&r.view.snapshot);
	CHECK_EQ(rig_get(&r, &cnpd_stats_table, 3, 3, 30), 6);
	rig_end(&r);
}

TEST(what_was_enabled_before_uptime_began_is_1)
{
	struct rig r;

	rig_begin(&r);
	CHECK_EQ(rig_get(&r, &cnpd_status_table, 1, 7, 0), TRUTH_TRUE);
	CHECK_EQ(rig_get(&r, &cnpd_status_table, 1, 5, 0), TRUTH_FALSE);
	r.view.origin_ns = view_now_ns();
	CHECK_EQ(rig_get(&r, &cnpd_status_table, 2, 7, 0), 1);
	CHECK_EQ(rig_get(&r, &cnpd_status_table, 2, 5, 0), 0);
	rig_end(&r);
}
