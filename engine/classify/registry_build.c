/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/registry_impl.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BOUND = 256 << 20, NAME_ROOM = 512 };

/* What a build carries along; the first error stays. */
struct build {
	const struct registry_options *options;
	struct registry *r;
	struct barn_faults *faults;
	enum barn_err err;
};

static void *
take(struct build *b, size_t n, size_t size)
{
	void *memory = b->err ? NULL : arena_array(b->r->arena, n ? n : 1, size);

	if (!memory) {
		if (!b->err)
			b->err = BARN_ERR_MEMORY;
		return NULL;
	}
	return memset(memory, 0, (n ? n : 1) * size);
}

static void __attribute__((format(printf, 3, 4)))
fault(struct build *b, const struct pdl_protocol *at, const char *format, ...)
{
	struct barn_fault *f;
	va_list args;

	b->err = BARN_ERR_TEXT;
	if (b->faults->count++ >= BARN_FAULTS)
		return;
	f = &b->faults->fault[b->faults->count - 1];
	*f = (struct barn_fault){ .line = at->line, .column = 1 };
	snprintf(f->file, sizeof(f->file), "%s", at->file);
	va_start(args, format);
	vsnprintf(f->text, sizeof(f->text), format, args);
	va_end(args);
}

/* Sorted from the start, as each name is looked up before it is added. */
static void
add_name(struct build *b, const char *name, uint16_t number)
{
	struct registry *r = b->r;
	unsigned low = 0, high = r->name_count;

	if (registry_name_number(r->names, r->name_count, name))
		return; /* pdl_set_finish has refused what modules share; nDPI's names yield */
	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (r->names[middle].name && strcmp(r->names[middle].name, name) > 0)
			high = middle;
		else
			low = middle + 1;
	}
	memmove(&r->names[low + 1], &r->names[low], (r->name_count - low) * sizeof(*r->names));
	r->names[low] = (struct registry_name){ name, number };
	r->name_count++;
}

/* The name's number for ever; `at` is the module that has it, or NULL. */
static uint16_t
intern(struct build *b, enum catalog_kind kind, const char *name, const struct pdl_protocol *at)
{
	uint16_t number = 0;
	enum barn_err err =
		b->err ? b->err : catalog_intern(b->options->catalog, kind, name, &number);

	if (err == BARN_ERR_EXISTS && at)
		fault(b, at,
		      "'%s': %d names of this kind were loaded since the start, and no more "
		      "can be",
		      name, CATALOG_BOUND);
	else if (err)
		b->err = BARN_ERR_MEMORY;
	return b->err ? 0 : number;
}

/* Number 0, where nothing does harm, after an error. */
static struct protocol *
add_protocol(struct build *b, const char *name, const char *title,
	     const struct pdl_protocol *module)
{
	struct protocol *p =
		&b->r->protocols[intern(b, CATALOG_PROTOCOLS, name ? name : "", module)];

	if (p->loaded)
		return p;
	*p = (struct protocol){
		.name = name,
		.title = title ? title : name,
		.number = (uint16_t)(p - b->r->protocols),
		.module = module,
		.loaded = true,
	};
	return p;
}

static void
add_modules(struct build *b)
{
	size_t count = pdl_set_count(b->options->modules);
	struct registry *r = b->r;

	r->modular = take(b, count, sizeof(*r->modular));
	for (size_t i = 0; i < count && !b->err; i++) {
		const struct pdl_protocol *m = pdl_set_at(b->options->modules, i);
		struct protocol *p = add_protocol(b, m->name, m->title, m);

		if (!b->err && p->number == 0)
			fault(b, m, "no protocol can be named '%s'", m->name);
		if (b->err)
			return;
		p->index = m->index;
		p->id_engine = m->id_engine;
		p->id_selector = m->id_selector;
		p->inspector =
			m->inspect ? foreign_find(b->options->foreign, m->inspect) : NULL;
		p->inspected = p->inspector != NULL;
		r->modular[r->modular_count++] = p->number;
		add_name(b, m->name, p->number);
	}
	for (size_t i = 0; i < count && !b->err; i++) {
		const struct pdl_protocol *m = pdl_set_at(b->options->modules, i);

		for (unsigned a = 0; a < m->alias_count; a++)
			add_name(b, m->aliases[a], r->modular[i]);
	}
}

