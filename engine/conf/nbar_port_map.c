/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"
#include "conf/nbar.h"
#include "pdl/words.h"

#include <stdlib.h>

/* ip nbar port-map NAME {tcp|udp} PORT... */

const struct pdl_protocol *
nbar_module(const struct pdl_set *modules, const char *name)
{
	for (size_t i = 0; modules && i < pdl_set_count(modules); i++) {
		const struct pdl_protocol *m = pdl_set_at(modules, i);

		if (strcasecmp(m->name, name) == 0)
			return m;
		for (unsigned n = 0; n < m->alias_count; n++)
			if (strcasecmp(m->aliases[n], name) == 0)
				return m;
	}
	return NULL;
}

void
nbar_no_protocol(const struct conf *conf, const struct pdl_set *modules,
		 struct conf_place place, const char *name, struct barn_faults *faults)
{
	size_t count = pdl_set_count(modules) + conf->customs.count, n = 0;
	struct nbar_custom *const *customs = conf->customs.items;
	const char **names = calloc(count + 1, sizeof(*names)), *nearest = NULL;

	for (size_t i = 0; names && i < pdl_set_count(modules); i++)
		names[n++] = pdl_set_at(modules, i)->name;
	for (unsigned i = 0; names && i < conf->customs.count; i++)
		names[n++] = customs[i]->name;
	if (names)
		nearest = words_nearest(names, n, name);
	free(names);
	if (nearest)
		diag_add(faults, place.file, place.pos,
			 "'%.64s': there is no such protocol, expected '%s'?", name, nearest);
	else
		diag_add(faults, place.file, place.pos, "'%.64s': there is no such protocol",
			 name);
}

static void
remove_map(struct list *list, unsigned at)
{
	struct nbar_port_map *maps = list->items;

	memmove(&maps[at], &maps[at + 1], (list->count - at - 1) * sizeof(*maps));
	list->count--;
}

/* `no ip nbar port-map NAME [tcp|udp [PORT...]]`: the module's ports again. */
static void
restore(struct line *line, struct conf_place place, const char *name, unsigned transports)
{
	struct list *list = &line->conf->port_maps;
	struct nbar_port_map *maps = list->items;
	struct list unused = { 0 };
	bool found = false;

	if (line_more(line) && !line_ports(line, &unused))
		return;
	for (unsigned i = list->count; i-- > 0;)
		if (strcasecmp(maps[i].name, name) == 0 && maps[i].transport & transports) {
			remove_map(list, i);
			found = true;
		}
	if (!found)
		line_fault(line, place, "'%.64s' has its own ports", name);
}

static void
read_port_map(struct line *line)
{
	static const struct line_word transports[] = { { "tcp", PDL_TCP }, { "udp", PDL_UDP } };
	struct nbar_port_map map = { .place = line_place(line) }, *maps, *added;
	unsigned transport = PDL_TCP | PDL_UDP;

	if (!line_name(line, "the name of a protocol", &map.name))
		return;
	if ((!line->no || line_more(line)) && !line_keyword(line, transports, 2, &transport))
		return;
	if (line->no) {
		restore(line, map.place, map.name, transport);
		return;
	}
	map.transport = (uint8_t)transport;
	if (!line_ports(line, &map.ports) || !line_end(line))
		return;
	maps = line->conf->port_maps.items;
	for (unsigned i = 0; i < line->conf->port_maps.count; i++)
		if (strcasecmp(maps[i].name, map.name) == 0 && maps[i].transport == transport) {
			maps[i] = map; /* a later line replaces an earlier one */
			return;
		}
	added = line_add(line, &line->conf->port_maps, sizeof(*added));
	if (added)
		*added = map;
}

static void
check_port_maps(struct conf *conf, const struct pdl_set *modules, struct barn_faults *faults)
{
	const struct nbar_port_map *maps = conf->port_maps.items;

	for (unsigned i = 0; modules && i < conf->port_maps.count; i++)
		if (!nbar_module(modules, maps[i].name) &&
		    !nbar_custom_find(conf, maps[i].name))
			nbar_no_protocol(conf, modules, maps[i].place, maps[i].name, faults);
}

static void
print_port_maps(const struct conf *conf, struct text *text)
{
	const struct nbar_port_map *maps = conf->port_maps.items;

	for (unsigned i = 0; i < conf->port_maps.count; i++) {
		text_printf(text, "ip nbar port-map %s %s", maps[i].name,
			    maps[i].transport == PDL_TCP ? "tcp" : "udp");
		nbar_ports_print(text, &maps[i].ports);
		text_char(text, '\n');
	}
}

static const struct conf_directive port_map_directives[] = {
	{ .words = "ip nbar port-map",
	  .arguments = "NAME {tcp|udp} PORT...",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_port_map },
};

const struct conf_family nbar_port_map = {
	.directives = port_map_directives,
	.count = sizeof(port_map_directives) / sizeof(port_map_directives[0]),
	.check = check_port_maps,
	.print = print_port_maps,
};
