/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/custom_impl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct build {
	struct custom *c;
	struct barn_faults *faults;
	bool no_scan;
	enum barn_err err;
};

static void *
take(struct build *b, size_t n, size_t size)
{
	void *memory = b->err ? NULL : arena_array(b->c->arena, n ? n : 1, size);

	if (!memory && !b->err)
		b->err = BARN_ERR_MEMORY;
	return memory;
}

static const struct pdl_protocol *
module_at(const struct build *b, uint16_t number)
{
	return registry_protocol(b->c->registry, number)->module;
}

static uint32_t
span_of(const struct pdl_ports *ports, unsigned count)
{
	uint32_t span = count ? 0 : 65536;

	for (unsigned i = 0; i < count; i++)
		span += ports[i].high - ports[i].low + 1U;
	return span;
}

/* IPv4's bits count from where its addresses lie in IPv6: so 32 and 128 rank the same. */
static unsigned
bits_of(const struct custom_end *end)
{
	if (!end->prefix)
		return 0;
	return end->prefix->bits + (end->prefix->ip_version == 4 ? 96U : 0U) + 1;
}

static int
compare_ends(const void *left, const void *right)
{
	const struct custom_end *a = left, *b = right;
	bool dscp_a = a->endpoint->dscp != PDL_DSCP_ANY;
	bool dscp_b = b->endpoint->dscp != PDL_DSCP_ANY;
	bool any_a = a->endpoint->side == PDL_ANY, any_b = b->endpoint->side == PDL_ANY;

	if (bits_of(a) != bits_of(b))
		return bits_of(a) > bits_of(b) ? -1 : 1;
	if (a->span != b->span)
		return a->span < b->span ? -1 : 1;
	if (dscp_a != dscp_b)
		return dscp_a ? -1 : 1;
	if (any_a != any_b)
		return any_b ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void
add_end(struct build *b, const struct protocol *p, const struct pdl_endpoint *e,
	const struct pdl_prefix *prefix)
{
	b->c->ends[b->c->end_count++] = (struct custom_end){
		.endpoint = e,
		.prefix = prefix,
		.name = p->name,
		.span = span_of(e->ports, e->port_count),
		.protocol = p->number,
	};
}

static void
add_ends(struct build *b)
{
	uint16_t protocols = registry_count(b->c->registry);
	size_t count = 0;

	for (uint16_t i = 1; i < protocols; i++)
		for (unsigned n = 0;
		     module_at(b, i) && n < module_at(b, i)->custom.endpoint_count; n++)
			count += module_at(b, i)->custom.endpoints[n].prefix_count + 1U;
	b->c->ends = take(b, count, sizeof(*b->c->ends));
	for (uint16_t i = 1; i < protocols && !b->err; i++) {
		const struct protocol *p = registry_protocol(b->c->registry, i);

		for (unsigned n = 0; p->module && n < p->module->custom.endpoint_count; n++) {
			const struct pdl_endpoint *e = &p->module->custom.endpoints[n];

			for (unsigned k = 0; k < e->prefix_count; k++)
				add_end(b, p, e, &e->prefixes[k]);
			if (!e->prefix_count)
				add_end(b, p, e, NULL);
		}
	}
	if (!b->err)
		qsort(b->c->ends, b->c->end_count, sizeof(*b->c->ends), compare_ends);
}

static int
compare_confined(const void *left, const void *right)
{
	const struct custom_confined *a = left, *b = right;
	int order;

	if (a->span != b->span)
		return a->span < b->span ? -1 : 1;
	order = strcmp(a->name, b->name);
	return order ? order : a->number - b->number;
}

static void
mark_ports(struct build *b, const struct custom_confined *confined)
{
	for (unsigned i = 0; i < confined->confine->port_count; i++) {
		const struct pdl_ports *ports = &confined->confine->ports[i];

		for (uint32_t port = ports->low; port <= ports->high; port++)
			for (unsigned t = 0; t < 2; t++)
				if (confined->rule->transports & (t ? PDL_UDP : PDL_TCP))
					b->c->confined_ports[t][port / 64] |= UINT64_C(1)
									      << port % 64;
	}
}

/* The registry numbers a module's rules in their order, like its confines by name. */
static void
add_confined_rule(struct build *b, uint16_t number)
{
	const struct registry_rule *r = registry_rule(b->c->registry, number);
	const struct protocol *p = registry_protocol(b->c->registry, r->protocol);

	for (unsigned i = 0; p->module && i < p->module->custom.confine_count; i++) {
		const struct pdl_confine *confine = &p->module->custom.confines[i];
		struct custom_confined *added;

		if (strcmp(confine->rule, r->rule->name) != 0)
			continue;
		added = &b->c->confined[b->c->confined_count++];
		*added = (struct custom_confined){ confine, r->rule, p->name,
						   span_of(confine->ports, confine->port_count),
						   number };
		mark_ports(b, added);
	}
}

static void
add_confined(struct build *b)
{
	size_t count = 0;

	for (uint16_t i = 1; i < registry_count(b->c->registry); i++)
		count += module_at(b, i) ? module_at(b, i)->custom.confine_count : 0;
	if (count == 0)
		return;
	b->c->confined = take(b, count, sizeof(*b->c->confined));
	for (unsigned t = 0; t < 2; t++)
		b->c->confined_ports[t] = take(b, CUSTOM_PORT_WORDS, sizeof(uint64_t));
	for (uint16_t n = 1; !b->err && n < registry_rule_count(b->c->registry); n++)
		if (registry_rule(b->c->registry, n))
			add_confined_rule(b, n);
	if (!b->err)
		qsort(b->c->confined, b->c->confined_count, sizeof(*b->c->confined),
		      compare_confined);
}

/* Characters that a pattern fixes: the more, the more it says. */
static unsigned
literals_of(const char *text, size_t len)
{
	unsigned count = 0;

	for (size_t i = 0; i < len; i++)
		count += isalnum((unsigned char)text[i]) || strchr("./-_:=&%", text[i]);
	return count < UINT16_MAX ? count : UINT16_MAX;
}

static unsigned
pattern_literals(const struct pdl_pattern *p)
{
	const char *text = p->glob ? p->glob : regex_pattern(p->regex);

	return literals_of(text, strlen(text));
}

static bool
same_pattern(const struct pdl_pattern *a, const struct pdl_pattern *b)
{
	if (strcmp(a->field, b->field) != 0 || !a->glob != !b->glob)
		return false;
	if (a->glob)
		return strcmp(a->glob, b->glob) == 0;
	return regex_caseless(a->regex) == regex_caseless(b->regex) &&
	       strcmp(regex_pattern(a->regex), regex_pattern(b->regex)) == 0;
}

static int
compare_patterns(const void *left, const void *right)
{
	const struct pdl_pattern *a = *(const struct pdl_pattern *const *)left;
	const struct pdl_pattern *b = *(const struct pdl_pattern *const *)right;
	int order = strcmp(a->field, b->field);

	if (order || !a->glob != !b->glob)
		return order ? order : a->glob ? -1 : 1;
	if (a->glob)
		return strcmp(a->glob, b->glob);
	order = strcmp(regex_pattern(a->regex), regex_pattern(b->regex));
	return order ? order : regex_caseless(a->regex) - regex_caseless(b->regex);
}

static void
no_field(struct build *b, const struct pdl_protocol *m, const char *field)
{
	struct barn_fault *f;

	b->err = BARN_ERR_TEXT;
	if (b->faults->count++ >= BARN_FAULTS)
		return;
	f = &b->faults->fault[b->faults->count - 1];
	*f = (struct barn_fault){ .line = m->line, .column = 1 };
	snprintf(f->file, sizeof(f->file), "%s", m->file);
	snprintf(f->text, sizeof(f->text), "protocol '%s': %s '%.100s'", m->name,
		 registry_field_find(b->c->registry, field) == UINT16_MAX
			 ? "nothing yields"
			 : "not before a flow has its name is there",
		 field);
}

/* All patterns of all modules, each once: sorted, then numbered. */
static void
collect_patterns(struct build *b, const struct pdl_pattern **all, size_t *count)
{
	*count = 0;
	for (uint16_t i = 1; i < registry_count(b->c->registry); i++) {
		const struct pdl_protocol *m = module_at(b, i);

		for (unsigned n = 0; m && n < m->custom.value_count; n++)
			for (unsigned k = 0; k < m->custom.values[n].count; k++) {
				if (all)
					all[*count] = &m->custom.values[n].patterns[k];
				++*count;
			}
	}
}

static void
put_pattern(struct build *b, const struct pdl_pattern *pattern)
{
	struct custom *c = b->c;
	uint16_t field = registry_field_find(c->registry, pattern->field);
	uint16_t number = (uint16_t)c->pattern_count;

	/* A field that nothing yields is told where the rule is made. */
	c->patterns[c->pattern_count++] =
		(struct custom_pattern){ pattern, field, (uint16_t)pattern_literals(pattern), 0,
					 0 };
	if (field == UINT16_MAX)
		return;
	if (!c->fields[field])
		b->err = pattern_set_new(&c->fields[field]);
	if (!b->err && pattern->glob)
		b->err = pattern_set_add_glob(c->fields[field], pattern->glob, number);
	else if (!b->err)
		b->err = pattern_set_add_regex(c->fields[field], pattern->regex, number);
}

static uint8_t
kind_of(const char *field)
{
	const char *dot = strchr(field, '.');

	if (dot && strcmp(dot, ".url") == 0)
		return CUSTOM_URL;
	return dot && strcmp(dot, ".method") == 0 ? CUSTOM_REQUEST : CUSTOM_PLAIN;
}

static void
add_patterns(struct build *b)
{
	struct custom *c = b->c;
	const struct pdl_pattern **all;
	size_t count;

	collect_patterns(b, NULL, &count);
	c->patterns = take(b, count + 1, sizeof(*c->patterns));
	c->pattern_count = 1;
	if (count == 0 || b->err)
		return;
	if (count >= UINT16_MAX) {
		b->err = BARN_ERR_MEMORY;
		return;
	}
	c->field_count = registry_field_count(c->registry);
	c->fields = take(b, c->field_count, sizeof(struct pattern_set *));
	c->kinds = take(b, c->field_count, sizeof(*c->kinds));
	all = take(b, count, sizeof(struct pdl_pattern *));
	if (b->err)
		return;
	collect_patterns(b, all, &count);
	for (unsigned i = 0; i < c->field_count; i++)
		c->kinds[i] = kind_of(registry_field(c->registry, (uint16_t)i)->name);
	qsort(all, count, sizeof(struct pdl_pattern *), compare_patterns);
	for (size_t i = 0; i < count && !b->err; i++)
		if (i == 0 || !same_pattern(all[i - 1], all[i]))
			put_pattern(b, all[i]);
	for (unsigned i = 0; i < c->field_count && !b->err; i++)
		if (c->fields[i])
			b->err = pattern_set_compile(c->fields[i], b->no_scan);
}

static uint16_t
find_pattern(const struct custom *c, const struct pdl_pattern *pattern)
{
	unsigned low = 1, high = c->pattern_count;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (compare_patterns(&c->patterns[middle].pattern, &pattern) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint16_t)low;
}

/* NBAR: URL and host together beat a URL, which beats a host; a server's name is as a host. */
static unsigned
weight_of(const char *field)
{
	const char *name = strchr(field, '.') + 1;

	if (strcmp(name, "url") == 0)
		return 8;
	if (strcmp(name, "host") == 0 || strcmp(name, "server-name") == 0 ||
	    strcmp(name, "certificate-name") == 0)
		return 4;
	return 1;
}

/* An inspector's; what modules read themselves is read from flows that have their name. */
static bool
is_told_in_time(const struct custom *c, uint16_t field)
{
	return field != UINT16_MAX && !registry_field(c->registry, field)->source;
}

static void
add_rule(struct build *b, const struct protocol *p, const struct pdl_value *value)
{
	uint16_t *patterns = take(b, value->count, sizeof(*patterns));
	struct custom *c = b->c;
	struct custom_rule *rule;

	if (!patterns)
		return;
	rule = &c->rules[c->rule_count++];
	*rule = (struct custom_rule){ .name = p->name,
				      .patterns = patterns,
				      .count = value->count,
				      .protocol = p->number };
	for (unsigned i = 0; i < value->count; i++) {
		patterns[i] = find_pattern(c, &value->patterns[i]);
		if (!is_told_in_time(c, c->patterns[patterns[i]].field)) {
			no_field(b, p->module, value->patterns[i].field);
			return;
		}
		rule->weight += weight_of(value->patterns[i].field);
		rule->literals += c->patterns[patterns[i]].literals;
	}
}

static int
compare_rules(const void *left, const void *right)
{
	const struct custom_rule *a = left, *b = right;

	if (a->patterns[0] != b->patterns[0])
		return a->patterns[0] < b->patterns[0] ? -1 : 1;
	return strcmp(a->name, b->name);
}

static void
add_rules(struct build *b)
{
	struct custom *c = b->c;
	size_t count = 0;

	for (uint16_t i = 1; i < registry_count(c->registry); i++)
		count += module_at(b, i) ? module_at(b, i)->custom.value_count : 0;
	c->rules = take(b, count, sizeof(*c->rules));
	for (uint16_t i = 1; i < registry_count(c->registry); i++) {
		const struct protocol *p = registry_protocol(c->registry, i);

		for (unsigned n = 0; p->module && n < p->module->custom.value_count &&
				     (!b->err || b->err == BARN_ERR_TEXT);
		     n++)
			add_rule(b, p, &p->module->custom.values[n]);
	}
	if (b->err)
		return;
	qsort(c->rules, c->rule_count, sizeof(*c->rules), compare_rules);
	for (unsigned i = c->rule_count; i-- > 0;) {
		struct custom_pattern *pattern = &c->patterns[c->rules[i].patterns[0]];

		pattern->first = i;
		pattern->count++;
	}
}

static void
add_names(struct build *b)
{
	struct custom *c = b->c;
	size_t count = 0;

	for (uint16_t i = 1; i < registry_count(c->registry); i++)
		count += module_at(b, i) ? module_at(b, i)->custom.resolved_count : 0;
	if (count == 0 || b->err)
		return;
	if (count >= UINT16_MAX) {
		b->err = BARN_ERR_MEMORY;
		return;
	}
	c->names = take(b, count + 1, sizeof(*c->names));
	c->resolves = take(b, registry_count(c->registry), sizeof(*c->resolves));
	c->name_count = 1;
	if (!b->err)
		b->err = pattern_set_new(&c->resolved);
	for (uint16_t i = 1; i < registry_count(c->registry); i++) {
		const struct protocol *p = registry_protocol(c->registry, i);

		for (unsigned n = 0;
		     p->module && n < p->module->custom.resolved_count && !b->err; n++) {
			const struct pdl_pattern *pattern = &p->module->custom.resolved[n];
			uint16_t number = (uint16_t)c->name_count++;

			c->names[number] =
				(struct custom_name){ p->name, i,
						      (uint16_t)pattern_literals(pattern) };
			c->resolves[i] = true;
			b->err = pattern->glob ? pattern_set_add_glob(c->resolved,
								      pattern->glob, number)
					       : pattern_set_add_regex(c->resolved,
								       pattern->regex, number);
		}
	}
	if (!b->err)
		b->err = pattern_set_compile(c->resolved, b->no_scan);
}

enum barn_err
custom_new(const struct registry *registry, bool no_scan, struct custom **custom,
	   struct barn_faults *faults)
{
	struct custom *c = calloc(1, sizeof(*c));
	struct build b = { .c = c, .faults = faults, .no_scan = no_scan };

	if (!c)
		return BARN_ERR_MEMORY;
	c->registry = registry;
	b.err = arena_new(0, &c->arena);
	if (!b.err) {
		add_ends(&b);
		add_confined(&b);
		add_patterns(&b);
		add_rules(&b);
		add_names(&b);
	}
	if (b.err) {
		custom_free(c);
		return b.err;
	}
	if (!c->end_count && !c->confined_count && !c->rule_count && !c->name_count) {
		custom_free(c);
		c = NULL;
	}
	*custom = c;
	return BARN_OK;
}

void
custom_free(struct custom *custom)
{
	if (!custom)
		return;
	for (unsigned i = 0; i < custom->field_count && custom->fields; i++)
		pattern_set_free(custom->fields[i]);
	pattern_set_free(custom->resolved);
	arena_free(custom->arena);
	free(custom);
}
