/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "snmp/control.h"

#include "snmp/agent.h"

#include <barn/ctl.h>
#include <stdlib.h>

enum { ANSWER_MS = 500 };

struct control {
	struct barn_ctl *ctl;
};

struct control *
control_new(const char *path)
{
	struct barn_ctl_options options = { .size = sizeof(options), .path = path };
	struct control *control = calloc(1, sizeof(*control));

	if (control && barn_ctl_new(&options, &control->ctl)) {
		free(control);
		return NULL;
	}
	return control;
}

void
control_free(struct control *control)
{
	if (control)
		barn_ctl_free(control->ctl);
	free(control);
}

/* The daemon may have been restarted since the last time: then once more, with the new one. */
static enum barn_err
ask(struct barn_ctl *ctl, const char *const *words, unsigned count)
{
	uint32_t id;
	enum barn_err err = BARN_ERR_END;

	for (unsigned i = 0; i < 2 && err == BARN_ERR_END; i++) {
		err = barn_ctl_fd(ctl) < 0 ? barn_ctl_connect(ctl) : BARN_OK;
		if (!err)
			err = barn_ctl_send(ctl, words, count, &id);
		if (!err)
			err = barn_ctl_wait(ctl, id, ANSWER_MS);
	}
	return err;
}

bool
control_enable(void *self, const char *interface, bool on)
{
	struct control *control = self;
	const char *words[] = { "set", "protocol-discovery", interface, on ? "on" : "off" };
	enum barn_err err = ask(control->ctl, words, sizeof(words) / sizeof(words[0]));

	if (err)
		agent_log("protocol discovery on %s was not switched %s: %s %s\n", interface,
			  on ? "on" : "off", barn_strerror(err), barn_ctl_text(control->ctl));
	return !err;
}
