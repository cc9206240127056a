/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_CHILD_H
#define DAEMON_CHILD_H

/*
 * The inner process: one thread that serves (control socket, counters, changes) and the
 * workers. It begins as a copy of the parent, takes what the parent has opened, gives up all
 * rights, and from then on sees packets.
 */

#include "conf/conf.h"
#include "daemon/pulse.h"
#include "daemon/settings.h"
#include "worker/engine.h"

struct ways;

struct child_options {
	const struct settings *settings;
	struct barn_engine *engine;
	struct conf *conf;
	struct pulse *pulse;
	struct ways *ways; /* in and out, open */
	int link;          /* link.h */
	int listener;      /* the control socket, bound */
	int segment;       /* of the counters, to be written */
	int state_folder;  /* of the state file, opened */
	const char *state_name;
	const char *empty; /* an empty folder, its root from now on */
};

/* In the forked process: returns its exit status. */
int child_run(const struct child_options *options);

#endif
