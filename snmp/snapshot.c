/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/snapshot.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

bool
snapshot_init(struct snapshot *snapshot, const char *path)
{
	*snapshot = (struct snapshot){ 0 };
	return barn_stats_open(path, &snapshot->stats) == BARN_OK;
}

static void
free_interfaces(struct snapshot_interface *interfaces, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		free(interfaces[i].rows);
	free(interfaces);
}

static void
clear(struct snapshot *snapshot)
{
	free_interfaces(snapshot->interfaces, snapshot->interface_count);
	free(snapshot->protocols);
	snapshot->interfaces = NULL;
	snapshot->protocols = NULL;
	snapshot->interface_count = snapshot->protocol_count = 0;
	for (unsigned t = 0; t < BARN_STATS_TABLES; t++)
		records_free(&snapshot->records[t]);
	snapshot->there = false;
}

void
snapshot_fini(struct snapshot *snapshot)
{
	clear(snapshot);
	barn_stats_close(snapshot->stats);
}

static int
by_index(const void *a, const void *b)
{
	const struct snapshot_protocol *p = a, *q = b;

	if (p->index != q->index)
		return p->index < q->index ? -1 : 1;
	return (p->number > q->number) - (p->number < q->number);
}

static int
by_ifindex(const void *a, const void *b)
{
	const struct snapshot_interface *p = a, *q = b;

	if (p->record.ifindex != q->record.ifindex)
		return p->record.ifindex < q->record.ifindex ? -1 : 1;
	return (p->number > q->number) - (p->number < q->number);
}

static bool
list_protocols(struct snapshot *s)
{
	uint32_t count = barn_stats_count(s->stats, BARN_STATS_PROTOCOLS), n = 0, kept = 0;
	struct snapshot_protocol *list = calloc((size_t)count + 1, sizeof(*list));
	struct barn_stats_protocol p;

	if (!list)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		if (barn_stats_protocol(s->stats, i, &p) || !p.index ||
		    p.index > SNAPSHOT_INDEX_MAX || !p.name[0])
			continue;
		list[n] = (struct snapshot_protocol){ p.index, i, p.loaded, "" };
		memcpy(list[n].name, p.name, sizeof(p.name) - 1);
		n++;
	}
	qsort(list, n, sizeof(*list), by_index);
	for (uint32_t i = 0; i < n; i++)
		if (!kept || list[kept - 1].index != list[i].index)
			list[kept++] = list[i];
	free(s->protocols);
	s->protocols = list;
	s->protocol_count = kept;
	s->row_count = count + 1;
	return true;
}

/*
 * The daemon tells of moments in wall time, SNMP in time since the agent's start: turned into
 * the monotonic clock once, so that a clock that is set later changes nothing.
 */
static uint64_t
mono_of(uint64_t since_ns)
{
	struct timespec wall, mono;
	uint64_t wall_ns, mono_ns;

	(void)clock_gettime(CLOCK_REALTIME, &wall);
	(void)clock_gettime(CLOCK_MONOTONIC, &mono);
	wall_ns = (uint64_t)wall.tv_sec * 1000000000 + (uint64_t)wall.tv_nsec;
	mono_ns = (uint64_t)mono.tv_sec * 1000000000 + (uint64_t)mono.tv_nsec;
	if (since_ns > wall_ns)
		since_ns = wall_ns;
	return mono_ns > wall_ns - since_ns ? mono_ns - (wall_ns - since_ns) : 0;
}

static void
date(const struct snapshot *s, struct snapshot_interface *interface,
     const struct snapshot_interface *old)
{
	uint64_t since_ns = interface->record.enabled_ns;

	if (since_ns < interface->record.cleared_ns)
		since_ns = interface->record.cleared_ns;
	if (since_ns < s->engine.discontinuity_ns)
		since_ns = s->engine.discontinuity_ns;
	interface->since_ns =
		old && old->since_wall_ns == since_ns ? old->since_ns : mono_of(since_ns);
	interface->since_wall_ns = since_ns;
}

static void
date_engine(struct snapshot *s)
{
	uint64_t since_ns =
		s->engine.discontinuity_ns ? s->engine.discontinuity_ns : s->engine.started_ns;

	if (since_ns == s->since_wall_ns)
		return;
	s->since_wall_ns = since_ns;
	s->since_ns = mono_of(since_ns);
}

