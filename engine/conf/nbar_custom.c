/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"
#include "conf/nbar.h"

#include <ctype.h>
#include <stdlib.h>

/* ip nbar custom NAME ... */

enum { OFFSET_MAX = 4095, VARIABLE_MAX = 8, NAME_MAX_LEN = 64, VALUE_MAX = 1024 };

static const struct line_word
	http_words[] = {
		{ "cookie", 0 },   { "host", 1 },       { "method", 2 },  { "referer", 3 },
		{ "url", 4 },      { "user-agent", 5 }, { "version", 6 }, { "via", 7 },
		{ "referrer", 3 }, /* as some releases spell it */
	};
enum { HTTP_WORDS = sizeof(http_words) / sizeof(http_words[0]) };

const char *
nbar_http_field(unsigned field)
{
	return http_words[field].word;
}

struct nbar_custom *
nbar_custom_find(const struct conf *conf, const char *name)
{
	struct nbar_custom *const *customs = conf->customs.items;

	for (unsigned i = 0; i < conf->customs.count; i++)
		if (strcasecmp(customs[i]->name, name) == 0)
			return customs[i];
	return NULL;
}

const struct nbar_way *
nbar_custom_variable(const struct nbar_custom *custom, const char *name)
{
	struct nbar_way *const *ways = custom->ways.items;

	for (unsigned i = 0; i < custom->ways.count; i++)
		if (ways[i]->variable && strcmp(ways[i]->variable, name) == 0)
			return ways[i];
	return NULL;
}

void
nbar_custom_id(struct line *line, struct nbar_custom *custom)
{
	struct conf_place place = line_place(line);
	uint32_t id;

	if (!line_number(line, "an id", 1, NBAR_ID_MAX, &id))
		return;
	if (custom->id && custom->id != id)
		line_fault(line, place, "%u: '%s' has id %u", id, custom->name, custom->id);
	custom->id = id;
}

void
nbar_custom_extends(struct line *line, struct nbar_custom *custom)
{
	custom->extends_at = line_place(line);
	line_name(line, "the name of a protocol", &custom->extends);
}

/* What may follow in any order, once each. */
static void
read_rest(struct line *line, struct nbar_custom *custom)
{
	while (line_more(line)) {
		if (line_accept(line, "id"))
			nbar_custom_id(line, custom);
		else if (line_accept(line, "extends"))
			nbar_custom_extends(line, custom);
		else
			line_wrong(line, "id, extends or the end");
	}
}

static void
read_http(struct line *line, struct nbar_custom *custom, struct nbar_way *way)
{
	do {
		struct nbar_part *part = &way->parts[way->part_count];
		struct conf_place place = line_place(line);

		if (way->part_count == NBAR_PARTS) {
			line_wrong(line, "at most eight fields");
			return;
		}
		if (!line_keyword(line, http_words, HTTP_WORDS, &part->field))
			return;
		for (unsigned i = 0; i < way->part_count; i++)
			if (way->parts[i].field == part->field)
				line_fault(line, place, "'%s' is given twice",
					   nbar_http_field(part->field));
		if (!line_pattern(line, &part->pattern))
			return;
		way->part_count++;
	} while (line_more(line) && !line_is(line, "id") && !line_is(line, "extends"));
	read_rest(line, custom);
}

/* KEYWORD STRING: ssl unique-name, dns domain-name, composite server-name. */
static void
read_named(struct line *line, struct nbar_custom *custom, struct nbar_way *way)
{
	static const struct line_word words[] = {
		[NBAR_SSL] = { "unique-name", 0 },
		[NBAR_DNS] = { "domain-name", 0 },
		[NBAR_COMPOSITE] = { "server-name", 0 },
	};
	unsigned value;

	if (!line_keyword(line, &words[way->kind], 1, &value) ||
	    !line_pattern(line, &way->parts[0].pattern))
		return;
	way->part_count = 1;
	read_rest(line, custom);
}

static bool
is_hex(const char *value)
{
	const char *digits = strncasecmp(value, "0x", 2) == 0 ? value + 2 : value;
	size_t n = strspn(digits, "0123456789abcdefABCDEF");

	return n > 0 && digits[n] == '\0';
}

static void
read_value(struct line *line, struct nbar_way *way)
{
	static const struct line_word formats[] = {
		{ "ascii", NBAR_ASCII },
		{ "decimal", NBAR_DECIMAL },
		{ "hex", NBAR_HEX },
		{ "regex", NBAR_REGEX },
	};
	uint32_t number;
	unsigned format;

	if (!line_keyword(line, formats, 4, &format))
		return;
	way->format = (uint8_t)format;
	if (line_more(line) && strlen(line_peek(line)) > VALUE_MAX) {
		line_fault(line, line_place(line), "the value is longer than %d", VALUE_MAX);
		return;
	}
	if (format == NBAR_REGEX) {
		line_regex(line, &way->value, true);
		return;
	}
	if (format == NBAR_DECIMAL) {
		if (line_number(line, "a number", 0, UINT32_MAX, &number)) {
			line->at--;
			line_name(line, "a number", &way->value);
		}
		return;
	}
	if (format == NBAR_HEX && line_more(line) && !is_hex(line_peek(line))) {
		line_wrong(line, "hexadecimal digits, such as 0x4d5a");
		return;
	}
	line_name(line, "a value", &way->value);
}