/* What was loaded once: flows may have its number, and counters. */
static void
add_gone(struct build *b)
{
	const struct registry *before = b->options->before;
	struct registry *r = b->r;

	r->protocol_count = catalog_count(b->options->catalog, CATALOG_PROTOCOLS);
	for (uint16_t i = 1; before && i < before->protocol_count; i++) {
		const struct protocol *old = &before->protocols[i];

		if (r->protocols[i].loaded || b->err)
			continue;
		r->protocols[i] = (struct protocol){
			.name = catalog_name(r->catalog, CATALOG_PROTOCOLS, i),
			.title = arena_strdup(r->arena, old->title),
			.number = i,
			.index = old->index,
			.id_engine = old->id_engine,
			.id_selector = old->id_selector,
			.inspected = old->inspected,
		};
		if (!r->protocols[i].title)
			b->err = BARN_ERR_MEMORY;
	}
}

/* Number i of those with a module. */
static const struct pdl_protocol *
module_at(const struct registry *r, unsigned i)
{
	return r->protocols[r->modular[i]].module;
}

/* "GoogleHangoutDuo" and "FTP_CONTROL" as names of ours: lower case, hyphens. */
static char *
ndpi_lower(struct build *b, const char *name)
{
	char *lower = b->err ? NULL : arena_strdup(b->r->arena, name);

	if (!lower) {
		b->err = BARN_ERR_MEMORY;
		return NULL;
	}
	for (char *c = lower; *c; c++)
		*c = *c == '_' || *c == ' ' ? '-' : (char)tolower((unsigned char)*c);
	return lower;
}

/* The module that claims one of nDPI's names with `ndpi NAME`, or 0. */
static uint16_t
ndpi_claimed(const struct build *b, const char *name)
{
	for (unsigned i = 0; i < b->r->modular_count; i++) {
		const struct pdl_protocol *m = module_at(b->r, i);

		for (unsigned n = 0; n < m->ndpi_count; n++)
			if (strcasecmp(m->ndpi[n], name) == 0)
				return b->r->modular[i];
	}
	return 0;
}

/*
 * nDPI's protocols: those of a module that claims the name or has it, and a
 * protocol of its own for every other.
 */
static void
add_ndpi(struct build *b)
{
	struct registry *r = b->r;

	r->ndpi_count = b->options->ndpi_name ? b->options->ndpi_count : 0;
	r->ndpi = take(b, r->ndpi_count, sizeof(*r->ndpi));
	for (uint16_t i = 1; i < r->ndpi_count && !b->err; i++) {
		const char *name = b->options->ndpi_name(b->options->self, i), *lower;
		struct protocol *p;

		if (!name || strcasecmp(name, "unknown") == 0)
			continue;
		lower = ndpi_lower(b, name);
		if (!lower)
			return;
		r->ndpi[i] = ndpi_claimed(b, name);
		if (!r->ndpi[i])
			r->ndpi[i] = registry_name_number(r->names, r->name_count, lower);
		if (r->ndpi[i])
			continue;
		p = add_protocol(b, lower, arena_strdup(r->arena, name), NULL);
		p->id_engine = REGISTRY_NDPI_ENGINE;
		p->id_selector = i;
		r->ndpi[i] = p->number;
		add_name(b, lower, p->number);
	}
}

/* Every IP protocol has a name: a module's, or "ip-protocol-99". TCP, UDP and SCTP are no names
 * of flows. */
static void
add_ip_protocols(struct build *b)
{
	struct registry *r = b->r;

	for (unsigned i = 0; i < r->modular_count; i++) {
		const struct pdl_protocol *m = module_at(r, i);

		for (unsigned n = 0; n < m->ip_protocol_count; n++)
			r->ip_protocols[m->ip_protocols[n] & 0xff] = r->modular[i];
	}
	for (unsigned i = 0; i < 256 && !b->err; i++) {
		struct protocol *p;
		char name[24];

		if (r->ip_protocols[i])
			continue;
		snprintf(name, sizeof(name), "ip-protocol-%u", i);
		p = add_protocol(b, arena_strdup(r->arena, name), NULL, NULL);
		if (!p->name)
			b->err = BARN_ERR_MEMORY;
		if (b->err)
			return;
		if (!p->module) {
			p->id_engine = REGISTRY_IP_ENGINE;
			p->id_selector = i;
		}
		r->ip_protocols[i] = p->number;
		add_name(b, p->name, p->number);
	}
}

static void
add_ethertypes(struct build *b)
{
	struct registry *r = b->r;
	unsigned count = 0;

	for (unsigned i = 0; i < r->modular_count; i++)
		count += module_at(r, i)->ethertype_count;
	r->ethertypes = take(b, count, sizeof(*r->ethertypes));
	for (unsigned i = 0; i < r->modular_count && !b->err; i++) {
		const struct pdl_protocol *m = module_at(r, i);

		for (unsigned n = 0; n < m->ethertype_count; n++)
			r->ethertypes[r->ethertype_count++] =
				(struct registry_ethertype){ m->ethertypes[n], r->modular[i] };
	}
}

