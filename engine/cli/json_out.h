/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef CLI_JSON_OUT_H
#define CLI_JSON_OUT_H

/* Short words for json-c, which takes what it is given over. */

#include "base/bytes.h"
#include <json-c/json.h>

void json_out_string(struct json_object *object, const char *name, const char *value);
void json_out_number(struct json_object *object, const char *name, uint64_t value);
void json_out_bool(struct json_object *object, const char *name, bool value);
void json_out_hex(struct json_object *object, const char *name, struct bytes value);

/* An empty array, added to the object. */
struct json_object *json_out_list(struct json_object *object, const char *name);

/* On standard output, for people too; frees the object. */
void json_out_print(struct json_object *object);

#endif
