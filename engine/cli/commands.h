/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/options.h"

/* All of them, in the order of the help; ends in one without a name. */
extern const struct command *const commands[];

/* By name; NULL if there is none. */
const struct command *commands_find(const char *name);

/* The program: runs the command that argv names and returns its exit status. */
int commands_run(int argc, char **argv);

extern const struct command command_help, command_pdlm, command_read, command_version;

#endif
