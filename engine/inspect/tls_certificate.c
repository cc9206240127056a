/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * The subject's common name and the first DNS name of an X.509 certificate
 * (RFC 5280 sections 4.1.2.6 and 4.2.1.6), in DER (X.690 section 10). Nothing
 * else is looked at, and nothing is checked: a name in a certificate is what the
 * server says of itself.
 */
#include "inspect/tls.h"

enum {
	DER_UTF8 = 0x0c,
	DER_PRINTABLE = 0x13,
	DER_T61 = 0x14,
	DER_IA5 = 0x16,
	DER_OCTETS = 0x04,
	DER_OID = 0x06,
	DER_SEQUENCE = 0x30,
	DER_SET = 0x31,
	DER_VERSION = 0xa0,    /* [0] of a TBSCertificate */
	DER_EXTENSIONS = 0xa3, /* [3] of it */
	DER_DNS_NAME = 0x82,   /* [2] of a GeneralName */
};

static const uint8_t common_name[] = { 0x55, 0x04, 0x03 };
static const uint8_t alternative_name[] = { 0x55, 0x1d, 0x11 };

/* Takes the next element, whatever it is, and returns its tag; 0 and bad if there is none. */
static uint8_t
take(struct bytes *b, struct bytes *content)
{
	uint8_t tag = bytes_u8(b), first = bytes_u8(b);
	uint32_t len = first;

	if (first > 0x83 || first == 0x80)
		b->bad = true;
	if (first == 0x81)
		len = bytes_u8(b);
	else if (first == 0x82)
		len = bytes_be16(b);
	else if (first == 0x83)
		len = bytes_be24(b);
	*content = bytes_take(b, len);
	return b->bad ? 0 : tag;
}

/* Goes into the next element, which must have this tag; it may be cut. */
static bool
enter(struct bytes *b, uint8_t tag)
{
	struct bytes whole = *b, content;

	if (take(&whole, &content) == tag) {
		*b = content;
		return true;
	}
	uint8_t found = bytes_u8(b), first = bytes_u8(b);

	if (first > 0x80)
		bytes_skip(b, first & 0x7fu);
	return !b->bad && found == tag;
}

static bool
is_oid(struct bytes content, const uint8_t oid[3])
{
	return bytes_left(&content) == 3 && memcmp(content.p, oid, 3) == 0;
}

/* The value of the last common name in a Name; empty if there is none. */
static struct bytes
subject_name(struct bytes name)
{
	struct bytes set, pair, part, found = bytes_of(name.p, 0);

	while (take(&name, &set) == DER_SET) {
		while (take(&set, &pair) == DER_SEQUENCE) {
			if (take(&pair, &part) != DER_OID || !is_oid(part, common_name))
				continue;
			uint8_t tag = take(&pair, &part);

			if (tag == DER_UTF8 || tag == DER_PRINTABLE || tag == DER_T61 ||
			    tag == DER_IA5)
				found = part;
		}
	}
	return found;
}

/* The first dNSName in the extensions; empty if there is none. */
static struct bytes
dns_name(struct bytes extensions)
{
	struct bytes none = bytes_of(extensions.p, 0), one, part;

	if (!enter(&extensions, DER_SEQUENCE))
		return none;
	while (take(&extensions, &one) == DER_SEQUENCE) {
		if (take(&one, &part) != DER_OID || !is_oid(part, alternative_name))
			continue;
		uint8_t tag = take(&one, &part);

		if (tag != DER_OCTETS) /* BOOLEAN critical stands before it */
			tag = take(&one, &part);
		if (tag != DER_OCTETS || !enter(&part, DER_SEQUENCE))
			return none;
		while ((tag = take(&part, &one)) != 0)
			if (tag == DER_DNS_NAME)
				return one;
		return none;
	}
	return none;
}

static void
tell(struct tls *tls, struct bytes name, const struct inspect_sink *sink)
{
	if (bytes_left(&name) == 0)
		return;
	tls->has_name = true;
	sink->field(sink->self, TLS_CERTIFICATE_NAME, name);
}

void
tls_certificate_names(struct tls *tls, struct bytes der, const struct inspect_sink *sink)
{
	struct bytes part, common, dns = bytes_of(der.p, 0);

	if (!enter(&der, DER_SEQUENCE) || !enter(&der, DER_SEQUENCE))
		return;
	if (take(&der, &part) == DER_VERSION) /* before the serial number, or it is that */
		take(&der, &part);
	take(&der, &part); /* signature algorithm */
	take(&der, &part); /* issuer */
	take(&der, &part); /* validity */
	if (take(&der, &part) != DER_SEQUENCE)
		return;
	common = subject_name(part);
	while (take(&der, &part) != 0) /* the key, unique identifiers */
		if (der.p < der.end && *der.p == DER_EXTENSIONS &&
		    enter(&der, DER_EXTENSIONS)) {
			dns = dns_name(der);
			break;
		}
	tell(tls, common, sink);
	if (bytes_left(&dns) != bytes_left(&common) ||
	    memcmp(dns.p, common.p, bytes_left(&dns)) != 0)
		tell(tls, dns, sink);
}
