/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "match/suffix.h"
#include "pdl/parse.h"
#include "pdl/words.h"

#include <inttypes.h>

enum { INDEX_MAX = 1024 /* of the discovery MIB's table of protocols */ };

/* An item that may stand there once: tells the other place if it does again. */
static void
once(struct parse *p, struct pdl_pos *first, struct pdl_pos pos, const char *item)
{
	if (first->line != 0)
		parse_fault(p, pos, "'%s' is given twice: first in line %" PRIu32, item,
			    first->line);
	else
		*first = pos;
}

/* Of at least one character. */
static void
text(struct parse *p, const char *what, const char **text)
{
	struct pdl_pos pos = p->token.pos;

	if (parse_string(p, what, text) && !**text)
		parse_fault(p, pos, "the text is empty");
}

void
parse_item_title(struct parse *p, struct pdl_pos pos)
{
	once(p, &p->tree->title_at, pos, "title");
	text(p, "a title: \"...\"", &p->tree->protocol.title);
}

void
parse_item_reference(struct parse *p, struct pdl_pos pos)
{
	once(p, &p->tree->reference_at, pos, "reference");
	text(p, "a reference: \"RFC 959\"", &p->tree->protocol.reference);
}

/* Application id of RFC 6759: the engine and its selector. */
void
parse_item_id(struct parse *p, struct pdl_pos pos)
{
	static const uint8_t engines[] = { 1, 3, 6, 18, 20, 22 };
	uint64_t engine, selector;
	struct pdl_pos engine_at = p->token.pos, selector_at;

	once(p, &p->tree->id_at, pos, "id");
	if (!parse_number(p, "an engine", 1, UINT8_MAX, &engine) || !parse_need(p, ":"))
		return;
	selector_at = p->token.pos;
	if (!parse_number(p, "a selector", 0, 0xffffff, &selector))
		return;
	if (engine == 13)
		parse_fault(p, engine_at,
			    "13: these numbers are Cisco's; expected 1, 3, 6, 20 or 22");
	else if (!memchr(engines, (int)engine, sizeof(engines)))
		parse_fault(p, engine_at,
			    "%" PRIu64
			    ": expected the engine 1 (protocols of IP), 3 (ports), 6 or "
			    "20 (numbers of our own), 18 (ethertypes) or 22 (nDPI's)",
			    engine);
	if ((engine == 1 && selector > UINT8_MAX) ||
	    ((engine == 3 || engine == 18) && selector > UINT16_MAX))
		parse_fault(p, selector_at, "%" PRIu64 ": expected %s", selector,
			    engine == 1   ? "a protocol of IP, at most 255"
			    : engine == 3 ? "a port, at most 65535"
					  : "an ethertype, at most 65535");
	p->tree->protocol.id_engine = (uint8_t)engine;
	p->tree->protocol.id_selector = (uint32_t)selector;
}

void
parse_item_index(struct parse *p, struct pdl_pos pos)
{
	uint64_t index;

	once(p, &p->tree->index_at, pos, "index");
	if (parse_number(p, "an index", 1, INDEX_MAX, &index))
		p->tree->protocol.index = (uint16_t)index;
}

