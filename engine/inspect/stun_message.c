/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/stun.h"

enum {
	COOKIE = 0x2112a442, /* RFC 8489 section 5 */
	HEADER = 20,
	FINGERPRINT_XOR = 0x5354554e, /* section 14.7 */
};

/* Attributes, of RFC 3489 section 11.2, RFC 8489 section 18.3, RFC 8656 section 18. */
enum {
	MAPPED = 0x0001,
	RESPONSE = 0x0002,
	CHANGE = 0x0003,
	SOURCE = 0x0004,
	CHANGED = 0x0005,
	USERNAME = 0x0006,
	REFLECTED = 0x000b,
	DATA = 0x0013,
	REALM = 0x0014,
	XOR_RELAYED = 0x0016,
	XOR_MAPPED = 0x0020,
	XOR_MAPPED_DRAFT = 0x8020,
	SOFTWARE = 0x8022,
	FINGERPRINT = 0x8028,
};

/* CRC-32 of ISO 3309, as section 14.7 refers to it. Short messages, seldom: no table. */
static uint32_t
crc32(const uint8_t *p, const uint8_t *end)
{
	uint32_t crc = UINT32_MAX;

	for (; p < end; p++) {
		crc ^= *p;
		for (unsigned i = 0; i < 8; i++)
			crc = crc >> 1 ^ (0xedb88320 & (0u - (crc & 1)));
	}
	return ~crc;
}

/* An address (section 14.1), or one that is hidden from translators under `mask` (14.2). */
static void
read_address(struct bytes value, const uint8_t *mask, struct stun_address *address)
{
	uint8_t reserved = bytes_u8(&value), family = bytes_u8(&value);
	uint16_t port = bytes_be16(&value);
	size_t len = family == 1 ? 4 : 16;
	const uint8_t *ip = bytes_next(&value, len);

	if (reserved || family < 1 || family > 2 || !ip || bytes_left(&value) > 0)
		return;
	address->ip_version = family == 1 ? 4 : 6;
	address->port = port;
	if (mask)
		address->port = (uint16_t)(port ^ (mask[0] << 8 | mask[1]));
	for (size_t i = 0; i < len; i++)
		address->b[i] = mask ? (uint8_t)(ip[i] ^ mask[i]) : ip[i];
}

/* An attribute that RFC 3489 gives its only form. */
static bool
is_classic(uint16_t type, struct bytes value)
{
	struct stun_address address = { 0 };

	if (type == CHANGE)
		return bytes_left(&value) == 4 && (bytes_be32(&value) & ~6u) == 0;
	if (type != MAPPED && type != RESPONSE && type != SOURCE && type != CHANGED &&
	    type != REFLECTED)
		return false;
	read_address(value, NULL, &address);
	return address.ip_version == 4 && bytes_left(&value) == 8;
}

static void
note(struct stun_message *m, uint16_t type, struct bytes value, const uint8_t *mask)
{
	switch (type) {
	case MAPPED:
		if (!m->mapped.ip_version)
			read_address(value, NULL, &m->mapped);
		break;
	case XOR_MAPPED:
	case XOR_MAPPED_DRAFT: read_address(value, mask, &m->mapped); break;
	case XOR_RELAYED: read_address(value, mask, &m->relayed); break;
	case USERNAME: m->username = value; break;
	case DATA: m->data = value; break;
	case REALM: m->realm = value; break;
	case SOFTWARE: m->software = value; break;
	default: break;
	}
}

/*
 * Walks the attributes, each padded to four bytes. Sure if they end where the message does and
 * there is a cookie, or one that RFC 3489 gives its form; without both only likely, since the
 * lengths agree.
 */
static enum stun_proof
walk(struct bytes message, struct bytes b, bool cookie, struct stun_message *m)
{
	const uint8_t *mask = message.p + 4;
	bool proven = cookie;

	while (bytes_left(&b) > 0) {
		const uint8_t *at = b.p;
		uint16_t type = bytes_be16(&b), len = bytes_be16(&b);
		struct bytes value = bytes_take(&b, len);
		size_t padding = -len & 3u;

		if (b.bad)
			return STUN_NONE;
		bytes_skip(&b, bytes_left(&b) < padding ? bytes_left(&b) : padding);
		if (type == FINGERPRINT && cookie) {
			uint32_t crc = bytes_be32(&value);
			bool last = len == 4 && bytes_left(&b) == 0;

			return last && crc == (crc32(message.p, at) ^ FINGERPRINT_XOR)
				       ? STUN_SURE
				       : STUN_NONE;
		}
		proven |= is_classic(type, value);
		note(m, type, value, mask);
	}
	return proven ? STUN_SURE : STUN_LIKELY;
}

/* RFC 3489 section 11.1, and the allocation of the drafts that became TURN. */
static bool
is_classic_type(uint16_t type)
{
	uint16_t method = type & 0xfeef;

	return type != 0x0011 && type != 0x0012 && method >= 1 && method <= 3;
}

/* A number that is all zero is none that anybody draws. */
static bool
has_number(struct bytes data)
{
	uint8_t seen = 0;

	bytes_skip(&data, 4);
	data.end = data.p + 16;
	while (bytes_left(&data) > 0)
		seen |= bytes_u8(&data);
	return seen != 0;
}

enum stun_proof
stun_message_read(struct bytes data, bool whole, struct stun_message *message)
{
	struct bytes b = data;
	uint16_t type = bytes_be16(&b);
	size_t length = HEADER + (size_t)bytes_be16(&b);
	bool cookie = bytes_be32(&b) == COOKIE;

	bytes_skip(&b, 12);
	if (b.bad || type >= 0x4000 || length % 4 != 0 || length > bytes_left(&data) ||
	    (whole && length != bytes_left(&data)))
		return STUN_NONE;
	if (!cookie && !(whole && is_classic_type(type)))
		return STUN_NONE;
	*message = (struct stun_message){
		.method = (uint16_t)((type & 0xf) | (type >> 1 & 0x70) | (type >> 2 & 0xf80)),
		.kind = (uint8_t)((type >> 4 & 1) | (type >> 7 & 2)),
		.length = length,
	};
	data = bytes_take(&data, length);
	b.end = data.end;
	switch (walk(data, b, cookie, message)) {
	case STUN_SURE: return STUN_SURE;
	case STUN_LIKELY:
		return type == STUN_BINDING && has_number(data) ? STUN_LIKELY : STUN_NONE;
	default: return cookie ? STUN_LIKELY : STUN_NONE;
	}
}

bool
stun_message_is_turn(const struct stun_message *message)
{
	return message->method >= STUN_ALLOCATE && message->method <= STUN_ATTEMPT &&
	       message->method != 5;
}
