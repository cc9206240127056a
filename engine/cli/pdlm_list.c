/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "base/text.h"
#include "cli/commands.h"
#include "cli/json_out.h"
#include "cli/packs_out.h"
#include "program/modules.h"
#include "program/say.h"
#include <getopt.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
transport_name(uint8_t transport)
{
	switch ((enum pdl_transport)transport) {
	case PDL_TCP: return "tcp";
	case PDL_UDP: return "udp";
	case PDL_SCTP: return "sctp";
	}
	return "";
}

static int
by_name(const void *a, const void *b)
{
	return strcmp((*(const struct protocol *const *)a)->name,
		      (*(const struct protocol *const *)b)->name);
}

/* Sorted; the caller frees the array. NULL: no memory. */
static const struct protocol **
sorted(const struct registry *registry, size_t *count)
{
	const struct protocol **list = calloc(registry_count(registry), sizeof(*list));

	*count = 0;
	for (uint16_t i = 1; list && i < registry_count(registry); i++) {
		const struct protocol *p = registry_protocol(registry, i);

		if (p->module)
			list[(*count)++] = p;
	}
	if (list)
		qsort(list, *count, sizeof(*list), by_name);
	return list;
}

static void
add_port(struct text *text, const struct pdl_port *port)
{
	text_printf(text, "%s %u", transport_name(port->transport), port->low);
	if (port->high != port->low)
		text_printf(text, "-%u", port->high);
}

enum { PORTS_MAX = 36 }; /* characters, after which no more are listed; JSON has all */
enum { NAME, ID, INDEX, PORTS, TITLE, ATTRIBUTES, COLUMNS };

static const char *const heads[COLUMNS] = { "NAME",  "ID",    "INDEX",
					    "PORTS", "TITLE", "ATTRIBUTES" };

static void
fill(const struct protocol *p, struct text cells[COLUMNS])
{
	text_add(&cells[NAME], p->name);
	if (p->id_engine)
		text_printf(&cells[ID], "%u:%u", p->id_engine, p->id_selector);
	if (p->index)
		text_printf(&cells[INDEX], "%u", p->index);
	for (unsigned i = 0; i < p->module->port_count; i++) {
		text_add(&cells[PORTS], i ? ", " : "");
		if (cells[PORTS].len > PORTS_MAX) {
			text_add(&cells[PORTS], "...");
			break;
		}
		add_port(&cells[PORTS], &p->module->ports[i]);
	}
	text_add(&cells[TITLE], p->title ? p->title : "");
	for (unsigned i = 0; i < p->module->attribute_count; i++)
		text_printf(&cells[ATTRIBUTES], "%s%s %s", i ? ", " : "",
			    p->module->attributes[i].key, p->module->attributes[i].value);
	for (unsigned i = 0; i < COLUMNS; i++)
		if (!cells[i].len)
			text_add(&cells[i], "-");
}

static void
print(const struct text cells[COLUMNS], const int widths[COLUMNS])
{
	for (unsigned i = 0; i < COLUMNS - 1; i++)
		printf("%*s  ", i == INDEX ? widths[i] : -widths[i], text_str(&cells[i]));
	puts(text_str(&cells[COLUMNS - 1]));
}

static void
print_text(const struct registry *registry)
{
	size_t count;
	const struct protocol **list = sorted(registry, &count);
	struct text(*rows)[COLUMNS] = calloc(count + 1, sizeof(*rows));
	int widths[COLUMNS] = { 0 };

	if (!list || !rows)
		count = 0;
	for (unsigned i = 0; rows && i < COLUMNS; i++)
		text_add(&rows[0][i], heads[i]);
	for (size_t i = 0; i < count; i++)
		fill(list[i], rows[i + 1]);
	for (size_t i = 0; rows && i <= count; i++)
		for (unsigned k = 0; k < COLUMNS; k++)
			if ((int)rows[i][k].len > widths[k])
				widths[k] = (int)rows[i][k].len;
	for (size_t i = 0; rows && i <= count; i++) {
		print(rows[i], widths);
		for (unsigned k = 0; k < COLUMNS; k++)
			text_fini(&rows[i][k]);
	}
	free(rows);
	free(list);
}

static struct json_object *
strings(const char *const *list, unsigned count)
{
	struct json_object *array = json_object_new_array();

	for (unsigned i = 0; i < count; i++)
		json_object_array_add(array, json_object_new_string(list[i]));
	return array;
}

static struct json_object *
ports_of(const struct pdl_protocol *module)
{
	struct json_object *array = json_object_new_array();

	for (unsigned i = 0; i < module->port_count; i++) {
		struct text text = { 0 };

		add_port(&text, &module->ports[i]);
		json_object_array_add(array, json_object_new_string(text_str(&text)));
		text_fini(&text);
	}
	return array;
}

static struct json_object *
attributes_of(const struct pdl_protocol *module)
{
	struct json_object *object = json_object_new_object();

	for (unsigned i = 0; i < module->attribute_count; i++)
		json_object_object_add(object, module->attributes[i].key,
				       json_object_new_string(module->attributes[i].value));
	return object;
}

