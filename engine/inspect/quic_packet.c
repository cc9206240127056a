/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/quic.h"

enum { LONG = 0x80, FIXED = 0x40, NUMBER_MAX = 4 };

uint64_t
quic_packet_varint(struct bytes *b)
{
	uint8_t first = bytes_u8(b);
	uint64_t value = first & 0x3f;

	for (unsigned n = (1u << (first >> 6)) - 1u; n > 0; n--)
		value = value << 8 | bytes_u8(b);
	return value;
}

/* RFC 9369 section 3.2: the types of version 2 are those of version 1, turned by one. */
static uint8_t
kind_of(uint8_t first, const struct quic_version *version)
{
	uint8_t bits = first >> 4 & 3;

	return version->second ? (uint8_t)((bits + 3) & 3) : bits;
}

/* What follows the connection ids in the versions that are known. */
static bool
read_known(struct bytes *b, bool snapped, struct quic_packet *p, const uint8_t *start)
{
	if (p->kind == QUIC_RETRY) { /* a token and a tag, to the datagram's end */
		p->payload = bytes_take(b, bytes_left(b));
		return bytes_left(&p->payload) >= QUIC_TAG;
	}
	if (p->kind == QUIC_INITIAL) {
		uint64_t token = quic_packet_varint(b);

		if (token > bytes_left(b))
			return false;
		bytes_skip(b, (size_t)token);
	}
	uint64_t length = quic_packet_varint(b);

	if (snapped && !b->bad && length > bytes_left(b)) {
		p->cut = true;
		bytes_skip(b, bytes_left(b));
		return true;
	}
	if (b->bad || length > bytes_left(b) || length < NUMBER_MAX + QUIC_TAG)
		return false;
	p->header = bytes_of(start, (size_t)(b->p - start));
	p->payload = bytes_take(b, (size_t)length);
	return true;
}

bool
quic_packet_read(struct bytes *datagram, bool snapped, struct quic_packet *packet)
{
	struct bytes b = *datagram;
	const uint8_t *start = b.p;
	uint8_t first = bytes_u8(&b);

	*packet = (struct quic_packet){ .version = bytes_be32(&b) };
	packet->dcid = bytes_take(&b, bytes_u8(&b));
	packet->scid = bytes_take(&b, bytes_u8(&b));
	packet->header = packet->payload = bytes_of(start, 0);
	if (b.bad || !(first & LONG))
		return false;
	if (packet->version == 0) {
		packet->kind = QUIC_NEGOTIATION;
		packet->payload = bytes_take(&b, bytes_left(&b));
		*datagram = b;
		return bytes_left(&packet->payload) >= 4 &&
		       bytes_left(&packet->payload) % 4 == 0;
	}
	packet->known = quic_version_find(packet->version);
	if (!packet->known) {
		packet->payload = bytes_take(&b, bytes_left(&b));
		*datagram = b;
		return true;
	}
	packet->kind = kind_of(first, packet->known);
	if (!(first & FIXED) || bytes_left(&packet->dcid) > QUIC_CID_MAX ||
	    bytes_left(&packet->scid) > QUIC_CID_MAX || !read_known(&b, snapped, packet, start))
		return false;
	*datagram = b;
	return true;
}
