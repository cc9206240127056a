/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/dns.h"

enum {
	ALIASES_MAX = 16,
	ANSWERS_MAX = 64,     /* that are looked at: the work must not grow with the message */
	TTL_MAX = 0x7fffffff, /* RFC 2181 section 8: above it, a TTL is 0 */
};

static unsigned
answers(const struct dns_message *m)
{
	return m->answers < ANSWERS_MAX ? m->answers : ANSWERS_MAX;
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
		for (unsigned i = 0; i < answers(m) && dns_message_record(m->whole, &b, &r);
		     i++) {
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

void
dns_answer_learn(const struct dns_message *m, const struct inspect_sink *sink)
{
	char text[DNS_TEXT_MAX];
	uint32_t ttl = TTL_MAX;
	struct bytes b = m->whole;
	struct dns_record r;

	if (!m->has_question || m->class != 1 || m->rcode != 0 || m->opcode != DNS_QUERY ||
	    (m->type != DNS_A && m->type != DNS_AAAA && m->type != 255))
		return;
	size_t len = dns_name_text(m->whole, DNS_HEADER, text), name = follow(m, &ttl);

	if (len == 0)
		return;
	bytes_skip(&b, m->answer_at);
	for (unsigned i = 0; i < answers(m) && dns_message_record(m->whole, &b, &r); i++) {
		uint8_t version = r.type == DNS_A ? 4 : 6;

		if ((r.type != DNS_A && r.type != DNS_AAAA) || r.class != 1 ||
		    bytes_left(&r.data) != (version == 4 ? 4u : 16u) ||
		    !dns_name_equal(m->whole, r.owner, name))
			continue;
		sink->name(sink->self, version, r.data.p, bytes_of(text, len),
			   least(ttl, r.ttl));
	}
}
