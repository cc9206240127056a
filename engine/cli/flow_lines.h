/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_FLOW_LINES_H
#define CLI_FLOW_LINES_H

/* The daemon's flows: `show flows` of its control socket, lines of flow.schema.json. */

#include <json-c/json.h>
#include <stdint.h>

/*
 * Asks for them; `words` are what follows "show flows". `flow` gets each, which stays the
 * reader's: json_object_get() keeps it. Returns an exit status; the user was told if it is not
 * 0.
 */
int flow_lines_ask(const char *path, const char *const *words, unsigned count,
		   void (*flow)(void *self, struct json_object *flow), void *self);

/* Members, whatever the daemon sent: "" and 0 where they are missing. What comes from the wire
 * is as value_add() left it, but for control characters. */
const char *flow_lines_string(struct json_object *object, const char *name);
/* Of a pair of counts, 0: the client's. */
uint64_t flow_lines_count(struct json_object *object, const char *name, unsigned side);
struct json_object *flow_lines_member(struct json_object *object, const char *name);

/* What text shows of it, which the caller frees: 192.0.2.1:80; vlan:5/tcp/http. NULL: no
 * memory. */
char *flow_lines_endpoint(struct json_object *flow, const char *side);
char *flow_lines_stack(struct json_object *flow);
/* name=value ..., cut where it is long. */
char *flow_lines_fields(struct json_object *flow);

#endif
