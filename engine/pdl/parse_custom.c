/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/glob.h"
#include "pdl/parse.h"
#include "pdl/words.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The items of custom protocols: number, extends, value, resolved, endpoint, confine. */

enum { PATTERNS_MAX = 16, PORTS_MAX = 4096, PREFIXES_MAX = 65536 };

void
parse_custom_extends(struct parse *p, struct pdl_pos pos)
{
	struct pdl_custom *custom = &p->tree->protocol.custom;
	const char *name;

	if (custom->extends)
		parse_fault(p, pos, "'extends' is given twice");
	if (!parse_reference(p, &name))
		return;
	if (strcmp(name, p->tree->protocol.name) == 0)
		parse_fault(p, pos, "a protocol cannot extend itself");
	custom->extends = name;
}

static void
check_glob(struct parse *p, const char *text, struct pdl_pos pos)
{
	struct glob *glob = NULL;
	const char *why = NULL;
	uint32_t offset = 0;
	enum barn_err err = glob_new(text, &glob, &offset, &why);

	if (err == BARN_ERR_MEMORY)
		p->no_memory = p->lost = true;
	else if (err)
		parse_fault(p, pos, "in the pattern, at %" PRIu32 ": %s", offset, why);
	glob_free(glob);
}

static bool
glob_string(struct parse *p, const char **text)
{
	struct pdl_pos pos = p->token.pos;

	if (!parse_string(p, "a pattern: \"*.example.com\"", text))
		return false;
	check_glob(p, *text, pos);
	return !p->lost;
}

/* "http.url": a protocol, which must exist, and its field, which the registry looks up. */
static bool
field_name(struct parse *p, const char **field)
{
	struct pdl_pos pos = p->token.pos;
	struct pdl_reference *reference;
	const char *dot;
	char *protocol;

	if (!parse_word(p, "a field: http.url", field))
		return false;
	dot = strchr(*field, '.');
	if (!dot) {
		parse_fault(p, pos, "'%.64s': expected a field with its protocol: http.url",
			    *field);
		return true;
	}
	protocol = arena_strndup(p->unit->arena, *field, (size_t)(dot - *field));
	reference = parse_add(p, &p->tree->references, sizeof(*reference));
	if (!protocol || !reference) {
		p->no_memory = p->lost = true;
		return false;
	}
	*reference = (struct pdl_reference){ .name = protocol, .pos = pos };
	return true;
}

static bool
pattern_text(struct parse *p, struct pdl_pattern *pattern)
{
	struct pdl_pos pos = p->token.pos;

	if (p->token.kind == TOKEN_STRING)
		return glob_string(p, &pattern->glob);
	if (!parse_is(p, "/"))
		return parse_wrong(p, "a pattern: \"*.example.com\" or /expression/");
	return parse_regex(p, &pattern->regex, &pos);
}

static bool
pattern(struct parse *p, struct list *patterns)
{
	struct pdl_pattern *added = parse_add(p, patterns, sizeof(*added));
	struct pdl_pos pos = p->token.pos;

	if (!added || !field_name(p, &added->field))
		return false;
	if (patterns->count > PATTERNS_MAX) {
		parse_fault(p, pos, "more than %d patterns together", PATTERNS_MAX);
		return false;
	}
	return pattern_text(p, added);
}

static size_t
protocol_length(const char *field)
{
	return strcspn(field, ".");
}

void
parse_custom_value(struct parse *p, struct pdl_pos pos)
{
	struct list patterns = { 0 };
	struct pdl_value *added;
	const struct pdl_pattern *first;

	do {
		if (!pattern(p, &patterns))
			return;
	} while (parse_accept(p, "and"));
	first = patterns.items;
	for (unsigned i = 1; i < patterns.count; i++)
		if (protocol_length(first[i].field) != protocol_length(first->field) ||
		    strncmp(first[i].field, first->field, protocol_length(first->field)) != 0)
			parse_fault(p, pos, "'%s' and '%s': expected fields of one protocol",
				    first->field, first[i].field);
	added = parse_add(p, &p->tree->values, sizeof(*added));
	if (added)
		*added = (struct pdl_value){ patterns.items, patterns.count };
}

void
parse_custom_resolved(struct parse *p, struct pdl_pos pos)
{
	(void)pos;
	do {
		struct pdl_pattern *added = parse_add(p, &p->tree->resolved, sizeof(*added));

		if (!added || !pattern_text(p, added))
			return;
	} while (parse_accept(p, ","));
}

static bool
ports(struct parse *p, struct list *list)
{
	do {
		struct pdl_pos pos = p->token.pos;
		struct pdl_ports *added = parse_add(p, list, sizeof(*added));
		uint64_t low, high;

		if (!added || !parse_number(p, "a port", 0, UINT16_MAX, &low))
			return false;
		high = low;
		if (parse_accept(p, "-") && !parse_number(p, "a port", 0, UINT16_MAX, &high))
			return false;
		if (high < low)
			parse_fault(p, pos,
				    "%" PRIu64 "-%" PRIu64 ": the range is the wrong way round",
				    low, high);
		*added = (struct pdl_ports){ (uint16_t)low, (uint16_t)high };
		if (list->count > PORTS_MAX) {
			parse_fault(p, pos, "more than %d ports", PORTS_MAX);
			return false;
		}
	} while (parse_accept(p, ","));
	return true;
}

