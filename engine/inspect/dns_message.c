/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Is this a DNS message? The header alone leaves little to chance: of random
 * bytes one in 2^48 has one question, no answer, no authority and at most one
 * additional record; then the names, types, classes and lengths must lead exactly
 * to the last byte.
 */
#include "inspect/dns.h"

enum {
	FLAG_RESPONSE = 0x8000,
	FLAG_AUTHORITATIVE = 0x0400,
	FLAG_TRUNCATED = 0x0200,
	FLAG_RECURSION_AVAILABLE = 0x0080,
	FLAG_ZERO = 0x0040,  /* RFC 6895 section 2.1 */
	QUESTIONS_MAX = 256, /* of multicast DNS */
	RECORDS_MAX = 4096,  /* a message of 64 KiB holds fewer that mean anything */
};

/* IANA's registry of RR types; what is not assigned is not impossible, but strange. */
static bool
known_type(uint16_t type)
{
	return (type >= 1 && type <= 68) || (type >= 99 && type <= 109) ||
	       (type >= 249 && type <= 262) || type == 32768 || type == 32769;
}

/* IN, CH, HS, and the query classes NONE and ANY (RFC 6895 section 3.2). */
static bool
known_class(uint16_t class)
{
	return class == 1 || class == 3 || class == 4 || class == 254 || class == 255;
}

static bool
ends_with_name(struct bytes whole, struct bytes data, size_t before, size_t after)
{
	bytes_skip(&data, before);
	if (!dns_name_skip(whole, &data))
		return false;
	return !data.bad && bytes_left(&data) == after;
}

/* Character strings (RFC 1035 section 3.3.14) up to the end. */
static bool
is_strings(struct bytes data)
{
	while (bytes_left(&data) > 0 && !data.bad)
		bytes_skip(&data, bytes_u8(&data));
	return !data.bad;
}

/* Whether rdata is what its type says (RFC 1035 section 3.3, 3596, 2782). */
static bool
fits_type(struct bytes whole, const struct dns_record *r)
{
	size_t n = bytes_left(&r->data);
	struct bytes b = r->data;

	/* UPDATE deletes with empty rdata (RFC 2136 section 2.5). */
	if (n == 0)
		return r->class == 254 || r->class == 255 || r->type == DNS_OPT ||
		       r->type == 10;
	switch (r->type) {
	case DNS_A: return n == 4;
	case DNS_AAAA: return n == 16;
	case DNS_NS:
	case DNS_CNAME:
	case DNS_PTR:
	case DNS_DNAME: return ends_with_name(whole, b, 0, 0);
	case DNS_MX: return ends_with_name(whole, b, 2, 0);
	case DNS_SRV: return ends_with_name(whole, b, 6, 0);
	case DNS_SOA: return dns_name_skip(whole, &b) && ends_with_name(whole, b, 0, 20);
	case DNS_TXT: return is_strings(b);
	default: return true;
	}
}

bool
dns_message_record(struct bytes whole, struct bytes *b, struct dns_record *record)
{
	record->owner = (size_t)(b->p - whole.p);
	if (!dns_name_skip(whole, b))
		return false;
	record->type = bytes_be16(b);
	record->class = bytes_be16(b);
	record->ttl = bytes_be32(b);
	record->data = bytes_take(b, bytes_be16(b));
	return !b->bad;
}

/* RFC 6762 sections 5.4 and 10.2: the highest bit is none of the class. */
static uint16_t
class_of(const struct dns_message *m, uint16_t class)
{
	return m->multicast ? class & 0x7fff : class;
}

static bool
usual_record(const struct dns_message *m, const struct dns_record *r)
{
	const struct bytes whole = m->whole;

	if (r->type == DNS_OPT) /* its class is a size; its owner is the root */
		return r->owner < bytes_left(&whole) && whole.p[r->owner] == 0;
	return known_type(r->type) && known_class(class_of(m, r->class));
}

