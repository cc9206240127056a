/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "cli/draft.h"
#include <netinet/in.h>

enum { PORTS = 8, HOSTS = 8, GIVEN = 32768 }; /* Linux gives out ports from here on */

struct port {
	uint16_t number;
	uint8_t ip_proto;
	unsigned flows;
};

static unsigned
count_ports(const struct draft_flow *flows, unsigned count, bool only_done,
	    struct port ports[PORTS + 1])
{
	unsigned n = 0, k;

	for (unsigned i = 0; i < count; i++) {
		const struct barn_flow_info *info = &flows[i].talk->info;

		if (info->server.port == 0 || (only_done && !flows[i].done))
			continue;
		for (k = 0; k < n; k++)
			if (ports[k].number == info->server.port &&
			    ports[k].ip_proto == info->ip_proto)
				break;
		if (k == n && n > PORTS)
			return n;
		if (k == n)
			ports[n++] = (struct port){ info->server.port, info->ip_proto, 0 };
		ports[k].flows++;
	}
	return n;
}

void
draft_facts_ports(struct text *text, const struct draft_flow *flows, unsigned count)
{
	struct port ports[PORTS + 1];
	bool only_done = false;
	unsigned n;

	for (unsigned i = 0; i < count; i++)
		only_done |= flows[i].done;
	n = count_ports(flows, count, only_done, ports);

	if (n > PORTS) {
		text_printf(text,
			    "    # Its servers have many ports, so that none tells of it.\n");
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		const char *transport = ports[i].ip_proto == IPPROTO_TCP ? "tcp" : "udp";
		bool given = ports[i].number >= GIVEN && ports[i].flows == 1;

		text_printf(text, "    %sport       %s %-6u  # %u of %u flow%s%s\n",
			    given ? "# " : "", transport, ports[i].number, ports[i].flows,
			    count, count == 1 ? "" : "s",
			    given ? "; it may be one that the system gave out" : "");
	}
}

/* "a.b.example.com" to "example.com", "www.example.co.uk" to "example.co.uk": a label of two or
 * three letters below a country's is taken for its registry's. */
static const char *
domain_of(const char *host)
{
	const char *dots[3] = { NULL, NULL, NULL }; /* the last three, from the last */

	for (const char *c = host; *c; c++)
		if (*c == '.') {
			dots[2] = dots[1];
			dots[1] = dots[0];
			dots[0] = c;
		}
	if (dots[1] && strlen(dots[0] + 1) == 2 && dots[0] - dots[1] <= 4)
		return dots[2] ? dots[2] + 1 : host;
	return dots[1] ? dots[1] + 1 : host;
}

static bool
is_name(const char *host)
{
	bool letter = false;

	for (; *host; host++) {
		char c = *host;

		if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		      (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_'))
			return false;
		letter |= (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
	}
	return letter;
}

static unsigned
count_domains(const struct draft_flow *flows, unsigned count, const char *domains[HOSTS],
	      unsigned *named)
{
	unsigned n = 0, k;

	for (unsigned i = 0; i < count; i++) {
		const char *host = flows[i].talk->host, *domain;

		if (!*host || !is_name(host) || !strchr(host, '.'))
			continue;
		domain = domain_of(host);
		for (k = 0; k < n && strcmp(domains[k], domain) != 0; k++)
			;
		if (k == n && n == HOSTS)
			continue;
		if (k == n)
			domains[n++] = domain;
		++*named;
	}
	return n;
}

/* What the named flows run over, each once. */
static void
add_carriers(struct text *text, const struct draft_flow *flows, unsigned count)
{
	static const char *const carriers[] = { "http", "ssl", "quic" };
	const char *between = "";

	text_add(text, "    over       ");
	for (unsigned c = 0; c < 3; c++) {
		bool found = false;

		for (unsigned i = 0; i < count && !found; i++)
			for (unsigned k = 0; k < flows[i].talk->info.stack_len; k++)
				found |= strcmp(flows[i].talk->info.stack[k], carriers[c]) == 0;
		if (found) {
			text_printf(text, "%s%s", between, carriers[c]);
			between = ", ";
		}
	}
	text_char(text, '\n');
}

bool
draft_facts_hosts(struct text *text, const struct draft_flow *flows, unsigned count)
{
	const char *domains[HOSTS];
	unsigned named = 0, n = count_domains(flows, count, domains, &named);

	if (2 * named <= count)
		return false;
	text_printf(text, "    # %u of %u flows name their server.\n", named, count);
	add_carriers(text, flows, count);
	text_add(text, "    host      ");
	for (unsigned i = 0; i < n; i++)
		text_printf(text, " \"*.%s\"", domains[i]);
	text_char(text, '\n');
	return true;
}
