/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/translate.h"

#include <stdlib.h>

/* Modules with other ports and other attributes; they replace those of their names. */

static const struct nbar_attribute_map *
map_of(const struct conf *conf, const struct pdl_set *modules, const char *name)
{
	const struct nbar_attribute_set *sets = conf->attribute_sets.items;

	for (unsigned i = 0; i < conf->attribute_sets.count; i++) {
		const struct pdl_protocol *m = nbar_module(modules, sets[i].protocol);

		if (strcasecmp(m ? m->name : sets[i].protocol, name) == 0)
			return nbar_attribute_find(conf, sets[i].profile);
	}
	return NULL;
}

static bool
has_key(const struct pdl_attribute *attributes, unsigned count, const char *key)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(attributes[i].key, key) == 0)
			return true;
	return false;
}

/* Those of the map, and those before that it does not name. */
static unsigned
merge(const struct nbar_attribute_map *map, const struct pdl_attribute *before, unsigned count,
      struct pdl_attribute *merged)
{
	const struct pdl_attribute *added = map ? map->attributes.items : NULL;
	unsigned add = map ? map->attributes.count : 0, n = 0;

	for (unsigned i = 0; i < count; i++)
		if (!has_key(added, add, before[i].key))
			merged[n++] = before[i];
	for (unsigned i = 0; i < add; i++)
		merged[n++] = added[i];
	return n;
}

void
translate_attributes(const struct conf *conf, const struct pdl_set *modules,
		     const struct nbar_custom *custom, struct text *text)
{
	static const struct pdl_attribute own[] = {
		{ "category", "other" },
		{ "sub-category", "other" },
		{ "application-group", "other" },
		{ "business-relevance", "default" },
	};
	const struct nbar_attribute_map *map = map_of(conf, modules, custom->name);
	const struct pdl_protocol *kind =
		custom->extends ? nbar_module(modules, custom->extends) : NULL;
	const struct pdl_attribute *before = kind ? kind->attributes : own;
	unsigned count = kind ? kind->attribute_count : 4, n;
	struct pdl_attribute *merged =
		calloc(count + (map ? map->attributes.count : 0) + 1, sizeof(*merged));

	if (!merged) {
		text->failed = true;
		return;
	}
	n = merge(map, before, count, merged);
	for (unsigned i = 0; i < n; i++)
		text_printf(text, "\tattribute %s %s\n", merged[i].key, merged[i].value);
	free(merged);
}

static bool
maps_to(const struct pdl_set *modules, const struct nbar_port_map *map, const char *name)
{
	const struct pdl_protocol *m = nbar_module(modules, map->name);

	return strcasecmp(m ? m->name : map->name, name) == 0;
}

void
translate_custom_ports(const struct conf *conf, const struct nbar_custom *custom,
		       struct text *text)
{
	const struct nbar_port_map *maps = conf->port_maps.items;

	for (unsigned i = 0; i < conf->port_maps.count; i++) {
		const struct pdl_ports *ports = maps[i].ports.items;

		if (strcasecmp(maps[i].name, custom->name) != 0)
			continue;
		for (unsigned n = 0; n < maps[i].ports.count; n++)
			text_printf(text, "\tport %s %u-%u\n",
				    maps[i].transport == PDL_TCP ? "tcp" : "udp", ports[n].low,
				    ports[n].high);
	}
}

/* A bit a port: what a module has over one transport. */
struct port_set {
	uint64_t bits[1024];
};

static void
mark(struct port_set *set, unsigned low, unsigned high, bool on)
{
	for (unsigned port = low; port <= high; port++) {
		uint64_t bit = UINT64_C(1) << port % 64;

		if (on)
			set->bits[port / 64] |= bit;
		else
			set->bits[port / 64] &= ~bit;
	}
}

static bool
marked(const struct port_set *set, unsigned port)
{
	return set->bits[port / 64] >> port % 64 & 1;
}

/* The module's ports over a transport, as the port maps leave them; whether they change them.
 */