/* A word of pdlm(5): letters, digits and '_', with single '-' between them, and no number. */
static bool
is_name(const char *name)
{
	char *end;

	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_' &&
		    (*c != '-' || c == name || c[-1] == '-' || c[1] == '\0'))
			return false;
	strtoull(name, &end, 0);
	return end == name || (*end && *end != '-');
}

static void
wrong_name(struct line *line, struct conf_place place, const char *name)
{
	line_fault(line, place,
		   "'%.32s': expected a name of letters, digits, '_' and '-' between them",
		   name);
}

static void
read_variable(struct line *line, struct nbar_way *way)
{
	struct conf_place place = line_place(line);

	if (!line_name(line, "a name for the field", &way->variable))
		return;
	if (!is_name(way->variable)) {
		wrong_name(line, place, way->variable);
		return;
	}
	line_number(line, "a length in bytes", 1, VARIABLE_MAX, &way->variable_len);
}

static void
read_payload(struct line *line, struct nbar_custom *custom, struct nbar_way *way)
{
	static const struct line_word directions[] = { { "source", NBAR_SOURCE },
						       { "destination", NBAR_DESTINATION } };
	static const struct line_word transports[] = { { "tcp", PDL_TCP }, { "udp", PDL_UDP } };
	unsigned value;

	if (line_is_number(line)) {
		way->has_offset = true;
		line_number(line, "an offset", 0, OFFSET_MAX, &way->offset);
		if (!line_is(line, "variable"))
			read_value(line, way);
	}
	if (way->has_offset && line_accept(line, "variable"))
		read_variable(line, way);
	if (line_may(line, directions, 2, &value))
		way->direction = (uint8_t)value;
	if (!line_keyword(line, transports, 2, &value))
		return;
	way->transports = (uint8_t)value;
	if (line_ports(line, &way->ports))
		read_rest(line, custom);
}

static void
check_name(struct line *line, struct conf_place place, const char *name)
{
	if (strlen(name) > NAME_MAX_LEN)
		line_fault(line, place, "the name is longer than %d", NAME_MAX_LEN);
	else if (strcmp(name, "unknown") == 0 || strcmp(name, "any") == 0)
		line_fault(line, place, "'%s' cannot be a name", name);
	else if (!is_name(name))
		wrong_name(line, place, name);
}

static void
remove_custom(struct line *line, const char *name, struct conf_place place)
{
	struct list *list = &line->conf->customs;
	struct nbar_custom **customs = list->items;

	for (unsigned i = 0; i < list->count; i++)
		if (strcasecmp(customs[i]->name, name) == 0) {
			memmove(&customs[i], &customs[i + 1],
				(list->count - i - 1) * sizeof(struct nbar_custom *));
			list->count--;
			line->at = line->words.count; /* what it was is of no matter */
			return;
		}
	line_fault(line, place, "'%.32s': there is no such custom protocol", name);
}

/* A copy, until the line is read: one with a fault adds nothing. */
static void
keep(struct line *line, struct nbar_custom *read, const struct nbar_way *way)
{
	struct nbar_custom *custom = nbar_custom_find(line->conf, read->name);
	struct nbar_custom **added;
	struct nbar_way *kept, **way_at;

	if (!custom) {
		custom = arena_alloc(line->conf->arena, sizeof(*custom));
		added = custom ? line_add(line, &line->conf->customs, sizeof(*added)) : NULL;
		if (!added) {
			line->no_memory = line->lost = true;
			return;
		}
		*added = custom;
	}
	*custom = *read;
	kept = arena_copy(line->conf->arena, way, sizeof(*way));
	way_at = kept ? line_add(line, &custom->ways, sizeof(*way_at)) : NULL;
	if (!way_at) {
		line->no_memory = line->lost = true;
		return;
	}
	*way_at = kept;
	if (way->kind == NBAR_TRANSPORT)
		line->object = kept;
}

static void
read_custom(struct line *line)
{
	static const struct line_word kinds[] = {
		{ "composite", NBAR_COMPOSITE }, { "dns", NBAR_DNS },
		{ "http", NBAR_HTTP },           { "ssl", NBAR_SSL },
		{ "transport", NBAR_TRANSPORT },
	};
	struct nbar_way way = { .dscp = PDL_DSCP_ANY };
	struct nbar_custom custom = { .place = line_place(line) };
	const struct nbar_custom *other;
	unsigned kind = NBAR_PAYLOAD;

	if (!line_name(line, "a name", &custom.name))
		return;
	if (line->no) {
		remove_custom(line, custom.name, custom.place);
		return;
	}
	check_name(line, custom.place, custom.name);
	other = nbar_custom_find(line->conf, custom.name);
	if (other)
		custom = *other;
	way.place = line_place(line);
	if (!line_may(line, kinds, 5, &kind) && line_more(line) && !line_is_number(line) &&
	    !line_is(line, "source") && !line_is(line, "destination") &&
	    !line_is(line, "tcp") && !line_is(line, "udp"))
		line_wrong(line, "an offset, source, destination, tcp, udp, http, ssl, dns, "
				 "composite or transport");
	way.kind = (uint8_t)kind;
	if (kind == NBAR_TRANSPORT) {
		line->context = CONF_CUSTOM;
		line->object = NULL;
	}
	switch ((enum nbar_kind)kind) {
	case NBAR_PAYLOAD: read_payload(line, &custom, &way); break;
	case NBAR_HTTP: read_http(line, &custom, &way); break;
	case NBAR_SSL:
	case NBAR_DNS:
	case NBAR_COMPOSITE: read_named(line, &custom, &way); break;
	case NBAR_TRANSPORT: nbar_transport_read(line, &custom, &way); break;
	}
	if (line_end(line))
		keep(line, &custom, &way);
}

