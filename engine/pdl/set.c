/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/check.h"
#include "pdl/doubt.h"
#include "pdl/parse.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { UNIT_MEMORY = 64 * 1024 * 1024 };

/* A place holds a reference to its tree's unit. */
struct pdl_set {
	struct pdl_options options;
	struct pdl_tree **trees;
	size_t count, room;
	struct pdl_tree **removed; /* places too, kept until the set is finished */
	size_t removed_count;
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

static void
hold(struct pdl_unit *unit)
{
	atomic_fetch_add_explicit(&unit->refs, 1, memory_order_relaxed);
}

/* What others have done with the unit comes before it is freed. */
static void
drop(struct pdl_unit *unit)
{
	if (atomic_fetch_sub_explicit(&unit->refs, 1, memory_order_acq_rel) == 1)
		free_unit(unit);
}

static void
forget_removed(struct pdl_set *set)
{
	for (size_t i = 0; i < set->removed_count; i++)
		drop(set->removed[i]->unit);
	free(set->removed);
	set->removed = NULL;
	set->removed_count = 0;
}

void
pdl_set_free(struct pdl_set *set)
{
	if (!set)
		return;
	for (size_t i = 0; i < set->count; i++)
		drop(set->trees[i]->unit);
	forget_removed(set);
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

enum barn_err
pdl_set_copy(const struct pdl_set *set, struct pdl_set **copy)
{
	struct pdl_set *s;
	enum barn_err err = pdl_set_new(&set->options, &s);

	if (err)
		return err;
	err = reserve(s, set->count + 1);
	if (err) {
		pdl_set_free(s);
		return err;
	}
	for (; s->trees && s->count < set->count; s->count++) {
		s->trees[s->count] = set->trees[s->count];
		hold(s->trees[s->count]->unit);
	}
	*copy = s;
	return BARN_OK;
}

/* SIZE_MAX: there is none. */
static size_t
find(const struct pdl_set *set, const char *name)
{
	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->trees[i]->protocol.name, name) == 0)
			return i;
	return SIZE_MAX;
}

/* What a new tree takes the place of; all that can fail before anything is placed. */
static enum barn_err
prepare(const struct pdl_set *set, struct pdl_unit *unit, struct pdl_tree *tree)
{
	size_t at = find(set, tree->protocol.name);

	tree->unit = unit;
	if (at == SIZE_MAX)
		return BARN_OK;
	tree->protocol.replaces = arena_strdup(unit->arena, set->trees[at]->protocol.file);
	return tree->protocol.replaces ? BARN_OK : BARN_ERR_MEMORY;
}

static void
place(struct pdl_set *set, struct pdl_tree *tree)
{
	size_t at = find(set, tree->protocol.name);

	hold(tree->unit);
	if (at == SIZE_MAX) {
		set->trees[set->count++] = tree;
		return;
	}
	drop(set->trees[at]->unit);
	set->trees[at] = tree;
}

enum barn_err
pdl_set_add(struct pdl_set *set, const char *file, const char *text, size_t len,
	    struct barn_faults *faults)
{
	struct pdl_tree **trees;
	struct pdl_unit *unit;
	enum barn_err err;

	if (set->finished)
		return BARN_ERR_ARGUMENT;
	unit = calloc(1, sizeof(*unit));
	if (!unit)
		return BARN_ERR_MEMORY;
	hold(unit);
	err = arena_new(UNIT_MEMORY, &unit->arena);
	if (!err)
		err = parse_file(unit, &set->options, file, text, len, faults, &set->warnings);
	if (!err)
		err = reserve(set, unit->trees.count);
	trees = unit->trees.items;
	for (unsigned i = 0; i < unit->trees.count && !err; i++)
		err = prepare(set, unit, trees[i]);
	for (unsigned i = 0; i < unit->trees.count && !err; i++)
		place(set, trees[i]);
	drop(unit);
	return err;
}

enum barn_err
pdl_set_like(const struct pdl_set *set, struct pdl_set **empty)
{
	return pdl_set_new(&set->options, empty);
}

/* Room for n more places of modules that were taken out. */
static enum barn_err
reserve_removed(struct pdl_set *set, size_t n)
{
	struct pdl_tree **removed =
		realloc(set->removed, (set->removed_count + n) * sizeof(struct pdl_tree *));

	if (!removed)
		return BARN_ERR_MEMORY;
	set->removed = removed;
	return BARN_OK;
}

