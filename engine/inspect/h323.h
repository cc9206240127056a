/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_H323_H
#define INSPECT_H323_H

/*
 * H.323's three channels, shared by h323.c (the flow), h323_ras.c, h323_q931.c and h323_h245.c
 * (a message of each) and h323_per.c (their encoding). All that is read of ASN.1 is what leads
 * to an address, decoded field by field; where too much stands in front of one, its envelope
 * is searched for, and what is inside must fill it exactly.
 */

#include "inspect/inspector.h"

/* Aligned PER (X.691): bits, and octets that begin at a whole one. */
struct h323_per {
	struct bytes b;
	uint8_t byte; /* whose lower `left` bits are still to be read */
	uint8_t left;
};

struct h323_per h323_per_of(struct bytes b);
unsigned h323_per_bits(struct h323_per *per, unsigned count); /* up to 16 */
void h323_per_align(struct h323_per *per);
uint16_t h323_per_16(struct h323_per *per);
struct bytes h323_per_octets(struct h323_per *per, size_t count);
/* A length (X.691 section 10.9) of up to 16383; more is bad. */
size_t h323_per_length(struct h323_per *per);
/* An open type or octet string: its length and octets. */
struct bytes h323_per_open(struct h323_per *per);
/* Whether the next octets are an object identifier: its length, `id`, and a version below 32.
 */
bool h323_per_object(struct h323_per *per, const uint8_t *id, size_t len);

/*
 * Moves over a sequence's extensions (X.691 section 18.7); the one of this index is set, empty
 * if it is not there.
 */
bool h323_per_extensions(struct h323_per *per, unsigned index, struct bytes *one);

/*
 * H.225.0's TransportAddress, of IPv4 or IPv6; false for others, bad or not. H.245's is of
 * another form.
 */
bool h323_per_address(struct h323_per *per, struct inspect_announcement *address);

/* How long an address holds: of a call, and of an end point that has registered. */
enum { H323_CALL_LIFE_S = 300, H323_REGISTERED_LIFE_S = 3600 };

/* Announces call signalling or H.245 at an address that a message told. */
void h323_announce(struct inspect_announcement address, uint32_t life_s,
		   const struct inspect_sink *sink);

/* What a message is; its addresses are announced if `tell`. */
enum inspect_answer h323_ras_read(struct bytes message, const uint16_t port[2], bool tell,
				  const struct inspect_sink *sink);
enum inspect_answer h323_q931_read(struct bytes message, bool tell,
				   const struct inspect_sink *sink);
enum inspect_answer h323_h245_read(struct bytes message, bool tell,
				   const struct inspect_sink *sink);

/* Announces the media addresses of the logical channels that are opened anywhere in data. */
void h323_h245_channels(struct bytes data, const struct inspect_sink *sink);

#endif