/* Header and counts. NO where no implementation sends it; LIKELY where few do. */
static enum inspect_answer
read_header(struct bytes *b, struct dns_message *m)
{
	m->id = bytes_be16(b);
	uint16_t flags = bytes_be16(b);

	m->response = (flags & FLAG_RESPONSE) != 0;
	m->opcode = flags >> 11 & 15;
	m->rcode = flags & 15;
	m->questions = bytes_be16(b);
	m->answers = bytes_be16(b);
	m->authorities = bytes_be16(b);
	m->additionals = bytes_be16(b);
	if (b->bad || (flags & FLAG_ZERO) || m->rcode > 11)
		return INSPECT_NO;
	if (m->questions > (m->multicast ? QUESTIONS_MAX : 1) ||
	    (uint32_t)m->answers + m->authorities + m->additionals > RECORDS_MAX)
		return INSPECT_NO;
	/* RFC 6762 section 18. Known answers stand in queries, and what will be, in probes. */
	if (m->multicast)
		return m->opcode == DNS_QUERY && m->rcode == 0 &&
				       (m->questions || (m->response && m->answers))
			       ? INSPECT_SURE
			       : INSPECT_NO;
	bool usual =
		m->opcode == DNS_QUERY || m->opcode == DNS_NOTIFY || m->opcode == DNS_UPDATE;

	/* Errors may come without their question; nothing else does, but for AXFR's later
	 * parts. */
	if (m->questions == 0)
		return usual && m->response && (m->rcode != 0 || m->answers > 0)
			       ? INSPECT_LIKELY
			       : INSPECT_NO;
	if (m->response)
		return usual ? INSPECT_SURE : INSPECT_LIKELY;
	if (m->opcode == DNS_QUERY) {
		if (m->answers > 0 || m->authorities > 1 || m->additionals > 3)
			return INSPECT_NO;
		usual = !(flags & (FLAG_AUTHORITATIVE | FLAG_RECURSION_AVAILABLE));
	}
	if (m->rcode != 0 || (flags & FLAG_TRUNCATED))
		return INSPECT_NO;
	return usual ? INSPECT_SURE : INSPECT_LIKELY;
}

static bool
read_question(struct dns_message *m, struct bytes *b)
{
	if (m->questions == 0)
		return true;
	if (!dns_name_skip(m->whole, b))
		return false;
	m->type = bytes_be16(b);
	m->class = bytes_be16(b);
	m->has_question = !b->bad;
	for (unsigned i = 1; i < m->questions && dns_name_skip(m->whole, b); i++)
		bytes_skip(b, 4);
	return !b->bad;
}

enum inspect_answer
dns_message_read(struct bytes whole, unsigned how, struct dns_message *m)
{
	const bool cut = how & DNS_CUT;
	struct bytes b = whole;
	struct dns_record record;

	*m = (struct dns_message){ .whole = whole, .multicast = how & DNS_MULTICAST };
	enum inspect_answer answer = read_header(&b, m);

	if (answer == INSPECT_NO)
		return INSPECT_NO;
	if (!read_question(m, &b))
		return cut && bytes_left(&whole) > DNS_HEADER ? INSPECT_LIKELY : INSPECT_NO;
	/* The name service of NetBIOS has the same form (RFC 1002 section 4.2), but is another.
	 */
	if (m->has_question && dns_name_netbios(whole, DNS_HEADER))
		return INSPECT_NO;
	if (m->has_question && !(known_type(m->type) && known_class(class_of(m, m->class))))
		answer = INSPECT_LIKELY;
	m->answer_at = (size_t)(b.p - whole.p);
	uint32_t records = (uint32_t)m->answers + m->authorities + m->additionals;

	for (uint32_t n = 0; n < records; n++) {
		/* One whole record behind a question is telling, even where the rest is
		 * missing. */
		if (!dns_message_record(whole, &b, &record))
			return cut || (n > 0 && m->has_question) ? INSPECT_LIKELY : INSPECT_NO;
		if (!usual_record(m, &record) || !fits_type(whole, &record))
			answer = INSPECT_LIKELY;
	}
	if (bytes_left(&b) > 0)
		return m->has_question ? INSPECT_LIKELY : INSPECT_NO;
	return answer;
}