static const char *
argument_name(uint8_t kind)
{
	switch ((enum pdl_subclass_kind)kind) {
	case PDL_GLOB: return "pattern";
	case PDL_NUMBERS: return "numbers";
	case PDL_FLAG: return "none";
	}
	return "";
}

static struct json_object *
subclasses_of(const struct pdl_protocol *module)
{
	struct json_object *array = json_object_new_array();

	for (unsigned i = 0; i < module->subclass_count; i++) {
		const struct pdl_subclass *sub = &module->subclasses[i];
		struct json_object *object = json_object_new_object();
		struct text field = { 0 };

		text_printf(&field, "%s.%s", module->name, sub->field);
		json_object_object_add(object, "name", json_object_new_string(sub->name));
		json_object_object_add(object, "argument",
				       json_object_new_string(argument_name(sub->kind)));
		json_object_object_add(object, "field",
				       json_object_new_string(text_str(&field)));
		json_object_array_add(array, object);
		text_fini(&field);
	}
	return array;
}

static struct json_object *
protocol_of(const struct barn_engine *engine, const struct protocol *p)
{
	const struct pdl_protocol *m = p->module;
	const struct packs_item *pack = packs_owner(&engine->packs, m);
	struct json_object *object = json_object_new_object();
	char id[32];

	snprintf(id, sizeof(id), "%u:%u", p->id_engine, p->id_selector);
	json_object_object_add(object, "name", json_object_new_string(p->name));
	json_object_object_add(object, "aliases",
			       strings((const char *const *)m->aliases, m->alias_count));
	json_object_object_add(object, "id", p->id_engine ? json_object_new_string(id) : NULL);
	json_object_object_add(object, "index", json_object_new_int(p->index));
	json_object_object_add(object, "ports", ports_of(m));
	json_object_object_add(object, "title",
			       json_object_new_string(p->title ? p->title : ""));
	json_object_object_add(object, "attributes", attributes_of(m));
	json_object_object_add(object, "reference",
			       json_object_new_string(m->reference ? m->reference : ""));
	json_object_object_add(object, "over",
			       strings((const char *const *)m->over, m->over_count));
	json_object_object_add(object, "subclasses", subclasses_of(m));
	json_object_object_add(object, "file", json_object_new_string(m->file));
	json_object_object_add(object, "pack",
			       pack ? json_object_new_string(pack->info.name) : NULL);
	return object;
}

static void
print_json(const struct barn_engine *engine)
{
	struct json_object *array = json_object_new_array();
	size_t count;
	const struct protocol **list = sorted(engine->registry, &count);

	for (size_t i = 0; i < count; i++)
		json_object_array_add(array, protocol_of(engine, list[i]));
	free(list);
	puts(json_object_to_json_string_ext(array, JSON_C_TO_STRING_PRETTY |
							   JSON_C_TO_STRING_SPACED |
							   JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(array);
}

enum row { JSON, PACKS, CONF, MODULE, MODULES, KEY, NO_NDPI, INDEX_FILE, ROWS };

static const struct option_row rows[ROWS + 1] = {
	[JSON] = { "json", 0, NULL, "List as a JSON array" },
	[PACKS] = { "packs", 0, NULL, "List the protocol packs instead" },
	[CONF] = { MODULES_ROW_CONF },
	[MODULE] = { MODULES_ROW_FILE },
	[MODULES] = { MODULES_ROW_FOLDER },
	[KEY] = { MODULES_ROW_KEY },
	[NO_NDPI] = { MODULES_ROW_NDPI },
	[INDEX_FILE] = { MODULES_ROW_INDEX },
	{ 0 },
};

struct job {
	struct modules_list modules;
	bool json, packs;
};

static int
list_all(const struct job *job)
{
	struct barn_engine *engine;

	if (modules_load(&job->modules.options, &engine))
		return EXIT_FAILED;
	if (job->packs && job->json)
		json_out_print(packs_out_json(engine));
	else if (job->packs)
		packs_out_list(engine);
	else if (job->json)
		print_json(engine);
	else
		print_text(engine->registry);
	barn_engine_free(engine);
	return 0;
}

static int
run(const struct command *self, int argc, char **argv)
{
	struct job job = { .json = false };
	const char *value;
	bool good = true;
	int row, status = EXIT_FAILED;

	while (good && (row = options_next(self, argc, argv, &value)) >= 0) {
		job.json |= row == JSON;
		job.packs |= row == PACKS;
		good = modules_option(&job.modules, &rows[row], value);
	}
	if (good && row != OPTIONS_END)
		status = row == OPTIONS_HELP ? 0 : EXIT_USAGE;
	else if (good && optind < argc)
		status = say_usage(self->name, "'%s' is too much", argv[optind]);
	else if (good)
		status = list_all(&job);
	modules_fini(&job.modules);
	return status;
}

const struct command command_pdlm_list = {
	.name = "pdlm list",
	.arguments = "[options]",
	.summary = "List the protocols that have a module",
	.options = rows,
	.run = run,
};
