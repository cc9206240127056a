/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * LDAP (RFC 4511) over TCP, and without connections over UDP (CLDAP: MS-ADTS, section 6.3.3).
 * A message whose operation has what it must have is sure. After StartTLS (section 4.14) the
 * connection goes over to TLS. After a bind by SASL what follows may be wrapped (section 5.1,
 * RFC 4422): it is not read.
 */
#include "inspect/ldap.h"
#include "inspect/pdu.h"

enum { BIND, BASE };

static const struct inspect_field fields[] = {
	[BIND] = { "bind", INSPECT_TEXT },
	[BASE] = { "base", INSPECT_TEXT },
};

enum {
	WAIT_MOST = 4096,   /* of a longer message the beginning is read */
	CHAIN = 3,          /* messages in a row that are right by their heads */
	MESSAGES_MOST = 64, /* in which StartTLS is waited for */
	TRIES_MOST = 8,
	NAME_MOST = 128,
};

struct side {
	struct pdu pdu;
	uint8_t chain;
};

struct ldap {
	struct side side[2];
	uint32_t starttls; /* number of the message that asked */
	bool asked;        /* for TLS */
	bool bind_told, base_told;
	bool refused, inner;
	uint8_t messages;
	uint8_t answer; /* enum inspect_answer */
};

static void
raise(struct ldap *s, enum inspect_answer answer)
{
	if (s->answer < answer)
		s->answer = (uint8_t)answer;
}

static void
tell(bool *told, unsigned field, struct bytes name, const struct inspect_sink *sink)
{
	if (*told || name.bad || bytes_left(&name) == 0 || bytes_left(&name) > NAME_MOST)
		return;
	*told = true;
	sink->field(sink->self, field, name);
}

static void
take_message(struct ldap *s, struct side *side, const struct ldap_message *m,
	     const struct inspect_sink *sink)
{
	if (side->chain < CHAIN)
		side->chain++;
	raise(s, m->sure || side->chain == CHAIN ? INSPECT_NAMED : INSPECT_LIKELY);
	if (m->sure && m->operation == LDAP_BIND)
		tell(&s->bind_told, BIND, m->name, sink);
	if (m->sure && m->operation == LDAP_SEARCH)
		tell(&s->base_told, BASE, m->name, sink);
	if (m->starttls) {
		s->asked = true;
		s->starttls = m->number;
	}
	s->inner = s->asked && m->operation == LDAP_EXTENDED_RESULT && m->sure &&
		   m->number == s->starttls && m->result == 0;
	if (s->messages < MESSAGES_MOST)
		s->messages++;
}

/* No message: wrapped by SASL, the middle of one behind a gap, or another protocol. */
static bool
fail(struct ldap *s, struct side *side, struct bytes *data)
{
	if (pdu_fail(&side->pdu, data, TRIES_MOST) && s->answer < INSPECT_SURE)
		s->refused = true;
	return false;
}

static bool
step(struct ldap *s, struct side *side, struct bytes *data, const struct inspect_sink *sink)
{
	struct ldap_message m;

	if (!pdu_begins(&side->pdu, data))
		return false;
	size_t left = bytes_left(data);
	enum inspect_answer found = ldap_message_read(*data, &m);

	if (found == INSPECT_NO)
		return fail(s, side, data);
	if (found == INSPECT_MORE)
		return false;
	/* What names a message is in its first bytes; then the rest need not be waited for. */
	if (!m.whole && left < WAIT_MOST) {
		if (m.sure)
			raise(s, INSPECT_SURE);
		return false;
	}
	side->pdu.blind = false;
	take_message(s, side, &m, sink);
	side->pdu.skip = m.length;
	if (s->inner)
		bytes_skip(data, m.length < left ? m.length : left);
	return !s->inner;
}

static void
read_datagram(struct ldap *s, struct side *side, struct inspect_view *view,
	      const struct inspect_sink *sink)
{
	struct ldap_message m;
	enum inspect_answer found = ldap_message_read(view->data, &m);

	bytes_skip(&view->data, bytes_left(&view->data));
	if (found == INSPECT_SURE && (m.whole || view->snapped))
		take_message(s, side, &m, sink);
	else if (s->answer < INSPECT_SURE)
		s->refused = true;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct ldap *s = state;
	struct side *side = &s->side[view->dir];

	if (view->transport == INSPECT_UDP) {
		read_datagram(s, side, view, sink);
	} else {
		if (view->lost) {
			pdu_lost(&side->pdu);
			side->chain = 0;
		}
		while (step(s, side, &view->data, sink))
			;
	}
	if (s->refused)
		return INSPECT_NO;
	if (s->inner)
		sink->inner(sink->self, "ssl");
	if (s->answer == INSPECT_NAMED &&
	    (s->inner || s->messages == MESSAGES_MOST || view->transport == INSPECT_UDP))
		s->answer = INSPECT_DONE;
	return s->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)s->answer;
}

/* A sequence of at least five bytes. */
static const struct inspect_start starts[] = {
	{ .count = 2, .bytes = { INSPECT_IS(0x30), { 5, 0xff } } },
};

const struct inspector inspect_ldap = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "ldap",
	.state_size = sizeof(struct ldap),
	.transports = INSPECT_TCP | INSPECT_UDP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
