/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/access.h"

#include <inttypes.h>

/* The words of access lists, as routers have them. */

enum { ANY_PROTOCOL = 256, TCP = 6, UDP = 17, ICMP = 1, ICMP6 = 58, NO_CODE = 256 };

static const struct line_word protocols4[] = {
	{ "ip", ANY_PROTOCOL }, { "tcp", TCP },  { "udp", UDP },  { "icmp", ICMP },
	{ "igmp", 2 },          { "ipinip", 4 }, { "gre", 47 },   { "esp", 50 },
	{ "ahp", 51 },          { "eigrp", 88 }, { "ospf", 89 },  { "nos", 94 },
	{ "pim", 103 },         { "pcp", 108 },  { "sctp", 132 },
};
static const struct line_word protocols6[] = {
	{ "ipv6", ANY_PROTOCOL }, { "tcp", TCP }, { "udp", UDP },
	{ "icmp", ICMP6 },        { "esp", 50 },  { "ahp", 51 },
	{ "sctp", 132 },
};

bool
access_protocol(struct line *line, bool ip6, struct policy_rule *rule, struct text *text)
{
	const struct line_word *words = ip6 ? protocols6 : protocols4;
	size_t count = ip6 ? sizeof(protocols6) / sizeof(protocols6[0])
			   : sizeof(protocols4) / sizeof(protocols4[0]);
	uint32_t number;
	unsigned value;

	if (line_is_number(line)) {
		if (!line_number(line, "a protocol", 0, UINT8_MAX, &number))
			return false;
		value = number;
	} else if (!line_keyword(line, words, count, &value)) {
		return false;
	}
	rule->any_protocol = value == ANY_PROTOCOL;
	rule->protocol = (uint8_t)(rule->any_protocol ? 0 : value);
	for (size_t i = 0; i < count; i++)
		if (words[i].value == value) {
			text_printf(text, " %s", words[i].word);
			return true;
		}
	text_printf(text, " %u", value);
	return true;
}

static const struct line_word ports[] = {
	{ "bgp", 179 },        { "biff", 512 },
	{ "bootpc", 68 },      { "bootps", 67 },
	{ "chargen", 19 },     { "cmd", 514 },
	{ "daytime", 13 },     { "discard", 9 },
	{ "dnsix", 195 },      { "domain", 53 },
	{ "echo", 7 },         { "exec", 512 },
	{ "finger", 79 },      { "ftp", 21 },
	{ "ftp-data", 20 },    { "gopher", 70 },
	{ "hostname", 101 },   { "ident", 113 },
	{ "irc", 194 },        { "isakmp", 500 },
	{ "klogin", 543 },     { "kshell", 544 },
	{ "login", 513 },      { "lpd", 515 },
	{ "mobile-ip", 434 },  { "msrpc", 135 },
	{ "nameserver", 42 },  { "netbios-dgm", 138 },
	{ "netbios-ns", 137 }, { "netbios-ss", 139 },
	{ "nntp", 119 },       { "non500-isakmp", 4500 },
	{ "ntp", 123 },        { "pim-auto-rp", 496 },
	{ "pop2", 109 },       { "pop3", 110 },
	{ "rip", 520 },        { "smtp", 25 },
	{ "snmp", 161 },       { "snmptrap", 162 },
	{ "sunrpc", 111 },     { "syslog", 514 },
	{ "tacacs", 49 },      { "talk", 517 },
	{ "telnet", 23 },      { "tftp", 69 },
	{ "time", 37 },        { "uucp", 540 },
	{ "who", 513 },        { "whois", 43 },
	{ "www", 80 },         { "xdmcp", 177 },
};
enum { PORTS = sizeof(ports) / sizeof(ports[0]) };

bool
access_is_port(const struct line *line)
{
	struct line copy;
	unsigned value;

	if (line_is_number(line))
		return true;
	copy = *line;
	return line_may(&copy, ports, PORTS, &value);
}

bool
access_port(struct line *line, uint32_t *port)
{
	unsigned value;

	if (line_is_number(line))
		return line_number(line, "a port", 0, UINT16_MAX, port);
	if (!line_keyword(line, ports, PORTS, &value))
		return false;
	*port = value;
	return true;
}

