/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/quic.h"

/* RFC 9000 section 19; Google's Q050 and T05x have their own numbers for some. */
enum { PADDING = 0x00, PING = 0x01, ACK = 0x02, ACK_ECN = 0x03, CRYPTO = 0x06 };
enum { GOOGLE_PING = 0x07, GOOGLE_CRYPTO = 0x08 };
enum { RANGES_MAX = 64 };

static void
take_crypto(struct pieces *crypto, struct bytes *frames)
{
	uint64_t at = quic_packet_varint(frames);
	uint64_t len = quic_packet_varint(frames);

	if (frames->bad || len > bytes_left(frames)) {
		frames->bad = true;
		return;
	}
	pieces_put(crypto, at, bytes_take(frames, (size_t)len));
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
quic_crypto_frames(struct pieces *crypto, struct bytes frames, bool google)
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
