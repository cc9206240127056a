/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "program/modules.h"
#include "program/index_file.h"
#include "program/pack_file.h"
#include "program/say.h"
#include "program/so.h"
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	MODULE_MAX = 1 << 24, /* bytes of a file of modules, or of a pack */
	READ_FIRST = 1 << 13,
};

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool
is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The program's own file; where /proc is not mounted, by the path that it was called by. */
static bool
find_program(char exe[PATH_MAX])
{
	ssize_t n = readlink("/proc/self/exe", exe, PATH_MAX - 1);
	const char *called = (const char *)getauxval(AT_EXECFN);

	if (n < 0)
		return called && realpath(called, exe);
	exe[n] = '\0';
	return true;
}

/*
 * In the build tree configure has left its config.status, and beside it pdlm: the source's
 * folder, or a link to it. libtool may put the program itself into .libs.
 */
static bool
find_build_tree(char *folder, size_t size)
{
	char exe[PATH_MAX], status[PATH_MAX + 16];
	char *slash;

	if (!find_program(exe))
		return false;
	for (int i = 0; i < 2; i++) {
		slash = strrchr(exe, '/');
		if (!slash)
			return false;
		*slash = '\0';
		snprintf(status, sizeof(status), "%s/config.status", exe);
		snprintf(folder, size, "%s/pdlm", exe);
		if (access(status, F_OK) == 0 && is_folder(folder))
			return true;
		if (!(slash = strrchr(exe, '/')) || strcmp(slash, "/.libs") != 0)
			return false;
	}
	return false;
}

/* The folder that was asked for; NULL or empty: that which barn comes with. */
static const char *
wanted_folder(const struct modules_options *options)
{
	return options->folder ? options->folder : getenv("BARN_PDLM_PATH");
}

/* Its modules' tests passed when barn was made. */
static bool
is_own(const struct modules_options *options)
{
	const char *path = wanted_folder(options);

	return !path || !*path;
}

void
modules_folder(const struct modules_options *options, char *folder, size_t size)
{
	const char *path = wanted_folder(options);

	if (path && *path)
		snprintf(folder, size, "%s", path);
	else if (!find_build_tree(folder, size))
		snprintf(folder, size, "%s", BARN_PKGDATADIR "/pdlm");
}

/* All of it, in memory of its size; NULL: errno says why. */
static char *
read_all(FILE *f, size_t *len)
{
	size_t room = READ_FIRST, n = 0;
	char *text = malloc(room), *more;

	while (text) {
		n += fread(text + n, 1, room - n, f);
		if (ferror(f) || n > MODULE_MAX) {
			errno = ferror(f) ? errno : EFBIG;
			break;
		}
		if (n < room) {
			*len = n;
			return text;
		}
		more = realloc(text, room *= 2);
		if (!more)
			break;
		text = more;
	}
	free(text);
	return NULL;
}

char *
modules_read(const char *path, size_t *len)
{
	FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	char *text = f ? read_all(f, len) : NULL;

	if (!text)
		say_error("%s: %s", path, strerror(errno));
	if (f)
		fclose(f);
	return text;
}

bool
modules_load_file(struct barn_engine *engine, const char *path, const struct barn_keys *keys,
		  struct barn_faults *faults)
{
	enum barn_err err;
	size_t len;
	char *text;

	if (pack_file_is_folder(path))
		return pack_file_load_folder(engine, path, keys, faults);
	if (so_is(path))
		return so_load(engine, path, faults);
	text = modules_read(path, &len);
	if (!text)
		return false;
	if (pack_is(bytes_of(text, len))) {
		bool good = pack_file_load(engine, path, bytes_of(text, len), keys, faults);

		free(text);
		return good;
	}
	err = barn_engine_module(engine, path, text, len, faults);
	if (err && err != BARN_ERR_TEXT)
		say_error("%s: %s", path, barn_strerror(err));
	free(text);
	return !err;
}

/* A pattern for glob(3) that holds for the folder's modules, whatever its name has in it. */
static void
module_pattern(const char *folder, char *pattern, size_t size)
{
	size_t n = 0;

	for (const char *c = folder; *c && n + 10 < size; c++) {
		if (strchr("*?[]\\", *c))
			pattern[n++] = '\\';
		pattern[n++] = *c;
	}
	snprintf(pattern + n, size - n, "/*.pdlm");
}

static bool
add_folder(struct barn_engine *engine, const char *folder, const struct barn_keys *keys,
	   struct barn_faults *faults)
{
	char pattern[2 * PATH_MAX + 16];
	glob_t found;
	bool good = true;

	if (is_file(folder) || pack_file_is_folder(folder))
		return modules_load_file(engine, folder, keys, faults);
	if (!is_folder(folder)) {
		say_error("%s: no folder of modules; see -M and BARN_PDLM_PATH", folder);
		return false;
	}
	module_pattern(folder, pattern, sizeof(pattern));
	/* Sorted, so that the order of modules is the same on all file systems. */
	if (glob(pattern, 0, NULL, &found) == 0) {
		for (size_t i = 0; i < found.gl_pathc; i++)
			good = modules_load_file(engine, found.gl_pathv[i], keys, faults) &&
			       good;
		globfree(&found);
	}
	return good;
}

static bool
add_all(const struct modules_options *options, const struct barn_keys *keys,
	struct barn_engine *engine, struct barn_faults *faults)
{
	char folder[PATH_MAX + 16];
	bool good;

