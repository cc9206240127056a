/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef DAEMON_LOAD_H
#define DAEMON_LOAD_H

/* The files of a daemon: its configuration, and the modules in force with it. Read by the
 * parent, as root: at the start, and when they are read again. */

#include "program/modules.h"

struct load {
	struct modules_list list;
	struct barn_engine *engine; /* with the modules */
	struct conf *conf;          /* what was read; the list's */
};

/* The configuration and the modules' folder (NULL: search). False: the user was told. */
bool load_read(struct load *load, const char *conf, const char *folder, const char *index_file);
void load_fini(struct load *load);

#endif
