/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_SHOW_COMMON_H
#define CLI_SHOW_COMMON_H

/* Shows of the daemon's counters that take no words: their options, and the way there. */

#include "cli/counters.h"
#include "program/options.h"
#include <stdbool.h>

/* For their tables: --stats and --json. */
extern const struct option_row show_common_rows[];

/* Opens the counters and has them printed; `print` returns an exit status. */
int show_common_run(const struct command *self, int argc, char **argv,
		    int (*print)(const struct barn_stats *stats, bool json));

/* 1d 02:03:04 */
const char *show_common_time(uint64_t seconds, char text[32]);

/* Zeros if there is none. */
struct barn_stats_engine show_common_engine(const struct barn_stats *stats);

#endif