/* Zero behind the bits: so equal prefixes are equal bytes. */
static void
mask(struct pdl_prefix *prefix)
{
	for (unsigned i = 0; i < sizeof(prefix->address); i++) {
		unsigned from = i * 8;

		if (prefix->bits <= from)
			prefix->address[i] = 0;
		else if (prefix->bits < from + 8)
			prefix->address[i] &= (uint8_t)(0xff << (from + 8 - prefix->bits));
	}
}

bool
parse_custom_prefix(const char *text, struct pdl_prefix *prefix)
{
	char address[INET6_ADDRSTRLEN];
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	unsigned long most, bits;
	char *end = NULL;

	*prefix = (struct pdl_prefix){ 0 };
	if (len >= sizeof(address))
		return false;
	memcpy(address, text, len);
	address[len] = '\0';
	prefix->ip_version = strchr(address, ':') ? 6 : 4;
	if (inet_pton(prefix->ip_version == 6 ? AF_INET6 : AF_INET, address, prefix->address) !=
	    1)
		return false;
	most = prefix->ip_version == 6 ? 128 : 32;
	bits = most;
	if (slash) {
		if (slash[1] < '0' || slash[1] > '9')
			return false;
		bits = strtoul(slash + 1, &end, 10);
		if (*end || bits > most)
			return false;
	}
	prefix->bits = (uint8_t)bits;
	mask(prefix);
	return true;
}

static bool
prefixes(struct parse *p, struct list *list)
{
	do {
		struct pdl_pos pos = p->token.pos;
		struct pdl_prefix *added = parse_add(p, list, sizeof(*added));
		const char *text;

		if (!added ||
		    !parse_string(p, "an address: \"192.0.2.1\", \"10.0.0.0/8\"", &text))
			return false;
		if (!parse_custom_prefix(text, added))
			parse_fault(p, pos,
				    "\"%.64s\": expected an address or a subnet, as "
				    "192.0.2.1, 10.0.0.0/8 or 2001:db8::/32",
				    text);
		if (list->count > PREFIXES_MAX) {
			parse_fault(p, pos, "more than %d addresses", PREFIXES_MAX);
			return false;
		}
	} while (parse_accept(p, ","));
	return true;
}

static bool
endpoint_part(struct parse *p, struct pdl_endpoint *endpoint, struct list *prefix_list,
	      struct list *port_list)
{
	static const char *const words[] = { "address", "at", "dscp", "port" };
	uint64_t dscp;

	if (parse_accept(p, "address"))
		return prefixes(p, prefix_list);
	if (parse_accept(p, "port"))
		return ports(p, port_list);
	if (parse_accept(p, "at"))
		return parse_side(p, &endpoint->side);
	if (!parse_accept(p, "dscp"))
		return parse_misspelt(p, words, 4, "address, port, at, dscp or '}'");
	if (!parse_number(p, "a DSCP", 0, 63, &dscp))
		return false;
	endpoint->dscp = (uint8_t)dscp;
	return true;
}

void
parse_custom_endpoint(struct parse *p, struct pdl_pos pos)
{
	struct pdl_endpoint endpoint = { .side = PDL_ANY, .dscp = PDL_DSCP_ANY }, *added;
	struct list prefix_list = { 0 }, port_list = { 0 };

	if (!parse_over(p, &endpoint.transports) || !parse_need(p, "{"))
		return;
	p->depth++;
	while (!parse_is(p, "}"))
		if (!endpoint_part(p, &endpoint, &prefix_list, &port_list))
			return;
	p->depth--;
	parse_next(p);
	endpoint.prefixes = prefix_list.items;
	endpoint.prefix_count = prefix_list.count;
	endpoint.ports = port_list.items;
	endpoint.port_count = port_list.count;
	if (!prefix_list.count && !port_list.count && endpoint.dscp == PDL_DSCP_ANY) {
		parse_fault(p, pos,
			    "the end point is any: expected address, port or dscp in it");
		return;
	}
	added = parse_add(p, &p->tree->endpoints, sizeof(*added));
	if (added)
		*added = endpoint;
}

/* A field whose bytes are a number. */
void
parse_custom_number(struct parse *p, struct pdl_pos pos)
{
	unsigned before = p->tree->fields.count;

	parse_flow_field(p, pos);
	if (p->tree->fields.count > before)
		((struct pdl_field *)p->tree->fields.items)[before].number = true;
}

void
parse_custom_confine(struct parse *p, struct pdl_pos pos)
{
	const struct pdl_rule *rules = p->tree->rules.items;
	struct pdl_confine confine = { .side = PDL_ANY }, *added;
	struct list port_list = { 0 };
	bool found = false;

	pos = p->token.pos;
	if (!parse_word(p, "the name of a rule", &confine.rule))
		return;
	for (unsigned i = 0; i < p->tree->rules.count; i++)
		found |= strcmp(rules[i].name, confine.rule) == 0;
	if (!found)
		parse_fault(p, pos, "'%.64s': there is no such rule before it", confine.rule);
	if (!parse_need(p, "port") || !ports(p, &port_list))
		return;
	if (parse_accept(p, "at") && !parse_side(p, &confine.side))
		return;
	confine.ports = port_list.items;
	confine.port_count = port_list.count;
	added = parse_add(p, &p->tree->confines, sizeof(*added));
	if (added)
		*added = confine;
}
