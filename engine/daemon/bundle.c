/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/bundle.h"

#include "pdl/diag.h"

#include <string.h>

/* kind, length of the name with its NUL, the name, length of the text, the text */

static void
add_number(struct text *bundle, size_t number)
{
	uint32_t n = (uint32_t)number;

	text_add_n(bundle, &n, sizeof(n));
}

void
bundle_add(struct text *bundle, enum bundle_kind kind, const char *name, const char *text,
	   size_t len)
{
	text_char(bundle, (char)kind);
	add_number(bundle, strlen(name) + 1);
	text_add_n(bundle, name, strlen(name) + 1);
	add_number(bundle, len);
	text_add_n(bundle, text, len);
}

static struct bytes
take(struct bytes *bundle)
{
	uint32_t n = 0;
	struct bytes number = bytes_take(bundle, sizeof(n));

	if (!bundle->bad)
		memcpy(&n, number.p, sizeof(n));
	return bytes_take(bundle, n);
}

bool
bundle_next(struct bytes *bundle, struct bundle_item *item)
{
	struct bytes name;

	if (bytes_left(bundle) == 0)
		return false;
	item->kind = bytes_u8(bundle);
	name = take(bundle);
	item->text = take(bundle);
	if (bundle->bad || bytes_left(&name) == 0 || name.end[-1] != '\0')
		return false;
	item->name = (const char *)name.p;
	return true;
}

static const struct pdl_protocol *
find(const struct pdl_set *set, const char *name)
{
	for (size_t i = 0; i < pdl_set_count(set); i++)
		if (strcmp(pdl_set_at(set, i)->name, name) == 0)
			return pdl_set_at(set, i);
	return NULL;
}

void
bundle_modules(struct text *bundle, const struct pdl_set *from, const struct pdl_set *to)
{
	struct text was = { 0 }, is = { 0 };

	for (size_t i = 0; i < pdl_set_count(to); i++) {
		const struct pdl_protocol *new = pdl_set_at(to, i),
					  *old = find(from, new->name);

		text_clear(&was);
		text_clear(&is);
		pdl_print(new, &is);
		if (old)
			pdl_print(old, &was);
		if (!old || strcmp(text_str(&was), text_str(&is)) != 0)
			bundle_add(bundle, BUNDLE_MODULE, new->file, text_str(&is), is.len);
	}
	for (size_t i = 0; i < pdl_set_count(from); i++)
		if (!find(to, pdl_set_at(from, i)->name))
			bundle_add(bundle, BUNDLE_UNLOAD, pdl_set_at(from, i)->name, "", 0);
	bundle->failed |= was.failed || is.failed;
	text_fini(&was);
	text_fini(&is);
}

static enum barn_err
apply_item(const struct bundle_item *item, struct barn_engine *engine, bool *any,
	   struct barn_faults *faults)
{
	switch (item->kind) {
	case BUNDLE_MODULE:
		*any = true;
		return barn_engine_module(engine, item->name, (const char *)item->text.p,
					  bytes_left(&item->text), faults);
	case BUNDLE_UNLOAD: *any = true; return barn_engine_unload(engine, item->name);
	default: return BARN_OK;
	}
}

enum barn_err
bundle_apply(struct bytes bundle, struct barn_engine *engine, struct barn_faults *faults)
{
	struct bundle_item item;
	enum barn_err err = BARN_OK;
	bool any = false;

	while (!err && bundle_next(&bundle, &item))
		err = apply_item(&item, engine, &any, faults);
	if (!err && bundle.bad)
		err = BARN_ERR_FORMAT;
	if (!err && any)
		return barn_engine_commit(engine, faults);
	if (err)
		barn_engine_rollback(engine);
	return err;
}
