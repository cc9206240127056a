/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/policy.h"
#include "pdl/words.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * What refers to others: names, and what contains itself. Names of protocols are not looked at
 * here: those that only nDPI has are in no module.
 */

enum { DEEPEST = 16 };

/* Each of the lists has its name first, behind a pointer. */
typedef const char *name_at(const struct policy_model *model, unsigned i);

static const char *
class_at(const struct policy_model *model, unsigned i)
{
	struct policy_class *const *all = model->classes.items;

	return i < model->classes.count ? all[i]->name : NULL;
}

static const char *
map_at(const struct policy_model *model, unsigned i)
{
	struct policy_map *const *all = model->maps.items;

	return i < model->maps.count ? all[i]->name : NULL;
}

static const char *
access_at(const struct policy_model *model, unsigned i)
{
	struct policy_access *const *all = model->accesses.items;

	return i < model->accesses.count ? all[i]->name : NULL;
}

static void
tell(struct barn_faults *faults, const struct policy_place *place, const char *text,
     const char *name)
{
	diag_add(faults, place->file, (struct pdl_pos){ place->line, place->column },
		 "'%.64s': %s", name, text);
}

/* Tells that there is no such thing, and which was meant. */
static void
missing(const struct conf *conf, struct barn_faults *faults, const struct policy_place *place,
	const char *what, const char *name, name_at *at)
{
	enum { MOST = 512 };
	const char *names[MOST], *meant, *one;
	char text[160];
	unsigned count = 0;

	while (count < MOST && (one = at(&conf->model, count)))
		names[count++] = one;
	meant = words_nearest(names, count, name);
	snprintf(text, sizeof(text),
		 meant ? "there is no such %s, expected '%.64s'?" : "there is no such %s", what,
		 meant);
	tell(faults, place, text, name);
}

/* A walk through what contains what: each is entered once. */
enum visit { NEW, OPEN, DONE };

struct walk {
	const struct conf *conf;
	struct barn_faults *faults;
	uint8_t *visits; /* enum visit, by number */
	unsigned depth;
};

static unsigned
number_of(const struct policy_model *model, name_at *at, const char *name)
{
	const char *one;
	unsigned i = 0;

	while ((one = at(model, i)) && strcmp(one, name) != 0)
		i++;
	return i;
}

/* Whether to go on to the one of this number, which `place` refers to. */
static bool
enters(struct walk *walk, unsigned number, const struct policy_place *place, const char *name)
{
	if (walk->visits[number] == OPEN)
		tell(walk->faults, place, "this contains itself", name);
	else if (walk->visits[number] == NEW && walk->depth == DEEPEST)
		tell(walk->faults, place, "nested too deeply", name);
	return walk->visits[number] == NEW && walk->depth < DEEPEST;
}

static void
walk_class(struct walk *walk, unsigned number)
{
	struct policy_class *const *classes = walk->conf->model.classes.items;
	const struct policy_statement *s = classes[number]->statements.items;

	walk->visits[number] = OPEN;
	walk->depth++;
	for (unsigned i = 0; i < classes[number]->statements.count; i++) {
		unsigned next;

		if (s[i].test != POLICY_CLASS)
			continue;
		next = number_of(&walk->conf->model, class_at, s[i].name);
		if (next < walk->conf->model.classes.count &&
		    enters(walk, next, &s[i].place, s[i].name))
			walk_class(walk, next);
	}
	walk->depth--;
	walk->visits[number] = DONE;
}

static void
walk_map(struct walk *walk, unsigned number)
{
	struct policy_map *const *maps = walk->conf->model.maps.items;
	const struct policy_entry *entries = maps[number]->entries.items;

	walk->visits[number] = OPEN;
	walk->depth++;
	for (unsigned i = 0; i < maps[number]->entries.count; i++) {
		unsigned next;

		if (!entries[i].child)
			continue;
		next = number_of(&walk->conf->model, map_at, entries[i].child);
		if (next < walk->conf->model.maps.count &&
		    enters(walk, next, &entries[i].child_at, entries[i].child))
			walk_map(walk, next);
	}
	walk->depth--;
	walk->visits[number] = DONE;
}

static void
check_loops(const struct conf *conf, unsigned count, struct barn_faults *faults,
	    void (*enter)(struct walk *walk, unsigned number))
{
	struct walk walk = { .conf = conf, .faults = faults };

	walk.visits = calloc(count + 1, 1);
	for (unsigned i = 0; walk.visits && i < count; i++)
		if (walk.visits[i] == NEW)
			enter(&walk, i);
	free(walk.visits);
}

static void
check_statement(const struct conf *conf, const struct policy_statement *s,
		struct barn_faults *faults)
{
	if (s->test == POLICY_CLASS && !model_class(&conf->model, s->name))
		missing(conf, faults, &s->place, "class map", s->name, class_at);
	if (s->test == POLICY_ACCESS && !model_access(&conf->model, s->name))
		missing(conf, faults, &s->place, "access list", s->name, access_at);
}

void
policy_check_classes(struct conf *conf, const struct pdl_set *modules,
		     struct barn_faults *faults)
{
	struct policy_class *const *classes = conf->model.classes.items;

	(void)modules;
	for (unsigned i = 0; i < conf->model.classes.count; i++) {
		const struct policy_statement *s = classes[i]->statements.items;

		for (unsigned n = 0; n < classes[i]->statements.count; n++)
			check_statement(conf, &s[n], faults);
	}
	check_loops(conf, conf->model.classes.count, faults, walk_class);
}

static void
check_entry(const struct conf *conf, const struct policy_entry *entry,
	    struct barn_faults *faults)
{
	if (strcmp(entry->class_name, "class-default") != 0 &&
	    !model_class(&conf->model, entry->class_name))
		missing(conf, faults, &entry->place, "class map", entry->class_name, class_at);
	if (entry->child && !model_map(&conf->model, entry->child))
		missing(conf, faults, &entry->child_at, "policy map", entry->child, map_at);
}

void
policy_check_maps(struct conf *conf, const struct pdl_set *modules, struct barn_faults *faults)
{
	struct policy_map *const *maps = conf->model.maps.items;

	(void)modules;
	for (unsigned i = 0; i < conf->model.maps.count; i++) {
		const struct policy_entry *entries = maps[i]->entries.items;

		for (unsigned n = 0; n < maps[i]->entries.count; n++)
			check_entry(conf, &entries[n], faults);
	}
	check_loops(conf, conf->model.maps.count, faults, walk_map);
}

void
policy_check_attaches(struct conf *conf, const struct pdl_set *modules,
		      struct barn_faults *faults)
{
	const struct policy_attach *a = conf->model.attaches.items;

	(void)modules;
	for (unsigned i = 0; i < conf->model.attaches.count; i++)
		if (!model_map(&conf->model, a[i].map))
			missing(conf, faults, &a[i].place, "policy map", a[i].map, map_at);
}
