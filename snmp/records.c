/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/records.h"

#include "snmp/snapshot.h"

#include <stdlib.h>

void
records_free(struct records *records)
{
	free(records->data);
	free(records->hosts);
	*records = (struct records){ 0 };
}

static int
by_rank(const void *a, const void *b)
{
	const struct records_host *p = a, *q = b;

	if (p->protocol != q->protocol)
		return p->protocol < q->protocol ? -1 : 1;
	return (p->number > q->number) - (p->number < q->number);
}

static uint32_t
index_of(const struct snapshot *snapshot, uint32_t number)
{
	for (uint32_t p = 0; p < snapshot->protocol_count; p++)
		if (snapshot->protocols[p].number == number)
			return snapshot->protocols[p].index;
	return 0;
}

/* The daemon has a protocol's hosts in the order of their bytes. Those of a protocol without
 * an index are left out. */
static bool
order_hosts(const struct snapshot *snapshot, struct records *records)
{
	uint32_t kept = 0;

	records->hosts = calloc((size_t)records->count + 1, sizeof(*records->hosts));
	if (!records->hosts)
		return false;
	for (uint32_t i = 0; i < records->count; i++) {
		const struct barn_stats_host *host = records_at(records, i);
		uint32_t protocol = index_of(snapshot, host->protocol);

		if (protocol && host->name[0])
			records->hosts[kept++] = (struct records_host){ protocol, 0, i };
	}
	records->count = kept;
	qsort(records->hosts, kept, sizeof(*records->hosts), by_rank);
	for (uint32_t i = 0; i < kept; i++) {
		struct records_host *at = &records->hosts[i];

		at->rank = i && at[-1].protocol == at->protocol ? at[-1].rank + 1 : 1;
	}
	return true;
}

const struct records *
records_of(struct snapshot *snapshot, enum barn_stats_table table, size_t size)
{
	struct records *records = &snapshot->records[table];
	uint32_t count = barn_stats_count(snapshot->stats, table);

	if (!snapshot->there)
		return NULL;
	if (records->serial == snapshot->serial && records->data)
		return records;
	records_free(records);
	records->data = calloc((size_t)count + 1, size);
	if (!records->data)
		return NULL;
	records->size = size;
	for (uint32_t i = 0; i < count; i++)
		if (!barn_stats_read(snapshot->stats, table, i, records->data + i * size, size))
			records->count = i + 1;
	if (table == BARN_STATS_HOSTS && !order_hosts(snapshot, records)) {
		records_free(records);
		return NULL;
	}
	records->serial = snapshot->serial;
	return records;
}
