/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "discovery/discovery.h"

#include <stdlib.h>

struct discovery_total_cell {
	uint64_t packets, bytes;
};

/* Cells stand by interface, direction, protocol: what one interface counts lies together. */
struct discovery {
	uint16_t interfaces, protocols;
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
	if (!d->totals) {
		free(d);
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
	free(discovery);
}

void
discovery_interface(struct discovery *discovery, uint16_t iface, uint8_t dir, uint32_t bytes)
{
	struct discovery_total_cell *t = &discovery->totals[iface * 2u + dir];

	t->packets++;
	t->bytes += bytes;
}

void
discovery_credit(struct discovery *discovery, uint16_t iface, uint8_t dir, uint16_t protocol,
		 bool guessed, uint64_t packets, uint64_t bytes)
{
	struct discovery_cell *c = &discovery->cells[index_of(discovery, iface, dir, protocol)];

	c->packets += packets;
	c->bytes += bytes;
	if (guessed) {
		c->guessed_packets += packets;
		c->guessed_bytes += bytes;
	}
}

void
discovery_merge(struct discovery *into, const struct discovery *from)
{
	size_t cells = (size_t)into->interfaces * 2 * into->protocols;

	for (size_t i = 0; i < cells; i++) {
		into->cells[i].packets += from->cells[i].packets;
		into->cells[i].bytes += from->cells[i].bytes;
		into->cells[i].guessed_packets += from->cells[i].guessed_packets;
		into->cells[i].guessed_bytes += from->cells[i].guessed_bytes;
	}
	for (size_t i = 0; i < (size_t)into->interfaces * 2; i++) {
		into->totals[i].packets += from->totals[i].packets;
		into->totals[i].bytes += from->totals[i].bytes;
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
