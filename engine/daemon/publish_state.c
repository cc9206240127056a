/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "daemon/publish_impl.h"
#include "discovery/state.h"

#include <stdlib.h>
#include <string.h>

/* The ledger by the names of this run. */

static const char *
interface_name(void *self, uint16_t number)
{
	const struct publish *p = self;

	return p->options.ways->names[number];
}

static const char *
protocol_name(void *self, uint16_t number)
{
	const struct publish *p = self;

	return registry_protocol(p->options.engine->registry, number)->name;
}

static uint16_t
find_interface(void *self, const char *name)
{
	const struct ways *ways = ((struct publish *)self)->options.ways;

	for (uint16_t i = 0; i < ways->interfaces; i++)
		if (strcmp(ways->names[i], name) == 0)
			return i;
	return UINT16_MAX;
}

static uint16_t
find_protocol(void *self, const char *name)
{
	const struct registry *r = ((struct publish *)self)->options.engine->registry;
	uint16_t number = registry_recall(r, name);

	if (number || strcmp(name, registry_protocol(r, 0)->name) == 0)
		return number;
	return UINT16_MAX;
}

static uint64_t
since_ns(void *self, uint16_t interface)
{
	return ((struct publish *)self)->interfaces[interface].cleared_ns;
}

static void
set_since(void *self, uint16_t interface, uint64_t since)
{
	((struct publish *)self)->interfaces[interface].cleared_ns = since;
}

static struct state_names
names_of(struct publish *p)
{
	return (struct state_names){
		p,        interface_name, protocol_name, find_interface, find_protocol,
		since_ns, set_since
	};
}

enum barn_err
publish_restore(struct publish *publish, int folder, const char *name, unsigned *line)
{
	struct state_names names = names_of(publish);
	enum barn_err err;
	size_t length;
	char *text;

	*line = 0;
	err = state_load(folder, name, &text, &length);
	if (err)
		return err;
	err = state_parse(publish->ledger, &names, text, length, line);
	free(text);
	return err;
}

enum barn_err
publish_state(struct publish *publish, char **text, size_t *length)
{
	struct state_names names = names_of(publish);

	return state_print(publish->ledger, publish->options.ways->interfaces, &names, text,
			   length);
}
