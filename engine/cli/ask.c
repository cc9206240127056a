/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/ask.h"
#include "program/say.h"
#include <barn/ctl.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE_MS = 60000 }; /* modules are tested before they are put in force */

struct question {
	void (*data)(void *self, const void *data, size_t length);
	void *self;
};

const char *
ask_path(void)
{
	const char *path = getenv("BARN_CONTROL");

	return path && *path ? path : BARN_CTL_PATH;
}

static void
on_data(void *self, uint32_t id, const void *data, size_t length)
{
	const struct question *q = self;

	(void)id;
	if (q->data)
		q->data(q->self, data, length);
}

static int
no_daemon(const char *path, enum barn_err err)
{
	if (err == BARN_ERR_MISSING)
		say_error("%s: nobody answers: is barnd running?", path);
	else if (err == BARN_ERR_SYSTEM && errno == EACCES)
		say_error("%s: this user may not talk to barnd", path);
	else
		say_error("%s: %s", path,
			  err == BARN_ERR_SYSTEM ? strerror(errno) : barn_strerror(err));
	return EXIT_FAILED;
}

static int
no_answer(const char *path, const struct barn_ctl *ctl, enum barn_err err)
{
	const char *text = barn_ctl_text(ctl);

	if (*text)
		say_error("barnd: %s", text);
	else if (err == BARN_ERR_SYSTEM && errno == ETIMEDOUT)
		say_error("%s: barnd does not answer", path);
	else if (err == BARN_ERR_END)
		say_error("%s: barnd has closed the connection", path);
	else
		say_error("barnd: %s", barn_strerror(err));
	return EXIT_FAILED;
}

int
ask(const char *path, const char *const *words, unsigned count,
    void (*data)(void *self, const void *data, size_t length), void *self)
{
	struct question q = { data, self };
	struct barn_ctl_options options = {
		.size = sizeof(options),
		.path = path ? path : ask_path(),
		.data = on_data,
		.self = &q,
	};
	struct barn_ctl *ctl;
	enum barn_err err = barn_ctl_new(&options, &ctl);
	uint32_t id;
	int status = 0;

	if (err)
		return no_daemon(options.path, err);
	err = barn_ctl_connect(ctl);
	if (err) {
		status = no_daemon(options.path, err);
	} else {
		err = barn_ctl_send(ctl, words, count, &id);
		if (!err)
			err = barn_ctl_wait(ctl, id, PATIENCE_MS);
		if (err)
			status = no_answer(options.path, ctl, err);
	}
	barn_ctl_free(ctl);
	return status;
}
