/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"
#include "conf/policy.h"

#include <limits.h>
#include <strings.h>

/* policy-map NAME, its classes, and what stands in them. */

enum { HOLD_MAX = 1024 };

static const char last_class[] = "class-default";

static struct policy_map *
find_map(const struct conf *conf, const char *name)
{
	struct policy_map *const *maps = conf->model.maps.items;

	for (unsigned i = 0; i < conf->model.maps.count; i++)
		if (strcmp(maps[i]->name, name) == 0)
			return maps[i];
	return NULL;
}

static void
remove_map(struct line *line, struct conf_place place, const char *name)
{
	struct list *list = &line->conf->model.maps;
	struct policy_map *const *maps = list->items;

	for (unsigned i = 0; i < list->count; i++)
		if (strcmp(maps[i]->name, name) == 0) {
			policy_remove(list, i, sizeof(struct policy_map *));
			return;
		}
	line_fault(line, place, "'%.64s': there is no such policy map", name);
}

static struct policy_map *
add_map(struct line *line, const char *name, struct policy_place place)
{
	struct policy_map *map = policy_alloc(line, sizeof(*map)), **added;

	added = map ? line_add(line, &line->conf->model.maps, sizeof(*added)) : NULL;
	if (!added)
		return NULL;
	*map = (struct policy_map){ .name = name, .place = place };
	*added = map;
	return map;
}

static void
read_map(struct line *line)
{
	struct conf_place place = line_place(line);
	struct policy_place here = policy_here(line);
	struct policy_map *map;
	const char *name;

	if (!line->no) {
		line->context = CONF_POLICY_MAP;
		line->object = NULL;
		line->entry = UINT_MAX;
	}
	if (!line_name(line, "the name of a policy map", &name) || !line_end(line))
		return;
	if (line->no) {
		remove_map(line, place, name);
		return;
	}
	map = find_map(line->conf, name);
	line->object = map ? map : add_map(line, name, here);
}

static struct policy_map *
map_of(struct line *line, struct policy_map *none)
{
	*none = (struct policy_map){ 0 };
	return line->object ? line->object : none;
}

static void
read_description(struct line *line)
{
	struct policy_map none;

	policy_description(line, &map_of(line, &none)->description);
}

static void
read_first_packet(struct line *line)
{
	static const struct line_word words[] = { { "pass", POLICY_FIRST_PASS },
						  { "hold", POLICY_FIRST_HOLD },
						  { last_class, POLICY_FIRST_DEFAULT } };
	struct policy_map none, *map = map_of(line, &none);
	unsigned first = POLICY_FIRST_PASS;
	uint32_t hold = 0;

	if (line->no) {
		line->at = line->words.count;
	} else if (!line_keyword(line, words, 3, &first) ||
		   (first == POLICY_FIRST_HOLD &&
		    !line_number(line, "packets to hold", 1, HOLD_MAX, &hold))) {
		return;
	}
	map->first = (uint8_t)first;
	map->first_hold = hold;
}

static unsigned
find_entry(const struct policy_map *map, const char *name)
{
	const struct policy_entry *entries = map->entries.items;

	for (unsigned i = 0; i < map->entries.count; i++)
		if (strcmp(entries[i].class_name, name) == 0)
			return i;
	return UINT_MAX;
}

/* At the end, but before class-default. */
static unsigned
add_entry(struct line *line, struct policy_map *map, const char *name,
	  struct policy_place place)
{
	unsigned last = find_entry(map, last_class), at = map->entries.count;
	struct policy_entry *added = line_add(line, &map->entries, sizeof(*added)), *entries;

	if (!added)
		return UINT_MAX;
	entries = map->entries.items;
	if (last != UINT_MAX) {
		entries[at] = entries[last];
		at = last;
	}
	entries[at] = (struct policy_entry){ .class_name = name, .place = place };
	return at;
}

