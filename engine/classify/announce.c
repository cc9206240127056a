/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "classify/dialogue.h"
#include "classify/step.h"

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

static bool
raw_address(struct bytes b, struct heard *heard)
{
	size_t len = bytes_left(&b);

	if (len != 4 && len != 16)
		return false;
	heard->ip_version = len == 4 ? 4 : 6;
	for (size_t i = 0; i < len; i++)
		heard->addr.b[i] = bytes_u8(&b);
	return true;
}

/* An address of IPv4 as one number (IRC's DCC writes it so). */
static bool
number_of(const char *text, struct heard *heard)
{
	uint64_t value = 0;

	for (; *text >= '0' && *text <= '9' && value <= UINT32_MAX; text++)
		value = value * 10 + (uint64_t)(*text - '0');
	for (unsigned i = 0; i < 4; i++)
		heard->addr.b[i] = (uint8_t)(value >> (24 - 8 * i));
	return *text == 0 && value > 0 && value <= UINT32_MAX;
}

/* An address as text in one capture, dotted out of four, or as bytes. */
static bool
address_of(const struct pdl_expect *e, const struct bytes groups[REGEX_GROUPS],
	   struct heard *heard)
{
	unsigned pieces = e->at == PDL_AT_DOTTED ? 4 : 1;
	char text[INET6_ADDRSTRLEN] = "";

	*heard = (struct heard){ 0 };
	if (e->at == PDL_AT_RAW)
		return raw_address(groups[e->group[0]], heard);
	for (unsigned i = 0; i < pieces; i++)
		if (!add_piece(text, sizeof(text), groups[e->group[i]],
			       i + 1 < pieces ? "." : ""))
			return false;
	heard->ip_version = strchr(text, ':') ? 6 : 4;
	if (heard->ip_version == 4 && !strchr(text, '.'))
		return number_of(text, heard);
	return inet_pton(heard->ip_version == 6 ? AF_INET6 : AF_INET, text, heard->addr.b) == 1;
}

/* Where the flow will go. */
static bool
find_end(const struct step *s, const struct pdl_expect *e, unsigned dir,
	 const struct bytes groups[REGEX_GROUPS], struct heard *end)
{
	const struct flow *flow = s->flow;

	if (e->at == PDL_AT_ADDRESS) {
		*end = s->w->heard[dir];
		return end->ip_version != 0;
	}
	if (e->at != PDL_AT_CLIENT && e->at != PDL_AT_SERVER)
		return address_of(e, groups, end);
	end->ip_version = flow->key.ip_version;
	end->addr = flow->key.addr[e->at == PDL_AT_CLIENT ? flow->client : !flow->client];
	return true;
}

/*
 * Blocks of addresses that a translator has on one of its sides only (RFC 1918, 3927, 4193,
 * 4291, 6598); 0: none of them.
 */
static unsigned
realm_of(const union packet_addr *addr, uint8_t ip_version)
{
	const uint8_t *b = addr->b;

	if (ip_version == 6)
		return (b[0] & 0xfe) == 0xfc                   ? 1
		       : b[0] == 0xfe && (b[1] & 0xc0) == 0x80 ? 2
		       : (addr->q[0] | addr->w[2]) == 0        ? 3
							       : 0;
	switch (b[0]) {
	case 0:
	case 127: return 1;
	case 10: return 2;
	case 100: return (b[1] & 0xc0) == 64 ? 3 : 0;
	case 169: return b[1] == 254 ? 4 : 0;
	case 172: return (b[1] & 0xf0) == 16 ? 5 : 0;
	case 192: return b[1] == 168 ? 6 : 0;
	default: return 0;
	}
}

static bool
is_same(const union packet_addr *one, const union packet_addr *other)
{
	return one->q[0] == other->q[0] && one->q[1] == other->q[1];
}

/*
 * Who stands behind a translator that does not read along names an address that is not seen
 * here; the flow then comes to where the control connection's comes from.
 */
static bool
is_translated(const struct flow *flow, const struct expect_entry *entry, unsigned end)
{
	return entry->ip_version == flow->key.ip_version &&
	       !is_same(&entry->to, &flow->key.addr[0]) &&
	       !is_same(&entry->to, &flow->key.addr[1]) &&
	       realm_of(&entry->to, entry->ip_version) !=
		       realm_of(&flow->key.addr[end], entry->ip_version);
}

void
announce_entry(struct step *s, struct expect_entry *entry, unsigned side)
{
	const struct classify_hooks *hooks = &s->c->hooks;
	const struct flow *flow = s->flow;
	unsigned end = side == INSPECT_CLIENT ? flow->client : !flow->client;

	/* It may be the other one's. */
	if (entry->ip_version == flow->key.ip_version &&
	    is_same(&entry->to, &flow->key.addr[!end]))
		end = !end;
	entry->path = flow->key.path;
	entry->told_ns = s->packet->time_ns;
	entry->by_flow = flow->id;
	entry->by_serial = s->packet->serial;
	if (s->packet->path_way) {
		entry->way[0] = hooks->way(hooks->self, flow, !end);
		entry->way[1] = hooks->way(hooks->self, flow, end);
	}
	hooks->announce(hooks->self, entry);
	if (!is_translated(flow, entry, end))
		return;
	entry->to = flow->key.addr[end];
	entry->alias = true;
	hooks->announce(hooks->self, entry);
}

void
announce_flow(struct step *s, const struct pdl_expect *e, unsigned dir,
	      const struct bytes groups[REGEX_GROUPS])
{
	const struct flow *flow = s->flow;
	struct expect_entry entry = {
		.until_ns = s->packet->time_ns +
			    (e->life_s ? e->life_s : EXPECT_LIFE_S) * UINT64_C(1000000000),
		.protocol = registry_find(work_registry(s), e->protocol),
		.by_protocol = s->w->owner->number,
		.many = e->many,
	};
	const uint16_t ports[2] = { flow->key.port[flow->client],
				    flow->key.port[!flow->client] };
	struct heard end;
	uint32_t port;

	if (e->address) {
		if (address_of(e, groups, &end))
			s->w->heard[dir] = end;
		return;
	}
	if (!pdl_sum_run(e->port, groups, ports, &port) || port == 0 || port > UINT16_MAX ||
	    !find_end(s, e, dir, groups, &end))
		return;
	entry.port = (uint16_t)port;
	entry.ip_version = end.ip_version;
	for (unsigned t = PDL_TCP; t <= PDL_UDP; t <<= 1) {
		entry.to = end.addr;
		entry.alias = false;
		entry.ip_proto = t == PDL_TCP ? 6 : 17;
		if (e->transports & t)
			announce_entry(s, &entry, dir);
	}
}
