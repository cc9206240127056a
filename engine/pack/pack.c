/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pack/pack.h"

#include "pack/seal.h"
#include "pack/tarball.h"
#include <barn/barn.h>
#include <stdio.h>
#include <stdlib.h>

enum { PATH = 128, PACK_MEMORY = 2 * TARBALL_BYTES_MAX };

struct job {
	struct pack *pack;
	const char *file;
	const struct barn_keys *keys;
	struct barn_faults *faults;
	struct list files;
};

static const char *
path_of(const struct job *job, const char *name, char path[PATH])
{
	snprintf(path, PATH, "%s/%s", job->file, name);
	return path;
}

static const struct tarball_file *
find_file(const struct job *job, const char *name)
{
	const struct tarball_file *files = job->files.items;

	for (unsigned i = 0; i < job->files.count; i++)
		if (strcmp(files[i].name, name) == 0)
			return &files[i];
	return NULL;
}

static enum barn_err
tell(const struct job *job, const char *name, struct pdl_pos at, const char *text)
{
	char path[PATH];

	diag_add(job->faults, name ? path_of(job, name, path) : job->file, at, "%s", text);
	return BARN_ERR_TEXT;
}

static const struct pdl_pos top = { 1, 1 };

static enum barn_err
check_seal(struct job *job, const struct tarball_file *manifest,
	   const struct tarball_file *seal)
{
	struct pack *pack = job->pack;
	char path[PATH], key[2 * MANIFEST_KEY + 1], text[128];
	enum barn_err err;

	pack->is_signed = seal != NULL;
	if (!seal && job->keys)
		return tell(job, NULL, top, "not signed: expected a signature");
	if (!seal)
		return BARN_OK;
	err = manifest_parse_seal(&pack->seal, pack->arena, path_of(job, PACK_SEAL, path),
				  seal->data, job->faults);
	if (err || !job->keys)
		return err;
	err = seal_check(&pack->seal, manifest->data, job->keys);
	pack->checked = !err;
	manifest_hex(key, pack->seal.key, MANIFEST_KEY);
	snprintf(text, sizeof(text), "signed by key %s, which is not known", key);
	if (err == BARN_ERR_MISSING)
		return tell(job, PACK_SEAL, top, text);
	if (err == BARN_ERR_FORMAT)
		return tell(job, PACK_SEAL, top, "the signature is not this manifest's");
	return err;
}

static enum barn_err
check_engine(const struct job *job)
{
	const struct manifest *m = &job->pack->manifest;
	char text[192];

	if (manifest_compare(BARN_VERSION, m->engine) >= 0)
		return BARN_OK;
	snprintf(text, sizeof(text), "needs barn %s or later, and this is " BARN_VERSION,
		 m->engine);
	return tell(job, PACK_MANIFEST, m->engine_at, text);
}

static enum barn_err
check_module(const struct job *job, const struct manifest_module *module, struct bytes *text)
{
	const struct tarball_file *file = find_file(job, module->name);
	uint8_t hash[MANIFEST_HASH];
	char why[128];
	enum barn_err err;

	if (!file) {
		snprintf(why, sizeof(why), "\"%s\" is missing", module->name);
		return tell(job, PACK_MANIFEST, module->at, why);
	}
	err = seal_hash(file->data, hash);
	if (err)
		return err;
	if (memcmp(hash, module->hash, sizeof(hash)) != 0) {
		snprintf(why, sizeof(why), "\"%s\" has another checksum", module->name);
		return tell(job, PACK_MANIFEST, module->at, why);
	}
	*text = file->data;
	return BARN_OK;
}

static int
by_name(const void *name, const void *module)
{
	return strcmp(name, ((const struct manifest_module *)module)->name);
}

/* All that is wrong is told, and what the manifest has not, too. */
static enum barn_err
check_modules(const struct job *job)
{
	const struct manifest *m = &job->pack->manifest;
	const struct manifest_module *modules = m->modules.items;
	const struct tarball_file *files = job->files.items;
	enum barn_err err, found = BARN_OK;

	job->pack->texts =
		arena_array(job->pack->arena, m->modules.count, sizeof(struct bytes));
	if (!job->pack->texts)
		return BARN_ERR_MEMORY;
	for (unsigned i = 0; i < m->modules.count; i++) {
		err = check_module(job, &modules[i], &job->pack->texts[i]);
		found = err ? err : found;
	}
	for (unsigned i = 0; i < job->files.count; i++) {
		const char *name = files[i].name;

		if (strcmp(name, PACK_MANIFEST) == 0 || strcmp(name, PACK_SEAL) == 0 ||
		    bsearch(name, modules, m->modules.count, sizeof(*modules), by_name))
			continue;
		found = tell(job, name, top, "not in the manifest");
	}
	return found;
}

static enum barn_err
read_pack(struct job *job, struct bytes data)
{
	struct pack *pack = job->pack;
	const struct tarball_file *manifest;
	char path[PATH];
	enum barn_err err;

	err = tarball_read(&job->files, pack->arena, job->file, data, job->faults);
	if (err)
		return err;
	manifest = find_file(job, PACK_MANIFEST);
	if (!manifest)
		return tell(job, NULL, top, "no protocol pack: it has no MANIFEST");
	err = check_seal(job, manifest, find_file(job, PACK_SEAL));
	if (!err)
		err = manifest_parse(&pack->manifest, pack->arena,
				     path_of(job, PACK_MANIFEST, path), manifest->data,
				     job->faults);
	if (!err)
		err = check_engine(job);
	return err ? err : check_modules(job);
}

/* A key that is none would be a signature that is never asked for. */
static enum barn_err
check_keys(const struct barn_keys *keys)
{
	for (unsigned i = 0; keys && i < keys->count; i++)
		if (!seal_is_key(&keys->key[i]))
			return BARN_ERR_ARGUMENT;
	return BARN_OK;
}

enum barn_err
pack_read(const char *file, struct bytes data, const struct barn_keys *keys,
	  struct barn_faults *faults, struct pack **pack)
{
	struct job job = { .file = file, .keys = keys, .faults = faults };
	enum barn_err err = check_keys(keys);

	if (err)
		return err;
	job.pack = calloc(1, sizeof(*job.pack));
	if (!job.pack)
		return BARN_ERR_MEMORY;
	err = arena_new(PACK_MEMORY, &job.pack->arena);
	if (!err)
		err = read_pack(&job, data);
	if (err)
		pack_free(job.pack);
	else
		*pack = job.pack;
	return err;
}

void
pack_free(struct pack *pack)
{
	if (!pack)
		return;
	arena_free(pack->arena);
	free(pack);
}

/* A gzip header (RFC 1952), or tar's magic (POSIX, ustar) at its place. */
bool
pack_is(struct bytes data)
{
	struct bytes tar = data;

	if (bytes_left(&data) > 2 && data.p[0] == 0x1f && data.p[1] == 0x8b)
		return true;
	bytes_skip(&tar, 257);
	tar = bytes_take(&tar, 5);
	return !tar.bad && memcmp(tar.p, "ustar", 5) == 0;
}
