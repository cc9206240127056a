/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/quic.h"

/* RFC 9000 section 19; Google's Q050 and T05x have their own numbers for some. */
enum { PADDING = 0x00, PING = 0x01, ACK = 0x02, ACK_ECN = 0x03, CRYPTO = 0x06 };
enum { GOOGLE_PING = 0x07, GOOGLE_CRYPTO = 0x08 };
enum { RANGES_MAX = 64 };

struct bytes
quic_crypto_ready(const struct quic_crypto *crypto)
{
	return bytes_of(crypto->data, crypto->ready);
}

/* Marks [from, to) as there, a word of bits at a time. */
static void
mark(struct quic_crypto *c, unsigned from, unsigned to)
{
	while (from < to) {
		unsigned bit = from % 64, n = 64 - bit < to - from ? 64 - bit : to - from;
		uint64_t ones = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;

		c->have[from / 64] |= ones << bit;
		from += n;
	}
	while (c->ready < QUIC_CRYPTO_MAX) {
		uint64_t rest = ~(c->have[c->ready / 64] >> (c->ready % 64));
		unsigned run = rest ? (unsigned)__builtin_ctzll(rest) : 64;
		unsigned most = 64u - c->ready % 64;

		c->ready = (uint16_t)(c->ready + (run < most ? run : most));
		if (run < most)
			break;
	}
}

static void
take_crypto(struct quic_crypto *c, struct bytes *frames)
{
	uint64_t at = quic_packet_varint(frames);
	uint64_t len = quic_packet_varint(frames);

	if (frames->bad || len > bytes_left(frames)) {
		frames->bad = true;
		return;
	}
	struct bytes data = bytes_take(frames, (size_t)len);

	if (at >= QUIC_CRYPTO_MAX || bytes_left(&data) == 0)
		return;
	size_t n = bytes_left(&data), room = QUIC_CRYPTO_MAX - (size_t)at;

	n = n < room ? n : room;
	memcpy(c->data + at, data.p, n);
	mark(c, (unsigned)at, (unsigned)(at + n));
}

static void
skip_ack(struct bytes *frames, bool ecn)
{
	quic_packet_varint(frames); /* largest acknowledged */
	quic_packet_varint(frames); /* delay */
	uint64_t ranges = quic_packet_varint(frames);

	if (ranges > RANGES_MAX)
		frames->bad = true;
	for (uint64_t n = 1 + 2 * ranges + (ecn ? 3 : 0); n > 0 && !frames->bad; n--)
		quic_packet_varint(frames);
}

void
quic_crypto_frames(struct quic_crypto *crypto, struct bytes frames, bool google)
{
	while (bytes_left(&frames) > 0 && !frames.bad) {
		uint8_t type = bytes_u8(&frames);

		if (type == PADDING || type == (google ? GOOGLE_PING : PING))
			continue;
		if (type == (google ? GOOGLE_CRYPTO : CRYPTO))
			take_crypto(crypto, &frames);
		else if (!google && (type == ACK || type == ACK_ECN))
			skip_ack(&frames, type == ACK_ECN);
		else
			return; /* a close, or a frame that an Initial may not have */
	}
}
