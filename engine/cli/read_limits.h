/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_LIMITS_H
#define CLI_READ_LIMITS_H

/* What the engine's bounds have cost in a run of `barn read`, and what was announced in it. */

#include "cli/read_workers.h"
#include "wire/wire.h"

struct json_object; /* json-c's */

enum read_limit {
	LIMIT_FLOWS,
	LIMIT_INSPECTIONS,
	LIMIT_STREAM,
	LIMIT_VALUES,
	LIMIT_DATAGRAMS,
	LIMIT_ANNOUNCEMENTS,
	LIMIT_LEARNED,
	READ_LIMITS
};

struct read_limits {
	uint64_t count[READ_LIMITS];
	uint64_t announced, unused; /* flows; those that never came */
};

/* At the end, when no worker runs. */
struct read_limits read_limits_of(const struct read_workers *workers, const struct wire *wire,
				  struct shared *shared);

/* Lines on standard output, of what is not 0. */
void read_limits_print(const struct read_limits *limits);

/* The member "limits" of the table. */
struct json_object *read_limits_json(const struct read_limits *limits);

#endif
