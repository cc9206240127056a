/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/learn.h"

#include "base/hash.h"
#include "flow/known.h"

#include <stdlib.h>

struct learn_table {
	struct known *known; /* of struct learn_end */
	uint64_t evicted;
};

enum barn_err
learn_new(uint32_t bound, const uint64_t seed[2], struct learn_table **table)
{
	struct learn_table *t = calloc(1, sizeof(*t));
	enum barn_err err;

	if (!t)
		return BARN_ERR_MEMORY;
	err = known_new(bound, sizeof(struct learn_end), seed, &t->known);
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

/* A client's view of an address stands beside everybody's, under a path of its own. */
static struct known_end
end_of(const struct learn_entry *entry)
{
	struct known_end end = {
		.addr = entry->addr,
		.path = entry->path,
		.port = entry->port,
		.ip_version = entry->ip_version,
		.ip_proto = entry->ip_proto,
	};

	if (entry->has_client) {
		end.path = hash_mix(end.path ^ entry->client.q[0]);
		end.path = hash_mix(end.path ^ entry->client.q[1]);
		end.zero = 1;
	}
	return end;
}

static bool
is_same(const struct learn_entry *a, const struct learn_entry *b)
{
	return a->protocol == b->protocol && a->carrier == b->carrier && a->strong == b->strong;
}

/* Whether one slot goes before another to make room: the expired, then the last told. */
static bool
goes_before(const struct learn_entry *a, const struct learn_entry *b, uint64_t now_ns)
{
	bool a_over = a->until_ns < now_ns, b_over = b->until_ns < now_ns;

	if (a_over || b_over)
		return a_over && (!b_over || a->until_ns < b->until_ns);
	return a->by_serial > b->by_serial;
}

/* The entry's own slot, a free one, or the one that goes; NULL: all of them stay. */
static struct learn_entry *
slot_for(struct learn_end *end, const struct learn_entry *entry)
{
	struct learn_entry *out = &end->entries[0];

	for (unsigned i = 0; i < end->count; i++) {
		struct learn_entry *mine = &end->entries[i];

		if (is_same(mine, entry) && mine->until_ns >= entry->told_ns &&
		    entry->until_ns >= mine->told_ns)
			return mine;
		if (goes_before(mine, out, entry->told_ns))
			out = mine;
	}
	if (end->count < LEARN_SLOTS)
		return &end->entries[end->count++];
	return goes_before(out, entry, entry->told_ns) ? out : NULL;
}

void
learn_add(struct learn_table *table, const struct learn_entry *entry)
{
	struct known_end key = end_of(entry);
	bool fresh, evicted;
	struct learn_end *end = known_put(table->known, &key, &fresh, &evicted);
	unsigned before = end->count;
	struct learn_entry *mine = slot_for(end, entry), was;

	table->evicted += evicted;
	if (!mine)
		return;
	was = *mine;
	*mine = *entry;
	if (end->count != before || !is_same(&was, entry) || was.until_ns < entry->told_ns ||
	    entry->until_ns < was.told_ns)
		return;
	if (was.until_ns > mine->until_ns)
		mine->until_ns = was.until_ns;
	if (was.told_ns < mine->told_ns)
		mine->told_ns = was.told_ns;
	if (was.by_serial < mine->by_serial)
		mine->by_serial = was.by_serial;
}

/* What several tellings come to. */
struct sum {
	unsigned count; /* that hold */
	bool agreed;
	bool strong;
	uint16_t protocol, carrier; /* of all, where agreed */
	uint16_t base;              /* what all run over, or are; 0: they differ */
	uint64_t by_serial;         /* the first of those that say so */
};

static void
sum_add(struct sum *sum, const struct learn_entry *e)
{
	uint16_t base = e->carrier ? e->carrier : e->protocol;

	if (sum->count && sum->strong != e->strong) {
		if (sum->strong)
			return;
		sum->count = 0;
	}
	if (!sum->count++) {
		*sum = (struct sum){ 1,          true, e->strong,   e->protocol,
				     e->carrier, base, e->by_serial };
		return;
	}
	/* What the site says of two names: the first stands. */
	if (sum->strong && e->by_serial < sum->by_serial) {
		sum->protocol = e->protocol;
		sum->carrier = e->carrier;
		sum->base = base;
	} else if (!sum->strong) {
		sum->agreed = sum->agreed && e->protocol == sum->protocol &&
			      e->carrier == sum->carrier;
		sum->base = sum->base == base ? base : 0;
	}
	if (e->by_serial < sum->by_serial)
		sum->by_serial = e->by_serial;
}

static struct sum
sum_of(const struct learn_end *end, uint64_t serial, uint64_t time_ns)
{
	struct sum sum = { .count = 0 };

	for (unsigned i = 0; end && i < end->count; i++)
		if (end->entries[i].by_serial < serial && end->entries[i].until_ns >= time_ns)
			sum_add(&sum, &end->entries[i]);
	return sum;
}

/* The end of one kind that holds something for `wanted`; its sum in *sum. */
static struct learn_end *
look(const struct learn_table *table, const struct learn_entry *wanted, uint64_t time_ns,
     struct sum *sum)
{
	struct known_end key = end_of(wanted);
	struct learn_end *end = known_get(table->known, &key);

	*sum = sum_of(end, wanted->by_serial, time_ns);
	return sum->count ? end : NULL;
}

/* The names of an address, as this client was told them, or else as others were. */
static struct learn_end *
look_names(const struct learn_table *table, const struct learn_entry *wanted, uint64_t time_ns,
	   struct sum *sum)
{
	struct learn_entry any = *wanted;
	struct learn_end *end = NULL;

	any.port = 0;
	any.ip_proto = 0;
	if (any.has_client)
		end = look(table, &any, time_ns, sum);
	any.has_client = false;
	return end ? end : look(table, &any, time_ns, sum);
}

bool
learn_find(struct learn_table *table, const struct learn_entry *wanted, uint64_t time_ns,
	   struct learn_entry *found)
{
	struct learn_entry exact = *wanted;
	struct sum server, names;
	struct learn_end *by_server, *by_names, *by;

	if (known_count(table->known) == 0)
		return false;
	exact.has_client = false;
	by_server = look(table, &exact, time_ns, &server);
	by_names = look_names(table, wanted, time_ns, &names);
	*found = *wanted;
	/* Names tell the application, flows what it runs over. */
	if (by_names && names.agreed && names.protocol) {
		found->protocol = names.protocol;
		found->carrier = names.carrier ? names.carrier : server.base;
		if (found->carrier == found->protocol)
			found->carrier = 0;
		found->by_serial = names.by_serial;
		found->strong = names.strong;
		by = by_names;
	} else if (by_server && (server.agreed || server.base)) {
		found->protocol = server.agreed ? server.protocol : server.base;
		found->carrier = server.agreed ? server.carrier : 0;
		found->by_serial = server.by_serial;
		found->strong = server.strong;
		by = by_server;
	} else {
		return false;
	}
	by->hits += found->protocol != 0;
	return found->protocol != 0;
}

bool
learn_walk(const struct learn_table *table, uint32_t *at, struct learn_end *end)
{
	const struct learn_end *next = known_walk(table->known, at);

	if (next)
		*end = *next;
	return next != NULL;
}

bool
learn_agree(const struct learn_end *end, uint64_t time_ns, struct learn_entry *agreed)
{
	struct sum sum = sum_of(end, UINT64_MAX, time_ns);

	*agreed = end->entries[0];
	agreed->protocol = sum.agreed ? sum.protocol : sum.base;
	agreed->carrier = sum.agreed ? sum.carrier : 0;
	agreed->strong = sum.strong;
	return sum.count && sum.agreed && sum.protocol;
}

uint64_t
learn_evicted(const struct learn_table *table)
{
	return table->evicted;
}