static bool
list_interfaces(struct snapshot *s)
{
	uint32_t count = barn_stats_count(s->stats, BARN_STATS_INTERFACES), n = 0, kept = 0;
	struct snapshot_interface *list = calloc((size_t)count + 1, sizeof(*list));

	if (!list)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		struct snapshot_interface *at = &list[n];

		if (barn_stats_interface(s->stats, i, &at->record) || !at->record.ifindex)
			continue;
		at->number = i;
		n++;
	}
	qsort(list, n, sizeof(*list), by_ifindex);
	for (uint32_t i = 0; i < n; i++) {
		if (kept && list[kept - 1].record.ifindex == list[i].record.ifindex)
			continue;
		date(s, &list[i], snapshot_interface(s, list[i].record.ifindex));
		list[kept++] = list[i];
	}
	free_interfaces(s->interfaces, s->interface_count);
	s->interfaces = list;
	s->interface_count = kept;
	return true;
}

/* What an interface's record says may change without a change of the list. */
static bool
reread_interfaces(struct snapshot *s)
{
	for (uint32_t i = 0; i < s->interface_count; i++) {
		struct snapshot_interface *at = &s->interfaces[i];
		uint32_t ifindex = at->record.ifindex;

		if (barn_stats_interface(s->stats, at->number, &at->record) ||
		    at->record.ifindex != ifindex)
			return list_interfaces(s);
		date(s, at, at);
	}
	return true;
}

static bool
reread(struct snapshot *s, bool changed)
{
	uint64_t versions[2] = { barn_stats_version(s->stats, BARN_STATS_INTERFACES),
				 barn_stats_version(s->stats, BARN_STATS_PROTOCOLS) };
	bool moved = changed || memcmp(versions, s->versions, sizeof(versions)) != 0;

	s->serial = barn_stats_serial(s->stats);
	if (barn_stats_read(s->stats, BARN_STATS_ENGINE, 0, &s->engine, sizeof(s->engine)))
		return false;
	date_engine(s);
	if (!moved)
		return reread_interfaces(s);
	memcpy(s->versions, versions, sizeof(versions));
	return list_protocols(s) && list_interfaces(s);
}

void
snapshot_refresh(struct snapshot *s)
{
	bool changed;

	(void)barn_stats_refresh(s->stats, &changed);
	if (barn_stats_age_ms(s->stats) > SNAPSHOT_STALE_MS) {
		clear(s);
		return;
	}
	/* After a failure all is read anew. */
	if (s->there && !changed && s->serial == barn_stats_serial(s->stats))
		return;
	if (changed)
		for (unsigned t = 0; t < BARN_STATS_TABLES; t++)
			records_free(&s->records[t]);
	s->there = reread(s, changed || !s->there);
	if (!s->there)
		clear(s);
}

uint32_t
snapshot_interface_from(const struct snapshot *s, uint32_t ifindex)
{
	uint32_t low = 0, high = s->interface_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->interfaces[middle].record.ifindex < ifindex)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint32_t
snapshot_protocol_from(const struct snapshot *s, uint32_t index)
{
	uint32_t low = 0, high = s->protocol_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->protocols[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct snapshot_interface *
snapshot_interface(struct snapshot *s, uint32_t ifindex)
{
	uint32_t i = snapshot_interface_from(s, ifindex);

	return i < s->interface_count && s->interfaces[i].record.ifindex == ifindex
		       ? &s->interfaces[i]
		       : NULL;
}

const struct snapshot_protocol *
snapshot_protocol(const struct snapshot *s, uint32_t index)
{
	uint32_t p = snapshot_protocol_from(s, index);

	return p < s->protocol_count && s->protocols[p].index == index ? &s->protocols[p]
								       : NULL;
}

static bool
copy_rows(struct snapshot *s, struct snapshot_interface *interface)
{
	struct barn_stats_interface record;
	bool whole;

	if (!interface->rows)
		interface->rows = calloc(s->row_count, sizeof(*interface->rows));
	if (!interface->rows)
		return false;
	if (barn_stats_read_interface(s->stats, interface->number, &record, sizeof(record),
				      interface->rows, sizeof(*interface->rows), s->row_count,
				      &whole))
		return false;
	interface->serial = s->serial;
	return true;
}

const struct barn_stats_row *
snapshot_row(struct snapshot *s, struct snapshot_interface *interface, uint32_t number)
{
	if (interface->serial != s->serial && !copy_rows(s, interface))
		return NULL;
	number++; /* of BARN_STATS_TOTAL: 0 */
	return number < s->row_count ? &interface->rows[number] : NULL;
}

bool
snapshot_is_seen(const struct barn_stats_row *row)
{
	return row->packets[0] || row->packets[1];
}
