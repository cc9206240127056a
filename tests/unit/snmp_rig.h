/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef TESTS_UNIT_SNMP_RIG_H
#define TESTS_UNIT_SNMP_RIG_H

/* A view over a segment that the test writes, and its modules without an agent; include behind
 * unit.h. */

#include "discovery/segment.h"
#include "snmp/cnpd.h"
#include "snmp/set.h"
#include "snmp/threshold.h"
#include "snmp/topn.h"
#include "snmp/view.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { RIG_INTERFACES = 3, RIG_PROTOCOLS = 6 };

struct rig {
	char folder[64], path[96];
	struct segment *segment;
	struct view view;
	struct set set;
	char told[64]; /* the last that the machine was asked */
	unsigned asked;
	bool refuses;
};

static inline void
rig_interface(struct rig *r, uint32_t number, uint32_t ifindex, bool enabled)
{
	struct barn_stats_interface i = { .ifindex = ifindex,
					  .enabled = enabled,
					  .enabled_ns = enabled };

	snprintf(i.name, sizeof(i.name), "eth%u", ifindex);
	CHECK_EQ(segment_write(r->segment, BARN_STATS_INTERFACES, number, &i, sizeof(i)),
		 BARN_OK);
}

static inline void
rig_protocol(struct rig *r, uint32_t number, uint32_t index, bool loaded)
{
	struct barn_stats_protocol p = { .index = index, .loaded = loaded };

	snprintf(p.name, sizeof(p.name), "proto%u", number);
	CHECK_EQ(segment_write(r->segment, BARN_STATS_PROTOCOLS, number, &p, sizeof(p)),
		 BARN_OK);
}

/* What else there is of a row follows from its packets: out is in plus 1, bytes ten times as
 * many, bits in a second a million times. */
static inline void
rig_row(struct rig *r, uint32_t interface, uint32_t protocol, uint64_t packets)
{
	struct barn_stats_row row = {
		.packets = { packets, packets + 1 },
		.bytes = { packets * 10, packets * 10 + 1 },
		.bps = { packets * 1000000, packets * 1000000 },
	};

	segment_begin(r->segment, interface);
	CHECK_EQ(segment_write_row(r->segment, interface, protocol, &row), BARN_OK);
	segment_end(r->segment, interface);
}

static inline void
rig_publish(struct rig *r, bool moved)
{
	segment_count(r->segment, BARN_STATS_ENGINE, 1, moved);
	segment_count(r->segment, BARN_STATS_INTERFACES, RIG_INTERFACES, moved);
	segment_count(r->segment, BARN_STATS_PROTOCOLS, RIG_PROTOCOLS, moved);
	segment_publish(r->segment);
	snapshot_refresh(&r->view.snapshot);
}

static inline bool
rig_enable(void *self, const char *interface, bool on)
{
	struct rig *r = self;

	r->asked++;
	snprintf(r->told, sizeof(r->told), "%s %d", interface, on);
	return !r->refuses;
}

/* eth7, eth3 (on) and eth5 (off); protocols with the indexes 30, 2, none, 1024, 9 (unloaded).
 */
static inline void
rig_begin(struct rig *r)
{
	static const struct segment_room room = { {
		[BARN_STATS_ENGINE] = 1,
		[BARN_STATS_INTERFACES] = RIG_INTERFACES,
		[BARN_STATS_PROTOCOLS] = RIG_PROTOCOLS,
	} };
	struct barn_stats_engine engine = { .version = "1.2.3" };
	const char *base = getenv("TMPDIR");
	int fd;

	memset(r, 0, sizeof(*r));
	snprintf(r->folder, sizeof(r->folder), "%s/barn-snmp.XXXXXX", base ? base : "/tmp");
	CHECK(mkdtemp(r->folder));
	snprintf(r->path, sizeof(r->path), "%s/stats", r->folder);
	CHECK_EQ(segment_make(AT_FDCWD, r->path, 0600, &room, &fd), BARN_OK);
	CHECK_EQ(segment_open(fd, &r->segment), BARN_OK);
	(void)close(fd);
	CHECK(snapshot_init(&r->view.snapshot, r->path));
	r->view.topn = topn_new();
	r->view.thresholds = threshold_new();
	CHECK(r->view.topn && r->view.thresholds);
	CHECK_EQ(segment_write(r->segment, BARN_STATS_ENGINE, 0, &engine, sizeof(engine)),
		 BARN_OK);
	rig_interface(r, 0, 7, true);
	rig_interface(r, 1, 3, true);
	rig_interface(r, 2, 5, false);
	rig_protocol(r, 0, 0, true);
	rig_protocol(r, 1, 30, true);
	rig_protocol(r, 2, 2, true);
	rig_protocol(r, 3, 1025, true);
	rig_protocol(r, 4, 1024, true);
	rig_protocol(r, 5, 9, false);
	rig_publish(r, true);
}

static inline void
rig_end(struct rig *r)
{
	topn_free(r->view.topn);
	threshold_free(r->view.thresholds);
	snapshot_fini(&r->view.snapshot);
	segment_close(r->segment, false);
	(void)unlink(r->path);
	CHECK_EQ(rmdir(r->folder), 0);
}

static inline struct table_oid
rig_oid(const struct table *table, uint32_t sub, uint32_t a, uint32_t b)
{
	const uint32_t index[] = { a, b, 0 };
	struct table_oid oid;

	table_oid(&cnpd_mib, table, sub, index, &oid);
	return oid;
}

/* The number of an instance, or -1: there is none. */
static inline int64_t
rig_get(struct rig *r, const struct table *table, uint32_t sub, uint32_t a, uint32_t b)
{
	struct table_oid oid = rig_oid(table, sub, a, b);
	struct value value;

	return table_get(&cnpd_mib, &r->view, &oid, &value) == TABLE_FOUND
		       ? (int64_t)value.number
		       : -1;
}

struct rig_write {
	const struct table *table;
	uint32_t sub, index, number;
};

/* A set of these, all of it; *at is the place of the one at fault. */
static inline enum set_err
rig_set(struct rig *r, const struct rig_write *writes, unsigned count, unsigned *at)
{
	const struct set_machine machine = { r, rig_enable };
	enum set_err err = SET_OK;

	set_begin(&r->set);
	for (unsigned i = 0; i < count && !err; i++) {
		struct table_oid oid =
			rig_oid(writes[i].table, writes[i].sub, writes[i].index, 0);
		const struct column *column = NULL;

		for (unsigned c = 0; c < writes[i].table->column_count; c++)
			if (writes[i].table->columns[c].sub == writes[i].sub)
				column = &writes[i].table->columns[c];
		*at = i;
		err = set_add(&r->set, &cnpd_mib, &r->view, &oid,
			      column ? column->type : VALUE_INTEGER, writes[i].number, i);
	}
	if (!err)
		err = set_check(&r->set, &r->view, at);
	if (!err)
		err = set_commit(&r->set, &r->view, &machine, at);
	if (!err)
		set_end(&r->set, &r->view);
	return err;
}

#endif
