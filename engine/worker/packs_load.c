/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pack/pack.h"
#include "pdl/diag.h"
#include "worker/engine.h"

#include <stdio.h>
#include <stdlib.h>

/* Packs, staged: the public calls. */

enum { PATH = 4096 };

/* Modules of one pack stand for different protocols; the faults of all are told. */
static enum barn_err
add_module(struct pdl_set *modules, const char *file, const char *name, struct bytes text,
	   struct barn_faults *faults)
{
	size_t before = pdl_set_count(modules);
	char path[PATH];
	enum barn_err err;

	snprintf(path, sizeof(path), "%s/%s", file, name);
	err = pdl_set_add(modules, path, (const char *)text.p, bytes_left(&text), faults);
	for (size_t i = 0; !err && i < pdl_set_count(modules); i++) {
		const struct pdl_protocol *p = pdl_set_at(modules, i);

		if (!p->replaces || strcmp(p->file, path) != 0)
			continue;
		diag_add(faults, path, (struct pdl_pos){ p->line, 1 },
			 "protocol %s is in %s, too", p->name, p->replaces);
		return BARN_ERR_TEXT;
	}
	if (!err && pdl_set_count(modules) == before) {
		diag_add(faults, path, (struct pdl_pos){ 1, 1 }, "no protocol in it");
		return BARN_ERR_TEXT;
	}
	return err;
}

static enum barn_err
add_modules(struct pdl_set *set, const char *file, const struct pack *pack,
	    struct barn_faults *faults)
{
	const struct manifest_module *modules = pack->manifest.modules.items;
	enum barn_err found = BARN_OK;

	for (unsigned i = 0; i < pack->manifest.modules.count; i++) {
		enum barn_err err =
			add_module(set, file, modules[i].name, pack->texts[i], faults);

		if (err && err != BARN_ERR_TEXT)
			return err;
		found = err ? err : found;
	}
	return found;
}

/* Both lists, or neither. */
static enum barn_err
exchange(struct barn_engine *e, const struct packs_item *out, struct packs_item *in)
{
	struct packs packs = { .count = 0 };
	enum barn_err err = packs_copy(&e->staged_packs, &packs);

	if (!err)
		err = packs_exchange(&packs, out, in);
	if (!err)
		err = pdl_set_exchange(e->staged, out ? out->modules : NULL,
				       in ? in->modules : NULL);
	if (err) {
		if (in)
			in->refs++; /* the caller's again */
		packs_fini(&packs);
		if (in)
			in->refs--;
		return err;
	}
	packs_fini(&e->staged_packs);
	e->staged_packs = packs;
	return BARN_OK;
}

static void
describe(const struct pack *pack, struct barn_pack_info *info)
{
	const struct manifest *m = &pack->manifest;

	info->is_signed = pack->is_signed;
	snprintf(info->name, sizeof(info->name), "%s", m->name);
	snprintf(info->version, sizeof(info->version), "%s", m->version);
	snprintf(info->publisher, sizeof(info->publisher), "%s", m->publisher);
	snprintf(info->engine, sizeof(info->engine), "%s", m->engine);
	if (pack->checked)
		manifest_hex(info->key, pack->seal.key, MANIFEST_KEY);
}

static enum barn_err
stage_pack(struct barn_engine *e, const char *file, const struct pack *pack,
	   struct barn_faults *faults)
{
	struct packs_item *item = calloc(1, sizeof(*item));
	enum barn_err err = item ? engine_stage(e) : BARN_ERR_MEMORY;

	if (!err)
		err = pdl_set_like(e->staged, &item->modules);
	if (!err)
		err = add_modules(item->modules, file, pack, faults);
	if (!err) {
		describe(pack, &item->info);
		item->info.protocols = (unsigned)pdl_set_count(item->modules);
		err = exchange(e, packs_find(&e->staged_packs, item->info.name), item);
	}
	if (err)
		packs_free_item(item);
	return err;
}

enum barn_err
barn_engine_pack(struct barn_engine *engine, const char *file, const void *bytes, size_t length,
		 const struct barn_keys *keys, struct barn_faults *faults)
{
	struct pack *pack;
	enum barn_err err = pack_read(file, bytes_of(bytes, length), keys, faults, &pack);

	if (err)
		return err;
	pthread_mutex_lock(&engine->loading);
	err = stage_pack(engine, file, pack, faults);
	pthread_mutex_unlock(&engine->loading);
	pack_free(pack);
	return err;
}

enum barn_err
barn_engine_pack_unload(struct barn_engine *engine, const char *name)
{
	const struct packs_item *item;
	enum barn_err err;

	pthread_mutex_lock(&engine->loading);
	err = engine_stage(engine);
	if (!err) {
		item = packs_find(&engine->staged_packs, name);
		err = item ? exchange(engine, item, NULL) : BARN_ERR_MISSING;
	}
	pthread_mutex_unlock(&engine->loading);
	return err;
}

static unsigned
count_replaced(const struct barn_engine *e, const struct packs_item *item)
{
	unsigned count = 0;

	for (size_t i = 0; i < pdl_set_count(item->modules); i++)
		count += !pdl_set_has(e->modules, pdl_set_at(item->modules, i));
	return count;
}

enum barn_err
barn_engine_pack_info(struct barn_engine *engine, unsigned at, struct barn_pack_info *info)
{
	enum barn_err err = BARN_ERR_END;

	pthread_mutex_lock(&engine->loading);
	if (at < engine->packs.count) {
		*info = engine->packs.items[at]->info;
		info->replaced = count_replaced(engine, engine->packs.items[at]);
		err = BARN_OK;
	}
	pthread_mutex_unlock(&engine->loading);
	return err;
}
