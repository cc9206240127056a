/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pack/pack.h"
#include "pack/seal.h"
#include "pack/tarball.h"
#include <stdlib.h>

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct pack_source *)a)->name,
		      ((const struct pack_source *)b)->name);
}

/* The sources in order of name, and the manifest's lines of them. */
static enum barn_err
list_modules(struct manifest *m, struct arena *arena, struct pack_source *sources,
	     unsigned count)
{
	enum barn_err err = BARN_OK;

	qsort(sources, count, sizeof(*sources), by_name);
	for (unsigned i = 0; i < count && !err; i++) {
		struct manifest_module *module = list_add(&m->modules, arena, sizeof(*module));

		if (!module)
			return BARN_ERR_MEMORY;
		if (i > 0 && strcmp(sources[i - 1].name, sources[i].name) == 0)
			return BARN_ERR_EXISTS;
		if (bytes_left(&sources[i].text) > TARBALL_FILE_MAX)
			return BARN_ERR_ARGUMENT;
		module->name = sources[i].name;
		err = seal_hash(sources[i].text, module->hash);
	}
	return err;
}

/* What is printed must parse: names, versions and all that the caller gave is checked so. */
static enum barn_err
print(const struct manifest *m, struct arena *arena, struct text *text)
{
	struct manifest again;
	enum barn_err err;

	manifest_print(m, text);
	if (text->failed)
		return BARN_ERR_MEMORY;
	err = manifest_parse(&again, arena, PACK_MANIFEST, bytes_of(text->s, text->len), NULL);
	return err == BARN_ERR_TEXT ? BARN_ERR_ARGUMENT : err;
}

static enum barn_err
archive_of(const struct pack_source *sources, unsigned count, const struct text *manifest,
	   const struct text *seal, struct text *archive)
{
	struct tarball_file *files = calloc((size_t)count + 2, sizeof(*files));
	unsigned n = 0;
	enum barn_err err;

	if (!files)
		return BARN_ERR_MEMORY;
	files[n++] =
		(struct tarball_file){ PACK_MANIFEST, bytes_of(manifest->s, manifest->len) };
	if (seal->len)
		files[n++] = (struct tarball_file){ PACK_SEAL, bytes_of(seal->s, seal->len) };
	for (unsigned i = 0; i < count; i++)
		files[n++] = (struct tarball_file){ sources[i].name, sources[i].text };
	err = tarball_write(files, n, TARBALL_GZIP, archive);
	free(files);
	return err;
}

enum barn_err
pack_write(const struct manifest *facts, const struct pack_source *sources, unsigned count,
	   struct bytes key, struct text *archive)
{
	struct manifest m = *facts;
	struct manifest_seal sealed;
	struct text manifest = { 0 }, seal = { 0 };
	struct pack_source *sorted = calloc((size_t)count + 1, sizeof(*sorted));
	struct arena *arena = NULL;
	enum barn_err err = sorted ? arena_new(0, &arena) : BARN_ERR_MEMORY;

	m.modules = (struct list){ .items = NULL };
	if (!err) {
		memcpy(sorted, sources, count * sizeof(*sorted));
		err = list_modules(&m, arena, sorted, count);
	}
	if (!err)
		err = print(&m, arena, &manifest);
	if (!err && bytes_left(&key)) {
		err = seal_make(bytes_of(manifest.s, manifest.len), key, &sealed);
		if (!err)
			manifest_print_seal(&sealed, &seal);
	}
	if (!err && seal.failed)
		err = BARN_ERR_MEMORY;
	if (!err)
		err = archive_of(sorted, count, &manifest, &seal, archive);
	arena_free(arena);
	free(sorted);
	text_fini(&manifest);
	text_fini(&seal);
	return err;
}
