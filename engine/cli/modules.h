/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_MODULES_H
#define CLI_MODULES_H

/*
 * The modules of a run, compiled. Their folder is the one given, or $BARN_PDLM_PATH, or, when
 * the program lies in its build tree, the source's, or the installed one.
 */

#include "worker/engine.h"

struct modules_options {
	const char *folder; /* NULL: search */
	const char *const
		*files; /* added to the folder's, and replacing those of their names */
	unsigned file_count;
	bool no_ndpi;
};

/* An engine, ready; the caller frees it. On an error the user was told why. */
enum barn_err modules_load(const struct modules_options *options, struct barn_engine **engine);

#endif
