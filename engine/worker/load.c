/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/diag.h"
#include "worker/engine.h"
#include "worker/vector.h"

#include <stdlib.h>

/* Loads: staged, then committed as a whole or not at all. */

enum barn_err
engine_stage(struct barn_engine *e)
{
	struct pdl_options options = { .inspector = engine_knows, .self = e };
	enum barn_err err;

	if (e->staged)
		return BARN_OK;
	err = packs_copy(&e->packs, &e->staged_packs);
	if (!err)
		err = foreign_copy(e->foreign, &e->staged_foreign);
	if (!err)
		err = e->modules ? pdl_set_copy(e->modules, &e->staged)
				 : pdl_set_new(&options, &e->staged);
	if (err) {
		packs_fini(&e->staged_packs);
		foreign_free(e->staged_foreign);
		e->staged_foreign = NULL;
	}
	return err;
}

const struct pdl_set *
engine_staged(struct barn_engine *engine)
{
	return engine_stage(engine) ? NULL : engine->staged;
}

void
engine_trust(struct barn_engine *engine)
{
	pdl_set_free(engine->trusted);
	engine->trusted = NULL;
	if (engine->staged)
		(void)pdl_set_copy(engine->staged, &engine->trusted);
}

static void
roll_back(struct barn_engine *e)
{
	pdl_set_free(e->staged);
	foreign_free(e->staged_foreign);
	e->staged = NULL;
	e->staged_foreign = NULL;
	packs_fini(&e->staged_packs);
}

enum barn_err
barn_engine_module(struct barn_engine *engine, const char *file, const char *text,
		   size_t length, struct barn_faults *faults)
{
	enum barn_err err;

	pthread_mutex_lock(&engine->loading);
	err = engine_stage(engine);
	if (!err)
		err = pdl_set_add(engine->staged, file, text, length, faults);
	pthread_mutex_unlock(&engine->loading);
	return err;
}

enum barn_err
barn_engine_unload(struct barn_engine *engine, const char *protocol)
{
	enum barn_err err;

	pthread_mutex_lock(&engine->loading);
	err = engine_stage(engine);
	if (!err)
		err = pdl_set_remove(engine->staged, protocol);
	pthread_mutex_unlock(&engine->loading);
	return err;
}

void
barn_engine_rollback(struct barn_engine *engine)
{
	pthread_mutex_lock(&engine->loading);
	roll_back(engine);
	pthread_mutex_unlock(&engine->loading);
}

static void
run_test(struct vector *vector, const struct pdl_protocol *p, const struct pdl_test *test,
	 struct barn_faults *faults)
{
	const char *got = vector_run(vector, test, NULL);

	if (strcmp(got, test->expect) != 0) {
		diag_add(faults, p->file, (struct pdl_pos){ test->line, test->column },
			 "test \"%s\" of %s: taken for %s, expected %s", test->name, p->name,
			 got, test->expect);
		return;
	}
	for (unsigned i = 0; i < test->promise_count; i++) {
		const struct pdl_promise *promise = &test->promises[i];

		got = vector_run(vector, test, promise);
		if (strcmp(got, promise->protocol) != 0)
			diag_add(faults, p->file,
				 (struct pdl_pos){ promise->line, promise->column },
				 "test \"%s\" of %s: the flow to the %s's port %u: taken for "
				 "%s, "
				 "expected %s",
				 test->name, p->name, promise->dir ? "server" : "client",
				 promise->port, got, promise->protocol);
	}
}

static bool
is_tested(const struct barn_engine *e, const struct pdl_protocol *p)
{
	return (e->modules && pdl_set_has(e->modules, p)) ||
	       (e->trusted && pdl_set_has(e->trusted, p));
}

/* The tests of modules that are new, or in the place of others. */
static enum barn_err
test_new(const struct barn_engine *e, struct registry *registry, struct barn_faults *faults)
{
	uint32_t before = faults->count;
	struct vector *vector;
	enum barn_err err = vector_new(registry, &vector);

	if (err)
		return err;
	for (size_t i = 0; i < pdl_set_count(e->staged); i++) {
		const struct pdl_protocol *p = pdl_set_at(e->staged, i);

		for (unsigned t = 0; t < p->test_count && !is_tested(e, p); t++)
			run_test(vector, p, &p->tests[t], faults);
	}
	vector_free(vector);
	return faults->count > before ? BARN_ERR_TEXT : BARN_OK;
}

