/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/learn.h"

#include "flow/known.h"

#include <stdlib.h>

struct learn_table {
	struct known *known; /* of struct learn_entry */
};

enum barn_err
learn_new(uint32_t bound, const uint64_t seed[2], struct learn_table **table)
{
	struct learn_table *t = calloc(1, sizeof(*t));
	enum barn_err err;

	if (!t)
		return BARN_ERR_MEMORY;
	err = known_new(bound, sizeof(struct learn_entry), seed, &t->known);
	if (err) {
		free(t);
		return err;
	}
	*table = t;
	return BARN_OK;
}

void
learn_free(struct learn_table *table)
{
	if (!table)
		return;
	known_free(table->known);
	free(table);
}

static struct known_end
end_of(const struct learn_entry *entry)
{
	return (struct known_end){
		.addr = entry->addr,
		.path = entry->path,
		.port = entry->port,
		.ip_version = entry->ip_version,
		.ip_proto = entry->ip_proto,
	};
}

void
learn_add(struct learn_table *table, const struct learn_entry *entry)
{
	struct known_end end = end_of(entry);
	bool fresh, evicted;
	struct learn_entry *mine = known_put(table->known, &end, &fresh, &evicted);

	if (!fresh && mine->protocol == entry->protocol && mine->carrier == entry->carrier) {
		if (entry->until_ns > mine->until_ns)
			mine->until_ns = entry->until_ns;
		if (entry->by_serial < mine->by_serial)
			mine->by_serial = entry->by_serial;
		return;
	}
	if (!fresh && mine->until_ns >= entry->told_ns && mine->by_serial < entry->by_serial)
		return;
	*mine = *entry;
}

static bool
find(const struct learn_table *table, const struct learn_entry *wanted, uint64_t time_ns,
     struct learn_entry *found)
{
	struct known_end end = end_of(wanted);
	const struct learn_entry *entry = known_get(table->known, &end);

	if (!entry || time_ns > entry->until_ns)
		return false;
	*found = *entry;
	return true;
}

bool
learn_find(const struct learn_table *table, const struct learn_entry *wanted, uint64_t time_ns,
	   struct learn_entry *found)
{
	struct learn_entry any = *wanted;

	if (known_count(table->known) == 0)
		return false;
	if (find(table, wanted, time_ns, found))
		return true;
	any.port = 0;
	any.ip_proto = 0;
	return find(table, &any, time_ns, found);
}
