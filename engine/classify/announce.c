/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/work.h"

#include <arpa/inet.h>
#include <stdio.h>

/* Flows that a module announces: from what was captured to an expectation. */

/* Adds a captured piece of an address to text, with what stands behind it. */
static bool
add_piece(char *text, size_t room, struct bytes piece, const char *behind)
{
	size_t used = strlen(text), n = bytes_left(&piece);

	if (used + n + strlen(behind) >= room)
		return false;
	snprintf(text + used, room - used, "%.*s%s", (int)n, (const char *)piece.p, behind);
	return true;
}

/* An address as text in one capture, or dotted out of four. */
static bool
address_of(const struct pdl_expect *e, const struct bytes groups[REGEX_GROUPS],
	   struct expect_entry *entry)
{
	unsigned pieces = e->at == PDL_AT_DOTTED ? 4 : 1;
	char text[INET6_ADDRSTRLEN] = "";

	for (unsigned i = 0; i < pieces; i++)
		if (!add_piece(text, sizeof(text), groups[e->group[i]],
			       i + 1 < pieces ? "." : ""))
			return false;
	entry->ip_version = strchr(text, ':') ? 6 : 4;
	return inet_pton(entry->ip_version == 6 ? AF_INET6 : AF_INET, text, entry->to.b) == 1;
}

void
announce_flow(struct step *s, const struct pdl_expect *e,
	      const struct bytes groups[REGEX_GROUPS])
{
	const struct flow *flow = s->flow;
	struct expect_entry entry = {
		.path = flow->key.path,
		.until_ns = s->packet->time_ns +
			    (e->life_s ? e->life_s : EXPECT_LIFE_S) * UINT64_C(1000000000),
		.by_flow = flow->id,
		.by_serial = s->packet->serial,
		.protocol = registry_find(s->c->registry, e->protocol),
		.by_protocol = s->w->owner->number,
		.ip_version = flow->key.ip_version,
		.many = e->many,
	};
	unsigned end = e->at == PDL_AT_CLIENT ? flow->client : !flow->client;
	uint32_t port;

	if (!pdl_sum_run(e->port, groups, &port) || port == 0 || port > UINT16_MAX)
		return;
	entry.port = (uint16_t)port;
	if (e->at == PDL_AT_CLIENT || e->at == PDL_AT_SERVER)
		entry.to = flow->key.addr[end];
	else if (!address_of(e, groups, &entry))
		return;
	for (unsigned t = PDL_TCP; t <= PDL_UDP; t <<= 1) {
		entry.ip_proto = t == PDL_TCP ? 6 : 17;
		if (e->transports & t)
			s->c->hooks.announce(s->c->hooks.self, &entry);
	}
}
