/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/access.h"
#include "pdl/parse.h"

#include <arpa/inet.h>
#include <inttypes.h>

/* One rule of an access list, behind permit or deny. */

enum { TCP = 6, UDP = 17, SCTP = 132, ICMP = 1, ICMP6 = 58, PORT_LIST = 10 };
enum { FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16, URG = 32 };

static bool
read_ip4(struct line *line, const char *what, uint8_t address[4])
{
	if (line->lost || !line_more(line) || inet_pton(AF_INET, line_peek(line), address) != 1)
		return line_wrong(line, what);
	line->at++;
	return true;
}

static void
put_ip4(struct text *text, const uint8_t a[4])
{
	text_printf(text, " %u.%u.%u.%u", a[0], a[1], a[2], a[3]);
}

static void
put_address(struct text *text, bool ip6, const uint8_t value[16], const uint8_t mask[16])
{
	unsigned bits = 0, size = ip6 ? 16 : 4;
	char address[INET6_ADDRSTRLEN];
	uint8_t wild[4];

	for (unsigned i = 0; i < size; i++)
		bits += (unsigned)__builtin_popcount(mask[i]);
	if (bits == 0) {
		text_add(text, " any");
		return;
	}
	inet_ntop(ip6 ? AF_INET6 : AF_INET, value, address, sizeof(address));
	if (bits == size * 8) {
		text_printf(text, " host %s", address);
	} else if (ip6) {
		text_printf(text, " %s/%u", address, bits);
	} else {
		text_printf(text, " %s", address);
		for (unsigned i = 0; i < 4; i++)
			wild[i] = (uint8_t)~mask[i];
		put_ip4(text, wild);
	}
}

static bool
take_prefix(struct line *line, bool ip6, uint8_t value[16], uint8_t mask[16])
{
	struct pdl_prefix prefix;

	if (!line_more(line) || !parse_custom_prefix(line_peek(line), &prefix) ||
	    prefix.ip_version != (ip6 ? 6 : 4))
		return line_wrong(line, ip6 ? "any, host ADDRESS, or PREFIX/BITS"
					    : "any, host ADDRESS, or ADDRESS WILDCARD");
	memcpy(value, prefix.address, ip6 ? 16 : 4);
	for (unsigned i = 0; i < prefix.bits; i++)
		mask[i / 8] |= (uint8_t)(0x80 >> i % 8);
	line->at++;
	return true;
}

/* any, host A, A WILDCARD, A/BITS; `alone`: A is host A. */
static bool
read_address(struct line *line, bool ip6, bool alone, uint8_t value[16], uint8_t mask[16])
{
	bool host, slash;
	uint8_t wild[4];

	if (line_accept(line, "any"))
		return true;
	host = line_accept(line, "host");
	slash = line_more(line) && strchr(line_peek(line), '/');
	if (host && slash)
		return line_wrong(line, "an address");
	if (!take_prefix(line, ip6, value, mask))
		return false;
	if (ip6 && !host && !slash) {
		line->at--;
		return line_wrong(line, "any, host ADDRESS, or PREFIX/BITS");
	}
	if (host || slash || (alone && !line_is_number(line)))
		return true;
	if (!read_ip4(line, "a wildcard, such as 0.0.0.255", wild))
		return false;
	for (unsigned i = 0; i < 4; i++) {
		mask[i] = (uint8_t)~wild[i];
		value[i] &= mask[i];
	}
	return true;
}

static bool
add_range(struct line *line, struct list *list, uint32_t low, uint32_t high)
{
	struct policy_range *range = line_add(line, list, sizeof(*range));

	if (range)
		*range = (struct policy_range){ low, high };
	return range != NULL;
}

enum compare { EQ, NEQ, LT, GT, RANGE };

static const struct line_word compares[] = {
	{ "eq", EQ }, { "neq", NEQ }, { "lt", LT }, { "gt", GT }, { "range", RANGE }
};

static bool
read_port_list(struct line *line, struct list *list, struct text *text)
{
	uint32_t port;

	do {
		if (list->count == PORT_LIST) {
			line_fault(line, line_place(line), "more than %d ports", PORT_LIST);
			return false;
		}
		if (!access_port(line, &port) || !add_range(line, list, port, port))
			return false;
		text_printf(text, " %" PRIu32, port);
	} while (line_more(line) && access_is_port(line));
	return true;
}

