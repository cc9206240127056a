/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/registry_impl.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARENA_BOUND = 256 << 20 };

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

/* The names are few and this is start-up: a plain insertion keeps them sorted. */
static void
add_name(struct build *b, const char *name, uint16_t number)
{
	struct registry *r = b->r;
	unsigned at = r->name_count;

	if (registry_name_number(r->names, r->name_count, name))
		return; /* pdl_set_finish has refused what modules share; nDPI's names yield */
	while (at > 0 && strcmp(r->names[at - 1].name, name) > 0) {
		r->names[at] = r->names[at - 1];
		at--;
	}
	r->names[at] = (struct registry_name){ name, number };
	r->name_count++;
}

static struct protocol *
add_protocol(struct build *b, const char *name, const char *title)
{
	struct protocol *p = &b->r->protocols[b->r->protocol_count];

	p->name = name;
	p->title = title ? title : name;
	p->number = b->r->protocol_count++;
	return p;
}

static void
add_modules(struct build *b)
{
	size_t count = pdl_set_count(b->options->modules);

	for (size_t i = 0; i < count; i++) {
		const struct pdl_protocol *m = pdl_set_at(b->options->modules, i);
		struct protocol *p = add_protocol(b, m->name, m->title);

		p->module = m;
		p->index = m->index;
		p->id_engine = m->id_engine;
		p->id_selector = m->id_selector;
		p->inspector = m->inspect ? inspector_find(m->inspect) : NULL;
		add_name(b, m->name, p->number);
	}
	for (size_t i = 0; i < count; i++) {
		const struct pdl_protocol *m = pdl_set_at(b->options->modules, i);

		for (unsigned a = 0; a < m->alias_count; a++)
			add_name(b, m->aliases[a], (uint16_t)(i + 1));
	}
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
	for (uint16_t i = 1; i < b->r->protocol_count; i++) {
		const struct pdl_protocol *m = b->r->protocols[i].module;

		for (unsigned n = 0; m && n < m->ndpi_count; n++)
			if (strcasecmp(m->ndpi[n], name) == 0)
				return i;
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
		p = add_protocol(b, lower, arena_strdup(r->arena, name));
		p->index = (uint16_t)(REGISTRY_NDPI_INDEX + i);
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

	for (uint16_t i = 1; i < r->protocol_count; i++) {
		const struct pdl_protocol *m = r->protocols[i].module;

		for (unsigned n = 0; m && n < m->ip_protocol_count; n++)
			r->ip_protocols[m->ip_protocols[n] & 0xff] = i;
	}
	for (unsigned i = 0; i < 256 && !b->err; i++) {
		struct protocol *p;
		char name[24];

		if (r->ip_protocols[i])
			continue;
		snprintf(name, sizeof(name), "ip-protocol-%u", i);
		p = add_protocol(b, arena_strdup(r->arena, name), NULL);
		if (!p->name) {
			b->err = BARN_ERR_MEMORY;
			return;
		}
		p->title = p->name;
		p->id_engine = REGISTRY_IP_ENGINE;
		p->id_selector = i;
		r->ip_protocols[i] = p->number;
		add_name(b, p->name, p->number);
	}
}

static void
add_ethertypes(struct build *b)
{
	struct registry *r = b->r;
	unsigned count = 0;

	for (uint16_t i = 1; i < r->protocol_count; i++)
		count += r->protocols[i].module ? r->protocols[i].module->ethertype_count : 0;
	r->ethertypes = take(b, count, sizeof(*r->ethertypes));
	for (uint16_t i = 1; i < r->protocol_count && !b->err; i++) {
		const struct pdl_protocol *m = r->protocols[i].module;

		for (unsigned n = 0; m && n < m->ethertype_count; n++)
			r->ethertypes[r->ethertype_count++] =
				(struct registry_ethertype){ m->ethertypes[n], i };
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
	for (uint16_t i = 1; i < b->r->protocol_count && !b->err; i++) {
		const struct pdl_protocol *m = b->r->protocols[i].module;

		for (unsigned n = 0; m && n < m->port_count; n++)
			add_port_range(b->r, &m->ports[n], i);
	}
}

static void
add_field(struct build *b, struct protocol *p, const char *name, enum inspect_field_kind kind,
	  const struct pdl_source *source)
{
	struct field *f = &b->r->fields[b->r->field_count++];
	size_t room = strlen(p->name) + strlen(name) + 2;
	char *full = arena_alloc(b->r->arena, room);

	if (!full) {
		b->err = BARN_ERR_MEMORY;
		return;
	}
	snprintf(full, room, "%s.%s", p->name, name);
	*f = (struct field){
		.name = full,
		.protocol = p->number,
		.server_name = kind == INSPECT_SERVER_NAME,
		.bulk = kind == INSPECT_BULK,
		.source = source,
	};
	p->field_count++;
}

/* A protocol's fields stand together: the inspector's in its order, then the module's. */
static void
add_fields(struct build *b)
{
	struct registry *r = b->r;
	unsigned count = 0;

	for (uint16_t i = 1; i < r->protocol_count; i++) {
		count += r->protocols[i].inspector ? r->protocols[i].inspector->field_count : 0;
		count += r->protocols[i].module ? r->protocols[i].module->field_count : 0;
	}
	r->fields = take(b, count, sizeof(*r->fields));
	for (uint16_t i = 1; i < r->protocol_count && !b->err; i++) {
		struct protocol *p = &r->protocols[i];

		p->first_field = r->field_count;
		for (unsigned n = 0; p->inspector && n < p->inspector->field_count; n++)
			add_field(b, p, p->inspector->fields[n].name,
				  p->inspector->fields[n].kind, NULL);
		for (unsigned n = 0; p->module && n < p->module->field_count; n++)
			add_field(b, p, p->module->fields[n].name, INSPECT_TEXT,
				  &p->module->fields[n].source);
	}
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
add_rules(struct build *b)
{
	static const uint8_t bits[RULES__COUNT] = { PDL_TCP, PDL_UDP };
	struct registry *r = b->r;
	unsigned count = 1;

	for (uint16_t i = 1; i < r->protocol_count; i++)
		count += r->protocols[i].module ? r->protocols[i].module->rule_count : 0;
	r->rules = take(b, count, sizeof(*r->rules));
	r->rule_count = 1;
	for (unsigned t = 0; t < RULES__COUNT && !b->err; t++)
		b->err = rule_set_new(
			&(struct rule_set_options){ .udp = t == RULES_UDP,
						    .no_scan = b->options->no_hyperscan },
			&r->rule_sets[t]);
	for (uint16_t i = 1; i < r->protocol_count; i++) {
		const struct pdl_protocol *m = r->protocols[i].module;

		for (unsigned n = 0; m && n < m->rule_count && !b->err; n++) {
			const struct pdl_rule *rule = &m->rules[n];
			uint16_t number = (uint16_t)r->rule_count++;

			r->rules[number] = (struct registry_rule){ i, rule };
			for (unsigned t = 0; t < RULES__COUNT && !b->err; t++)
				if (rule->transports & bits[t] && !is_confined(m, rule))
					b->err = rule_set_add(r->rule_sets[t], rule->rule,
							      number);
		}
	}
	for (unsigned t = 0; t < RULES__COUNT && !b->err; t++)
		b->err = rule_set_compile(r->rule_sets[t]);
}

static void
add_inspected(struct build *b)
{
	static const uint8_t bits[RULES__COUNT] = { INSPECT_TCP, INSPECT_UDP };
	struct registry *r = b->r;

	for (unsigned t = 0; t < RULES__COUNT; t++) {
		r->inspected[t] = take(b, r->protocol_count, sizeof(uint16_t));
		for (uint16_t i = 1; i < r->protocol_count && !b->err; i++)
			if (r->protocols[i].inspector &&
			    r->protocols[i].inspector->transports & bits[t])
				r->inspected[t][r->inspected_count[t]++] = i;
	}
}

static void
add_hosts(struct build *b)
{
	struct registry *r = b->r;

	r->carriers = take(b, r->protocol_count, sizeof(*r->carriers));
	if (!b->err)
		b->err = suffix_new(&r->hosts);
	for (uint16_t i = 1; i < r->protocol_count && !b->err; i++) {
		const struct pdl_protocol *m = r->protocols[i].module;
		enum barn_err err = BARN_OK;

		if (m && m->over_count)
			r->carriers[i] = take(b, m->over_count + 1, sizeof(uint16_t));
		for (unsigned n = 0; m && n < m->over_count && r->carriers[i]; n++)
			r->carriers[i][n] = registry_find(r, m->over[n]);
		for (unsigned n = 0; m && n < m->host_count && !b->err; n++) {
			err = suffix_add(r->hosts, m->hosts[n], i);
			if (err == BARN_ERR_MEMORY)
				b->err = err;
			else if (err)
				fault(b, m, "host \"%s\" of %s: %s", m->hosts[n], m->name,
				      err == BARN_ERR_EXISTS ? "another protocol has it"
							     : "not a name of a server");
		}
	}
}

enum barn_err
registry_new(const struct registry_options *options, struct registry **registry,
	     struct barn_faults *faults)
{
	struct build b = { .options = options, .faults = faults };
	size_t most = 1 + pdl_set_count(options->modules) + options->ndpi_count + 256;
	unsigned names = (unsigned)most;

	if (most > UINT16_MAX)
		return BARN_ERR_MEMORY;
	b.r = calloc(1, sizeof(*b.r));
	if (!b.r)
		return BARN_ERR_MEMORY;
	b.err = arena_new(ARENA_BOUND, &b.r->arena);
	for (size_t i = 0; i < pdl_set_count(options->modules); i++)
		names += pdl_set_at(options->modules, i)->alias_count;
	b.r->protocols = take(&b, most, sizeof(*b.r->protocols));
	b.r->names = take(&b, names, sizeof(*b.r->names));
	if (!b.err) {
		add_protocol(&b, "unknown", "not recognised");
		add_modules(&b);
		add_ip_protocols(&b);
		add_ndpi(&b);
		add_ethertypes(&b);
		add_ports(&b);
		add_fields(&b);
		add_rules(&b);
		add_inspected(&b);
		add_hosts(&b);
	}
	if (!b.err)
		b.err = custom_new(b.r, options->no_hyperscan, &b.r->custom, faults);
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
	arena_free(registry->arena);
	free(registry);
}
