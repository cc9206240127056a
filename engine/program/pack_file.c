/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "program/pack_file.h"
#include "pack/seal.h"
#include "pack/tarball.h"
#include "program/modules.h"
#include "program/say.h"
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A link in the folder may lead out of it, and is no plain file. */
static bool
is_plain(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool
pack_file_is_folder(const char *path)
{
	char manifest[PATH_MAX + 16];

	snprintf(manifest, sizeof(manifest), "%s/" PACK_MANIFEST, path);
	return is_plain(manifest);
}

/* What else lies in the folder is no matter of the pack. */
static int
belongs(const struct dirent *entry)
{
	size_t n = strlen(entry->d_name);

	return strcmp(entry->d_name, PACK_MANIFEST) == 0 ||
	       strcmp(entry->d_name, PACK_SEAL) == 0 ||
	       (n > 5 && strcmp(entry->d_name + n - 5, ".pdlm") == 0);
}

static bool
read_file(const char *folder, const char *name, struct tarball_file *file)
{
	char path[PATH_MAX + 16];
	size_t len;
	char *data;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (!is_plain(path)) {
		say_error("%s: no plain file", path);
		return false;
	}
	data = modules_read(path, &len);
	if (!data)
		return false;
	*file = (struct tarball_file){ name, bytes_of(data, len) };
	return true;
}

/* What is shown as constant and is ours. */
static void
release(const void *memory)
{
	free((void *)(uintptr_t)memory);
}

static bool
collect(const char *folder, struct dirent **entries, int count, struct text *archive)
{
	struct tarball_file *files = calloc((size_t)count + 1, sizeof(*files));
	enum barn_err err = BARN_ERR_MEMORY;
	bool good = files != NULL;

	for (int i = 0; good && i < count; i++)
		good = read_file(folder, entries[i]->d_name, &files[i]);
	if (good)
		err = tarball_write(files, (unsigned)count, TARBALL_PLAIN, archive);
	if (!files || (good && err))
		say_error("%s: %s", folder, barn_strerror(err));
	for (int i = 0; files && i < count; i++)
		if (files[i].name)
			release(files[i].data.p);
	free(files);
	return good && !err;
}

static bool
collect_folder(const char *folder, struct text *archive)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, belongs, alphasort);
	bool good;

	if (count < 0) {
		say_error("%s: %s", folder, strerror(errno));
		return false;
	}
	good = collect(folder, entries, count, archive);
	for (int i = 0; i < count; i++)
		free(entries[i]);
	free(entries);
	return good;
}

bool
pack_file_read(const char *path, struct text *archive)
{
	struct stat st;
	size_t len;
	char *data;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return collect_folder(path, archive);
	data = modules_read(path, &len);
	if (data)
		text_add_n(archive, data, len);
	free(data);
	if (data && archive->failed)
		say_error("%s: out of memory", path);
	return data && !archive->failed;
}

bool
pack_file_load(struct barn_engine *engine, const char *file, struct bytes data,
	       const struct barn_keys *keys, struct barn_faults *faults)
{
	enum barn_err err = barn_engine_pack(engine, file, data.p, bytes_left(&data),
					     keys && keys->count ? keys : NULL, faults);

	if (err && err != BARN_ERR_TEXT)
		say_error("%s: %s", file, barn_strerror(err));
	return !err;
}

bool
pack_file_load_folder(struct barn_engine *engine, const char *folder,
		      const struct barn_keys *keys, struct barn_faults *faults)
{
	struct text archive = { 0 };
	bool good =
		collect_folder(folder, &archive) &&
		pack_file_load(engine, folder, bytes_of(archive.s, archive.len), keys, faults);

	text_fini(&archive);
	return good;
}

bool
pack_file_add_key(struct barn_keys *keys, const char *path)
{
	struct barn_key *list = calloc(keys->count + 1u, sizeof(*list));
	size_t len;
	char *pem;

	if (!list) {
		say_error("out of memory");
		return false;
	}
	pem = modules_read(path, &len);
	if (!pem) {
		free(list);
		return false;
	}
	if (keys->count)
		memcpy(list, keys->key, keys->count * sizeof(*list));
	list[keys->count] = (struct barn_key){ pem, len };
	release(keys->key);
	keys->key = list;
	if (seal_is_key(&list[keys->count++]))
		return true;
	say_error("%s: expected a public key, Ed25519 in PEM", path);
	return false;
}

void
pack_file_free_keys(struct barn_keys *keys)
{
	for (unsigned i = 0; i < keys->count; i++)
		release(keys->key[i].pem);
	release(keys->key);
	*keys = (struct barn_keys){ .count = 0 };
}
