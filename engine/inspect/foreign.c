/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/foreign.h"
#include "inspect/foreign_check.h"

#include <stdio.h>
#include <stdlib.h>

struct member {
	_Atomic unsigned refs; /* sets that have it */
	struct foreign_owner owner;
	unsigned count;
	struct inspector inspectors[];
};

struct foreign {
	unsigned count;
	struct member **members; /* the one that was added last is asked first */
};

/* What others have done with the module comes before its owner is told. */
static void
drop(struct member *member)
{
	struct foreign_owner owner = member->owner;

	if (atomic_fetch_sub_explicit(&member->refs, 1, memory_order_acq_rel) != 1)
		return;
	free(member);
	if (owner.release)
		owner.release(owner.self);
}

enum barn_err
foreign_copy(const struct foreign *set, struct foreign **copy)
{
	struct foreign *s = calloc(1, sizeof(*s));

	if (s && set && set->count) {
		s->members = calloc(set->count, sizeof(struct member *));
		if (!s->members) {
			free(s);
			s = NULL;
		}
	}
	if (!s)
		return BARN_ERR_MEMORY;
	for (; set && s->count < set->count; s->count++) {
		s->members[s->count] = set->members[s->count];
		atomic_fetch_add_explicit(&s->members[s->count]->refs, 1, memory_order_relaxed);
	}
	*copy = s;
	return BARN_OK;
}

void
foreign_free(struct foreign *set)
{
	if (!set)
		return;
	for (unsigned i = 0; i < set->count; i++)
		drop(set->members[i]);
	free(set->members);
	free(set);
}

static const struct inspector *
find_in(const struct member *member, const char *name)
{
	for (unsigned i = 0; i < member->count; i++)
		if (strcmp(member->inspectors[i].name, name) == 0)
			return &member->inspectors[i];
	return NULL;
}

static enum barn_err
fill(struct member *member, const struct barn_inspector_module *module, struct foreign_why *why)
{
	for (uint32_t i = 0; i < module->inspector_count; i++) {
		struct inspector *it = &member->inspectors[i];

		if (!foreign_check_inspector(module->inspectors[i], it, why))
			return BARN_ERR_FORMAT;
		if (find_in(member, it->name)) {
			(void)snprintf(why->text, why->size, "inspector %s comes twice",
				       it->name);
			return BARN_ERR_FORMAT;
		}
		member->count++;
	}
	return BARN_OK;
}

static enum barn_err
append(struct foreign *set, struct member *member)
{
	struct member **members =
		realloc(set->members, (set->count + 1) * sizeof(struct member *));

	if (!members)
		return BARN_ERR_MEMORY;
	set->members = members;
	members[set->count++] = member;
	return BARN_OK;
}

enum barn_err
foreign_add(struct foreign *set, const struct barn_inspector_module *module, char *why,
	    size_t why_size)
{
	struct foreign_why reason = { why, why_size };
	struct barn_inspector_module checked;
	struct member *member;
	enum barn_err err;

	if (!foreign_check_module(module, &checked, &reason))
		return BARN_ERR_FORMAT;
	member =
		calloc(1, sizeof(*member) + checked.inspector_count * sizeof(struct inspector));
	if (!member)
		return BARN_ERR_MEMORY;
	member->refs = 1;
	err = fill(member, &checked, &reason);
	if (!err)
		err = append(set, member);
	if (err)
		free(member);
	return err;
}

void
foreign_own(struct foreign *set, struct foreign_owner owner)
{
	set->members[set->count - 1]->owner = owner;
}

void
foreign_undo(struct foreign *set)
{
	drop(set->members[--set->count]);
}

const struct inspector *
foreign_find(const struct foreign *set, const char *name)
{
	const struct inspector *found = inspector_find(name);

	for (unsigned i = set ? set->count : 0; !found && i-- > 0;)
		found = find_in(set->members[i], name);
	return found;
}

static bool
is_used(const struct foreign *set, const struct member *member,
	bool (*used)(void *self, const char *inspector), void *self)
{
	for (unsigned i = 0; i < member->count; i++) {
		const struct inspector *it = &member->inspectors[i];

		if (foreign_find(set, it->name) == it && used(self, it->name))
			return true;
	}
	return false;
}

void
foreign_keep(struct foreign *set, bool (*used)(void *self, const char *inspector), void *self)
{
	for (unsigned i = 0; i < set->count;) {
		struct member *member = set->members[i];

		if (is_used(set, member, used, self)) {
			i++;
			continue;
		}
		set->count--;
		memmove(&set->members[i], &set->members[i + 1],
			(set->count - i) * sizeof(struct member *));
		drop(member);
	}
}
