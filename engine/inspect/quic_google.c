/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Google's QUIC ("QUIC: A UDP-Based Secure and Reliable Transport for HTTP/2",
 * draft-tsvwg-quic-protocol-02, and "QUIC Crypto"). A client's first packet carries its hello
 * in clear:
 *
 *	Q024 to Q043   flags 1 │ connection id 8 │ "Q043" │ number 1 to 6 │ hash 12 │ frames
 *	Q044 to Q049   flags 1 │ "Q046" │ lengths 1 │ connection ids │ number │ hash 12 │ frames
 *
 * The hello stands in a STREAM or CRYPTO frame:
 *
 *	"CHLO" │ entries 2 │ 0 2 │ entries of (tag 4 │ end 4) │ values
 *
 * with little-endian numbers, tags and ends in rising order: that is proof. The server's REJ,
 * which has the same form, goes without a version and is as good.
 */
#include "inspect/quic.h"

enum {
	FLAG_VERSION = 0x01,
	FLAG_RESET = 0x02,
	FLAG_ID = 0x08,
	FLAG_PRIVATE = 0xc0, /* multipath, and one that is always 0 */
	FLAG_LONG = 0x80,
	HASH = 12,
	SEARCH = 48, /* bytes in which the hello must begin: flags and the frame's header */
	ENTRIES_MAX = 128,
	VALUES_MAX = 1 << 16,
};

#define TAG(a, b, c, d) \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

static void
take_value(uint32_t tag, struct bytes value, struct quic_hello *hello)
{
	if (tag == TAG('S', 'N', 'I', 0))
		hello->server_name = value;
	else if (tag == TAG('U', 'A', 'I', 'D'))
		hello->user_agent = value;
}

enum inspect_answer
quic_google_hello(struct bytes message, struct quic_hello *hello)
{
	struct bytes b = message, none = bytes_of(NULL, 0), values;
	uint32_t before = 0, end = 0, last = 0;

	*hello = (struct quic_hello){ none, none };
	uint32_t kind = bytes_le32(&b);

	if (kind != TAG('C', 'H', 'L', 'O') && kind != TAG('R', 'E', 'J', 0))
		return INSPECT_NO;
	uint16_t entries = bytes_le16(&b), zero = bytes_le16(&b);

	if (b.bad)
		return INSPECT_MORE;
	if (entries == 0 || entries > ENTRIES_MAX || zero != 0)
		return INSPECT_NO;
	values = b;
	bytes_skip(&values, 8u * entries);
	for (uint16_t i = 0; i < entries; i++, before = end) {
		uint32_t tag = bytes_le32(&b);

		end = bytes_le32(&b);
		if (b.bad)
			return INSPECT_MORE;
		if (end < before || end > VALUES_MAX || (i > 0 && tag <= last))
			return INSPECT_NO;
		last = tag;
		take_value(tag, bytes_take(&values, end - before), hello);
	}
	return values.bad ? INSPECT_MORE : INSPECT_SURE;
}

/* A version of the old kind: 'Q', '0', a decade, a digit. */
static bool
is_old(uint32_t version)
{
	uint8_t tens = (uint8_t)(version >> 8), ones = (uint8_t)version;

	return version >> 16 == 0x5130 && tens >= '2' && tens <= '4' && ones >= '0' &&
	       ones <= '9';
}

/* Consumes the header of Q024 to Q043, up to the packet number; false where it is none. */
static bool
public_header(struct bytes *b, uint8_t flags, uint32_t *version)
{
	static const uint8_t number_bytes[] = { 1, 2, 4, 6 };

	if (flags & (FLAG_RESET | FLAG_PRIVATE) || !(flags & FLAG_ID))
		return false;
	bytes_skip(b, 8);
	*version = flags & FLAG_VERSION ? bytes_be32(b) : 0;
	bytes_skip(b, number_bytes[flags >> 4 & 3]);
	return *version == 0 || is_old(*version);
}

/* The same for Q044 to Q049, whose header is that of the standard's drafts up to 21. */
static bool
long_header(struct bytes *b, uint8_t flags, uint32_t *version)
{
	*version = bytes_be32(b);
	uint8_t lengths = bytes_u8(b);

	bytes_skip(b, lengths >> 4 ? (lengths >> 4) + 3u : 0);
	bytes_skip(b, lengths & 15 ? (lengths & 15) + 3u : 0);
	bytes_skip(b, 1u + (flags & 3));
	return is_old(*version);
}

enum inspect_answer
quic_google_read(struct bytes datagram, uint32_t *version, struct quic_hello *hello)
{
	struct bytes b = datagram;
	uint8_t flags = bytes_u8(&b);

	bool fits = flags & FLAG_LONG ? long_header(&b, flags, version)
				      : public_header(&b, flags, version);

	if (b.bad || !fits)
		return INSPECT_NO;
	bytes_skip(&b, HASH);
	for (unsigned i = 0; i < SEARCH && bytes_left(&b) >= 8 && !b.bad; i++) {
		if (quic_google_hello(b, hello) != INSPECT_NO)
			return INSPECT_SURE;
		bytes_skip(&b, 1);
	}
	return *version ? INSPECT_LIKELY : INSPECT_NO;
}
