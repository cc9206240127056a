/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef PROGRAM_LEARNED_FILE_H
#define PROGRAM_LEARNED_FILE_H

/*
 * What was learned of servers, outside of the engine: as a list in a fixed order, and in a file
 * that keeps it from one run to the next. No worker may run meanwhile.
 *
 *	barn-learned 1
 *	ADDRESS PATH PORT PROTO CLIENT PROTOCOL CARRIER BY TOLD UNTIL
 *	end N
 *
 * PATH is the encapsulation's number in hex; PORT and PROTO are 0 for what a name tells of all
 * ports; CLIENT is who was told the name, or -; CARRIER is - where there is none; BY is site
 * for what the configuration says of a name, else guess; times are ns since 1970. N is the
 * number of lines between, so that a file that was cut short is told from a whole one. It is
 * written as a whole under another name and then renamed.
 */

#include "worker/engine.h"

/* After the engine's commit; a file that is not there is an empty one. False: the user was
 * told, and nothing was taken. */
bool learned_file_read(const char *path, struct barn_engine *engine);

/* What still holds at now_ns. False: the user was told, and the file is as it was. */
bool learned_file_write(const char *path, struct barn_engine *engine, uint64_t now_ns);

/* By address, port, protocol and client; the caller frees it. NULL: no memory. */
struct learn_end *learned_file_list(const struct barn_engine *engine, unsigned *count);

#endif
