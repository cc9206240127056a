/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_SHELL_RUN_H
#define CLI_SHELL_RUN_H

#include "cli/shell_line.h"

/*
 * Runs the line's command in a process of its own, so that whatever becomes of it the shell
 * goes on, and prints its output, or what the filter leaves of it. Returns its exit status.
 */
int shell_run(struct shell_line *line);

#endif
