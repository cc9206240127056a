/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/ldap.h"

enum {
	SEQUENCE = 0x30,
	INTEGER = 0x02,
	OCTETS = 0x04,
	ENUMERATED = 0x0a,
	REQUEST_NAME = 0x80, /* of an extended operation: [0] */
	LENGTH_MOST = 1 << 24,
	RESULT_MOST = 0x7b, /* 123, the last of IANA's "LDAP Result Codes" */
};

/* A length in one byte, or in up to four that the first one counts (X.690, section 8.1.3). */
static uint32_t
take_length(struct bytes *b)
{
	uint8_t first = bytes_u8(b);
	uint32_t len = first;

	if (first == 0x80 || first > 0x84) {
		b->bad = true;
		return 0;
	}
	if (first < 0x80)
		return len;
	len = 0;
	for (unsigned i = 0; i < (first & 0x7fu); i++)
		len = len << 8 | bytes_u8(b);
	return len;
}

/* A value of this tag; bad if there is another, or not all of it. */
static struct bytes
take(struct bytes *b, uint8_t tag)
{
	if (bytes_u8(b) != tag)
		b->bad = true;
	return bytes_take(b, take_length(b));
}

/* A number of one byte, or -1. */
static int
take_small(struct bytes *b, uint8_t tag)
{
	struct bytes value = take(b, tag);
	uint8_t small = bytes_u8(&value);

	return b->bad || value.bad || bytes_left(&value) > 0 ? -1 : small;
}

static bool
is_operation(uint8_t tag)
{
	return (tag >= LDAP_BIND && tag <= LDAP_COMPARE_RESULT && tag != 0x62 && tag != 0x6a) ||
	       (tag >= LDAP_EXTENDED && tag <= LDAP_INTERMEDIATE) || tag == LDAP_UNBIND ||
	       tag == LDAP_DELETE || tag == LDAP_ABANDON || tag == LDAP_REFERENCE;
}

static void
read_bind(struct bytes b, struct ldap_message *m)
{
	int version = take_small(&b, INTEGER);

	m->name = take(&b, OCTETS);
	m->sure = !b.bad && (version == 2 || version == 3);
}

static void
read_search(struct bytes b, struct ldap_message *m)
{
	m->name = take(&b, OCTETS);
	int scope = take_small(&b, ENUMERATED), aliases = take_small(&b, ENUMERATED);

	take(&b, INTEGER);
	take(&b, INTEGER);
	m->sure = !b.bad && scope >= 0 && scope <= 3 && aliases >= 0 && aliases <= 3;
}

/* A code, a name that is mostly empty, a text. */
static void
read_result(struct bytes b, struct ldap_message *m)
{
	int code = take_small(&b, ENUMERATED);

	take(&b, OCTETS);
	take(&b, OCTETS);
	m->sure = !b.bad && code >= 0 && code <= RESULT_MOST;
	m->result = (uint8_t)code;
}

/* An object's identifier in digits, of which 1.3.6.1.4.1.1466.20037 is StartTLS. */
static void
read_extended(struct bytes b, struct ldap_message *m)
{
	struct bytes name = take(&b, REQUEST_NAME);

	m->starttls = !b.bad && bytes_is(&name, "1.3.6.1.4.1.1466.20037");
	m->sure = !b.bad && bytes_left(&name) > 4 &&
		  (bytes_starts(&name, "1.") || bytes_starts(&name, "2."));
}

/* A name, then a sequence: an entry that was found, or one to add or to change. */
static void
read_named(struct bytes b, struct ldap_message *m)
{
	take(&b, OCTETS);
	m->sure = !b.bad && bytes_u8(&b) == SEQUENCE;
}

static void
read_operation(struct bytes b, struct ldap_message *m)
{
	switch (m->operation) {
	case LDAP_BIND: read_bind(b, m); break;
	case LDAP_SEARCH: read_search(b, m); break;
	case LDAP_EXTENDED: read_extended(b, m); break;
	case LDAP_ENTRY:
	case LDAP_ADD:
	case LDAP_MODIFY:
	case LDAP_COMPARE: read_named(b, m); break;
	case LDAP_BIND_RESULT:
	case LDAP_SEARCH_DONE:
	case LDAP_MODIFY_RESULT:
	case LDAP_ADD_RESULT:
	case LDAP_DELETE_RESULT:
	case LDAP_RENAME_RESULT:
	case LDAP_COMPARE_RESULT:
	case LDAP_EXTENDED_RESULT: read_result(b, m); break;
	default: break;
	}
}

/* The end of a connection or of a search: all of its lengths are known (2^-48). */
static bool
is_short(const struct ldap_message *m, uint32_t body, uint32_t len)
{
	return (m->operation == LDAP_UNBIND && len == 0 && body <= 8) ||
	       (m->operation == LDAP_ABANDON && len > 0 && len <= 4 && body <= 12);
}

enum inspect_answer
ldap_message_read(struct bytes data, struct ldap_message *m)
{
	struct bytes b = data;

	*m = (struct ldap_message){ .name = bytes_of("", 0) };
	if (bytes_u8(&b) != SEQUENCE && !b.bad)
		return INSPECT_NO;
	uint32_t len = take_length(&b);

	if (b.bad)
		return bytes_left(&data) < 6 ? INSPECT_MORE : INSPECT_NO;
	m->length = (uint32_t)(b.p - data.p) + len;
	uint8_t tag = bytes_u8(&b), size = bytes_u8(&b);

	if (len < 5 || len > LENGTH_MOST || (!b.bad && (tag != INTEGER || size - 1u > 3)))
		return INSPECT_NO;
	for (unsigned i = 0; i < size && !b.bad; i++)
		m->number = m->number << 8 | bytes_u8(&b);
	m->operation = bytes_u8(&b);
	if (b.bad)
		return INSPECT_MORE;
	if (!is_operation(m->operation) || m->number > INT32_MAX)
		return INSPECT_NO;
	struct bytes at = b;
	uint32_t inner = take_length(&b);

	if (b.bad)
		return bytes_left(&at) < 5 ? INSPECT_MORE : INSPECT_NO;
	if (inner > m->length - (uint32_t)(b.p - data.p))
		return INSPECT_NO;
	m->whole = bytes_left(&data) >= m->length;
	if (bytes_left(&b) > inner)
		b.end = b.p + inner;
	m->sure = is_short(m, len, inner);
	read_operation(b, m);
	return INSPECT_SURE;
}
