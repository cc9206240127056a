/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * RAS (H.225.0 section 7, annex H): requests, confirmations and rejections between end points
 * and their gatekeeper. Read are those that tell where call signalling will go: registration,
 * admission, location. The ones with the protocol's identifier are sure (2^-56), others only
 * likely, on RAS's port.
 */
#include "inspect/h323.h"

enum {
	GATEKEEPER_REQUEST,
	GATEKEEPER_CONFIRM,
	GATEKEEPER_REJECT,
	REGISTRATION_REQUEST,
	REGISTRATION_CONFIRM,
	REGISTRATION_REJECT,
	ADMISSION_REQUEST = 9,
	ADMISSION_CONFIRM,
	LOCATION_REQUEST = 18,
	LOCATION_CONFIRM,
	MESSAGES = 25,
	PORT_DISCOVERY = 1718,
	PORT = 1719,
};

/* Optional fields of each root, which a bitmap in front tells of; of H.225.0 version 1. */
static const uint8_t optionals[MESSAGES] = {
	[GATEKEEPER_REQUEST] = 4,   [GATEKEEPER_CONFIRM] = 2,   [GATEKEEPER_REJECT] = 2,
	[REGISTRATION_REQUEST] = 3, [REGISTRATION_CONFIRM] = 3, [REGISTRATION_REJECT] = 2,
	[ADMISSION_CONFIRM] = 2,    [LOCATION_CONFIRM] = 1,
};

/* itu-t recommendation h 2250 version 0 N */
static const uint8_t identifier[] = { 0x00, 0x08, 0x91, 0x4a, 0x00 };

/* SEQUENCE OF TransportAddress */
static void
read_list(struct h323_per *per, bool tell, const struct inspect_sink *sink)
{
	size_t count = h323_per_length(per);

	for (size_t i = 0; i < count && i < 8; i++) {
		struct inspect_announcement a;

		if (!h323_per_address(per, &a))
			return;
		if (tell)
			h323_announce(a, H323_REGISTERED_LIFE_S, sink);
	}
}

static enum inspect_answer
read_identified(struct h323_per *per, unsigned choice, unsigned bits, bool tell,
		const struct inspect_sink *sink)
{
	bool extra;

	if (!h323_per_object(per, identifier, sizeof(identifier)))
		return INSPECT_NO;
	extra = bits >> (optionals[choice] - 1) & 1; /* non-standard data, the first of all */
	if (choice == REGISTRATION_REQUEST && !extra) {
		(void)h323_per_bits(per, 1); /* discoveryComplete */
		read_list(per, tell, sink);
	} else if (choice == REGISTRATION_CONFIRM && !extra) {
		read_list(per, tell, sink);
	}
	return INSPECT_SURE;
}

/* The addresses of what has no identifier; whether all that was read could be so. */
static bool
read_other(struct h323_per *per, unsigned choice, bool tell, const struct inspect_sink *sink)
{
	struct inspect_announcement a;

	if (choice == ADMISSION_CONFIRM) {
		/* Band width: its length in 2 bits, then 1 to 4 octets; the call model: 2 bits.
		 */
		unsigned len = h323_per_bits(per, 2) + 1;

		(void)h323_per_octets(per, len);
		(void)h323_per_bits(per, 2);
	} else if (choice != LOCATION_CONFIRM) {
		return !per->b.bad;
	}
	if (!h323_per_address(per, &a))
		return false;
	if (tell)
		h323_announce(a, H323_CALL_LIFE_S, sink);
	return true;
}

/* RasMessage: a choice of 25 that may be extended; each a sequence that may be so, too. */
enum inspect_answer
h323_ras_read(struct bytes message, const uint16_t port[2], bool tell,
	      const struct inspect_sink *sink)
{
	struct h323_per per = h323_per_of(message);
	bool extended = h323_per_bits(&per, 1);
	unsigned choice = extended ? h323_per_bits(&per, 7) : h323_per_bits(&per, 5), bits = 0;
	bool known_port = false;

	for (unsigned i = 0; i < 2; i++)
		known_port |= port[i] == PORT || port[i] == PORT_DISCOVERY;
	if (extended) {
		/* Later messages are in an open type that must fill the datagram. */
		struct bytes inside = h323_per_open(&per);

		return known_port && choice < 8 && !inside.bad && bytes_left(&per.b) == 0 &&
				       bytes_left(&inside) > 3
			       ? INSPECT_LIKELY
			       : INSPECT_NO;
	}
	if (choice >= MESSAGES)
		return INSPECT_NO;
	(void)h323_per_bits(&per, 1);
	bits = h323_per_bits(&per, optionals[choice]);
	(void)h323_per_16(&per); /* the request's number */
	if (per.b.bad)
		return INSPECT_NO;
	if (choice == GATEKEEPER_REQUEST || choice == GATEKEEPER_CONFIRM ||
	    choice == GATEKEEPER_REJECT || choice == REGISTRATION_REQUEST ||
	    choice == REGISTRATION_CONFIRM || choice == REGISTRATION_REJECT)
		return read_identified(&per, choice, bits, tell, sink);
	return known_port && read_other(&per, choice, tell, sink) ? INSPECT_LIKELY : INSPECT_NO;
}
