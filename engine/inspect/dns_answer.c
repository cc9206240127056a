/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/dns.h"

enum {
	ALIASES_MAX = 16,
	TARGETS_MAX = 8,      /* of SRV, SVCB and HTTPS records */
	RECORDS_MAX = 64,     /* that are looked at: the work must not grow with the message */
	TTL_MAX = 0x7fffffff, /* RFC 2181 section 8: above it, a TTL is 0 */
	IPV4_HINT = 4,        /* RFC 9460 section 14.3.2 */
	IPV6_HINT = 6,
};

/* What one message is asked for. */
struct answer {
	const struct dns_message *m;
	const struct inspect_sink *sink;
	struct bytes name; /* that the client asked for: it names what it will talk to */
	struct {
		size_t at; /* of a name whose addresses are meant */
		uint32_t ttl;
	} targets[TARGETS_MAX];
	unsigned target_count;
};

static unsigned
at_most(uint32_t records)
{
	return records < RECORDS_MAX ? records : RECORDS_MAX;
}

static uint32_t
least(uint32_t ttl, uint32_t other)
{
	if (other > TTL_MAX)
		other = 0;
	return ttl < other ? ttl : other;
}

/*
 * Follows the aliases of the question's name (RFC 1034 section 3.6.2). Servers put them in
 * order, but need not: each round begins anew. `ttl` becomes the least on the way.
 */
static size_t
follow(const struct dns_message *m, uint32_t *ttl)
{
	size_t name = DNS_HEADER;

	for (unsigned round = 0; round < ALIASES_MAX; round++) {
		struct bytes b = m->whole;
		struct dns_record r;
		size_t next = 0;

		bytes_skip(&b, m->answer_at);
		for (unsigned i = 0;
		     i < at_most(m->answers) && dns_message_record(m->whole, &b, &r); i++) {
			if (r.type != DNS_CNAME || !dns_name_equal(m->whole, r.owner, name))
				continue;
			next = (size_t)(r.data.p - m->whole.p);
			*ttl = least(*ttl, r.ttl);
			break;
		}
		if (next == 0)
			break;
		name = next;
	}
	return name;
}

static bool
is_address(const struct dns_message *m, const struct dns_record *r)
{
	/* In multicast DNS the highest bit says something else (RFC 6762 section 10.2). */
	uint16_t class = m->multicast ? r->class & 0x7fff : r->class;

	return class == 1 && ((r->type == DNS_A && bytes_left(&r->data) == 4) ||
			      (r->type == DNS_AAAA && bytes_left(&r->data) == 16));
}

static void
tell(const struct answer *a, bool ipv4, const uint8_t *address, uint32_t ttl)
{
	a->sink->name(a->sink->self, ipv4 ? 4 : 6, address, a->name, ttl);
}

static void
add_target(struct answer *a, size_t at, uint32_t ttl)
{
	if (a->target_count == TARGETS_MAX)
		return;
	a->targets[a->target_count].at = at;
	a->targets[a->target_count++].ttl = ttl;
}

/* Addresses that a service binding advises (RFC 9460 section 7.3), and where it is served. */
static void
read_binding(struct answer *a, const struct dns_record *r, uint32_t ttl)
{
	struct bytes b = r->data, values, address;

	bytes_skip(&b, 2);
	/* The root stands for the owner's own name (section 2.5). */
	add_target(a, bytes_left(&b) && *b.p == 0 ? r->owner : (size_t)(b.p - a->m->whole.p),
		   ttl);
	if (!dns_name_skip(a->m->whole, &b))
		return;
	while (bytes_left(&b) > 0) {
		uint16_t key = bytes_be16(&b);
		size_t size = key == IPV4_HINT ? 4 : 16;

		values = bytes_take(&b, bytes_be16(&b));
		if (b.bad)
			return;
		if (key != IPV4_HINT && key != IPV6_HINT)
			continue;
		for (unsigned i = 0; i < TARGETS_MAX && bytes_left(&values) >= size; i++) {
			address = bytes_take(&values, size);
			tell(a, size == 4, address.p, ttl);
		}
	}
}