/* RFC 792, 1122 and 1812; type << 16 | code. */
#define TYPE(T, C) ((T) << 16 | (C))
static const struct line_word types4[] = {
	{ "echo-reply", TYPE(0, NO_CODE) },
	{ "unreachable", TYPE(3, NO_CODE) },
	{ "net-unreachable", TYPE(3, 0) },
	{ "host-unreachable", TYPE(3, 1) },
	{ "protocol-unreachable", TYPE(3, 2) },
	{ "port-unreachable", TYPE(3, 3) },
	{ "packet-too-big", TYPE(3, 4) },
	{ "source-route-failed", TYPE(3, 5) },
	{ "network-unknown", TYPE(3, 6) },
	{ "host-unknown", TYPE(3, 7) },
	{ "host-isolated", TYPE(3, 8) },
	{ "net-prohibited", TYPE(3, 9) },
	{ "dod-net-prohibited", TYPE(3, 9) },
	{ "dod-host-prohibited", TYPE(3, 10) },
	{ "net-tos-unreachable", TYPE(3, 11) },
	{ "host-tos-unreachable", TYPE(3, 12) },
	{ "administratively-prohibited", TYPE(3, 13) },
	{ "host-precedence-unreachable", TYPE(3, 14) },
	{ "precedence-unreachable", TYPE(3, 15) },
	{ "source-quench", TYPE(4, NO_CODE) },
	{ "redirect", TYPE(5, NO_CODE) },
	{ "net-redirect", TYPE(5, 0) },
	{ "host-redirect", TYPE(5, 1) },
	{ "net-tos-redirect", TYPE(5, 2) },
	{ "host-tos-redirect", TYPE(5, 3) },
	{ "alternate-address", TYPE(6, NO_CODE) },
	{ "echo", TYPE(8, NO_CODE) },
	{ "router-advertisement", TYPE(9, NO_CODE) },
	{ "router-solicitation", TYPE(10, NO_CODE) },
	{ "time-exceeded", TYPE(11, NO_CODE) },
	{ "ttl-exceeded", TYPE(11, 0) },
	{ "reassembly-timeout", TYPE(11, 1) },
	{ "parameter-problem", TYPE(12, NO_CODE) },
	{ "general-parameter-problem", TYPE(12, 0) },
	{ "option-missing", TYPE(12, 1) },
	{ "no-room-for-option", TYPE(12, 2) },
	{ "timestamp-request", TYPE(13, NO_CODE) },
	{ "timestamp-reply", TYPE(14, NO_CODE) },
	{ "information-request", TYPE(15, NO_CODE) },
	{ "information-reply", TYPE(16, NO_CODE) },
	{ "mask-request", TYPE(17, NO_CODE) },
	{ "mask-reply", TYPE(18, NO_CODE) },
	{ "traceroute", TYPE(30, NO_CODE) },
	{ "conversion-error", TYPE(31, NO_CODE) },
	{ "mobile-redirect", TYPE(32, NO_CODE) },
};

/* RFC 4443, 2710, 4861, 2894 and 6275. */
static const struct line_word types6[] = {
	{ "unreachable", TYPE(1, NO_CODE) },
	{ "no-route", TYPE(1, 0) },
	{ "no-admin", TYPE(1, 1) },
	{ "beyond-scope", TYPE(1, 2) },
	{ "destination-unreachable", TYPE(1, 3) },
	{ "port-unreachable", TYPE(1, 4) },
	{ "packet-too-big", TYPE(2, NO_CODE) },
	{ "time-exceeded", TYPE(3, NO_CODE) },
	{ "hop-limit", TYPE(3, 0) },
	{ "reassembly-timeout", TYPE(3, 1) },
	{ "parameter-problem", TYPE(4, NO_CODE) },
	{ "header", TYPE(4, 0) },
	{ "next-header", TYPE(4, 1) },
	{ "parameter-option", TYPE(4, 2) },
	{ "echo-request", TYPE(128, NO_CODE) },
	{ "echo-reply", TYPE(129, NO_CODE) },
	{ "mld-query", TYPE(130, NO_CODE) },
	{ "mld-report", TYPE(131, NO_CODE) },
	{ "mld-reduction", TYPE(132, NO_CODE) },
	{ "router-solicitation", TYPE(133, NO_CODE) },
	{ "router-advertisement", TYPE(134, NO_CODE) },
	{ "nd-ns", TYPE(135, NO_CODE) },
	{ "nd-na", TYPE(136, NO_CODE) },
	{ "redirect", TYPE(137, NO_CODE) },
	{ "router-renumbering", TYPE(138, NO_CODE) },
	{ "mld-v2-report", TYPE(143, NO_CODE) },
};

static const struct line_word *
icmp_words(bool ip6, size_t *count)
{
	*count = ip6 ? sizeof(types6) / sizeof(types6[0]) : sizeof(types4) / sizeof(types4[0]);
	return ip6 ? types6 : types4;
}

bool
access_is_icmp(const struct line *line, bool ip6)
{
	struct line copy;
	unsigned value;
	size_t count;
	const struct line_word *words = icmp_words(ip6, &count);

	if (line_is_number(line))
		return true;
	copy = *line;
	return line_may(&copy, words, count, &value);
}

static bool
icmp_number(struct line *line, unsigned *value)
{
	uint32_t type, code = NO_CODE;

	if (!line_number(line, "a type of ICMP", 0, UINT8_MAX, &type))
		return false;
	if (line_is_number(line) && !line_number(line, "a code", 0, UINT8_MAX, &code))
		return false;
	*value = TYPE(type, code);
	return true;
}

bool
access_icmp(struct line *line, bool ip6, struct policy_range *range, struct text *text)
{
	size_t count;
	const struct line_word *words = icmp_words(ip6, &count);
	unsigned value, type, code;

	if (line_is_number(line) ? !icmp_number(line, &value)
				 : !line_keyword(line, words, count, &value))
		return false;
	type = value >> 16;
	code = value & 0xffff;
	*range = code == NO_CODE ? (struct policy_range){ type << 8, type << 8 | 0xff }
				 : (struct policy_range){ type << 8 | code, type << 8 | code };
	for (size_t i = 0; i < count; i++)
		if (words[i].value == value) {
			text_printf(text, " %s", words[i].word);
			return true;
		}
	text_printf(text, " %u", type);
	if (code != NO_CODE)
		text_printf(text, " %u", code);
	return true;
}
