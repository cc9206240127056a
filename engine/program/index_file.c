/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "program/index_file.h"
#include "program/modules.h"
#include "program/say.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool
index_file_read(const char *path, struct barn_engine *engine, struct barn_faults *faults)
{
	enum barn_err err;
	size_t length;
	char *text;

	if (access(path, F_OK) != 0 && errno == ENOENT)
		return true;
	text = modules_read(path, &length);
	if (!text)
		return false;
	err = barn_engine_indexes_read(engine, path, text, length, faults);
	free(text);
	if (err && err != BARN_ERR_TEXT)
		say_error("%s: %s", path, barn_strerror(err));
	return !err;
}

static bool
is_same(const char *path, const char *text)
{
	size_t length;
	char *old = access(path, F_OK) == 0 ? modules_read(path, &length) : NULL;
	bool same = old && length == strlen(text) && memcmp(old, text, length) == 0;

	free(old);
	return same;
}

static bool
write_as(const char *path, const char *text)
{
	FILE *f = fopen(path, "we");
	bool good = f && fputs(text, f) >= 0 && fflush(f) == 0 && fsync(fileno(f)) == 0;

	if (f && fclose(f) != 0)
		good = false;
	return good;
}

bool
index_file_write(const char *path, struct barn_engine *engine)
{
	char other[PATH_MAX];
	bool good = true;
	char *text;

	if (barn_engine_indexes_write(engine, &text)) {
		say_error("out of memory");
		return false;
	}
	snprintf(other, sizeof(other), "%s.%ld", path, (long)getpid());
	if (!is_same(path, text)) {
		good = write_as(other, text) && rename(other, path) == 0;
		if (!good) {
			say_error("%s: %s", path, strerror(errno));
			unlink(other);
		}
	}
	free(text);
	return good;
}
