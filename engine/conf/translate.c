/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/translate.h"
#include "conf/nbar.h"
#include "inspect/inspector.h"
#include "pdl/print.h"

#include <stdio.h>
#include <stdlib.h>

/* Custom protocols to modules; translate_module.c has the modules that are changed. */

/* RFC 6759: engine 6 is for what users define. Modules that have no number of IANA's use it
 * below 65536, so that an id of the configuration is never taken. */
enum { ID_ENGINE = 6, ID_BASE = 65536 };

struct translation {
	const struct conf *conf;
	const struct pdl_set *modules;
	struct text *text;
	const struct nbar_custom *custom; /* the protocol at hand */
	unsigned rules;                   /* so far of it */
};

/* Whether the module has a field of that name; a set of modules may lack one or the other. */
static bool
yields(const struct pdl_set *modules, const char *protocol, const char *field)
{
	const struct pdl_protocol *m = nbar_module(modules, protocol);
	const struct inspector *inspector = m && m->inspect ? inspector_find(m->inspect) : NULL;

	for (unsigned i = 0; m && i < m->field_count; i++)
		if (strcmp(m->fields[i].name, field) == 0)
			return true;
	for (unsigned i = 0; inspector && i < inspector->field_count; i++)
		if (strcmp(inspector->fields[i].name, field) == 0)
			return true;
	/* One that barn was not built with. */
	return m && m->inspect && pdl_set_knows(modules, m->inspect, field);
}

static void
put_string(struct text *text, const char *string)
{
	print_string(text, bytes_of(string, strlen(string)));
}

/* /.../i; a slash inside, which needs no escape here, does in a module. */
static void
put_regex(struct text *text, const char *regex)
{
	const char *end = strrchr(regex, '/');

	text_char(text, '/');
	for (const char *c = regex + 1; c < end; c++) {
		if (*c == '\\' && c + 1 < end)
			text_char(text, *c++);
		else if (*c == '/')
			text_char(text, '\\');
		text_char(text, *c);
	}
	text_add(text, end);
}

static void
put_pattern(struct text *text, const struct line_pattern *pattern)
{
	if (pattern->regex)
		put_regex(text, pattern->text);
	else
		put_string(text, pattern->text);
}

static void
put_ports(struct text *text, const struct list *list)
{
	const struct pdl_ports *ports = list->items;

	for (unsigned i = 0; i < list->count; i++) {
		text_printf(text, "%s%u", i ? ", " : "port ", ports[i].low);
		if (ports[i].high != ports[i].low)
			text_printf(text, "-%u", ports[i].high);
	}
}

static const char *
transports_of(const struct nbar_way *way)
{
	return way->transports == PDL_TCP   ? "tcp"
	       : way->transports == PDL_UDP ? "udp"
					    : "tcp, udp";
}

static void
put_endpoint(struct text *text, const struct nbar_way *way)
{
	const struct pdl_prefix *prefixes = way->prefixes.items;

	text_printf(text, "\tendpoint over %s {\n", transports_of(way));
	for (unsigned i = 0; i < way->prefixes.count; i++) {
		text_add(text, "\t\taddress \"");
		print_prefix(text, &prefixes[i]);
		text_add(text, "\"\n");
	}
	if (way->ports.count) {
		text_add(text, "\t\t");
		put_ports(text, &way->ports);
		text_char(text, '\n');
	}
	if (way->direction != NBAR_ANY)
		text_printf(text, "\t\tat %s\n",
			    way->direction == NBAR_SOURCE ? "client" : "server");
	if (way->dscp != PDL_DSCP_ANY)
		text_printf(text, "\t\tdscp %u\n", way->dscp);
	text_add(text, "\t}\n");
}

/* Digits, two for each byte. */
static void
put_hex(struct text *text, const char *digits, size_t len)
{
	text_add(text, "hex");
	if (len % 2)
		text_printf(text, " 0%c", *digits);
	for (size_t i = len % 2; i < len; i += 2)
		text_printf(text, " %c%c", digits[i], digits[i + 1]);
}

/* A number in network order, in as few bytes as it takes. */
static void
put_decimal(struct text *text, const char *number)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%llx", strtoull(number, NULL, 0));

	put_hex(text, digits, (size_t)n);
}

static void
put_value(struct text *text, const struct nbar_way *way)
{
	const char *value = way->value;

	switch ((enum nbar_format)way->format) {
	case NBAR_ASCII: put_string(text, value); break;
	case NBAR_REGEX: put_regex(text, value); break;
	case NBAR_DECIMAL: put_decimal(text, value); break;
	case NBAR_HEX:
		if (strncasecmp(value, "0x", 2) == 0)
			value += 2;
		put_hex(text, value, strlen(value));
		break;
	case NBAR_NO_VALUE: break;
	}
}