static bool
read_ports(struct line *line, struct list *list, bool * not, struct text *text)
{
	struct conf_place place;
	unsigned compare;
	uint32_t low, high;

	if (!line_may(line, compares, 5, &compare))
		return !line->lost;
	text_printf(text, " %s", compares[compare].word);
	*not = compare == NEQ;
	if (compare == EQ || compare == NEQ)
		return read_port_list(line, list, text);
	place = line_place(line);
	if (!access_port(line, &low))
		return false;
	high = low;
	if (compare == RANGE && !access_port(line, &high))
		return false;
	text_printf(text, " %" PRIu32, low);
	if (compare == RANGE)
		text_printf(text, " %" PRIu32, high);
	if (high < low || (compare == LT && low == 0) || (compare == GT && low == UINT16_MAX)) {
		line_fault(line, place, "there are no such ports");
		return false;
	}
	if (compare == LT)
		return add_range(line, list, 0, low - 1);
	return compare == GT ? add_range(line, list, low + 1, UINT16_MAX)
			     : add_range(line, list, low, high);
}

/* +FLAG and -FLAG, one or more. */
static bool
read_flags(struct line *line, struct policy_rule *rule, struct text *text)
{
	static const struct line_word flags[] = {
		{ "+ack", ACK },      { "+fin", FIN },      { "+psh", PSH },
		{ "+rst", RST },      { "+syn", SYN },      { "+urg", URG },
		{ "-ack", ACK << 8 }, { "-fin", FIN << 8 }, { "-psh", PSH << 8 },
		{ "-rst", RST << 8 }, { "-syn", SYN << 8 }, { "-urg", URG << 8 },
	};
	enum { FLAGS = sizeof(flags) / sizeof(flags[0]) };
	unsigned value;

	text_add(text, " match-all");
	do {
		if (!line_keyword(line, flags, FLAGS, &value))
			return false;
		rule->flags_set |= (uint8_t)value;
		rule->flags_clear |= (uint8_t)(value >> 8);
	} while (line_more(line) && strchr("+-", *line_peek(line)));
	if (rule->flags_set & rule->flags_clear) {
		line->at--;
		line_fault(line, line_place(line), "a flag is set or it is not");
	}
	for (unsigned i = 0; i < FLAGS; i++)
		if (flags[i].value & (rule->flags_set | (unsigned)rule->flags_clear << 8))
			text_printf(text, " %s", flags[i].word);
	return !line->lost;
}

enum option {
	LOG,
	LOG_INPUT,
	FRAGMENTS,
	DSCP,
	PRECEDENCE,
	ESTABLISHED,
	MATCH_ALL,
	BARE_FLAG,
};

static const struct line_word options[] = {
	{ "log", LOG },
	{ "log-input", LOG_INPUT },
	{ "fragments", FRAGMENTS },
	{ "dscp", DSCP },
	{ "precedence", PRECEDENCE },
	{ "established", ESTABLISHED },
	{ "match-all", MATCH_ALL },
	{ "ack", BARE_FLAG + ACK },
	{ "fin", BARE_FLAG + FIN },
	{ "psh", BARE_FLAG + PSH },
	{ "rst", BARE_FLAG + RST },
	{ "syn", BARE_FLAG + SYN },
	{ "urg", BARE_FLAG + URG },
};
/* Only those before: of all protocols; of IPv6, no precedence. */
enum { OPTIONS = sizeof(options) / sizeof(options[0]), PLAIN_OPTIONS = 5, IP6_OPTIONS = 4 };

static bool
read_dscp(struct line *line, struct policy_rule *rule, bool precedence, struct text *text)
{
	uint32_t value;

	if (precedence) {
		if (!policy_precedence(line, &value))
			return false;
		text_printf(text, " precedence %" PRIu32, value);
		return add_range(line, &rule->dscps, value * 8, value * 8 + 7);
	}
	if (!policy_dscp(line, &value))
		return false;
	text_add(text, " dscp ");
	policy_dscp_print(text, value);
	return add_range(line, &rule->dscps, value, value);
}

