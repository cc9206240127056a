/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/pdlm_list.h"
#include "base/text.h"
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

static void
print(const struct protocol *p)
{
	struct text ports = { 0 }, attributes = { 0 };
	char id[32] = "-", index[16] = "-";

	for (unsigned i = 0; i < p->module->port_count; i++) {
		text_add(&ports, i ? ", " : "");
		add_port(&ports, &p->module->ports[i]);
	}
	for (unsigned i = 0; i < p->module->attribute_count; i++)
		text_printf(&attributes, "%s%s %s", i ? ", " : "", p->module->attributes[i].key,
			    p->module->attributes[i].value);
	if (p->id_engine)
		snprintf(id, sizeof(id), "%u:%u", p->id_engine, p->id_selector);
	if (p->index)
		snprintf(index, sizeof(index), "%u", p->index);
	printf("%-20s %-12s %5s  %-24s %-44s %s\n", p->name, id, index, text_str(&ports),
	       p->title ? p->title : "", text_str(&attributes));
	text_fini(&ports);
	text_fini(&attributes);
}

void
pdlm_list(const struct registry *registry)
{
	size_t count;
	const struct protocol **list = sorted(registry, &count);

	printf("%-20s %-12s %5s  %-24s %-44s %s\n", "NAME", "ID", "INDEX", "PORTS", "TITLE",
	       "ATTRIBUTES");
	for (size_t i = 0; i < count; i++)
		print(list[i]);
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

static struct json_object *
subclasses_of(const struct pdl_protocol *module)
{
	struct json_object *array = json_object_new_array();

	for (unsigned i = 0; i < module->subclass_count; i++)
		json_object_array_add(array,
				      json_object_new_string(module->subclasses[i].name));
	return array;
}

static struct json_object *
protocol_of(const struct protocol *p)
{
	const struct pdl_protocol *m = p->module;
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
	return object;
}

void
pdlm_list_json(const struct registry *registry)
{
	struct json_object *array = json_object_new_array();
	size_t count;
	const struct protocol **list = sorted(registry, &count);

	for (size_t i = 0; i < count; i++)
		json_object_array_add(array, protocol_of(list[i]));
	free(list);
	puts(json_object_to_json_string_ext(array, JSON_C_TO_STRING_PRETTY |
							   JSON_C_TO_STRING_SPACED |
							   JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(array);
}