/* The answers that belong to this name. */
static void
read_answers(struct answer *a, size_t name, uint32_t ttl)
{
	const struct dns_message *m = a->m;
	struct bytes b = m->whole;
	struct dns_record r;

	bytes_skip(&b, m->answer_at);
	for (unsigned i = 0; i < at_most(m->answers) && dns_message_record(m->whole, &b, &r);
	     i++) {
		if (!dns_name_equal(m->whole, r.owner, name))
			continue;
		if (is_address(m, &r))
			tell(a, r.type == DNS_A, r.data.p, least(ttl, r.ttl));
		else if (r.type == DNS_SRV && bytes_left(&r.data) > 6) /* RFC 2782 */
			add_target(a, (size_t)(r.data.p - m->whole.p) + 6, least(ttl, r.ttl));
		else if ((r.type == DNS_SVCB || r.type == DNS_HTTPS) && bytes_left(&r.data) > 2)
			read_binding(a, &r, least(ttl, r.ttl));
	}
}

/* The addresses of targets, wherever in the message they stand. */
static void
read_targets(const struct answer *a)
{
	const struct dns_message *m = a->m;
	uint32_t records = (uint32_t)m->answers + m->authorities + m->additionals;
	struct bytes b = m->whole;
	struct dns_record r;

	bytes_skip(&b, m->answer_at);
	for (unsigned i = 0; i < at_most(records) && dns_message_record(m->whole, &b, &r);
	     i++) {
		if (!is_address(m, &r))
			continue;
		for (unsigned k = 0; k < a->target_count; k++) {
			if (!dns_name_equal(m->whole, r.owner, a->targets[k].at))
				continue;
			tell(a, r.type == DNS_A, r.data.p, least(a->targets[k].ttl, r.ttl));
			break;
		}
	}
}

/* Multicast DNS answers without a question (RFC 6762 section 6): each record for itself. */
static void
read_multicast(struct answer *a)
{
	const struct dns_message *m = a->m;
	uint32_t records = (uint32_t)m->answers + m->authorities + m->additionals;
	struct bytes b = m->whole;
	char text[DNS_TEXT_MAX];
	struct dns_record r;

	bytes_skip(&b, m->answer_at);
	for (unsigned i = 0; i < at_most(records) && dns_message_record(m->whole, &b, &r);
	     i++) {
		if (!is_address(m, &r))
			continue;
		a->name = bytes_of(text, dns_name_text(m->whole, r.owner, text));
		if (bytes_left(&a->name) > 0)
			tell(a, r.type == DNS_A, r.data.p, least(TTL_MAX, r.ttl));
	}
}

static bool
is_asked(uint16_t type)
{
	return type == DNS_A || type == DNS_AAAA || type == DNS_SRV || type == DNS_SVCB ||
	       type == DNS_HTTPS || type == DNS_ANY;
}

void
dns_answer_learn(const struct dns_message *m, const struct inspect_sink *sink)
{
	struct answer a = { .m = m, .sink = sink };
	char text[DNS_TEXT_MAX];
	uint32_t ttl = TTL_MAX;
	size_t name;

	if (m->rcode != 0 || m->opcode != DNS_QUERY)
		return;
	if (m->multicast && !m->has_question) {
		read_multicast(&a);
		return;
	}
	if (!m->has_question || (m->class & (m->multicast ? 0x7fff : 0xffff)) != 1 ||
	    !is_asked(m->type))
		return;
	a.name = bytes_of(text, dns_name_text(m->whole, DNS_HEADER, text));
	if (bytes_left(&a.name) == 0)
		return;
	name = follow(m, &ttl);
	read_answers(&a, name, ttl);
	if (a.target_count)
		read_targets(&a);
}
