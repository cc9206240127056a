/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PROGRAM_INDEX_FILE_H
#define PROGRAM_INDEX_FILE_H

/*
 * The file that keeps the SNMP indexes of protocols that name none (classify/indexes.h has its
 * text). It is written as a whole under another name and then renamed, and only when it
 * changes.
 */

#include "worker/engine.h"

/* Before the engine's first commit; a file that is not there is an empty one. False: faults, or
 * the user was told. */
bool index_file_read(const char *path, struct barn_engine *engine, struct barn_faults *faults);

/* After it. False: the user was told. */
bool index_file_write(const char *path, struct barn_engine *engine);

#endif
