/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/discovery.h"

#include <stdlib.h>

struct discovery_total_cell {
	uint64_t packets, bytes;
};

/* Cells stand by interface, direction, protocol: what one interface counts lies together. */
struct grid {
	struct grid *older; /* that a reader may still look at */
	uint16_t protocols;
	struct discovery_cell cells[];
};

struct discovery {
	uint16_t interfaces;
	struct grid *grid;                   /* atomic */
	uint64_t *changes;                   /* [interface]: other than its packets */
	struct discovery_total_cell *totals; /* [interface][direction] */
};

/*
 * One thread writes and others read: atomic, so that no value is seen in parts, and in no
 * order, since each counter is true by itself. They cost what plain ones cost.
 */
static uint64_t
get(const uint64_t *counter)
{
	return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

static void
add(uint64_t *counter, uint64_t more)
{
	__atomic_store_n(counter, get(counter) + more, __ATOMIC_RELAXED);
}

/* Behind what it tells of: who sees the new number sees the counters, too. */
static void
note_change(struct discovery *d, uint16_t iface)
{
	__atomic_store_n(&d->changes[iface], get(&d->changes[iface]) + 1, __ATOMIC_RELEASE);
}

static struct grid *
grid_of(const struct discovery *d)
{
	return __atomic_load_n(&d->grid, __ATOMIC_ACQUIRE);
}

static struct discovery_cell *
row_of(struct grid *g, uint16_t iface, uint8_t dir)
{
	return &g->cells[((size_t)iface * 2 + dir) * g->protocols];
}

static struct grid *
grid_new(uint16_t interfaces, uint16_t protocols)
{
	size_t cells = (size_t)interfaces * 2 * protocols;
	struct grid *g = calloc(1, sizeof(*g) + cells * sizeof(g->cells[0]));

	if (g)
		g->protocols = protocols;
	return g;
}

enum barn_err
discovery_new(uint16_t interfaces, uint16_t protocols, struct discovery **discovery)
{
	struct discovery *d = calloc(1, sizeof(*d));

	if (!d)
		return BARN_ERR_MEMORY;
	d->interfaces = interfaces;
	d->grid = grid_new(interfaces, protocols);
	d->totals = calloc((size_t)interfaces * 2, sizeof(*d->totals));
	d->changes = calloc(interfaces, sizeof(*d->changes));
	if (!d->grid || !d->totals || !d->changes) {
		discovery_free(d);
		return BARN_ERR_MEMORY;
	}
	*discovery = d;
	return BARN_OK;
}

void
discovery_free(struct discovery *discovery)
{
	struct grid *grid;

	if (!discovery)
		return;
	while ((grid = discovery->grid)) {
		discovery->grid = grid->older;
		free(grid);
	}
	free(discovery->totals);
	free(discovery->changes);
	free(discovery);
}

uint16_t
discovery_protocols(const struct discovery *discovery)
{
	return grid_of(discovery)->protocols;
}

uint16_t
discovery_interfaces(const struct discovery *discovery)
{
	return discovery->interfaces;
}

enum barn_err
discovery_grow(struct discovery *discovery, uint16_t protocols)
{
	struct grid *old = discovery->grid, *grid;
	uint32_t room = old->protocols + old->protocols / 4u;

	if (protocols <= old->protocols)
		return BARN_OK;
	if (room < protocols)
		room = protocols;
	grid = grid_new(discovery->interfaces, room < UINT16_MAX ? (uint16_t)room : UINT16_MAX);
	if (!grid)
		return BARN_ERR_MEMORY;
	for (uint16_t i = 0; i < discovery->interfaces; i++)
		for (uint8_t dir = 0; dir < 2; dir++)
			memcpy(row_of(grid, i, dir), row_of(old, i, dir),
			       old->protocols * sizeof(grid->cells[0]));
	grid->older = old;
	__atomic_store_n(&discovery->grid, grid, __ATOMIC_RELEASE);
	return BARN_OK;
}

void
discovery_interface(struct discovery *discovery, uint16_t iface, uint8_t dir, uint32_t bytes)
{
	struct discovery_total_cell *t = &discovery->totals[iface * 2u + dir];

	add(&t->bytes, bytes);
	__atomic_store_n(&t->packets, get(&t->packets) + 1, __ATOMIC_RELEASE);
}

void
discovery_credit(struct discovery *discovery, uint16_t iface, uint8_t dir, uint16_t protocol,
		 struct discovery_kind kind, uint64_t packets, uint64_t bytes)
{
	struct discovery_cell *c = &row_of(discovery->grid, iface, dir)[protocol];

	add(&c->packets, packets);
	add(&c->bytes, bytes);
	if (kind.ip_version == 4) {
		add(&c->ip4_packets, packets);
		add(&c->ip4_bytes, bytes);
	} else if (kind.ip_version == 6) {
		add(&c->ip6_packets, packets);
		add(&c->ip6_bytes, bytes);
	}
	if (kind.flows)
		add(&c->flows, kind.flows);
	if (kind.guessed) {
		add(&c->guessed_packets, packets);
		add(&c->guessed_bytes, bytes);
	}
	note_change(discovery, iface);
}

/* Each packet of the interface is a change, too. */
uint64_t
discovery_changes(const struct discovery *discovery, uint16_t iface)
{
	const struct discovery_total_cell *t = &discovery->totals[iface * 2u];

	return __atomic_load_n(&discovery->changes[iface], __ATOMIC_ACQUIRE) +
	       __atomic_load_n(&t[0].packets, __ATOMIC_ACQUIRE) +
	       __atomic_load_n(&t[1].packets, __ATOMIC_ACQUIRE);
}

static void
add_cell(struct discovery_cell *to, const struct discovery_cell *from)
{
	to->packets += get(&from->packets);
	to->bytes += get(&from->bytes);
	to->guessed_packets += get(&from->guessed_packets);
	to->guessed_bytes += get(&from->guessed_bytes);
	to->ip4_packets += get(&from->ip4_packets);
	to->ip4_bytes += get(&from->ip4_bytes);
	to->ip6_packets += get(&from->ip6_packets);
	to->ip6_bytes += get(&from->ip6_bytes);
	to->flows += get(&from->flows);
}

static void
add_interface(struct discovery *sum, const struct discovery *from, uint16_t iface)
{
	struct grid *grid = grid_of(from);
	uint16_t protocols =
		grid->protocols < sum->grid->protocols ? grid->protocols : sum->grid->protocols;

	for (uint8_t dir = 0; dir < 2; dir++) {
		struct discovery_cell *to = row_of(sum->grid, iface, dir);
		const struct discovery_cell *c = row_of(grid, iface, dir);
		const struct discovery_total_cell *total = &from->totals[iface * 2u + dir];

		for (uint16_t i = 0; i < protocols; i++)
			add_cell(&to[i], &c[i]);
		sum->totals[iface * 2u + dir].packets += get(&total->packets);
		sum->totals[iface * 2u + dir].bytes += get(&total->bytes);
	}
}

enum barn_err
discovery_sum(struct discovery *sum, const struct discovery *const *workers, unsigned n)
{
	enum barn_err err = BARN_OK;

	for (unsigned w = 0; w < n && !err; w++)
		err = discovery_grow(sum, discovery_protocols(workers[w]));
	for (uint16_t i = 0; i < sum->interfaces; i++) {
		uint64_t changes = 0;

		for (unsigned w = 0; w < n; w++)
			changes += discovery_changes(workers[w], i);
		if (changes == sum->changes[i])
			continue;
		sum->changes[i] = changes;
		memset(row_of(sum->grid, i, 0), 0,
		       sum->grid->protocols * 2u * sizeof(sum->grid->cells[0]));
		memset(&sum->totals[i * 2u], 0, 2 * sizeof(sum->totals[0]));
		for (unsigned w = 0; w < n; w++)
			add_interface(sum, workers[w], i);
	}
	return err;
}

void
discovery_restore(struct discovery *discovery, uint16_t iface, uint8_t dir, uint16_t protocol,
		  const struct discovery_cell *cell)
{
	struct discovery_total_cell *t = &discovery->totals[iface * 2u + dir];

	if (protocol != UINT16_MAX) {
		add_cell(&row_of(discovery->grid, iface, dir)[protocol], cell);
	} else {
		t->packets += cell->packets;
		t->bytes += cell->bytes;
	}
	note_change(discovery, iface);
}

void
discovery_copy(struct discovery *discovery, const struct discovery *from, uint16_t iface)
{
	memcpy(&discovery->totals[iface * 2u], &from->totals[iface * 2u],
	       2 * sizeof(from->totals[0]));
	for (uint8_t dir = 0; dir < 2; dir++)
		memcpy(row_of(discovery->grid, iface, dir), row_of(from->grid, iface, dir),
		       from->grid->protocols * sizeof(from->grid->cells[0]));
	note_change(discovery, iface);
}

const struct discovery_cell *
discovery_cell(const struct discovery *discovery, uint16_t iface, uint8_t dir,
	       uint16_t protocol)
{
	static const struct discovery_cell none;
	struct grid *grid = grid_of(discovery);

	return protocol < grid->protocols ? &row_of(grid, iface, dir)[protocol] : &none;
}

struct discovery_cell
discovery_total(const struct discovery *discovery, uint16_t iface, uint8_t dir)
{
	const struct discovery_total_cell *t = &discovery->totals[iface * 2u + dir];
	struct discovery_cell total = { 0 };

	for (uint16_t p = 0; p < discovery_protocols(discovery); p++)
		add_cell(&total, discovery_cell(discovery, iface, dir, p));
	total.packets = get(&t->packets);
	total.bytes = get(&t->bytes);
	return total;
}
