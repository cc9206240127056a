/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/diag.h"
#include "worker/engine.h"

#include <stdio.h>

/* Loads: the inspectors that modules bind, barn's own and others. */

static bool
yields(const struct inspector *inspector, const char *field)
{
	for (unsigned n = 0; n < inspector->field_count; n++)
		if (strcmp(inspector->fields[n].name, field) == 0)
			return true;
	return false;
}

bool
engine_knows(void *engine, const char *inspector, const char *field)
{
	const struct barn_engine *e = engine;
	const struct inspector *i =
		foreign_find(e->staged_foreign ? e->staged_foreign : e->foreign, inspector);

	return i && (!field || yields(i, field));
}

static bool
is_bound(void *self, const char *inspector)
{
	const struct pdl_set *set = self;

	for (size_t i = 0; i < pdl_set_count(set); i++) {
		const char *bound = pdl_set_at(set, i)->inspect;

		if (bound && strcmp(bound, inspector) == 0)
			return true;
	}
	return false;
}

static bool
has_field(const struct pdl_protocol *p, const char *field)
{
	for (unsigned i = 0; i < p->field_count; i++)
		if (strcmp(p->fields[i].name, field) == 0)
			return true;
	return false;
}

/* A module that stays may ask for what the inspector's new version has not. */
static void
check_fields(const struct inspector *inspector, const struct pdl_protocol *p,
	     struct barn_faults *faults)
{
	for (unsigned i = 0; i < p->subclass_count; i++) {
		const char *field = p->subclasses[i].field;

		if (!has_field(p, field) && !yields(inspector, field))
			diag_add(faults, p->file, (struct pdl_pos){ p->line, 1 },
				 "'%s': the inspector %s that is now loaded has no such field",
				 field, inspector->name);
	}
}

enum barn_err
engine_bind(struct barn_engine *engine, struct barn_faults *faults)
{
	struct pdl_set *set = engine->staged;
	uint32_t before = faults->count;

	foreign_keep(engine->staged_foreign, is_bound, set);
	for (size_t i = 0; i < pdl_set_count(set); i++) {
		const struct pdl_protocol *p = pdl_set_at(set, i);
		const struct inspector *bound =
			p->inspect ? foreign_find(engine->staged_foreign, p->inspect) : NULL;

		if (bound)
			check_fields(bound, p, faults);
	}
	return faults->count > before ? BARN_ERR_TEXT : BARN_OK;
}

static enum barn_err
add(struct barn_engine *e, const char *file, const struct barn_inspector_module *module,
    struct foreign_owner owner, struct barn_faults *faults)
{
	char why[160];
	enum barn_err err = foreign_add(e->staged_foreign, module, why, sizeof(why));

	if (err == BARN_ERR_FORMAT)
		diag_add(faults, file, (struct pdl_pos){ 0, 0 }, "%s", why);
	if (err)
		return err;
	if (module->text)
		err = pdl_set_add(e->staged, file, module->text, strlen(module->text), faults);
	if (err)
		foreign_undo(e->staged_foreign);
	else
		foreign_own(e->staged_foreign, owner);
	return err;
}

enum barn_err
barn_engine_inspectors(struct barn_engine *engine, const char *file,
		       const struct barn_inspector_module *module,
		       void (*release)(void *handle), void *handle, struct barn_faults *faults)
{
	struct foreign_owner owner = { release, handle };
	enum barn_err err;

	pthread_mutex_lock(&engine->loading);
	err = engine_stage(engine);
	if (!err)
		err = add(engine, file, module, owner, faults);
	pthread_mutex_unlock(&engine->loading);
	return err;
}
