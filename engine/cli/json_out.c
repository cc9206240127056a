/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/json_out.h"
#include "base/text.h"
#include <stdio.h>

void
json_out_string(struct json_object *object, const char *name, const char *value)
{
	json_object_object_add(object, name, json_object_new_string(value));
}

void
json_out_number(struct json_object *object, const char *name, uint64_t value)
{
	json_object_object_add(object, name, json_object_new_uint64(value));
}

void
json_out_bool(struct json_object *object, const char *name, bool value)
{
	json_object_object_add(object, name, json_object_new_boolean(value));
}

void
json_out_hex(struct json_object *object, const char *name, struct bytes value)
{
	struct text text = { 0 };

	while (bytes_left(&value))
		text_printf(&text, "%02x", bytes_u8(&value));
	json_out_string(object, name, text_str(&text));
	text_fini(&text);
}

struct json_object *
json_out_list(struct json_object *object, const char *name)
{
	struct json_object *list = json_object_new_array();

	json_object_object_add(object, name, list);
	return list;
}

void
json_out_print(struct json_object *object)
{
	puts(json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY |
							    JSON_C_TO_STRING_SPACED |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(object);
}