/* Into the places reserved. */
static void
take_out(struct pdl_set *set, size_t at)
{
	set->removed[set->removed_count++] = set->trees[at];
	set->count--;
	memmove(&set->trees[at], &set->trees[at + 1],
		(set->count - at) * sizeof(struct pdl_tree *));
}

enum barn_err
pdl_set_remove(struct pdl_set *set, const char *name)
{
	size_t at = find(set, name);

	if (set->finished)
		return BARN_ERR_ARGUMENT;
	if (at == SIZE_MAX)
		return BARN_ERR_MISSING;
	if (reserve_removed(set, 1))
		return BARN_ERR_MEMORY;
	take_out(set, at);
	return BARN_OK;
}

/* Whether another module than `out`'s own stands where `out` has one of this name. */
static bool
is_taken(const struct pdl_set *set, const struct pdl_set *out, const char *name)
{
	size_t at = find(set, name), was = out ? find(out, name) : SIZE_MAX;

	return at != SIZE_MAX && was != SIZE_MAX && set->trees[at] != out->trees[was];
}

enum barn_err
pdl_set_exchange(struct pdl_set *set, const struct pdl_set *out, const struct pdl_set *in)
{
	size_t gone = out ? out->count : 0, come = in ? in->count : 0;
	enum barn_err err = BARN_OK;

	if (set->finished)
		return BARN_ERR_ARGUMENT;
	if (reserve(set, come + 1) || reserve_removed(set, gone + 1))
		return BARN_ERR_MEMORY;
	for (size_t i = 0; i < come && !err; i++)
		err = prepare(set, in->trees[i]->unit, in->trees[i]);
	if (err)
		return err;
	for (size_t i = 0; i < come; i++)
		if (!is_taken(set, out, in->trees[i]->protocol.name))
			place(set, in->trees[i]);
	for (size_t i = 0; i < gone; i++) {
		size_t at = find(set, out->trees[i]->protocol.name);

		if (at != SIZE_MAX && set->trees[at] == out->trees[i])
			take_out(set, at);
	}
	return BARN_OK;
}

bool
pdl_set_has(const struct pdl_set *set, const struct pdl_protocol *protocol)
{
	for (size_t i = 0; i < set->count; i++)
		if (&set->trees[i]->protocol == protocol)
			return true;
	return false;
}

static bool
goes_by(const struct pdl_protocol *protocol, const char *name)
{
	bool found = strcmp(protocol->name, name) == 0;

	for (unsigned i = 0; i < protocol->alias_count; i++)
		found |= strcmp(protocol->aliases[i], name) == 0;
	return found;
}

/* Who still refers to a module that was taken out, and that nothing has come in place of. */
static void
tell_referrers(const struct pdl_set *set, const struct pdl_protocol *gone,
	       struct barn_faults *faults)
{
	if (find(set, gone->name) != SIZE_MAX)
		return;
	for (size_t i = 0; i < set->count; i++) {
		const struct pdl_tree *tree = set->trees[i];
		const struct pdl_reference *references = tree->references.items;

		for (unsigned n = 0; n < tree->references.count; n++)
			if (goes_by(gone, references[n].name))
				diag_add(faults, tree->protocol.file, references[n].pos,
					 "'%s' cannot be unloaded: protocol '%s' refers to it",
					 references[n].name, tree->protocol.name);
	}
}

enum barn_err
pdl_set_finish(struct pdl_set *set, struct barn_faults *faults)
{
	uint32_t before = faults->count;
	enum barn_err err = BARN_OK;

	for (size_t i = 0; i < set->removed_count; i++)
		tell_referrers(set, &set->removed[i]->protocol, faults);
	if (faults->count > before)
		err = BARN_ERR_TEXT;
	if (!err)
		err = check_set(set->trees, set->count, faults);
	if (!err)
		err = doubt_set(set->trees, set->count, &set->warnings);
	if (!err) {
		forget_removed(set);
		set->finished = true;
	}
	return err;
}

bool
pdl_set_knows(const struct pdl_set *set, const char *inspector, const char *field)
{
	const struct pdl_options *o = &set->options;

	return o->inspector && o->inspector(o->self, inspector, field);
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
