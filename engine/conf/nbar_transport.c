/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/directive.h"
#include "conf/nbar.h"
#include "pdl/parse.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * ip nbar custom NAME transport {tcp|udp|udp-tcp}, and what it says of the flow's end: in the
 * same line or in lines of its own mode, as routers print it.
 */

static const struct line_word dscp_words[] = {
	{ "default", 0 }, { "cs1", 8 },   { "af11", 10 }, { "af12", 12 }, { "af13", 14 },
	{ "cs2", 16 },    { "af21", 18 }, { "af22", 20 }, { "af23", 22 }, { "cs3", 24 },
	{ "af31", 26 },   { "af32", 28 }, { "af33", 30 }, { "cs4", 32 },  { "af41", 34 },
	{ "af42", 36 },   { "af43", 38 }, { "cs5", 40 },  { "ef", 46 },   { "cs6", 48 },
	{ "cs7", 56 },
};
enum { DSCP_WORDS = sizeof(dscp_words) / sizeof(dscp_words[0]) };

/* What a mode's line is about; a line of a mode that could not be opened is only looked at. */
static struct nbar_way *
way_of(struct line *line, struct nbar_way *none)
{
	*none = (struct nbar_way){ .kind = NBAR_TRANSPORT };
	return line->object ? line->object : none;
}

static bool
same_prefix(const struct pdl_prefix *a, const struct pdl_prefix *b)
{
	return a->ip_version == b->ip_version && a->bits == b->bits &&
	       memcmp(a->address, b->address, sizeof(a->address)) == 0;
}

static void
take_prefix(struct line *line, struct nbar_way *way, const struct pdl_prefix *prefix)
{
	struct pdl_prefix *list = way->prefixes.items, *added;

	for (unsigned i = 0; i < way->prefixes.count; i++) {
		if (!same_prefix(&list[i], prefix))
			continue;
		if (line->no)
			list[i] = list[--way->prefixes.count];
		return;
	}
	if (line->no)
		return;
	added = line_add(line, &way->prefixes, sizeof(*added));
	if (added)
		*added = *prefix;
}

static bool
is_version(const struct pdl_prefix *prefix, unsigned version)
{
	return prefix->ip_version == version;
}

static void
read_addresses(struct line *line, struct nbar_way *way, unsigned version)
{
	const char *what = version == 6 ? "an IPv6 address" : "an IPv4 address";
	struct pdl_prefix prefix;
	unsigned count = 0;

	while (line_more(line) && !strchr(line_peek(line), '/') &&
	       parse_custom_prefix(line_peek(line), &prefix)) {
		if (!is_version(&prefix, version)) {
			line_wrong(line, what);
			return;
		}
		take_prefix(line, way, &prefix);
		line->at++;
		count++;
	}
	if (count == 0)
		line_wrong(line, what);
}

/* 255.255.0.0 or 16; -1: neither. */
static int
mask_bits(const char *word, unsigned version)
{
	struct in_addr mask;
	uint32_t m;
	char *end;
	unsigned long bits;

	if (version == 4 && inet_pton(AF_INET, word, &mask) == 1) {
		m = ntohl(mask.s_addr);
		if (~m & (~m + 1))
			return -1;
		return __builtin_popcount(m);
	}
	if (*word < '0' || *word > '9')
		return -1;
	bits = strtoul(word, &end, 10);
	return *end || bits > (version == 6 ? 128 : 32) ? -1 : (int)bits;
}

/* ADDRESS/BITS, ADDRESS BITS or ADDRESS MASK. */
static void
read_subnet(struct line *line, struct nbar_way *way, unsigned version)
{
	const char *what = version == 6 ? "a subnet, such as 2001:db8::/32"
					: "a subnet, such as 10.0.0.0/8";
	char text[INET6_ADDRSTRLEN + 8];
	struct pdl_prefix prefix;
	const char *word = line_peek(line);
	int bits;

	if (!line_more(line) || !parse_custom_prefix(word, &prefix) ||
	    !is_version(&prefix, version)) {
		line_wrong(line, what);
		return;
	}
	line->at++;
	if (!strchr(word, '/')) {
		bits = line_more(line) ? mask_bits(line_peek(line), version) : -1;
		if (bits < 0) {
			line_wrong(line, "a prefix length or a mask");
			return;
		}
		snprintf(text, sizeof(text), "%.*s/%d", INET6_ADDRSTRLEN, word, bits);
		parse_custom_prefix(text, &prefix);
		line->at++;
	}
	take_prefix(line, way, &prefix);
}

