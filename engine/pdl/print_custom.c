/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "pdl/print.h"
#include "pdl/words.h"

#include <arpa/inet.h>

static void
print_pattern(struct text *text, const struct pdl_pattern *pattern)
{
	if (pattern->glob)
		print_string(text, bytes_of(pattern->glob, strlen(pattern->glob)));
	else
		print_regex(text, pattern->regex);
}

static void
print_value(struct text *text, const struct pdl_value *value)
{
	for (unsigned i = 0; i < value->count; i++) {
		const struct pdl_pattern *pattern = &value->patterns[i];

		text_printf(text, "%s%s ", i == 0 ? "\tvalue " : " and ", pattern->field);
		print_pattern(text, pattern);
	}
	text_char(text, '\n');
}

static void
print_ports(struct text *text, const struct pdl_ports *ports, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		text_printf(text, "%s%u", i == 0 ? "port " : ", ", ports[i].low);
		if (ports[i].high != ports[i].low)
			text_printf(text, "-%u", ports[i].high);
	}
}

void
print_prefix(struct text *text, const struct pdl_prefix *prefix)
{
	char address[INET6_ADDRSTRLEN] = "";
	bool six = prefix->ip_version == 6;

	inet_ntop(six ? AF_INET6 : AF_INET, prefix->address, address, sizeof(address));
	text_add(text, address);
	if (prefix->bits != (six ? 128 : 32))
		text_printf(text, "/%u", prefix->bits);
}

static void
print_endpoint(struct text *text, const struct pdl_endpoint *e)
{
	text_printf(text, "\tendpoint over %s {\n",
		    e->transports == PDL_TCP   ? "tcp"
		    : e->transports == PDL_UDP ? "udp"
					       : "tcp, udp");
	for (unsigned i = 0; i < e->prefix_count; i++) {
		text_add(text, i == 0 ? "\t\taddress \"" : ", \"");
		print_prefix(text, &e->prefixes[i]);
		text_add(text, i + 1 == e->prefix_count ? "\"\n" : "\"");
	}
	if (e->port_count) {
		text_add(text, "\t\t");
		print_ports(text, e->ports, e->port_count);
		text_char(text, '\n');
	}
	if (e->side != PDL_ANY)
		text_printf(text, "\t\tat %s\n", words_sides[e->side]);
	if (e->dscp != PDL_DSCP_ANY)
		text_printf(text, "\t\tdscp %u\n", e->dscp);
	text_add(text, "\t}\n");
}

void
print_custom(struct text *text, const struct pdl_custom *custom)
{
	if (custom->extends)
		text_printf(text, "\textends %s\n", custom->extends);
	for (unsigned i = 0; i < custom->value_count; i++)
		print_value(text, &custom->values[i]);
	for (unsigned i = 0; i < custom->resolved_count; i++) {
		text_add(text, i == 0 ? "\tresolved " : ", ");
		print_pattern(text, &custom->resolved[i]);
		text_add(text, i + 1 == custom->resolved_count ? "\n" : "");
	}
	for (unsigned i = 0; i < custom->endpoint_count; i++)
		print_endpoint(text, &custom->endpoints[i]);
	for (unsigned i = 0; i < custom->confine_count; i++) {
		const struct pdl_confine *c = &custom->confines[i];

		text_printf(text, "\tconfine %s ", c->rule);
		print_ports(text, c->ports, c->port_count);
		if (c->side != PDL_ANY)
			text_printf(text, " at %s", words_sides[c->side]);
		text_char(text, '\n');
	}
}
