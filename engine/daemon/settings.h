/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_SETTINGS_H
#define DAEMON_SETTINGS_H

/* How this daemon runs: what the configuration says, and the defaults for the rest. */

#include "conf/service.h"
#include "daemon/privilege.h"

struct settings {
	unsigned workers;
	uint32_t flows; /* of each worker */
	bool dry_run;
	const char *user, *group; /* group NULL: the user's */
	struct privilege privilege;
	const char *control_socket, *segment, *state_file;
	const char *pid_file; /* NULL: none */
	enum conf_log log;
	int log_level;
};

/* The strings are the configuration's. */
void settings_of(const struct conf *conf, struct settings *settings);

#endif
