/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PROGRAM_SO_H
#define PROGRAM_SO_H

/*
 * Modules in C, as shared objects (barn-inspector(3)). What is opened runs with all rights of
 * the program, so only a file is that nobody but root and the user can write, replace or
 * rename: not it, and none of the folders above it, up to the root.
 */

#include <barn/barn.h>

/* By its name: FILE.so. */
bool so_is(const char *path);

/* Stages its inspectors and the modules of its text; the engine closes it. False: faults, or
 * the user was told. */
bool so_load(struct barn_engine *engine, const char *path, struct barn_faults *faults);

#endif
