/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_COUNTERS_H
#define CLI_COUNTERS_H

/* The daemon's counters in shared memory, for commands that show them. */

#include <barn/stats.h>

#define COUNTERS_ROW "stats", 's', "PATH", "Read the daemon's counters there"

/* $BARN_STATS, or the usual place. */
const char *counters_path(void);

/* Open and refreshed; `path` NULL: the usual one. NULL: the user was told. Old counters are
 * told too, and are some. */
struct barn_stats *counters_open(const char *path);

/* A protocol's record by its name; UINT32_MAX: none. */
uint32_t counters_protocol(const struct barn_stats *stats, const char *name);

/* An interface's record by its name; UINT32_MAX: the user was told. */
uint32_t counters_interface(const struct barn_stats *stats, const char *name);

/* Whole seconds since that time of the clock. */
uint64_t counters_since(uint64_t time_ns);

#endif