static void
add_port_range(struct registry *r, const struct pdl_port *port, uint16_t number)
{
	static const uint8_t bits[PORTS__COUNT] = { PDL_TCP, PDL_UDP, PDL_SCTP };

	for (unsigned t = 0; t < PORTS__COUNT; t++)
		for (uint32_t p = port->low; port->transport & bits[t] && p <= port->high; p++)
			if (!r->ports[t][p])
				r->ports[t][p] = number;
}

static void
add_ports(struct build *b)
{
	for (unsigned t = 0; t < PORTS__COUNT; t++)
		b->r->ports[t] = take(b, REGISTRY_PORTS, sizeof(uint16_t));
	for (unsigned i = 0; i < b->r->modular_count && !b->err; i++) {
		const struct pdl_protocol *m = module_at(b->r, i);

		for (unsigned n = 0; n < m->port_count; n++)
			add_port_range(b->r, &m->ports[n], b->r->modular[i]);
	}
}

/* Of two of one name, an inspector's and the module's, the first says of what kind it is. */
static void
add_field(struct build *b, const struct protocol *p, uint16_t *number, const char *name,
	  enum inspect_field_kind kind, const struct pdl_source *source)
{
	char full[NAME_ROOM];
	struct field *f;

	snprintf(full, sizeof(full), "%s.%s", p->name, name);
	*number = intern(b, CATALOG_FIELDS, full, p->module);
	f = &b->r->fields[*number];
	if (b->err || f->name)
		return;
	*f = (struct field){
		.name = arena_strdup(b->r->arena, full),
		.protocol = p->number,
		.server_name = kind == INSPECT_SERVER_NAME,
		.bulk = kind == INSPECT_BULK,
		.source = source,
	};
	if (!f->name)
		b->err = BARN_ERR_MEMORY;
}

static void
add_fields_of(struct build *b, struct protocol *p)
{
	const struct inspector *inspector = p->inspector;
	unsigned first = inspector ? inspector->field_count : 0;
	uint16_t *numbers = take(b, first + p->module->field_count, sizeof(*numbers));

	for (unsigned n = 0; n < first && !b->err; n++)
		add_field(b, p, &numbers[n], inspector->fields[n].name,
			  inspector->fields[n].kind, NULL);
	for (unsigned n = 0; n < p->module->field_count && !b->err; n++)
		add_field(b, p, &numbers[first + n], p->module->fields[n].name, INSPECT_TEXT,
			  &p->module->fields[n].source);
	p->fields = numbers;
	p->field_count = (uint16_t)(first + p->module->field_count);
}

static void
add_fields(struct build *b)
{
	struct registry *r = b->r;
	unsigned count = catalog_count(b->options->catalog, CATALOG_FIELDS);

	for (unsigned i = 0; i < r->modular_count; i++) {
		const struct inspector *inspector = r->protocols[r->modular[i]].inspector;

		count += inspector ? inspector->field_count : 0;
		count += module_at(r, i)->field_count;
	}
	r->fields = take(b, count, sizeof(*r->fields));
	for (unsigned i = 0; i < r->modular_count && !b->err; i++)
		add_fields_of(b, &r->protocols[r->modular[i]]);
	r->field_count = catalog_count(b->options->catalog, CATALOG_FIELDS);
}

/* Asked by custom.c, on its ports only. */
static bool
is_confined(const struct pdl_protocol *m, const struct pdl_rule *rule)
{
	for (unsigned i = 0; i < m->custom.confine_count; i++)
		if (strcmp(m->custom.confines[i].rule, rule->name) == 0)
			return true;
	return false;
}

static void
add_rule(struct build *b, uint16_t protocol, const struct pdl_rule *rule)
{
	static const uint8_t bits[RULES__COUNT] = { PDL_TCP, PDL_UDP };
	const struct protocol *p = &b->r->protocols[protocol];
	char name[NAME_ROOM];
	uint16_t number;

	snprintf(name, sizeof(name), "%s: rule %s", p->name, rule->name);
	number = intern(b, CATALOG_RULES, name, p->module);
	b->r->rules[number] = (struct registry_rule){ protocol, rule };
	for (unsigned t = 0; t < RULES__COUNT && !b->err; t++)
		if (rule->transports & bits[t] && !is_confined(p->module, rule))
			b->err = rule_set_add(b->r->rule_sets[t], rule->rule, number);
}