static bool
ports_of(const struct conf *conf, const struct pdl_set *modules, const struct pdl_protocol *m,
	 uint8_t transport, struct port_set *set)
{
	const struct nbar_port_map *maps = conf->port_maps.items, *own = NULL;
	struct port_set before = { { 0 } };

	for (unsigned i = 0; i < m->port_count; i++)
		if (m->ports[i].transport == transport)
			mark(&before, m->ports[i].low, m->ports[i].high, true);
	*set = before;
	for (unsigned i = 0; i < conf->port_maps.count; i++) {
		const struct pdl_ports *ports = maps[i].ports.items;

		if (maps[i].transport != transport)
			continue;
		if (maps_to(modules, &maps[i], m->name)) {
			own = &maps[i];
			continue;
		}
		/* What is given to another is its own no more. */
		for (unsigned n = 0; n < maps[i].ports.count; n++)
			mark(set, ports[n].low, ports[n].high, false);
	}
	if (own) {
		const struct pdl_ports *ports = own->ports.items;

		*set = (struct port_set){ { 0 } };
		for (unsigned n = 0; n < own->ports.count; n++)
			mark(set, ports[n].low, ports[n].high, true);
	}
	return memcmp(set, &before, sizeof(before)) != 0;
}

static bool
add_ports(struct arena *arena, struct list *list, const struct port_set *set, uint8_t transport)
{
	/* Port 0 is nobody's. */
	for (unsigned port = 1; port < 65536; port++) {
		struct pdl_port *added;
		unsigned low = port;

		if (!marked(set, port))
			continue;
		while (port < 65535 && marked(set, port + 1))
			port++;
		added = list_add(list, arena, sizeof(*added));
		if (!added)
			return false;
		*added = (struct pdl_port){ transport, (uint16_t)low, (uint16_t)port };
	}
	return true;
}

/* Whether the port maps change the copy, which then has ports of the arena's. */
static bool
change_ports(const struct conf *conf, const struct pdl_set *modules, struct arena *arena,
	     struct pdl_protocol *copy)
{
	static const uint8_t transports[] = { PDL_TCP, PDL_UDP };
	struct list ports = { 0 };
	bool changed = false;

	for (unsigned t = 0; t < 2; t++) {
		struct port_set set;

		changed |= ports_of(conf, modules, copy, transports[t], &set);
		if (!add_ports(arena, &ports, &set, transports[t]))
			return false;
	}
	if (!changed)
		return false;
	for (unsigned i = 0; i < copy->port_count; i++)
		if (copy->ports[i].transport == PDL_SCTP) {
			struct pdl_port *added = list_add(&ports, arena, sizeof(*added));

			if (added)
				*added = copy->ports[i];
		}
	copy->ports = ports.items;
	copy->port_count = ports.count;
	return true;
}

static bool
change_attributes(const struct conf *conf, const struct pdl_set *modules, struct arena *arena,
		  struct pdl_protocol *copy)
{
	const struct nbar_attribute_map *map = map_of(conf, modules, copy->name);
	struct pdl_attribute *merged;

	if (!map)
		return false;
	merged = arena_array(arena, copy->attribute_count + map->attributes.count + 1,
			     sizeof(*merged));
	if (!merged)
		return false;
	copy->attribute_count = merge(map, copy->attributes, copy->attribute_count, merged);
	copy->attributes = merged;
	return true;
}

void
translate_modules(const struct conf *conf, const struct pdl_set *modules, struct text *text)
{
	struct arena *arena = NULL;

	if (!modules || (!conf->port_maps.count && !conf->attribute_sets.count))
		return;
	if (arena_new(0, &arena)) {
		text->failed = true;
		return;
	}
	for (size_t i = 0; i < pdl_set_count(modules); i++) {
		struct pdl_protocol copy = *pdl_set_at(modules, i);
		bool changed =
			conf->port_maps.count && change_ports(conf, modules, arena, &copy);

		changed |= change_attributes(conf, modules, arena, &copy);
		if (changed)
			pdl_print(&copy, text);
	}
	arena_free(arena);
}
