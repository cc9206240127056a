/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"
#include "conf/nbar.h"
#include "pdl/words.h"

/*
 * ip nbar attribute-map PROFILE, with lines `attribute KEY VALUE`, and
 * ip nbar attribute-set PROTOCOL PROFILE
 */

static struct nbar_attribute_map *
find_map(const struct conf *conf, const char *name)
{
	struct nbar_attribute_map *const *maps = conf->attribute_maps.items;

	for (unsigned i = 0; i < conf->attribute_maps.count; i++)
		if (strcmp(maps[i]->name, name) == 0)
			return maps[i];
	return NULL;
}

const struct nbar_attribute_map *
nbar_attribute_find(const struct conf *conf, const char *name)
{
	return find_map(conf, name);
}

static void
remove_map(struct line *line, struct conf_place place, const char *name)
{
	struct list *list = &line->conf->attribute_maps;
	struct nbar_attribute_map **maps = list->items;

	for (unsigned i = 0; i < list->count; i++)
		if (strcmp(maps[i]->name, name) == 0) {
			memmove(&maps[i], &maps[i + 1],
				(list->count - i - 1) * sizeof(struct nbar_attribute_map *));
			list->count--;
			return;
		}
	line_fault(line, place, "'%.64s': there is no such attribute map", name);
}

static void
read_map(struct line *line)
{
	struct conf_place place = line_place(line);
	struct nbar_attribute_map *map, **added;
	const char *name;

	if (!line->no) {
		line->context = CONF_ATTRIBUTE_MAP;
		line->object = NULL;
	}
	if (!line_name(line, "a name", &name) || !line_end(line))
		return;
	if (line->no) {
		remove_map(line, place, name);
		return;
	}
	map = find_map(line->conf, name);
	if (!map) {
		map = arena_alloc(line->conf->arena, sizeof(*map));
		added = map ? line_add(line, &line->conf->attribute_maps, sizeof(*added))
			    : NULL;
		if (!added) {
			line->no_memory = line->lost = true;
			return;
		}
		*map = (struct nbar_attribute_map){ .name = name, .place = place };
		*added = map;
	}
	line->object = map;
}

/* A key or a value of a closed list, or an abbreviation. */
static const char *
closed_word(struct line *line, const char *const *words, size_t count)
{
	enum { MOST = 512 };
	struct line_word table[MOST];
	unsigned value;

	count = count < MOST ? count : MOST;
	for (size_t i = 0; i < count; i++)
		table[i] = (struct line_word){ words[i], (unsigned)i };
	return line_keyword(line, table, count, &value) ? words[value] : NULL;
}

static const struct words_attribute *
read_key(struct line *line)
{
	enum { MOST = 32 };
	const char *keys[MOST], *key;
	size_t count = words_attribute_count < MOST ? words_attribute_count : MOST;

	for (size_t i = 0; i < count; i++)
		keys[i] = words_attributes[i].key;
	key = closed_word(line, keys, count);
	return key ? words_attribute(key) : NULL;
}

static void
remove_key(struct nbar_attribute_map *map, const char *key)
{
	struct pdl_attribute *attributes = map->attributes.items;

	for (unsigned i = 0; i < map->attributes.count; i++)
		if (strcmp(attributes[i].key, key) == 0) {
			attributes[i] = attributes[--map->attributes.count];
			return;
		}
}

static void
read_attribute(struct line *line)
{
	struct nbar_attribute_map none = { 0 };
	struct nbar_attribute_map *map = line->object ? line->object : &none;
	const struct words_attribute *attribute = read_key(line);
	struct pdl_attribute *added;
	const char *value = NULL;

	if (!attribute)
		return;
	if (!line->no || line_more(line))
		value = closed_word(line, attribute->values, attribute->count);
	if (!line_end(line))
		return;
	remove_key(map, attribute->key);
	if (line->no)
		return;
	added = line_add(line, &map->attributes, sizeof(*added));
	if (added)
		*added = (struct pdl_attribute){ .key = attribute->key, .value = value };
}

static void
remove_set(struct line *line, struct conf_place place, const char *protocol)
{
	struct list *list = &line->conf->attribute_sets;
	struct nbar_attribute_set *sets = list->items;

	for (unsigned i = 0; i < list->count; i++)
		if (strcasecmp(sets[i].protocol, protocol) == 0) {
			memmove(&sets[i], &sets[i + 1], (list->count - i - 1) * sizeof(*sets));
			list->count--;
			return;
		}
	line_fault(line, place, "'%.64s' has no attribute map", protocol);
}

static void
read_set(struct line *line)
{
	struct nbar_attribute_set set = { .place = line_place(line) }, *sets, *added;

	if (!line_name(line, "the name of a protocol", &set.protocol))
		return;
	set.profile_at = line_place(line);
	if ((!line->no || line_more(line)) &&
	    !line_name(line, "the name of an attribute map", &set.profile))
		return;
	if (!line_end(line))
		return;
	if (line->no) {
		remove_set(line, set.place, set.protocol);
		return;
	}
	sets = line->conf->attribute_sets.items;
	for (unsigned i = 0; i < line->conf->attribute_sets.count; i++)
		if (strcasecmp(sets[i].protocol, set.protocol) == 0) {
			sets[i] = set;
			return;
		}
	added = line_add(line, &line->conf->attribute_sets, sizeof(*added));
	if (added)
		*added = set;
}

static void
check(struct conf *conf, const struct pdl_set *modules, struct barn_faults *faults)
{
	const struct nbar_attribute_set *sets = conf->attribute_sets.items;

	for (unsigned i = 0; i < conf->attribute_sets.count; i++) {
		const struct nbar_attribute_set *s = &sets[i];

		if (modules && !nbar_module(modules, s->protocol) &&
		    !nbar_custom_find(conf, s->protocol))
			nbar_no_protocol(conf, modules, s->place, s->protocol, faults);
		if (!find_map(conf, s->profile))
			diag_add(faults, s->profile_at.file, s->profile_at.pos,
				 "'%.64s': there is no such attribute map", s->profile);
	}
}

static void
print(const struct conf *conf, struct text *text)
{
	struct nbar_attribute_map *const *maps = conf->attribute_maps.items;
	const struct nbar_attribute_set *sets = conf->attribute_sets.items;

	for (unsigned i = 0; i < conf->attribute_maps.count; i++) {
		const struct pdl_attribute *attributes = maps[i]->attributes.items;

		text_add(text, "ip nbar attribute-map ");
		nbar_word_print(text, maps[i]->name);
		text_char(text, '\n');
		for (unsigned n = 0; n < maps[i]->attributes.count; n++)
			text_printf(text, " attribute %s %s\n", attributes[n].key,
				    attributes[n].value);
	}
	for (unsigned i = 0; i < conf->attribute_sets.count; i++) {
		text_printf(text, "ip nbar attribute-set %s ", sets[i].protocol);
		nbar_word_print(text, sets[i].profile);
		text_char(text, '\n');
	}
}

static const struct conf_directive directives[] = {
	{ .words = "ip nbar attribute-map",
	  .arguments = "PROFILE",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_map },
	{ .words = "ip nbar attribute-set",
	  .arguments = "PROTOCOL PROFILE",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_set },
	{ .words = "attribute",
	  .arguments = "KEY VALUE",
	  .context = CONF_ATTRIBUTE_MAP,
	  .no = true,
	  .read = read_attribute },
};

const struct conf_family nbar_attribute = {
	.directives = directives,
	.count = sizeof(directives) / sizeof(directives[0]),
	.check = check,
	.print = print,
};