static void
add_rules(struct build *b)
{
	struct registry *r = b->r;
	unsigned count = catalog_count(b->options->catalog, CATALOG_RULES);

	for (unsigned i = 0; i < r->modular_count; i++)
		count += module_at(r, i)->rule_count;
	r->rules = take(b, count, sizeof(*r->rules));
	for (unsigned t = 0; t < RULES__COUNT && !b->err; t++)
		b->err = rule_set_new(
			&(struct rule_set_options){ .udp = t == RULES_UDP,
						    .no_scan = b->options->no_hyperscan },
			&r->rule_sets[t]);
	for (unsigned i = 0; i < r->modular_count; i++) {
		const struct pdl_protocol *m = module_at(r, i);

		for (unsigned n = 0; n < m->rule_count && !b->err; n++)
			add_rule(b, r->modular[i], &m->rules[n]);
	}
	r->rule_count = catalog_count(b->options->catalog, CATALOG_RULES);
	for (unsigned t = 0; t < RULES__COUNT && !b->err; t++)
		b->err = rule_set_compile(r->rule_sets[t]);
}

static void
add_inspected(struct build *b)
{
	static const uint8_t bits[RULES__COUNT] = { INSPECT_TCP, INSPECT_UDP };
	struct registry *r = b->r;
	struct gate_entry *entries = take(b, r->modular_count, sizeof(*entries));

	for (unsigned t = 0; t < RULES__COUNT && !b->err; t++) {
		unsigned count = 0;

		for (unsigned i = 0; i < r->modular_count; i++) {
			const struct protocol *p = &r->protocols[r->modular[i]];

			if (p->inspector && p->inspector->transports & bits[t])
				entries[count++] =
					(struct gate_entry){ p->inspector, p->number };
		}
		b->err = gate_new(r->arena, entries, count, bits[t], &r->gates[t]);
	}
}

static void
add_hosts(struct build *b)
{
	struct registry *r = b->r;

	r->carriers = take(b, r->protocol_count, sizeof(*r->carriers));
	if (!b->err)
		b->err = suffix_new(&r->hosts);
	for (unsigned i = 0; i < r->modular_count && !b->err; i++) {
		const struct pdl_protocol *m = module_at(r, i);
		uint16_t number = r->modular[i];
		enum barn_err err = BARN_OK;

		if (m->over_count)
			r->carriers[number] = take(b, m->over_count + 1, sizeof(uint16_t));
		for (unsigned n = 0; n < m->over_count && r->carriers[number]; n++)
			r->carriers[number][n] = registry_find(r, m->over[n]);
		for (unsigned n = 0; n < m->host_count && !b->err; n++) {
			err = suffix_add(r->hosts, m->hosts[n], number);
			if (err == BARN_ERR_MEMORY)
				b->err = err;
			else if (err)
				fault(b, m, "host \"%s\" of %s: %s", m->hosts[n], m->name,
				      err == BARN_ERR_EXISTS ? "another protocol has it"
							     : "not a name of a server");
		}
	}
}

static void
build(struct build *b, size_t most)
{
	struct registry *r = b->r;
	unsigned names = (unsigned)most;

	for (size_t i = 0; i < pdl_set_count(b->options->modules); i++)
		names += pdl_set_at(b->options->modules, i)->alias_count;
	r->protocols = take(b, most, sizeof(*r->protocols));
	r->names = take(b, names, sizeof(*r->names));
	if (b->err)
		return;
	add_protocol(b, "unknown", "not recognised", NULL);
	add_modules(b);
	add_ip_protocols(b);
	add_ndpi(b);
	add_gone(b);
	add_ethertypes(b);
	add_ports(b);
	add_fields(b);
	add_rules(b);
	add_inspected(b);
	add_hosts(b);
	if (!b->err)
		b->err = custom_new(r, b->options->no_hyperscan, &r->custom, b->faults);
	if (!b->err)
		b->err = registry_index(r, b->options->indexes);
}

enum barn_err
registry_new(const struct registry_options *options, struct registry **registry,
	     struct barn_faults *faults)
{
	struct build b = { .options = options, .faults = faults };
	size_t most = catalog_count(options->catalog, CATALOG_PROTOCOLS) + 1u +
		      pdl_set_count(options->modules) + options->ndpi_count + 256;

	b.r = calloc(1, sizeof(*b.r));
	if (!b.r)
		return BARN_ERR_MEMORY;
	registry_hold(b.r);
	b.r->catalog = options->catalog;
	b.err = arena_new(ARENA_BOUND, &b.r->arena);
	build(&b, most);
	if (b.err) {
		registry_free(b.r);
		return b.err;
	}
	*registry = b.r;
	return BARN_OK;
}

void
registry_free(struct registry *registry)
{
	if (!registry)
		return;
	for (unsigned t = 0; t < RULES__COUNT; t++)
		if (registry->rule_sets[t])
			rule_set_free(registry->rule_sets[t]);
	if (registry->hosts)
		suffix_free(registry->hosts);
	custom_free(registry->custom);
	if (registry->modules)
		pdl_set_free(registry->modules);
	foreign_free(registry->foreign);
	arena_free(registry->arena);
	free(registry);
}
