/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/nbar.h"
#include "pdl/print.h"

/* Custom protocols as the running configuration has them. */

static void
print_word(struct text *text, const char *word, bool quote)
{
	if (quote)
		text_char(text, '"');
	for (; *word; word++) {
		/* A backslash escapes only a quote, a backslash and a blank. */
		if (*word == '"' || (*word == '\\' && (!word[1] || strchr("\\\" \t", word[1]))))
			text_char(text, '\\');
		text_char(text, *word);
	}
	if (quote)
		text_char(text, '"');
}

void
nbar_word_print(struct text *text, const char *word)
{
	print_word(text, word, *word == '\0' || *word == '!' || strpbrk(word, " \t\"") != NULL);
}

void
nbar_quoted_print(struct text *text, const char *word)
{
	print_word(text, word, true);
}

static void
print_pattern(struct text *text, const struct line_pattern *pattern)
{
	text_add(text, pattern->regex ? " regex " : " ");
	/* Bare, the word would be the keyword. */
	if (!pattern->regex && strcmp(pattern->text, "regex") == 0)
		text_add(text, "(regex)");
	else
		nbar_word_print(text, pattern->text);
}

void
nbar_ports_print(struct text *text, const struct list *list)
{
	const struct pdl_ports *ports = list->items;

	for (unsigned i = 0; i < list->count; i++)
		if (ports[i].low == ports[i].high)
			text_printf(text, " %u", ports[i].low);
		else
			text_printf(text, " range %u %u", ports[i].low, ports[i].high);
}

static void
print_payload(struct text *text, const struct nbar_way *way)
{
	static const char *const formats[] = { [NBAR_ASCII] = "ascii",
					       [NBAR_HEX] = "hex",
					       [NBAR_DECIMAL] = "decimal",
					       [NBAR_REGEX] = "regex" };

	if (way->has_offset)
		text_printf(text, " %u", way->offset);
	if (way->format != NBAR_NO_VALUE) {
		text_printf(text, " %s ", formats[way->format]);
		nbar_word_print(text, way->value);
	}
	if (way->variable)
		text_printf(text, " variable %s %u", way->variable, way->variable_len);
	if (way->direction != NBAR_ANY)
		text_add(text, way->direction == NBAR_SOURCE ? " source" : " destination");
	text_add(text, way->transports == PDL_TCP ? " tcp" : " udp");
	nbar_ports_print(text, &way->ports);
}

static void
print_prefixes(struct text *text, const struct nbar_way *way)
{
	const struct pdl_prefix *prefixes = way->prefixes.items;

	for (unsigned i = 0; i < way->prefixes.count; i++) {
		bool six = prefixes[i].ip_version == 6;

		text_printf(text, " %s %s ", six ? "ipv6" : "ip",
			    prefixes[i].bits == (six ? 128 : 32) ? "address" : "subnet");
		print_prefix(text, &prefixes[i]);
		text_char(text, '\n');
	}
}

/* The lines of the mode, each with its end. */
static void
print_mode(struct text *text, const struct nbar_way *way)
{
	print_prefixes(text, way);
	if (way->ports.count) {
		text_add(text, " port");
		nbar_ports_print(text, &way->ports);
		text_char(text, '\n');
	}
	if (way->dscp != PDL_DSCP_ANY) {
		if (nbar_transport_dscp_name(way->dscp))
			text_printf(text, " dscp %s\n", nbar_transport_dscp_name(way->dscp));
		else
			text_printf(text, " dscp %u\n", way->dscp);
	}
	if (way->direction != NBAR_ANY)
		text_printf(text, " direction %s\n",
			    way->direction == NBAR_SOURCE ? "source" : "destination");
}

static void
print_way(struct text *text, const struct nbar_custom *custom, const struct nbar_way *way)
{
	static const char *const named[] = { [NBAR_SSL] = " ssl unique-name",
					     [NBAR_DNS] = " dns domain-name",
					     [NBAR_COMPOSITE] = " composite server-name" };

	text_printf(text, "ip nbar custom %s", custom->name);
	switch ((enum nbar_kind)way->kind) {
	case NBAR_PAYLOAD: print_payload(text, way); break;
	case NBAR_HTTP:
		text_add(text, " http");
		for (unsigned i = 0; i < way->part_count; i++) {
			text_printf(text, " %s", nbar_http_field(way->parts[i].field));
			print_pattern(text, &way->parts[i].pattern);
		}
		break;
	case NBAR_SSL:
	case NBAR_DNS:
	case NBAR_COMPOSITE:
		text_add(text, named[way->kind]);
		print_pattern(text, &way->parts[0].pattern);
		break;
	case NBAR_TRANSPORT:
		text_printf(text, " transport %s",
			    way->transports == PDL_TCP   ? "tcp"
			    : way->transports == PDL_UDP ? "udp"
							 : "udp-tcp");
		break;
	}
	if (custom->id)
		text_printf(text, " id %u", custom->id);
	if (custom->extends)
		text_printf(text, " extends %s", custom->extends);
	text_char(text, '\n');
	if (way->kind == NBAR_TRANSPORT)
		print_mode(text, way);
}

void
nbar_custom_print(const struct conf *conf, struct text *text)
{
	struct nbar_custom *const *customs = conf->customs.items;

	for (unsigned i = 0; i < conf->customs.count; i++) {
		struct nbar_way *const *ways = customs[i]->ways.items;

		for (unsigned n = 0; n < customs[i]->ways.count; n++)
			print_way(text, customs[i], ways[n]);
	}
}