static void
read_class(struct line *line)
{
	struct conf_place place = line_place(line);
	struct policy_place here = policy_here(line);
	struct policy_map none, *map = map_of(line, &none);
	const char *name;
	unsigned at;

	if (!line->no) {
		line->context = CONF_POLICY_CLASS;
		line->entry = UINT_MAX;
	}
	if (!line_name(line, "the name of a class map", &name) || !line_end(line))
		return;
	at = find_entry(map, strcasecmp(name, last_class) == 0 ? last_class : name);
	if (line->no) {
		if (at == UINT_MAX)
			line_fault(line, place, "'%.64s': the policy map has no such class",
				   name);
		else
			policy_remove(&map->entries, at, sizeof(struct policy_entry));
		return;
	}
	if (at == UINT_MAX && map != &none)
		at = add_entry(line, map, strcasecmp(name, last_class) == 0 ? last_class : name,
			       here);
	line->entry = at;
}

struct policy_entry *
policy_map_entry(struct line *line, struct policy_entry *none)
{
	struct policy_map *map = line->object;
	struct policy_entry *entries;

	*none = (struct policy_entry){ 0 };
	if (!map || line->entry >= map->entries.count)
		return none;
	entries = map->entries.items;
	return &entries[line->entry];
}

static void
read_child(struct line *line)
{
	struct policy_entry none, *entry = policy_map_entry(line, &none);
	struct policy_place place = policy_here(line);
	const char *name = NULL;

	if ((!line->no || line_more(line)) &&
	    !line_name(line, "the name of a policy map", &name))
		return;
	entry->child = line->no ? NULL : name;
	entry->child_at = place;
}

static void
print(const struct conf *conf, struct text *text)
{
	struct policy_map *const *maps = conf->model.maps.items;

	for (unsigned i = 0; i < conf->model.maps.count; i++)
		policy_print_map(text, maps[i]);
}

static void
check(struct conf *conf, const struct pdl_set *modules, struct barn_faults *faults)
{
	struct policy_map *const *maps = conf->model.maps.items;

	for (unsigned i = 0; i < conf->model.maps.count; i++) {
		struct policy_entry *entries = maps[i]->entries.items;

		for (unsigned n = 0; n < maps[i]->entries.count; n++)
			if (entries[n].police)
				police_defaults(conf->arena, entries[n].police);
	}
	policy_check_maps(conf, modules, faults);
}

#define IN_CLASS(WORDS, ARGUMENTS, READ)                                                  \
	{                                                                                 \
		.words = (WORDS), .arguments = (ARGUMENTS), .context = CONF_POLICY_CLASS, \
		.no = true, .read = (READ)                                                \
	}

static const struct conf_directive directives[] = {
	{ .words = "policy-map",
	  .arguments = "NAME",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_map },
	{ .words = "description",
	  .arguments = "TEXT",
	  .context = CONF_POLICY_MAP,
	  .no = true,
	  .read = read_description },
	{ .words = "first-packet",
	  .arguments = "{pass|hold N|class-default}",
	  .context = CONF_POLICY_MAP,
	  .no = true,
	  .read = read_first_packet },
	{ .words = "class",
	  .arguments = "NAME|class-default",
	  .context = CONF_POLICY_MAP,
	  .no = true,
	  .read = read_class },
	IN_CLASS("drop", NULL, policy_action_drop),
	IN_CLASS("reject", NULL, policy_action_reject),
	IN_CLASS("set", "{dscp|precedence|cos|qos-group|mark} V", policy_action_set),
	IN_CLASS("log", "[rate N]", policy_action_log),
	IN_CLASS("mirror", "FILE", policy_action_mirror),
	IN_CLASS("police", "RATE [BC [BE]] ...", police_read),
	IN_CLASS("bandwidth", "KBPS|percent P|remaining percent P", policy_queue_bandwidth),
	IN_CLASS("priority", "[level N] [KBPS|percent P]", policy_queue_priority),
	IN_CLASS("shape", "[average] RATE [BC]", policy_queue_shape),
	IN_CLASS("service-policy", "NAME", read_child),
	{ .words = "conform-action",
	  .arguments = "ACTION...",
	  .context = CONF_POLICE,
	  .no = true,
	  .read = police_conform },
	{ .words = "exceed-action",
	  .arguments = "ACTION...",
	  .context = CONF_POLICE,
	  .no = true,
	  .read = police_exceed },
	{ .words = "violate-action",
	  .arguments = "ACTION...",
	  .context = CONF_POLICE,
	  .no = true,
	  .read = police_violate },
};

const struct conf_family policy_map_family = {
	.directives = directives,
	.count = sizeof(directives) / sizeof(directives[0]),
	.check = check,
	.print = print,
};
