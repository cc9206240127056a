/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/packs_out.h"
#include "cli/json_out.h"
#include <stdio.h>
#include <string.h>

const char *
packs_out_seal(const struct barn_pack_info *info, char text[48])
{
	if (!info->is_signed)
		return "no";
	if (!*info->key)
		return "yes, not checked";
	snprintf(text, 48, "key %s", info->key);
	return text;
}

void
packs_out_text(struct barn_engine *engine)
{
	struct barn_pack_info info;
	char seal[48];

	for (unsigned i = 0; !barn_engine_pack_info(engine, i, &info); i++) {
		printf("\nProtocol pack %s:\n", info.name);
		printf("  %-30s %s\n", "Version:", info.version);
		printf("  %-30s %s\n", "Publisher:", info.publisher);
		printf("  %-30s %s\n", "Minimum barn version:", info.engine);
		printf("  %-30s %s\n", "Signed:", packs_out_seal(&info, seal));
		printf("  %-30s %u\n", "Protocols:", info.protocols);
		if (info.replaced)
			printf("  %-30s %u\n", "Replaced by other modules:", info.replaced);
	}
}

void
packs_out_list(struct barn_engine *engine)
{
	struct barn_pack_info info;
	char seal[48];

	printf("%-20s  %-10s  %9s  %8s  %-38s  %s\n", "NAME", "VERSION", "PROTOCOLS",
	       "REPLACED", "SIGNED", "PUBLISHER");
	for (unsigned i = 0; !barn_engine_pack_info(engine, i, &info); i++)
		printf("%-20s  %-10s  %9u  %8u  %-38s  %s\n", info.name, info.version,
		       info.protocols, info.replaced, packs_out_seal(&info, seal),
		       info.publisher);
}

struct json_object *
packs_out_object(const struct barn_pack_info *info)
{
	struct json_object *object = json_object_new_object();

	json_out_string(object, "name", info->name);
	json_out_string(object, "version", info->version);
	json_out_string(object, "publisher", info->publisher);
	json_out_string(object, "engine", info->engine);
	json_out_bool(object, "signed", info->is_signed);
	json_object_object_add(object, "key",
			       *info->key ? json_object_new_string(info->key) : NULL);
	json_out_number(object, "protocols", info->protocols);
	json_out_number(object, "replaced", info->replaced);
	return object;
}

struct json_object *
packs_out_json(struct barn_engine *engine)
{
	struct json_object *array = json_object_new_array();
	struct barn_pack_info info;

	for (unsigned i = 0; !barn_engine_pack_info(engine, i, &info); i++)
		json_object_array_add(array, packs_out_object(&info));
	return array;
}
