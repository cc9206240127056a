/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/rtp.h"

enum {
	STUN_COOKIE = 0x2112a442, /* RFC 8489 section 5 */
	ZRTP_COOKIE = 0x5a525450, /* RFC 6189 section 5 */
	KEEPALIVE_MAX = 4,        /* RFC 6263 section 4: empty, or a few bytes */
	DTLS_FIRST = 20, /* content types, as RFC 9147 section 4.1 demultiplexes them */
	DTLS_LAST = 26,
};

/* RFC 3551 section 6, tables 4 and 5, and RFC 3389 for comfort noise. */
static const uint8_t assigned[35] = {
	[0] = RTP_AUDIO,  [3] = RTP_AUDIO,  [4] = RTP_AUDIO,  [5] = RTP_AUDIO,
	[6] = RTP_AUDIO,  [7] = RTP_AUDIO,  [8] = RTP_AUDIO,  [9] = RTP_AUDIO,
	[10] = RTP_AUDIO, [11] = RTP_AUDIO, [12] = RTP_AUDIO, [13] = RTP_AUDIO,
	[14] = RTP_AUDIO, [15] = RTP_AUDIO, [16] = RTP_AUDIO, [17] = RTP_AUDIO,
	[18] = RTP_AUDIO, [19] = RTP_AUDIO, [25] = RTP_VIDEO, [26] = RTP_VIDEO,
	[28] = RTP_VIDEO, [31] = RTP_VIDEO, [32] = RTP_VIDEO, [33] = RTP_VIDEO,
	[34] = RTP_VIDEO,
};

enum rtp_media
rtp_packet_media(uint8_t type)
{
	return type < sizeof(assigned) ? (enum rtp_media)assigned[type] : RTP_UNKNOWN;
}

/* The kinds whose first byte is not RTP's, each by what its own header must have. */
static enum rtp_kind
beside(struct bytes data)
{
	struct bytes b = data;
	uint32_t word = bytes_be32(&b), second = bytes_be32(&b);
	uint8_t first = (uint8_t)(word >> 24);
	size_t left = bytes_left(&data);
	bool is = false;

	if (left <= KEEPALIVE_MAX)
		is = true;
	else if (first < 4)
		is = second == STUN_COOKIE && left >= 20;
	else if (first >= 16 && first < 20)
		is = second == ZRTP_COOKIE;
	else if (first >= DTLS_FIRST && first <= DTLS_LAST)
		is = (word >> 8 & 0xff) == 0xfd || (word >> 8 & 0xffff) == 0xfeff ||
		     (word >> 8 & 0xfe) == 0xfc || (word >> 8 & 0xffff) == 0x0100 ||
		     (word >> 16 & 0xff) == 0xfe;
	else if (first >= 0x40 && first < 0x50) /* ChannelData, RFC 8656 section 12.4 */
		is = (word & 0xffff) + 4 <= left && (word & 0xffff) + 8 > left;
	return is ? RTP_KIND_BESIDE : RTP_KIND_NONE;
}

/*
 * Whether this is RTCP by its packet type, which stands in the place of marker and payload
 * type (RFC 5761 section 4), and its length. Reports alone (RFC 5506) and encrypted ones count.
 */
static bool
is_control(struct bytes data, bool snapped)
{
	bytes_skip(&data, 1);
	uint8_t type = bytes_u8(&data);
	size_t len = 4u * bytes_be16(&data);

	if (data.bad || !((type >= 192 && type <= 195) || (type >= 200 && type <= 213)))
		return false;
	return snapped || len <= bytes_left(&data);
}

enum rtp_kind
rtp_packet_read(struct bytes data, bool snapped, struct rtp_packet *packet)
{
	struct bytes b = data;
	uint8_t first = bytes_u8(&b), second = bytes_u8(&b);
	size_t padding = 0;

	if (first >> 6 != 2)
		return beside(data);
	if (is_control(data, snapped))
		return RTP_KIND_CONTROL;
	packet->type = second & 0x7f;
	packet->marker = second >> 7;
	packet->sequence = bytes_be16(&b);
	packet->timestamp = bytes_be32(&b);
	packet->source = bytes_be32(&b);
	bytes_skip(&b, 4u * (first & 15u));
	if (first & 0x10) { /* extension, section 5.3.1 */
		bytes_skip(&b, 2);
		bytes_skip(&b, 4u * bytes_be16(&b));
	}
	/* Types 72 to 76 are kept free for telling RTCP apart (RFC 3551 section 6). */
	if (b.bad || (packet->type >= 72 && packet->type <= 76))
		return RTP_KIND_NONE;
	packet->payload = bytes_left(&b);
	packet->duration = RTP_NO_EVENT;
	if (packet->payload == 4) {
		struct bytes event = b;

		packet->duration = (uint16_t)bytes_be32(&event);
	}
	if ((first & 0x20) && !snapped) { /* padding, whose last byte is its length */
		if (bytes_left(&b) == 0)
			return RTP_KIND_NONE;
		bytes_skip(&b, bytes_left(&b) - 1);
		padding = bytes_u8(&b);
		/* Encrypted, the byte is noise (RFC 3711 section 3.1): it is not counted then.
		 */
		if (padding <= packet->payload)
			packet->payload -= padding;
	}
	return RTP_KIND_MEDIA;
}
