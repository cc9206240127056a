/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/discovery.h"

#include <stdlib.h>

struct discovery_total_cell {
	uint64_t packets, bytes;
};

/* Cells stand by interface, direction, protocol: what one interface counts lies together. */
struct discovery {
	uint16_t interfaces, protocols;
	uint64_t *changes;                   /* [interface] */
	struct discovery_total_cell *totals; /* [interface][direction] */
	struct discovery_cell cells[];
};

static size_t
index_of(const struct discovery *d, uint16_t iface, uint8_t dir, uint16_t protocol)
{
	return ((size_t)iface * 2 + dir) * d->protocols + protocol;
}

enum barn_err
discovery_new(uint16_t interfaces, uint16_t protocols, struct discovery **discovery)
{
	size_t cells = (size_t)interfaces * 2 * protocols;
	struct discovery *d = calloc(1, sizeof(*d) + cells * sizeof(d->cells[0]));

	if (!d)
		return BARN_ERR_MEMORY;
	d->interfaces = interfaces;
	d->protocols = protocols;
	d->totals = calloc((size_t)interfaces * 2, sizeof(*d->totals));
	d->changes = calloc(interfaces, sizeof(*d->changes));
	if (!d->totals || !d->changes) {
		discovery_free(d);
		return BARN_ERR_MEMORY;
	}
	*discovery = d;
	return BARN_OK;
}

void
discovery_free(struct discovery *discovery)
{
	if (!discovery)
		return;
	free(discovery->totals);
	free(discovery->changes);
	free(discovery);
}

uint16_t
discovery_protocols(const struct discovery *discovery)
{
	return discovery->protocols;
}

enum barn_err
discovery_grow(struct discovery **discovery, uint16_t protocols)
{
	struct discovery *old = *discovery, *d;
	enum barn_err err;

	if (protocols <= old->protocols)
		return BARN_OK;
	err = discovery_new(old->interfaces, protocols, &d);
	if (err)
		return err;
	for (uint16_t i = 0; i < old->interfaces; i++)
		for (uint8_t dir = 0; dir < 2; dir++)
			memcpy(&d->cells[index_of(d, i, dir, 0)],
			       &old->cells[index_of(old, i, dir, 0)],
			       old->protocols * sizeof(d->cells[0]));
	memcpy(d->totals, old->totals, old->interfaces * 2u * sizeof(*d->totals));
	memcpy(d->changes, old->changes, old->interfaces * sizeof(*d->changes));
	discovery_free(old);
	*discovery = d;
	return BARN_OK;
}

void
discovery_interface(struct discovery *discovery, uint16_t iface, uint8_t dir, uint32_t bytes)
{
	struct discovery_total_cell *t = &discovery->totals[iface * 2u + dir];

	t->packets++;
	t->bytes += bytes;
	discovery->changes[iface]++;
}

void
discovery_credit(struct discovery *discovery, uint16_t iface, uint8_t dir, uint16_t protocol,
		 bool guessed, uint64_t packets, uint64_t bytes)
{
	struct discovery_cell *c = &discovery->cells[index_of(discovery, iface, dir, protocol)];

	c->packets += packets;
	c->bytes += bytes;
	discovery->changes[iface]++;
	if (guessed) {
		c->guessed_packets += packets;
		c->guessed_bytes += bytes;
	}
}

uint64_t
discovery_changes(const struct discovery *discovery, uint16_t iface)
{
	return discovery->changes[iface];
}

static void
add_interface(struct discovery *sum, const struct discovery *from, uint16_t iface)
{
	for (uint8_t dir = 0; dir < 2; dir++) {
		struct discovery_cell *to = &sum->cells[index_of(sum, iface, dir, 0)];
		const struct discovery_cell *c = &from->cells[index_of(from, iface, dir, 0)];

		for (uint16_t i = 0; i < from->protocols; i++) {
			to[i].packets += c[i].packets;
			to[i].bytes += c[i].bytes;
			to[i].guessed_packets += c[i].guessed_packets;
			to[i].guessed_bytes += c[i].guessed_bytes;
		}
		sum->totals[iface * 2u + dir].packets += from->totals[iface * 2u + dir].packets;
		sum->totals[iface * 2u + dir].bytes += from->totals[iface * 2u + dir].bytes;
	}
}

void
discovery_sum(struct discovery *sum, const struct discovery *const *workers, unsigned n)
{
	for (uint16_t i = 0; i < sum->interfaces; i++) {
		uint64_t changes = 0;

		for (unsigned w = 0; w < n; w++)
			changes += workers[w]->changes[i];
		if (changes == sum->changes[i])
			continue;
		sum->changes[i] = changes;
		memset(&sum->cells[index_of(sum, i, 0, 0)], 0,
		       sum->protocols * 2u * sizeof(sum->cells[0]));
		memset(&sum->totals[i * 2u], 0, 2 * sizeof(sum->totals[0]));
		for (unsigned w = 0; w < n; w++)
			add_interface(sum, workers[w], i);
	}
}

const struct discovery_cell *
discovery_cell(const struct discovery *discovery, uint16_t iface, uint8_t dir,
	       uint16_t protocol)
{
	return &discovery->cells[index_of(discovery, iface, dir, protocol)];
}

struct discovery_cell
discovery_total(const struct discovery *discovery, uint16_t iface, uint8_t dir)
{
	const struct discovery_total_cell *t = &discovery->totals[iface * 2u + dir];
	struct discovery_cell total = { .packets = t->packets, .bytes = t->bytes };

	for (uint16_t p = 0; p < discovery->protocols; p++) {
		const struct discovery_cell *c = discovery_cell(discovery, iface, dir, p);

		total.guessed_packets += c->guessed_packets;
		total.guessed_bytes += c->guessed_bytes;
	}
	return total;
}
