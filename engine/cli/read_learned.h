/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_READ_LEARNED_H
#define CLI_READ_LEARNED_H

/*
 * What was learned of servers, for `barn read --learned`, as of now_ns: the columns of NBAR's
 * socket cache, or JSON. No worker may run meanwhile.
 */

#include "worker/engine.h"

struct json_object; /* json-c's */

void read_learned_print(const struct barn_engine *engine, uint64_t now_ns);

/* An array; the caller's. */
struct json_object *read_learned_json(const struct barn_engine *engine, uint64_t now_ns);

/* The same as the one member `learned` of a line. */
void read_learned_line(const struct barn_engine *engine, uint64_t now_ns);

#endif
