/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * DNS over UDP and, behind a length of two bytes, over TCP (RFC 1035 section
 * 4.2, RFC 7766), on any port. Multicast DNS and LLMNR speak the same format on
 * ports of their own, which name them; so does the name service of NetBIOS,
 * which is left to its own module.
 */
#include "inspect/dns.h"
#include "inspect/pdu.h"

enum {
	PORT_DNS = 53,
	PORT_NETBIOS = 137,
	PORT_MDNS = 5353,              /* RFC 6762 */
	PORT_LLMNR = 5355,             /* RFC 4795 */
	WAIT_MAX = INSPECT_WINDOW / 2, /* of a longer message, the beginning is read */
	TRIES_MAX = 8,                 /* calls behind a gap in which no message began */
};

struct dns {
	struct pdu side[2];
	uint16_t asked; /* identifier of the last query, once has_asked */
	bool has_asked;
	bool refused;
	uint8_t answer; /* enum inspect_answer, the strongest so far */
};

static const struct inspect_field fields[DNS_FIELDS] = {
	[DNS_NAME] = { "name", INSPECT_TEXT },
	[DNS_TYPE] = { "type", INSPECT_TEXT },
	[DNS_RCODE] = { "rcode", INSPECT_TEXT },
};

static bool
has_port(const struct inspect_view *view, uint16_t port)
{
	return view->port[0] == port || view->port[1] == port;
}

/* A resolver may ask port 53 from any port. */
static bool
other_port(const struct inspect_view *view)
{
	return has_port(view, PORT_NETBIOS) && !has_port(view, PORT_DNS);
}

/* Multicast DNS has no form for TCP. */
static unsigned
how_of(const struct inspect_view *view)
{
	unsigned how = view->snapped ? DNS_CUT : 0;

	if (view->transport == INSPECT_UDP && has_port(view, PORT_MDNS) &&
	    !has_port(view, PORT_DNS))
		how |= DNS_MULTICAST;
	return how;
}

/* The question is told once, by the query or, where that was not seen, by the response. */
static void
tell(struct dns *dns, const struct dns_message *m, const struct inspect_sink *sink)
{
	char text[DNS_TEXT_MAX], word[16];
	bool told = m->response && dns->has_asked && dns->asked == m->id;

	if (m->has_question && !told) {
		size_t len = dns_name_text(m->whole, DNS_HEADER, text);

		sink->field(sink->self, DNS_NAME,
			    len > 0 ? bytes_of(text, len) : bytes_of(".", 1));
		sink->field(sink->self, DNS_TYPE, bytes_of(word, dns_name_type(m->type, word)));
	}
	if (m->response)
		sink->field(sink->self, DNS_RCODE,
			    bytes_of(word, dns_name_rcode(m->rcode, word)));
	if (!m->response) {
		dns->asked = m->id;
		dns->has_asked = true;
	}
}

/* One message. False if it is none. */
static bool
read(struct dns *dns, struct bytes whole, unsigned how, uint8_t dir,
     const struct inspect_sink *sink)
{
	struct dns_message m;
	enum inspect_answer found = dns_message_read(whole, how, &m);

	if (found == INSPECT_NO)
		return false;
	if (found == INSPECT_SURE)
		found = INSPECT_NAMED; /* there is no other name to wait for */
	if (dns->answer < found)
		dns->answer = (uint8_t)found;
	tell(dns, &m, sink);
	/* To a group the one that answers is the flow's client. */
	if (m.response && (dir == INSPECT_SERVER || m.multicast) && found == INSPECT_NAMED)
		dns_answer_learn(&m, sink);
	return true;
}

static void
refuse(struct dns *dns)
{
	if (dns->answer < INSPECT_SURE)
		dns->refused = true;
}

/* The bytes are no message: the end of this stream's reading, or of this call's behind a gap.
 */
static bool
fail(struct dns *dns, struct pdu *side, struct bytes *data)
{
	if (pdu_fail(side, data, TRIES_MAX))
		refuse(dns);
	return false;
}

static bool
step(struct dns *dns, struct pdu *side, struct inspect_view *view,
     const struct inspect_sink *sink)
{
	struct bytes *data = &view->data, peek;
	struct dns_message m;

	if (!pdu_begins(side, data))
		return false;
	struct bytes b = *data;
	uint16_t len = bytes_be16(&b);

	if (b.bad)
		return false;
	if (len < DNS_HEADER)
		return fail(dns, side, data);
	/* With its header there, a message is refused without waiting for the rest. */
	size_t left = bytes_left(&b) < len ? bytes_left(&b) : len;

	peek = bytes_of(b.p, left < DNS_HEADER ? 0 : left);
	if (bytes_left(&peek) > DNS_HEADER && dns_message_read(peek, DNS_CUT, &m) == INSPECT_NO)
		return fail(dns, side, data);
	if (left < len && bytes_left(data) < WAIT_MAX)
		return false;
	if (!read(dns, bytes_of(b.p, left), left < len ? DNS_CUT : 0, view->dir, sink))
		return fail(dns, side, data);
	side->blind = false;
	side->skip = (uint32_t)(len - left);
	bytes_skip(data, 2 + left);
	return true;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct dns *dns = state;
	struct pdu *side = &dns->side[view->dir];

	if (other_port(view))
		return INSPECT_NO;
	if (view->transport == INSPECT_UDP) {
		if (!read(dns, view->data, how_of(view), view->dir, sink))
			refuse(dns);
	} else {
		if (view->lost)
			pdu_lost(side);
		while (step(dns, side, view, sink))
			;
	}
	if (dns->refused)
		return INSPECT_NO;
	return dns->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)dns->answer;
}

/*
 * Bits that must be zero, and at most one question; over TCP behind the length, and not before
 * the header is there.
 */
static const struct inspect_start starts[] = {
	{ .transports = INSPECT_UDP,
	  .least = 12,
	  .count = 7,
	  .bytes = { INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     { 0, 0x3b },
		     INSPECT_IS(0),
		     { 0, 1 },
		     { 0, 0x10 } } },
	{ .transports = INSPECT_UDP,
	  .least = 12,
	  .count = 7,
	  .bytes = { INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     { 0x80, 0xbb },
		     INSPECT_IS(0),
		     { 0, 1 },
		     { 0, 0x10 } } },
	{ .transports = INSPECT_TCP,
	  .least = 15,
	  .count = 9,
	  .bytes = { INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     { 0, 0x3b },
		     INSPECT_IS(0),
		     { 0, 1 },
		     { 0, 0x10 } } },
	{ .transports = INSPECT_TCP,
	  .least = 15,
	  .count = 9,
	  .bytes = { INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     { 0x80, 0xbb },
		     INSPECT_IS(0),
		     { 0, 1 },
		     { 0, 0x10 } } },
	{ .transports = INSPECT_TCP, .most = 14 },
	/* RFC 6762 section 18: what of the header is not zero anywhere. */
	{ .transports = INSPECT_UDP,
	  .port = PORT_MDNS,
	  .least = 12,
	  .count = 5,
	  .bytes = { INSPECT_ANY, INSPECT_ANY, INSPECT_ANY, INSPECT_ANY, { 0, 1 } } },
};

const struct inspector inspect_dns = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "dns",
	.state_size = sizeof(struct dns),
	.transports = INSPECT_TCP | INSPECT_UDP,
	.fields = fields,
	.field_count = DNS_FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