static bool
listed(const struct list *list, const char *name)
{
	const char *const *names = list->items;

	for (unsigned i = 0; i < list->count; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool
add_name(struct parse *p, struct list *list, const char *name, struct pdl_pos pos)
{
	const char **item;

	if (listed(list, name)) {
		parse_fault(p, pos, "'%s' is given twice", name);
		return true;
	}
	item = parse_add(p, list, sizeof(*item));
	if (item)
		*item = name;
	return item != NULL;
}

void
parse_item_alias(struct parse *p, struct pdl_pos pos)
{
	do {
		struct pdl_pos *at;
		const char *name;

		pos = p->token.pos;
		if (!parse_name(p, "another name", &name))
			return;
		if (strcmp(name, "any") == 0 || strcmp(name, "unknown") == 0)
			parse_fault(p, pos, "'%s' is a name of barn's own", name);
		if (listed(&p->tree->aliases, name) ||
		    strcmp(name, p->tree->protocol.name) == 0) {
			parse_fault(p, pos, "'%s' is given twice", name);
			continue;
		}
		at = parse_add(p, &p->tree->alias_at, sizeof(*at));
		if (!at || !add_name(p, &p->tree->aliases, name, pos))
			return;
		*at = pos;
	} while (parse_accept(p, ","));
}

static void
check_value(struct parse *p, const struct words_attribute *attribute, const char *value,
	    struct pdl_pos pos)
{
	const char *nearest;

	if (words_has(attribute->values, attribute->count, value))
		return;
	nearest = words_nearest(attribute->values, attribute->count, value);
	if (nearest)
		parse_fault(p, pos, "'%s': no such %s, expected '%s'?", value, attribute->key,
			    nearest);
	else
		parse_fault(p, pos, "'%s': no such %s; pdlm(5) lists the values", value,
			    attribute->key);
}

static void
unknown_key(struct parse *p, const char *key, struct pdl_pos pos)
{
	const char *nearest = NULL;

	for (size_t i = 0; i < words_attribute_count && !nearest; i++)
		nearest = words_nearest(&words_attributes[i].key, 1, key);
	if (nearest)
		parse_fault(p, pos, "'%s': expected '%s'?", key, nearest);
	else
		parse_fault(p, pos,
			    "'%s': expected application-family, application-group, "
			    "application-set, business-relevance, category, encrypted, "
			    "p2p-technology, sub-category, traffic-class or tunnel",
			    key);
}

static bool
one_attribute(struct parse *p)
{
	const struct pdl_attribute *others = p->tree->attributes.items;
	struct pdl_pos key_at = p->token.pos, value_at;
	const struct words_attribute *attribute;
	struct pdl_attribute *added;
	const char *key, *value;

	if (!parse_word(p, "an attribute: category, sub-category, ...", &key))
		return false;
	value_at = p->token.pos;
	if (!parse_word(p, "the value of the attribute", &value))
		return false;
	attribute = words_attribute(key);
	if (!attribute)
		unknown_key(p, key, key_at);
	else
		check_value(p, attribute, value, value_at);
	for (unsigned i = 0; i < p->tree->attributes.count; i++)
		if (strcmp(others[i].key, key) == 0)
			parse_fault(p, key_at, "'%s' is given twice", key);
	added = parse_add(p, &p->tree->attributes, sizeof(*added));
	if (added)
		*added = (struct pdl_attribute){ .key = key, .value = value };
	return added != NULL;
}

void
parse_item_attribute(struct parse *p, struct pdl_pos pos)
{
	(void)pos;
	do {
		if (!one_attribute(p))
			return;
	} while (parse_accept(p, ","));
}

static bool
transport(struct parse *p, uint8_t *transport)
{
	if (parse_is(p, "tcp"))
		*transport = PDL_TCP;
	else if (parse_is(p, "udp"))
		*transport = PDL_UDP;
	else if (parse_is(p, "sctp"))
		*transport = PDL_SCTP;
	else
		return false;
	parse_next(p);
	return true;
}

static bool
one_port(struct parse *p, uint8_t over)
{
	const struct pdl_port *others = p->tree->ports.items;
	struct pdl_pos pos = p->token.pos;
	uint32_t faults = p->faults->count;
	struct pdl_port *port;
	uint64_t low, high;

	if (!parse_number(p, "a port", 1, UINT16_MAX, &low))
		return false;
	high = low;
	if (parse_accept(p, "-") && !parse_number(p, "a port", 1, UINT16_MAX, &high))
		return false;
	if (high < low)
		parse_fault(p, pos, "%" PRIu64 "-%" PRIu64 ": the range is the wrong way round",
			    low, high);
	if (p->faults->count > faults)
		return true;
	for (unsigned i = 0; i < p->tree->ports.count && p->faults->count == faults; i++)
		if (others[i].transport == over && low <= others[i].high &&
		    high >= others[i].low)
			parse_fault(p, pos, "port %" PRIu64 " is given twice",
				    low > others[i].low ? low : others[i].low);
	port = parse_add(p, &p->tree->ports, sizeof(*port));
	if (port)
		*port = (struct pdl_port){ .transport = over,
					   .low = (uint16_t)low,
					   .high = (uint16_t)high };
	return port != NULL;
}

void
parse_item_port(struct parse *p, struct pdl_pos pos)
{
	uint8_t over;

	(void)pos;
	if (!transport(p, &over)) {
		parse_wrong(p, "tcp, udp or sctp");
		return;
	}
	do {
		transport(p, &over); /* port tcp 53, udp 53 */
		if (!one_port(p, over))
			return;
	} while (parse_accept(p, ","));
}

static bool
is_inspected(uint64_t ip_protocol)
{
	return ip_protocol == 6 || ip_protocol == 17;
}

static bool
is_ip(uint64_t ethertype)
{
	return ethertype == 0x0800 || ethertype == 0x86dd;
}

static void
numbers(struct parse *p, struct list *list, const char *what, uint64_t low, uint64_t high,
	bool (*barred)(uint64_t number))
{
	do {
		struct pdl_pos pos = p->token.pos;
		const uint16_t *others = list->items;
		uint16_t *item;
		uint64_t number;

		if (!parse_number(p, what, low, high, &number))
			return;
		for (unsigned i = 0; i < list->count; i++)
			if (others[i] == number)
				parse_fault(p, pos, "%" PRIu64 " is given twice", number);
		if (barred(number))
			parse_fault(p, pos,
				    "%" PRIu64 ": %s is looked into, and never called so",
				    number, low ? "a frame of IP" : "what TCP or UDP carries");
		item = parse_add(p, list, sizeof(*item));
		if (!item)
			return;
		*item = (uint16_t)number;
	} while (parse_accept(p, ","));
}

void
parse_item_ip_protocol(struct parse *p, struct pdl_pos pos)
{
	(void)pos;
	numbers(p, &p->tree->ip_protocols, "a protocol of IP", 0, UINT8_MAX, is_inspected);
}

void
parse_item_ethertype(struct parse *p, struct pdl_pos pos)
{
	(void)pos;
	/* Below 0x0600 the field is a length (IEEE 802.3, 3.2.6). */
	numbers(p, &p->tree->ethertypes, "an ethertype", 0x0600, UINT16_MAX, is_ip);
}

void
parse_item_ndpi(struct parse *p, struct pdl_pos pos)
{
	do {
		const char *name;

		pos = p->token.pos;
		if (p->token.kind == TOKEN_STRING ? !parse_string(p, "a name", &name)
						  : !parse_word(p, "a name of nDPI's", &name))
			return;
		if (!add_name(p, &p->tree->ndpi, name, pos))
			return;
	} while (parse_accept(p, ","));
}

void
parse_item_over(struct parse *p, struct pdl_pos pos)
{
	do {
		const char *name;

		pos = p->token.pos;
		if (!parse_reference(p, &name) || !add_name(p, &p->tree->over, name, pos))
			return;
	} while (parse_accept(p, ","));
}

/* Top-level domains that stand for one use (RFC 6761, RFC 7686). */
static bool
is_special(const char *domain)
{
	static const char *const domains[] = { "alt",     "arpa", "home",  "internal",
					       "invalid", "lan",  "local", "localhost",
					       "onion",   "test" };

	return words_has(domains, sizeof(domains) / sizeof(domains[0]), domain);
}

void
parse_item_host(struct parse *p, struct pdl_pos pos)
{
	do {
		const char *name;

		pos = p->token.pos;
		if (!parse_string(p, "a server's name: \"www.example.com\", \"*.example.com\"",
				  &name))
			return;
		if (!suffix_is_pattern(name))
			parse_fault(p, pos,
				    "\"%s\": expected a server's name, as www.example.com or "
				    "*.example.com",
				    name);
		else if (strncmp(name, "*.", 2) == 0 && !strchr(name + 2, '.') &&
			 !is_special(name + 2))
			parse_fault(p, pos, "\"%s\": these are all names of a top-level domain",
				    name);
		else if (!add_name(p, &p->tree->hosts, name, pos))
			return;
	} while (parse_accept(p, ",") || p->token.kind == TOKEN_STRING);
}

void
parse_item_inspect(struct parse *p, struct pdl_pos pos)
{
	const struct pdl_options *options = p->options;
	struct pdl_pos name_at = p->token.pos;
	const char *name;

	once(p, &p->tree->inspect_at, pos, "inspect");
	if (!parse_word(p, "the name of an inspector", &name))
		return;
	if (options->inspector && !options->inspector(options->self, name, NULL))
		parse_fault(p, name_at, "'%s': there is no inspector of that name", name);
	p->tree->protocol.inspect = name;
}
