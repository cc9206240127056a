/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/check.h"
#include "pdl/doubt.h"
#include "pdl/parse.h"

#include <stdlib.h>

enum { UNIT_MEMORY = 64 * 1024 * 1024 };

struct pdl_set {
	struct pdl_options options;
	struct pdl_unit *units;
	struct pdl_tree **trees;
	size_t count, room;
	struct barn_faults warnings;
	bool finished;
};

enum barn_err
pdl_set_new(const struct pdl_options *options, struct pdl_set **set)
{
	struct pdl_set *s = calloc(1, sizeof(*s));

	if (!s)
		return BARN_ERR_MEMORY;
	if (options)
		s->options = *options;
	*set = s;
	return BARN_OK;
}

static void
free_unit(struct pdl_unit *unit)
{
	struct regex **regexes = unit->regexes.items;

	for (unsigned i = 0; i < unit->regexes.count; i++)
		regex_free(regexes[i]);
	arena_free(unit->arena);
	free(unit);
}

void
pdl_set_free(struct pdl_set *set)
{
	struct pdl_unit *next;

	if (!set)
		return;
	for (struct pdl_unit *unit = set->units; unit; unit = next) {
		next = unit->next;
		free_unit(unit);
	}
	free(set->trees);
	free(set);
}

static enum barn_err
reserve(struct pdl_set *set, size_t more)
{
	size_t room = (set->count + more) * 2;
	struct pdl_tree **trees;

	if (set->room - set->count >= more)
		return BARN_OK;
	trees = realloc(set->trees, room * sizeof(struct pdl_tree *));
	if (!trees)
		return BARN_ERR_MEMORY;
	set->trees = trees;
	set->room = room;
	return BARN_OK;
}

static void
place(struct pdl_set *set, struct pdl_tree *tree)
{
	for (size_t i = 0; i < set->count; i++) {
		if (strcmp(set->trees[i]->protocol.name, tree->protocol.name) == 0) {
			tree->protocol.replaces = &set->trees[i]->protocol;
			set->trees[i] = tree;
			return;
		}
	}
	set->trees[set->count++] = tree;
}

enum barn_err
pdl_set_add(struct pdl_set *set, const char *file, const char *text, size_t len,
	    struct barn_faults *faults)
{
	struct pdl_unit *unit;
	enum barn_err err;

	if (set->finished)
		return BARN_ERR_ARGUMENT;
	unit = calloc(1, sizeof(*unit));
	if (!unit)
		return BARN_ERR_MEMORY;
	err = arena_new(UNIT_MEMORY, &unit->arena);
	if (!err)
		err = parse_file(unit, &set->options, file, text, len, faults, &set->warnings);
	if (!err)
		err = reserve(set, unit->trees.count);
	if (err) {
		free_unit(unit);
		return err;
	}
	for (unsigned i = 0; i < unit->trees.count; i++)
		place(set, ((struct pdl_tree **)unit->trees.items)[i]);
	unit->next = set->units;
	set->units = unit;
	return BARN_OK;
}

enum barn_err
pdl_set_finish(struct pdl_set *set, struct barn_faults *faults)
{
	enum barn_err err = check_set(set->trees, set->count, faults);

	if (!err)
		err = doubt_set(set->trees, set->count, &set->warnings);
	if (!err)
		set->finished = true;
	return err;
}

size_t
pdl_set_count(const struct pdl_set *set)
{
	return set->count;
}

const struct pdl_protocol *
pdl_set_at(const struct pdl_set *set, size_t i)
{
	return &set->trees[i]->protocol;
}

const struct barn_faults *
pdl_set_warnings(const struct pdl_set *set)
{
	return &set->warnings;
}

void
pdl_set_check_ndpi(struct pdl_set *set, bool (*knows)(void *self, const char *name), void *self)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct pdl_protocol *p = &set->trees[i]->protocol;

		bool known = p->ndpi_count == 0;

		for (unsigned j = 0; j < p->ndpi_count; j++)
			known |= knows(self, p->ndpi[j]);
		if (!known)
			diag_add(&set->warnings, p->file, set->trees[i]->name_at,
				 "this nDPI has no protocol \"%s\"", p->ndpi[0]);
	}
}