static void
read_ip(struct line *line, struct nbar_way *way, unsigned version)
{
	static const struct line_word words[] = { { "address", 0 }, { "subnet", 1 } };
	unsigned subnet;

	if (!line_keyword(line, words, 2, &subnet))
		return;
	if (subnet)
		read_subnet(line, way, version);
	else
		read_addresses(line, way, version);
}

bool
nbar_transport_dscp_take(struct line *line, unsigned *value)
{
	uint32_t number;

	if (!line_is_number(line))
		return line_keyword(line, dscp_words, DSCP_WORDS, value);
	if (!line_number(line, "a DSCP", 0, 63, &number))
		return false;
	*value = number;
	return true;
}

static void
read_dscp(struct line *line, struct nbar_way *way)
{
	unsigned value;

	if (line->no && !line_more(line)) {
		way->dscp = PDL_DSCP_ANY;
		return;
	}
	if (!nbar_transport_dscp_take(line, &value))
		return;
	way->dscp = line->no ? PDL_DSCP_ANY : (uint8_t)value;
}

static void
read_direction(struct line *line, struct nbar_way *way)
{
	static const struct line_word words[] = { { "any", NBAR_ANY },
						  { "source", NBAR_SOURCE },
						  { "destination", NBAR_DESTINATION } };
	unsigned value = NBAR_ANY;

	if (line->no && !line_more(line))
		way->direction = NBAR_ANY;
	else if (line_keyword(line, words, 3, &value))
		way->direction = line->no ? NBAR_ANY : (uint8_t)value;
}

static void
read_port(struct line *line, struct nbar_way *way)
{
	struct list removed = { 0 };

	if (line->no) {
		if (!line_more(line) || line_ports(line, &removed))
			way->ports.count = 0;
		return;
	}
	line_ports(line, &way->ports);
}

void
nbar_transport_read(struct line *line, struct nbar_custom *custom, struct nbar_way *way)
{
	static const struct line_word transports[] = { { "tcp", PDL_TCP },
						       { "udp", PDL_UDP },
						       { "udp-tcp", PDL_TCP | PDL_UDP } };
	enum part { ID, IP, IPV6, PORT, DSCP, DIRECTION, EXTENDS, PARTS };
	static const struct line_word parts[] = {
		{ "id", ID },           { "ip", IP },     { "ipv6", IPV6 },
		{ "port", PORT },       { "dscp", DSCP }, { "direction", DIRECTION },
		{ "extends", EXTENDS },
	};
	unsigned value;

	if (!line_keyword(line, transports, 3, &value))
		return;
	way->transports = (uint8_t)value;
	while (line_more(line)) {
		if (!line_keyword(line, parts, PARTS, &value))
			return;
		switch ((enum part)value) {
		case ID: nbar_custom_id(line, custom); break;
		case IP: read_ip(line, way, 4); break;
		case IPV6: read_ip(line, way, 6); break;
		case PORT: read_port(line, way); break;
		case DSCP: read_dscp(line, way); break;
		case DIRECTION: read_direction(line, way); break;
		case EXTENDS: nbar_custom_extends(line, custom); break;
		case PARTS: break;
		}
	}
}

void
nbar_transport_address(struct line *line)
{
	struct nbar_way none;

	read_addresses(line, way_of(line, &none), 4);
}

void
nbar_transport_subnet(struct line *line)
{
	struct nbar_way none;

	read_subnet(line, way_of(line, &none), 4);
}

void
nbar_transport_ipv6_address(struct line *line)
{
	struct nbar_way none;

	read_addresses(line, way_of(line, &none), 6);
}

void
nbar_transport_ipv6_subnet(struct line *line)
{
	struct nbar_way none;

	read_subnet(line, way_of(line, &none), 6);
}

void
nbar_transport_port(struct line *line)
{
	struct nbar_way none;

	read_port(line, way_of(line, &none));
}

void
nbar_transport_dscp(struct line *line)
{
	struct nbar_way none;

	read_dscp(line, way_of(line, &none));
}

void
nbar_transport_direction(struct line *line)
{
	struct nbar_way none;

	read_direction(line, way_of(line, &none));
}

const char *
nbar_transport_dscp_name(uint8_t dscp)
{
	for (unsigned i = 0; i < DSCP_WORDS; i++)
		if (dscp_words[i].value == dscp)
			return dscp_words[i].word;
	return NULL;
}