static bool
read_option(struct line *line, struct policy_rule *rule, unsigned option, struct text *text)
{
	switch (option) {
	case LOG:
	case LOG_INPUT:
		rule->log = true;
		text_add(text, " log");
		return true;
	case FRAGMENTS:
		rule->fragments = true;
		text_add(text, " fragments");
		return true;
	case DSCP:
	case PRECEDENCE: return read_dscp(line, rule, option == PRECEDENCE, text);
	case ESTABLISHED:
		rule->established = true;
		text_add(text, " established");
		return true;
	case MATCH_ALL: return read_flags(line, rule, text);
	default:
		rule->flags_set = (uint8_t)(option - BARE_FLAG);
		for (unsigned i = 0; i < OPTIONS; i++)
			if (options[i].value == option)
				text_printf(text, " %s", options[i].word);
		return true;
	}
}

/* Options of one kind exclude each other: which bit of a set they are. */
static unsigned
kind_of(unsigned option)
{
	switch (option) {
	case LOG:
	case LOG_INPUT: return 1;
	case FRAGMENTS: return 2;
	case DSCP:
	case PRECEDENCE: return 4;
	default: return 8;
	}
}

static bool
read_options(struct line *line, struct policy_rule *rule, struct text *text)
{
	bool tcp = !rule->any_protocol && rule->protocol == TCP;
	unsigned seen = 0, option;

	while (line_more(line) && !line_is(line, "sequence")) {
		struct conf_place place = line_place(line);

		if (rule->ip6 && !tcp) {
			if (!line_keyword(line, options, IP6_OPTIONS, &option))
				return false;
		} else if (!line_keyword(line, options, tcp ? OPTIONS : PLAIN_OPTIONS,
					 &option)) {
			return false;
		}
		if (seen & kind_of(option)) {
			line_fault(line, place, "not together with what stands before");
			return false;
		}
		seen |= kind_of(option);
		if (!read_option(line, rule, option, text))
			return false;
	}
	if (rule->fragments && (rule->source_ports.count || rule->destination_ports.count ||
				rule->icmp.count || seen & 8)) {
		line_fault(line, line_place(line), "later fragments have no ports or flags");
		return false;
	}
	return true;
}

static bool
has_ports(const struct policy_rule *rule)
{
	return !rule->any_protocol &&
	       (rule->protocol == TCP || rule->protocol == UDP || rule->protocol == SCTP);
}

static bool
read_icmp(struct line *line, struct policy_rule *rule, struct text *text)
{
	uint8_t icmp = rule->ip6 ? ICMP6 : ICMP;
	struct policy_range range;

	if (rule->any_protocol || rule->protocol != icmp || !line_more(line) ||
	    !access_is_icmp(line, rule->ip6))
		return true;
	return access_icmp(line, rule->ip6, &range, text) &&
	       add_range(line, &rule->icmp, range.low, range.high);
}

static bool
read_extended(struct line *line, struct policy_rule *rule, struct text *text)
{
	if (!access_protocol(line, rule->ip6, rule, text) ||
	    !read_address(line, rule->ip6, false, rule->source, rule->source_mask))
		return false;
	put_address(text, rule->ip6, rule->source, rule->source_mask);
	if (has_ports(rule) &&
	    !read_ports(line, &rule->source_ports, &rule->source_ports_not, text))
		return false;
	if (!read_address(line, rule->ip6, false, rule->destination, rule->destination_mask))
		return false;
	put_address(text, rule->ip6, rule->destination, rule->destination_mask);
	if (has_ports(rule) &&
	    !read_ports(line, &rule->destination_ports, &rule->destination_ports_not, text))
		return false;
	return read_icmp(line, rule, text) && read_options(line, rule, text);
}

bool
access_rule_read(struct line *line, const struct policy_access *access,
		 struct policy_rule *rule, struct text *text)
{
	rule->ip6 = access->ip6;
	text_add(text, rule->permit ? "permit" : "deny");
	if (access->extended)
		return read_extended(line, rule, text);
	rule->any_protocol = true;
	if (!read_address(line, false, true, rule->source, rule->source_mask))
		return false;
	put_address(text, false, rule->source, rule->source_mask);
	if (line_accept(line, "log")) {
		rule->log = true;
		text_add(text, " log");
	}
	return true;
}
