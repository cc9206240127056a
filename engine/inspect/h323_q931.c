/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Call signalling (H.225.0 section 6): Q.931's messages, whose user-user element holds ASN.1
 * with the protocol's identifier. Set-up and connection tell the address of H.245, or, as H.245
 * inside (fast start, tunnelling), those of the media.
 */
#include "inspect/h323.h"

enum {
	DISCRIMINATOR = 8,
	USER_USER = 0x7e,
	ASN1 = 5, /* the user-user element's own discriminator */
	ELEMENTS_MOST = 64,
	FACILITY_H245 = 6,     /* h245Address among the extensions */
	FACILITY_EXTENDED = 8, /* extensions, and none of three optional fields */
};

/* The body's choice (H323-UU-PDU) among those that H.225.0's first version has. */
enum { SETUP, CALL_PROCEEDING, CONNECT, ALERTING, INFORMATION, RELEASE, FACILITY };

static const uint8_t identifier[] = { 0x00, 0x08, 0x91, 0x4a, 0x00 };

/* A sequence with nothing in its root but non-standard data, which is not read. */
static bool
skip_capabilities(struct h323_per *per)
{
	bool extended = h323_per_bits(per, 1);
	struct bytes none;

	return !h323_per_bits(per, 1) && (!extended || h323_per_extensions(per, 0, &none));
}

/* GatewayInfo: a list of protocols, each with its capabilities. */
static bool
skip_gateway(struct h323_per *per)
{
	bool extended = h323_per_bits(per, 1), list = h323_per_bits(per, 1);
	struct bytes none;

	if (h323_per_bits(per, 1))
		return false;
	for (size_t n = list ? h323_per_length(per) : 0; n > 0 && !per->b.bad; n--) {
		if (h323_per_bits(per, 1)) {
			(void)h323_per_bits(per, 7);
			(void)h323_per_open(per);
		} else if (h323_per_bits(per, 4) == 0 || !skip_capabilities(per)) {
			return false;
		}
	}
	return !extended || h323_per_extensions(per, 0, &none);
}

/* VendorIdentifier: a country and maker, a product and its version of 1 to 256 octets. */
static bool
skip_vendor(struct h323_per *per)
{
	bool extended = h323_per_bits(per, 1), product = h323_per_bits(per, 1);
	bool version = h323_per_bits(per, 1), more = h323_per_bits(per, 1);
	struct bytes none;

	(void)h323_per_octets(per, 4);
	if (more)
		return false;
	if (product)
		(void)h323_per_octets(per, bytes_u8(&per->b) + 1u);
	h323_per_align(per);
	if (version)
		(void)h323_per_octets(per, bytes_u8(&per->b) + 1u);
	return !extended || h323_per_extensions(per, 0, &none);
}

/* EndpointType: what stands before the address in call proceeding and alerting. */
static bool
skip_endpoint(struct h323_per *per)
{
	bool extended = h323_per_bits(per, 1);
	unsigned bits = h323_per_bits(per, 6);
	struct bytes none;

	if (bits & 32 || (bits & 16 && !skip_vendor(per)) ||
	    (bits & 8 && !skip_capabilities(per)) || (bits & 4 && !skip_gateway(per)) ||
	    (bits & 2 && !skip_capabilities(per)) || (bits & 1 && !skip_capabilities(per)))
		return false;
	(void)h323_per_bits(per, 2);
	return !extended || h323_per_extensions(per, 0, &none);
}

/* Facility without an alternative address: a reason, and the address among its extensions. */
static bool
find_in_facility(struct h323_per *per)
{
	struct bytes one;

	if (h323_per_bits(per, 1)) {
		(void)h323_per_bits(per, 7);
		(void)h323_per_open(per);
	} else {
		(void)h323_per_bits(per, 2);
	}
	if (!h323_per_extensions(per, FACILITY_H245, &one) || bytes_left(&one) == 0)
		return false;
	*per = h323_per_of(one);
	return true;
}

/* The address of H.245: right behind the identifier in a set-up and in a connection. */
static void
read_body(struct h323_per *per, unsigned choice, unsigned bits, const struct inspect_sink *sink)
{
	struct inspect_announcement a;
	bool told = false;

	switch (choice) {
	case SETUP: told = bits >> 6 & 1; break;
	case CONNECT: told = bits & 1; break;
	case CALL_PROCEEDING:
	case ALERTING: told = bits & 1 && skip_endpoint(per); break;
	case FACILITY: told = bits == FACILITY_EXTENDED && find_in_facility(per); break;
	default: break;
	}
	if (told && h323_per_address(per, &a))
		h323_announce(a, H323_CALL_LIFE_S, sink);
}

/* H323-UserInformation. */
static enum inspect_answer
read_user(struct bytes user, bool tell, const struct inspect_sink *sink)
{
	struct h323_per per = h323_per_of(user);
	unsigned bits = 0, choice;
	bool later;

	(void)h323_per_bits(&per, 4); /* two sequences: extended, and one optional each */
	later = h323_per_bits(&per, 1);
	choice = h323_per_bits(&per, later ? 7 : 3);
	if (later) {
		/* Progress and others: in an open type. Facility may be empty. */
		struct bytes inside = h323_per_open(&per);

		if (inside.bad)
			return INSPECT_LIKELY;
		per = h323_per_of(inside);
		choice = INFORMATION;
		(void)h323_per_bits(&per, 2);
	} else {
		/* The extension bit, then that many optional fields. */
		bits = h323_per_bits(&per, choice == SETUP ? 8 : choice == FACILITY ? 4 : 2);
	}
	if (!h323_per_object(&per, identifier, sizeof(identifier)))
		return INSPECT_LIKELY;
	if (!tell)
		return INSPECT_SURE;
	read_body(&per, choice, bits, sink);
	h323_h245_channels(user, sink);
	return INSPECT_SURE;
}

/*
 * Q.931 section 4: the discriminator, a call reference, the message, elements; those of one
 * octet have the highest bit, the others a length. The user-user element's is of 16 bits.
 */
enum inspect_answer
h323_q931_read(struct bytes message, bool tell, const struct inspect_sink *sink)
{
	uint8_t discriminator = bytes_u8(&message), reference = bytes_u8(&message);

	bytes_skip(&message, reference & 0x0f);
	uint8_t type = bytes_u8(&message);

	if (message.bad || discriminator != DISCRIMINATOR || reference == 0 || reference > 2 ||
	    type > 0x7d)
		return INSPECT_NO;
	for (unsigned i = 0; i < ELEMENTS_MOST && bytes_left(&message) > 0; i++) {
		uint8_t element = bytes_u8(&message);
		struct bytes value;

		if (element & 0x80)
			continue;
		if (element != USER_USER) {
			(void)bytes_take(&message, bytes_u8(&message));
			if (message.bad)
				return INSPECT_NO;
			continue;
		}
		value = bytes_take(&message, bytes_be16(&message));
		if (message.bad || bytes_u8(&value) != ASN1)
			return INSPECT_NO;
		return read_user(value, tell, sink);
	}
	return INSPECT_NO;
}
