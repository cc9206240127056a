/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/expect.h"

#include "flow/known.h"

#include <stdlib.h>

struct expect_table {
	struct known *known; /* of struct expect_entry */
	struct expect_stats stats;
};

enum barn_err
expect_new(uint32_t bound, const uint64_t seed[2], struct expect_table **table)
{
	struct expect_table *t = calloc(1, sizeof(*t));
	enum barn_err err;

	if (!t)
		return BARN_ERR_MEMORY;
	err = known_new(bound, sizeof(struct expect_entry), seed, &t->known);
	if (err) {
		free(t);
		return err;
	}
	*table = t;
	return BARN_OK;
}

void
expect_free(struct expect_table *table)
{
	if (!table)
		return;
	known_free(table->known);
	free(table);
}

void
expect_add(struct expect_table *table, const struct expect_entry *entry)
{
	struct known_end end = {
		.addr = entry->to,
		.path = entry->path,
		.port = entry->port,
		.ip_version = entry->ip_version,
		.ip_proto = entry->ip_proto,
	};
	bool fresh, evicted;
	struct expect_entry *mine = known_put(table->known, &end, &fresh, &evicted);

	table->stats.announced++;
	table->stats.evicted += evicted;
	if (!fresh && mine->protocol == entry->protocol && mine->by_flow == entry->by_flow) {
		if (entry->until_ns > mine->until_ns)
			mine->until_ns = entry->until_ns;
		mine->many |= entry->many;
		return;
	}
	*mine = *entry;
}

static bool
meet(struct expect_table *table, const struct packet *packet, const struct known_end *end,
     struct expect_entry *entry)
{
	const struct expect_entry *found = known_get(table->known, end);

	if (!found || found->by_serial >= packet->serial)
		return false;
	if (packet->time_ns > found->until_ns) {
		table->stats.expired++;
		known_drop(table->known, end);
		return false;
	}
	*entry = *found;
	table->stats.met++;
	if (!entry->many)
		known_drop(table->known, end);
	return true;
}

bool
expect_meet(struct expect_table *table, const struct packet *packet, struct expect_entry *entry)
{
	struct known_end end = {
		.addr = packet->dst,
		.path = packet->path_key,
		.port = packet->dst_port,
		.ip_version = packet->ip_version,
		.ip_proto = packet->ip_proto,
	};

	if (known_count(table->known) == 0)
		return false;
	if (meet(table, packet, &end, entry))
		return true;
	end.addr = packet->src;
	end.port = packet->src_port;
	return meet(table, packet, &end, entry);
}

const struct expect_stats *
expect_stats(const struct expect_table *table)
{
	return &table->stats;
}