/* A variable is one field, wherever it is read. */
static void
check_variable(const struct nbar_custom *c, const struct nbar_way *way,
	       struct barn_faults *faults)
{
	const struct nbar_way *first = nbar_custom_variable(c, way->variable);

	if (first->offset != way->offset || first->variable_len != way->variable_len ||
	    first->transports != way->transports)
		diag_add(faults, way->place.file, way->place.pos,
			 "variable '%.32s' is another one in line %u", way->variable,
			 first->place.pos.line);
}

/* Two of an id, or one of a protocol's name. */
static void
check_custom(const struct conf *conf, unsigned at, const struct pdl_set *modules,
	     struct barn_faults *faults)
{
	struct nbar_custom *const *customs = conf->customs.items;
	const struct nbar_custom *c = customs[at];
	const struct pdl_protocol *module = nbar_module(modules, c->name);

	if (module)
		diag_add(faults, c->place.file, c->place.pos,
			 "'%s' is a protocol already: expected another name", c->name);
	for (unsigned i = 0; i < at; i++)
		if (c->id && customs[i]->id == c->id)
			diag_add(faults, c->place.file, c->place.pos,
				 "id %u of '%s' is taken by '%s', %s:%u", c->id, c->name,
				 customs[i]->name, customs[i]->place.file,
				 customs[i]->place.pos.line);
	if (c->extends && !nbar_module(modules, c->extends) && modules &&
	    !nbar_custom_find(conf, c->extends))
		nbar_no_protocol(conf, modules, c->extends_at, c->extends, faults);
	if (c->extends && strcasecmp(c->extends, c->name) == 0)
		diag_add(faults, c->extends_at.file, c->extends_at.pos,
			 "'%s' cannot extend itself", c->name);
	for (unsigned i = 0; i < c->ways.count; i++) {
		const struct nbar_way *way = ((struct nbar_way *const *)c->ways.items)[i];

		if (way->variable)
			check_variable(c, way, faults);
		if (way->kind == NBAR_TRANSPORT && !way->prefixes.count && !way->ports.count &&
		    way->dscp == PDL_DSCP_ANY)
			diag_add(faults, way->place.file, way->place.pos,
				 "'%s' is all traffic: expected ip, ipv6, port or dscp",
				 c->name);
	}
}

static void
check(struct conf *conf, const struct pdl_set *modules, struct barn_faults *faults)
{
	for (unsigned i = 0; i < conf->customs.count; i++)
		check_custom(conf, i, modules, faults);
}

static const struct conf_directive directives[] = {
	{ .words = "ip nbar custom",
	  .arguments = "NAME ...",
	  .context = CONF_GLOBAL,
	  .no = true,
	  .read = read_custom },
	{ .words = "ip address",
	  .arguments = "ADDRESS...",
	  .context = CONF_CUSTOM,
	  .no = true,
	  .read = nbar_transport_address },
	{ .words = "ip subnet",
	  .arguments = "ADDRESS/BITS",
	  .context = CONF_CUSTOM,
	  .no = true,
	  .read = nbar_transport_subnet },
	{ .words = "ipv6 address",
	  .arguments = "ADDRESS...",
	  .context = CONF_CUSTOM,
	  .no = true,
	  .read = nbar_transport_ipv6_address },
	{ .words = "ipv6 subnet",
	  .arguments = "ADDRESS/BITS",
	  .context = CONF_CUSTOM,
	  .no = true,
	  .read = nbar_transport_ipv6_subnet },
	{ .words = "port",
	  .arguments = "{PORT | range PORT PORT}...",
	  .context = CONF_CUSTOM,
	  .no = true,
	  .read = nbar_transport_port },
	{ .words = "dscp",
	  .arguments = "DSCP",
	  .context = CONF_CUSTOM,
	  .no = true,
	  .read = nbar_transport_dscp },
	{ .words = "direction",
	  .arguments = "{any | source | destination}",
	  .context = CONF_CUSTOM,
	  .no = true,
	  .read = nbar_transport_direction },
};

const struct conf_family nbar_custom = {
	.directives = directives,
	.count = sizeof(directives) / sizeof(directives[0]),
	.check = check,
	.print = nbar_custom_print,
};