/* Over UDP any datagram may have it; over TCP it is counted from the stream's start. */
static void
put_rule(struct translation *t, const struct nbar_way *way, const char *sender,
	 const char *port_at)
{
	unsigned number = ++t->rules;

	text_printf(t->text, "\trule payload-%u over %s {\n\t\t%s", number, transports_of(way),
		    sender);
	if (way->transports == PDL_TCP)
		text_printf(t->text, " %u: ", way->offset);
	else if (way->offset)
		text_printf(t->text, ": at %u ", way->offset);
	else
		text_add(t->text, ": ");
	put_value(t->text, way);
	text_printf(t->text, "\n\t} => sure\n\tconfine payload-%u ", number);
	put_ports(t->text, &way->ports);
	text_printf(t->text, " at %s\n", port_at);
}

/* `match protocol NAME FIELD NUMBERS`. Places of UDP are datagrams, so bytes are skipped. */
static void
put_variable(struct translation *t, const struct nbar_way *way)
{
	bool udp = way->transports == PDL_UDP;

	text_printf(t->text, "\tnumber %s: any %u: /^", way->variable, udp ? 0 : way->offset);
	if (udp && way->offset)
		text_printf(t->text, "(?s:.{%u})", way->offset);
	text_printf(t->text, "((?s:.{%u}))/\n\tsub-class %s numbers %s\n", way->variable_len,
		    way->variable, way->variable);
}

/* NBAR's direction is a packet's: from the port, or to it. */
static void
put_payload(struct translation *t, const struct nbar_way *way)
{
	switch (way->format == NBAR_NO_VALUE ? -1 : (int)way->direction) {
	case NBAR_ANY: put_rule(t, way, "any", "any"); break;
	case NBAR_SOURCE:
		put_rule(t, way, "server", "server");
		put_rule(t, way, "client", "client");
		break;
	case NBAR_DESTINATION:
		put_rule(t, way, "client", "server");
		put_rule(t, way, "server", "client");
		break;
	default: put_endpoint(t->text, way); break;
	}
	if (way->variable && nbar_custom_variable(t->custom, way->variable) == way)
		put_variable(t, way);
}

static void
put_named(struct translation *t, const struct line_pattern *pattern, const char *protocol,
	  const char *field)
{
	if (!yields(t->modules, protocol, field))
		return;
	text_printf(t->text, "\tvalue %s.%s ", protocol, field);
	put_pattern(t->text, pattern);
	text_char(t->text, '\n');
}

static void
put_ssl(struct translation *t, const struct line_pattern *pattern)
{
	put_named(t, pattern, "ssl", "server-name");
	put_named(t, pattern, "ssl", "certificate-name");
	put_named(t, pattern, "dtls", "server-name");
	put_named(t, pattern, "quic", "server-name");
}

static void
put_resolved(struct translation *t, const struct line_pattern *pattern)
{
	text_add(t->text, "\tresolved ");
	put_pattern(t->text, pattern);
	text_char(t->text, '\n');
}

static void
put_http(struct translation *t, const struct nbar_way *way)
{
	for (unsigned i = 0; i < way->part_count; i++) {
		text_printf(t->text, "%s.%s ", i ? " and http" : "\tvalue http",
			    nbar_http_field(way->parts[i].field));
		put_pattern(t->text, &way->parts[i].pattern);
	}
	text_char(t->text, '\n');
}

static void
put_way(struct translation *t, const struct nbar_way *way)
{
	switch ((enum nbar_kind)way->kind) {
	case NBAR_PAYLOAD: put_payload(t, way); break;
	case NBAR_HTTP: put_http(t, way); break;
	case NBAR_SSL: put_ssl(t, &way->parts[0].pattern); break;
	case NBAR_DNS: put_resolved(t, &way->parts[0].pattern); break;
	case NBAR_COMPOSITE:
		put_named(t, &way->parts[0].pattern, "http", "host");
		put_ssl(t, &way->parts[0].pattern);
		put_resolved(t, &way->parts[0].pattern);
		break;
	case NBAR_TRANSPORT: put_endpoint(t->text, way); break;
	}
}

static void
put_custom(struct translation *t, const struct nbar_custom *custom)
{
	const struct pdl_protocol *kind =
		custom->extends ? nbar_module(t->modules, custom->extends) : NULL;
	const struct nbar_custom *other =
		custom->extends && !kind ? nbar_custom_find(t->conf, custom->extends) : NULL;

	text_printf(t->text, "protocol %s {\n\ttitle \"Custom protocol %s\"\n", custom->name,
		    custom->name);
	if (custom->id)
		text_printf(t->text, "\tid %u:%u\n", ID_ENGINE, ID_BASE + custom->id);
	translate_attributes(t->conf, t->modules, custom, t->text);
	translate_custom_ports(t->conf, custom, t->text);
	if (kind || other)
		text_printf(t->text, "\textends %s\n", kind ? kind->name : other->name);
	t->custom = custom;
	t->rules = 0;
	for (unsigned i = 0; i < custom->ways.count; i++)
		put_way(t, ((struct nbar_way *const *)custom->ways.items)[i]);
	text_add(t->text, "}\n");
}

void
conf_modules(const struct conf *conf, const struct pdl_set *modules, struct text *text)
{
	struct translation t = { .conf = conf, .modules = modules, .text = text };
	struct nbar_custom *const *customs = conf->customs.items;

	translate_modules(conf, modules, text);
	for (unsigned i = 0; i < conf->customs.count; i++)
		put_custom(&t, customs[i]);
}
