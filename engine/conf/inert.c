/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "conf/inert.h"

#include "conf/directive.h"

#include <strings.h>

struct inert {
	unsigned context;
	bool opens; /* a mode, whose lines are indented */
	const char *words;
	/* One of these follows, with a blank on both sides of each; NULL: anything may. */
	const char *next;
};

static const struct inert table[] = {
	{ CONF_POLICY_CLASS, false, "fair-queue", NULL },
	{ CONF_POLICY_CLASS, false, "queue-limit", NULL },
	{ CONF_POLICY_CLASS, false, "random-detect", NULL },
	{ CONF_POLICY_CLASS, false, "queue-buffers", NULL },
	{ CONF_POLICY_CLASS, false, "netflow-sampler", NULL },
	{ CONF_POLICY_CLASS, false, "compression", NULL },
	{ CONF_POLICY_CLASS, false, "account", NULL },
	{ CONF_INTERFACE, false, "ip",
	  " access-group accounting address authentication bandwidth-percent dhcp "
	  "directed-broadcast flow hello-interval helper-address igmp inspect mask-reply mtu "
	  "nat "
	  "ospf pim policy proxy-arp redirects rip route-cache rsvp summary-address tcp "
	  "unnumbered unreachables verify virtual-reassembly vrf " },
	{ CONF_INTERFACE, false, "ipv6",
	  " address dhcp eigrp enable flow mtu nd ospf rip traffic-filter unnumbered "
	  "unreachables verify virtual-reassembly " },
	{ CONF_INTERFACE, false, "arp", NULL },
	{ CONF_INTERFACE, false, "bfd", NULL },
	{ CONF_INTERFACE, false, "carrier-delay", NULL },
	{ CONF_INTERFACE, false, "cdp", NULL },
	{ CONF_INTERFACE, false, "channel-group", NULL },
	{ CONF_INTERFACE, false, "crypto", NULL },
	{ CONF_INTERFACE, false, "delay", NULL },
	{ CONF_INTERFACE, false, "dialer", NULL },
	{ CONF_INTERFACE, false, "duplex", NULL },
	{ CONF_INTERFACE, false, "encapsulation", NULL },
	{ CONF_INTERFACE, false, "fair-queue", NULL },
	{ CONF_INTERFACE, false, "flowcontrol", NULL },
	{ CONF_INTERFACE, false, "hold-queue", NULL },
	{ CONF_INTERFACE, false, "keepalive", NULL },
	{ CONF_INTERFACE, false, "lldp", NULL },
	{ CONF_INTERFACE, false, "logging", NULL },
	{ CONF_INTERFACE, false, "mac-address", NULL },
	{ CONF_INTERFACE, false, "max-reserved-bandwidth", NULL },
	{ CONF_INTERFACE, false, "media-type", NULL },
	{ CONF_INTERFACE, false, "mls", NULL },
	{ CONF_INTERFACE, false, "mop", NULL },
	{ CONF_INTERFACE, false, "mpls", NULL },
	{ CONF_INTERFACE, false, "mtu", NULL },
	{ CONF_INTERFACE, false, "negotiation", NULL },
	{ CONF_INTERFACE, false, "ntp", NULL },
	{ CONF_INTERFACE, false, "ppp", NULL },
	{ CONF_INTERFACE, false, "pppoe", NULL },
	{ CONF_INTERFACE, false, "pppoe-client", NULL },
	{ CONF_INTERFACE, false, "random-detect", NULL },
	{ CONF_INTERFACE, false, "serial", NULL },
	{ CONF_INTERFACE, false, "snmp", NULL },
	{ CONF_INTERFACE, false, "spanning-tree", NULL },
	{ CONF_INTERFACE, false, "speed", NULL },
	{ CONF_INTERFACE, false, "standby", NULL },
	{ CONF_INTERFACE, false, "storm-control", NULL },
	{ CONF_INTERFACE, false, "switchport", NULL },
	{ CONF_INTERFACE, false, "tunnel", NULL },
	{ CONF_INTERFACE, false, "tx-ring-limit", NULL },
	{ CONF_INTERFACE, false, "vrf", NULL },
	{ CONF_INTERFACE, false, "vrrp", NULL },
	{ CONF_INTERFACE, false, "zone-member", NULL },
	{ CONF_GLOBAL, true, "ip", " dhcp sla vrf " },
	{ CONF_GLOBAL, false, "ip",
	  " address as-path bootp cef classless community-list default-gateway domain "
	  "domain-lookup domain-name finger flow-cache flow-export forward-protocol ftp host "
	  "http local multicast-routing name-server nat prefix-list radius route routing scp "
	  "source-route ssh subnet-zero tacacs tcp tftp " },
	{ CONF_GLOBAL, false, "ipv6",
	  " cef general-prefix host multicast-routing prefix-list route source-route "
	  "unicast-routing " },
	{ CONF_GLOBAL, false, "aaa", NULL },
	{ CONF_GLOBAL, false, "alias", NULL },
	{ CONF_GLOBAL, true, "archive", NULL },
	{ CONF_GLOBAL, false, "arp", NULL },
	{ CONF_GLOBAL, false, "boot", NULL },
	{ CONF_GLOBAL, false, "boot-end-marker", NULL },
	{ CONF_GLOBAL, false, "boot-start-marker", NULL },
	{ CONF_GLOBAL, false, "building", " configuration... " },
	{ CONF_GLOBAL, true, "call-home", NULL },
	{ CONF_GLOBAL, false, "cdp", NULL },
	{ CONF_GLOBAL, false, "clock", " timezone summer-time " },
	{ CONF_GLOBAL, false, "config-register", NULL },
	{ CONF_GLOBAL, true, "control-plane", NULL },
	{ CONF_GLOBAL, true, "controller", NULL },
	{ CONF_GLOBAL, true, "crypto", NULL },
	{ CONF_GLOBAL, false, "current", " configuration " },
	{ CONF_GLOBAL, true, "dial-peer", NULL },
	{ CONF_GLOBAL, false, "diagnostic", NULL },
	{ CONF_GLOBAL, false, "enable", NULL },
	{ CONF_GLOBAL, false, "errdisable", NULL },
	{ CONF_GLOBAL, true, "flow", NULL },
	{ CONF_GLOBAL, true, "gatekeeper", NULL },
	{ CONF_GLOBAL, false, "hostname", NULL },
	{ CONF_GLOBAL, true, "key", NULL },
	{ CONF_GLOBAL, false, "license", NULL },
	{ CONF_GLOBAL, true, "line", NULL },
	{ CONF_GLOBAL, false, "lldp", NULL },
	{ CONF_GLOBAL, false, "logging", NULL },
	{ CONF_GLOBAL, false, "memory-size", NULL },
	{ CONF_GLOBAL, false, "mgcp", NULL },
	{ CONF_GLOBAL, false, "mls", NULL },
	{ CONF_GLOBAL, false, "multilink", NULL },
	{ CONF_GLOBAL, false, "ntp", NULL },
	{ CONF_GLOBAL, true, "platform", NULL },
	{ CONF_GLOBAL, true, "radius", NULL },
	{ CONF_GLOBAL, false, "radius-server", NULL },
	{ CONF_GLOBAL, true, "redundancy", NULL },
	{ CONF_GLOBAL, true, "route-map", NULL },
	{ CONF_GLOBAL, true, "router", NULL },
	{ CONF_GLOBAL, false, "scheduler", NULL },
	{ CONF_GLOBAL, false, "service", NULL },
	{ CONF_GLOBAL, false, "snmp-server", NULL },
	{ CONF_GLOBAL, false, "spanning-tree", NULL },
	{ CONF_GLOBAL, true, "subscriber", NULL },
	{ CONF_GLOBAL, true, "tacacs", NULL },
	{ CONF_GLOBAL, false, "tacacs-server", NULL },
	{ CONF_GLOBAL, true, "track", NULL },
	{ CONF_GLOBAL, true, "username", NULL },
	{ CONF_GLOBAL, false, "version", NULL },
	{ CONF_GLOBAL, true, "vlan", NULL },
	{ CONF_GLOBAL, true, "voice", NULL },
	{ CONF_GLOBAL, true, "voice-card", NULL },
	{ CONF_GLOBAL, true, "vrf", NULL },
	{ CONF_GLOBAL, false, "vtp", NULL },
	{ CONF_GLOBAL, true, "zone", NULL },
	{ CONF_GLOBAL, true, "zone-pair", NULL },
};

static bool
is_among(const char *word, const char *list)
{
	size_t len = strlen(word);

	for (const char *at = list + 1; *at; at += strcspn(at, " ") + 1)
		if (strcspn(at, " ") == len && strncasecmp(at, word, len) == 0)
			return true;
	return false;
}

static const struct inert *
find(const struct line *line, unsigned context)
{
	unsigned at = line->at;
	const char *next = at + 1 < line->words.count ? line->words.text[at + 1] : NULL;

	if (at >= line->words.count)
		return NULL;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (table[i].context == context &&
		    strcasecmp(line->words.text[at], table[i].words) == 0 &&
		    (!table[i].next || (next && is_among(next, table[i].next))))
			return &table[i];
	return NULL;
}

bool
inert_take(struct line *line)
{
	unsigned context = line->context;
	const struct inert *found;

	if (context == CONF_INERT && line->words.column[0] > 1)
		return true;
	while (!(found = find(line, context)) && context != CONF_GLOBAL)
		context = directive_around(context);
	if (!found)
		return false;
	diag_add(&line->conf->notes, line->file, line_place(line).pos, "'%s' has no effect",
		 line->words.text[line->at]);
	line->context = found->opens && !line->no ? CONF_INERT : context;
	return true;
}