	modules_folder(options, folder, sizeof(folder));
	/* Keys are for packs that were brought, not for what barn comes with. */
	good = add_folder(engine, folder, options->folder ? keys : NULL, faults);
	if (is_own(options))
		engine_trust(engine);
	for (unsigned i = 0; i < options->file_count; i++)
		good = modules_load_file(engine, options->files[i], keys, faults) && good;
	if (options->pack.file)
		good = pack_file_load(engine, options->pack.file, options->pack.data, keys,
				      faults) &&
		       good;
	if (options->conf)
		options->conf->keys = keys;
	if (options->conf)
		good = conf_file_apply(options->conf, engine, faults) && good;
	return good;
}

/* A text that is no file, added last. */
struct extra {
	const char *file, *text;
	size_t len;
};

static bool
read_keys(const struct modules_options *options, struct barn_keys *keys)
{
	bool good = true;

	for (unsigned i = 0; good && i < options->key_count; i++)
		good = pack_file_add_key(keys, options->key_files[i]);
	return good;
}

static enum barn_err
load(const struct modules_options *options, const struct extra *extra,
     struct barn_faults *faults, struct barn_engine **engine)
{
	struct barn_engine_options with = { .size = sizeof(with),
					    .no_ndpi = options->no_ndpi,
					    .no_hyperscan = options->no_hyperscan };
	struct barn_keys keys = { .count = 0 };
	struct barn_engine *e;
	enum barn_err err = barn_engine_new(&with, &e);

	if (err) {
		say_error("%s", barn_strerror(err));
		return err;
	}
	if (options->index_file && !index_file_read(options->index_file, e, faults))
		err = BARN_ERR_TEXT;
	if (!read_keys(options, &keys) || !add_all(options, &keys, e, faults))
		err = BARN_ERR_TEXT;
	pack_file_free_keys(&keys);
	e->opaque |= options->opaque;
	e->untested = options->untested || extra;
	if (!err && extra)
		err = barn_engine_module(e, extra->file, extra->text, extra->len, faults);
	if (!err)
		err = barn_engine_commit(e, faults);
	if (err && err != BARN_ERR_TEXT)
		say_error("modules: %s", barn_strerror(err));
	if (!err && options->index_file && !index_file_write(options->index_file, e))
		err = BARN_ERR_SYSTEM;
	if (err)
		barn_engine_free(e);
	else
		*engine = e;
	return err;
}

enum barn_err
modules_try(const struct modules_options *options, struct barn_faults *faults,
	    struct barn_engine **engine)
{
	return load(options, NULL, faults, engine);
}

enum barn_err
modules_load(const struct modules_options *options, struct barn_engine **engine)
{
	struct barn_faults faults = { 0 };
	enum barn_err err = load(options, NULL, &faults, engine);

	say_faults(&faults);
	return err;
}

enum barn_err
modules_load_text(const struct modules_options *options, const char *file, const char *text,
		  size_t len, struct barn_engine **engine)
{
	const struct extra extra = { file, text, len };
	struct barn_faults faults = { 0 };
	enum barn_err err = load(options, &extra, &faults, engine);

	say_faults(&faults);
	return err;
}

bool
modules_file(struct modules_list *list, const char *path)
{
	unsigned count = list->options.file_count;
	char *copy = strdup(path);
	char **files = list->files;

	if (copy && count == list->room) {
		list->room = list->room ? 2 * list->room : 16;
		files = realloc(list->files, list->room * sizeof(*files));
	}
	if (!copy || !files) {
		free(copy);
		say_error("out of memory");
		return false;
	}
	files[count] = copy;
	list->files = files;
	list->options.files = (const char *const *)files;
	list->options.file_count++;
	return true;
}

bool
modules_add(struct modules_list *list, const char *path)
{
	char pattern[2 * PATH_MAX + 16];
	bool good = true;
	glob_t found;

	if (!is_folder(path) || pack_file_is_folder(path))
		return modules_file(list, path);
	module_pattern(path, pattern, sizeof(pattern));
	if (glob(pattern, 0, NULL, &found) != 0) {
		say_error("%s: no modules in this folder", path);
		return false;
	}
	for (size_t i = 0; good && i < found.gl_pathc; i++)
		good = modules_file(list, found.gl_pathv[i]);
	globfree(&found);
	return good;
}

bool
modules_key(struct modules_options *options, const char *path)
{
	if (options->key_count == MODULES_KEYS)
		return false;
	options->key_files[options->key_count++] = path;
	return true;
}

static bool
too_many_keys(void)
{
	say_error("more than %d keys", MODULES_KEYS);
	return false;
}

bool
modules_option(struct modules_list *list, const struct option_row *row, const char *value)
{
	if (strcmp(row->name, "module") == 0)
		return modules_file(list, value);
	if (strcmp(row->name, "modules") == 0)
		list->options.folder = value;
	else if (strcmp(row->name, "conf") == 0)
		*(list->options.conf = &list->conf) = (struct conf_file){ .path = value };
	else if (strcmp(row->name, "no-ndpi") == 0)
		list->options.no_ndpi = true;
	else if (strcmp(row->name, "index-file") == 0)
		list->options.index_file = value;
	else if (strcmp(row->name, "key") == 0)
		return modules_key(&list->options, value) || too_many_keys();
	return true;
}

void
modules_fini(struct modules_list *list)
{
	for (unsigned i = 0; i < list->options.file_count; i++)
		free(list->files[i]);
	free(list->files);
	conf_file_fini(&list->conf);
	*list = (struct modules_list){ .room = 0 };
}
