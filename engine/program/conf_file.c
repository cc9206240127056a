/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "program/conf_file.h"
#include "program/modules.h"
#include "program/say.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum barn_err
conf_file_read(struct conf_file *file, struct barn_faults *faults)
{
	enum barn_err err;
	size_t len;
	char *text = modules_read(file->path, &len);

	if (!text)
		return BARN_ERR_TEXT;
	err = conf_new(&file->conf);
	if (!err)
		err = conf_add(file->conf, file->path, text, len, faults);
	if (err && err != BARN_ERR_TEXT)
		say_error("%s: %s", file->path, barn_strerror(err));
	free(text);
	return err;
}

/* Relative to the folder of the configuration that names it. */
static void
find_module(const char *conf, const char *path, char *found, size_t size)
{
	const char *slash = strrchr(conf, '/');

	if (*path == '/' || !slash)
		snprintf(found, size, "%s", path);
	else
		snprintf(found, size, "%.*s/%s", (int)(slash - conf), conf, path);
}

static bool
load_modules(const struct conf_file *file, struct barn_engine *engine,
	     struct barn_faults *faults)
{
	const char *path, *conf;
	char found[PATH_MAX];
	bool good = true;

	for (unsigned i = 0; (path = conf_pdlm(file->conf, i, &conf)); i++) {
		find_module(conf, path, found, sizeof(found));
		good = modules_load_file(engine, found, file->keys, faults) && good;
	}
	return good;
}

bool
conf_file_apply(struct conf_file *file, struct barn_engine *engine, struct barn_faults *faults)
{
	bool good = file->conf || !conf_file_read(file, faults);
	enum barn_err err;

	if (!file->conf)
		return false;
	/* What can be checked is, so that all faults are told at once. */
	good = load_modules(file, engine, faults) && good;
	good = !conf_finish(file->conf, engine_staged(engine), faults) && good;
	if (!good)
		return false;
	conf_modules(file->conf, engine_staged(engine), &file->text);
	err = file->text.failed ? BARN_ERR_MEMORY : BARN_OK;
	if (!err && file->text.len)
		err = barn_engine_module(engine, file->path, text_str(&file->text),
					 file->text.len, faults);
	if (err && err != BARN_ERR_TEXT)
		say_error("%s: %s", file->path, barn_strerror(err));
	engine->opaque |= conf_opaque(file->conf);
	return !err;
}

void
conf_file_fini(struct conf_file *file)
{
	conf_free(file->conf);
	text_fini(&file->text);
}