static const char *
ndpi_name(void *self, uint16_t number)
{
	return ndpi_bridge_name(self, number);
}

static bool
knows_ndpi(void *self, const char *name)
{
	uint16_t count = ndpi_bridge_count(self);

	for (uint16_t i = 0; i < count; i++) {
		const char *known = ndpi_bridge_name(self, i);

		if (known && strcasecmp(known, name) == 0)
			return true;
	}
	return false;
}

static enum barn_err
build(struct barn_engine *e, struct indexes *indexes, struct registry **registry,
      struct barn_faults *faults)
{
	struct registry_options options = {
		.catalog = e->catalog,
		.modules = e->staged,
		.foreign = e->staged_foreign,
		.before = e->registry,
		.indexes = indexes,
		.no_hyperscan = e->no_hyperscan,
	};
	enum barn_err err = pdl_set_finish(e->staged, faults);

	if (!err)
		err = engine_bind(e, faults);
	if (!err && e->ndpi && !e->names)
		err = ndpi_bridge_new(&e->names);
	if (!err && e->ndpi) {
		pdl_set_check_ndpi(e->staged, knows_ndpi, e->names);
		options.ndpi_name = ndpi_name;
		options.ndpi_count = ndpi_bridge_count(e->names);
		options.self = e->names;
	}
	if (!err)
		err = registry_new(&options, registry, faults);
	if (!err && !e->untested)
		err = test_new(e, *registry, faults);
	return err;
}

/* Nothing can fail after the publication, and nobody has seen anything before. */
static enum barn_err
commit(struct barn_engine *e, struct barn_faults *faults)
{
	struct registry *registry = NULL;
	struct indexes *indexes = NULL;
	enum barn_err err = indexes_copy(e->indexes, &indexes);

	if (!err)
		err = build(e, indexes, &registry, faults);
	if (!err) {
		catalog_commit(e->catalog);
		err = current_publish(&e->current, registry);
	}
	if (err) {
		registry_free(registry);
		indexes_free(indexes);
		catalog_rewind(e->catalog);
		return err;
	}
	registry_own(registry, e->staged, e->staged_foreign);
	e->registry = registry;
	e->modules = e->staged;
	e->foreign = e->staged_foreign;
	e->staged = NULL;
	e->staged_foreign = NULL;
	packs_fini(&e->packs);
	e->packs = e->staged_packs;
	e->staged_packs = (struct packs){ .count = 0 };
	indexes_free(e->indexes);
	e->indexes = indexes;
	return BARN_OK;
}

enum barn_err
barn_engine_commit(struct barn_engine *engine, struct barn_faults *faults)
{
	enum barn_err err;

	pthread_mutex_lock(&engine->loading);
	err = engine_stage(engine);
	if (!err)
		err = commit(engine, faults);
	roll_back(engine);
	current_collect(&engine->current);
	pthread_mutex_unlock(&engine->loading);
	return err;
}

unsigned
barn_engine_collect(struct barn_engine *engine)
{
	return current_collect(&engine->current);
}

enum barn_err
barn_engine_indexes_read(struct barn_engine *engine, const char *file, const char *text,
			 size_t length, struct barn_faults *faults)
{
	enum barn_err err;

	pthread_mutex_lock(&engine->loading);
	err = engine->registry ? BARN_ERR_ARGUMENT
			       : indexes_read(engine->indexes, file, text, length, faults);
	pthread_mutex_unlock(&engine->loading);
	return err;
}

enum barn_err
barn_engine_indexes_write(struct barn_engine *engine, char **text)
{
	struct text written = { 0 };

	pthread_mutex_lock(&engine->loading);
	indexes_write(engine->indexes, &written);
	pthread_mutex_unlock(&engine->loading);
	*text = text_steal(&written);
	return *text ? BARN_OK : BARN_ERR_MEMORY;
}
