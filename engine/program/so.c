/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "program/so.h"
#include "program/say.h"
#include "program/so_trust.h"

#include <barn/inspector.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * The descriptor stays open as long as the object: the loader knows objects by their names, and
 * would take a later one for this one if it had the same number.
 */
struct so {
	void *handle;
	int fd;
};

bool
so_is(const char *path)
{
	size_t n = strlen(path);

	return n > 3 && strcmp(path + n - 3, ".so") == 0;
}

static void
close_so(void *self)
{
	struct so *so = self;

	if (so->handle)
		dlclose(so->handle);
	if (so->fd >= 0)
		close(so->fd);
	free(so);
}

/* What the loader says begins with the name that it was given. */
static const char *
reason(const char *name)
{
	const char *text = dlerror();
	size_t n = strlen(name);

	if (!text)
		return "it cannot be opened";
	return strncmp(text, name, n) == 0 && strncmp(text + n, ": ", 2) == 0 ? text + n + 2
									      : text;
}

/* The table, or NULL: the user was told. */
static const struct barn_inspector_module *
open_so(struct so *so, const char *path)
{
	const struct barn_inspector_module *module;
	char name[32], why[SO_WHY];

	so->fd = so_trust_open(path, why, sizeof(why));
	if (so->fd < 0) {
		say_error("%s: %s", path, why);
		return NULL;
	}
	/* What was looked at is what is opened, whatever the path leads to by now. */
	snprintf(name, sizeof(name), "/proc/self/fd/%d", so->fd);
	so->handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	if (!so->handle) {
		say_error("%s: %s", path, reason(name));
		return NULL;
	}
	module = dlsym(so->handle, "barn_inspector_module");
	if (!module)
		say_error("%s: it has no barn_inspector_module, which a module in C exports",
			  path);
	return module;
}

bool
so_load(struct barn_engine *engine, const char *path, struct barn_faults *faults)
{
	struct so *so = calloc(1, sizeof(*so));
	const struct barn_inspector_module *module;
	uint32_t before = faults->count;
	enum barn_err err;

	if (!so) {
		say_error("out of memory");
		return false;
	}
	so->fd = -1;
	module = open_so(so, path);
	if (!module) {
		close_so(so);
		return false;
	}
	err = barn_engine_inspectors(engine, path, module, close_so, so, faults);
	if (!err)
		return true;
	close_so(so);
	if (faults->count == before)
		say_error("%s: %s", path, barn_strerror(err));
	return false;
}
