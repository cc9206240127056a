/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/expect.h"

#include "base/hash.h"
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

/*
 * An entry's ends: by the path alone, beside another customer's in the second place, and by the
 * tunnel of packets to it, and from it.
 */
enum { PLAIN, SECOND, TOWARDS, FROM, ENDS };

/* False: it has no such end. */
static bool
end_of(const struct expect_entry *entry, unsigned which, struct known_end *end)
{
	uint64_t way = which >= TOWARDS ? entry->way[which - TOWARDS] : which == SECOND;

	*end = (struct known_end){
		.addr = entry->to,
		.path = way ? hash_mix(entry->path ^ (way << 2 | which)) : entry->path,
		.port = entry->port,
		.ip_version = entry->ip_version,
		.ip_proto = entry->ip_proto,
	};
	return which == PLAIN || way;
}

/* Whether the entry is new, and not the renewal of what is there. */
static bool
put(struct expect_table *table, const struct known_end *end, const struct expect_entry *entry)
{
	bool fresh, evicted;
	struct expect_entry *mine = known_put(table->known, end, &fresh, &evicted);

	table->stats.evicted += evicted;
	if (!fresh && mine->protocol == entry->protocol && mine->by_flow == entry->by_flow &&
	    mine->until_ns >= entry->told_ns) {
		if (entry->until_ns > mine->until_ns)
			mine->until_ns = entry->until_ns;
		mine->many |= entry->many;
		return false;
	}
	*mine = *entry;
	mine->used = false;
	return true;
}

/* Another customer's holds the place still; both can be told apart by their tunnels. */
static bool
is_taken(const struct expect_table *table, const struct known_end *end,
	 const struct expect_entry *entry)
{
	const struct expect_entry *mine = known_get(table->known, end);

	return mine && mine->by_flow != entry->by_flow && mine->until_ns >= entry->told_ns &&
	       (mine->way[0] != entry->way[0] || mine->way[1] != entry->way[1]);
}

void
expect_add(struct expect_table *table, const struct expect_entry *entry)
{
	struct known_end end;

	end_of(entry, PLAIN, &end);
	if (is_taken(table, &end, entry))
		end_of(entry, SECOND, &end);
	if (put(table, &end, entry))
		table->stats.announced += !entry->alias;
	for (unsigned which = TOWARDS; which < ENDS; which++)
		if (end_of(entry, which, &end))
			put(table, &end, entry);
}

/* Another flow's announcement may have taken its place. */
static void
drop(struct expect_table *table, const struct expect_entry *entry)
{
	struct known_end end;

	for (unsigned which = PLAIN; which < ENDS; which++) {
		const struct expect_entry *mine;

		if (!end_of(entry, which, &end))
			continue;
		mine = known_get(table->known, &end);
		if (mine && mine->by_flow == entry->by_flow &&
		    mine->protocol == entry->protocol)
			known_drop(table->known, &end);
	}
}

/* Both ends may have told of the same flow, as those of a call do. */
static void
use_other(struct expect_table *table, const struct packet *packet,
	  const struct expect_entry *met)
{
	bool to = met->port == packet->dst_port && met->to.q[0] == packet->dst.q[0] &&
		  met->to.q[1] == packet->dst.q[1];
	const struct known_end other = {
		.addr = to ? packet->src : packet->dst,
		.path = packet->path_key,
		.port = to ? packet->src_port : packet->dst_port,
		.ip_version = packet->ip_version,
		.ip_proto = packet->ip_proto,
	};
	struct expect_entry *found = known_get(table->known, &other);

	if (!found || found->protocol != met->protocol)
		return;
	table->stats.met += !found->used;
	found->used = true;
	if (!found->many) {
		struct expect_entry gone = *found;

		drop(table, &gone);
	}
}

static bool
meet(struct expect_table *table, const struct packet *packet, const struct known_end *end,
     struct expect_entry *entry)
{
	struct expect_entry *found = known_get(table->known, end);

	if (!found || found->by_serial >= packet->serial)
		return false;
	if (packet->time_ns > found->until_ns) {
		known_drop(table->known, end);
		return false;
	}
	table->stats.flows++;
	table->stats.met += !found->used;
	found->used = true;
	*entry = *found;
	if (!entry->many)
		drop(table, entry);
	use_other(table, packet, entry);
	return true;
}

bool
expect_meet(struct expect_table *table, const struct packet *packet, struct expect_entry *entry)
{
	const struct expect_entry to = { .to = packet->dst,
					 .path = packet->path_key,
					 .way = { packet->path_way, 0 },
					 .port = packet->dst_port,
					 .ip_version = packet->ip_version,
					 .ip_proto = packet->ip_proto };
	struct expect_entry from = to;
	struct known_end end;

	if (known_count(table->known) == 0)
		return false;
	from.to = packet->src;
	from.port = packet->src_port;
	from.way[0] = 0;
	from.way[1] = packet->path_way;
	for (unsigned i = 0; i < ENDS; i++) {
		static const uint8_t order[ENDS] = { TOWARDS, FROM, PLAIN, SECOND };

		if (order[i] != FROM && end_of(&to, order[i], &end) &&
		    meet(table, packet, &end, entry))
			return true;
		if (order[i] != TOWARDS && end_of(&from, order[i], &end) &&
		    meet(table, packet, &end, entry))
			return true;
	}
	return false;
}

const struct expect_stats *
expect_stats(const struct expect_table *table)
{
	return &table->stats;
}
