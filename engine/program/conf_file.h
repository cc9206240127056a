/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PROGRAM_CONF_FILE_H
#define PROGRAM_CONF_FILE_H

/* A configuration file: read, and its protocols added to a run's modules. */

#include "conf/conf.h"
#include "worker/engine.h"

struct conf_file {
	const char *path;
	struct conf *conf;            /* NULL until it is read */
	const struct barn_keys *keys; /* of packs that it names; NULL: none */
	struct text text;             /* the modules that it was translated into */
};

/* BARN_ERR_TEXT: faults, or the user was told that it could not be read. */
enum barn_err conf_file_read(struct conf_file *file, struct barn_faults *faults);

/*
 * Reads it if it was not, loads the modules that it names, and adds those that it is translated
 * into, to an engine that is not ready yet. False: as above.
 */
bool conf_file_apply(struct conf_file *file, struct barn_engine *engine,
		     struct barn_faults *faults);

void conf_file_fini(struct conf_file *file);

#endif
