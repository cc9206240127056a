/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_RTP_H
#define INSPECT_RTP_H

/*
 * What the inspectors of RTP and of RTCP share (RFC 3550): the two run on one
 * port as often as on two (RFC 5761), and each must know the other's packets.
 */

#include "inspect/inspector.h"

enum rtp_media { RTP_UNKNOWN, RTP_AUDIO, RTP_VIDEO };

enum { RTP_NO_EVENT = 0xffff };

/* An RTP packet's fixed header (RFC 3550 section 5.1). */
struct rtp_packet {
	uint32_t timestamp, source;
	uint16_t sequence;
	uint8_t type; /* payload type */
	bool marker;
	size_t payload;    /* bytes behind header and extension, without padding */
	uint16_t duration; /* of a telephone event (RFC 4733 section 2.3), or RTP_NO_EVENT */
};

enum rtp_kind {
	RTP_KIND_NONE,
	RTP_KIND_MEDIA, /* a packet of RTP, by all that a single one shows */
	RTP_KIND_CONTROL,
	RTP_KIND_BESIDE, /* what shares ports with RTP: STUN, DTLS, TURN, ZRTP, keep-alives */
};

/* Sorts a datagram by its first byte (RFC 7983) and reads it where it is RTP. */
enum rtp_kind rtp_packet_read(struct bytes data, bool snapped, struct rtp_packet *packet);

/* What RFC 3551 section 6 assigns to a payload type; RTP_UNKNOWN for the dynamic ones. */
enum rtp_media rtp_packet_media(uint8_t type);

/*
 * Guesses the media of a dynamic payload type from the packets of one source, in order. All of
 * it is statistics: the clock of RTP's timestamps against the time of arrival, and whether
 * several packets share a timestamp, as those of a picture do.
 */
struct rtp_meter {
	uint64_t start_ns;
	uint32_t start, last; /* timestamps */
	uint16_t packets;
	uint16_t shared; /* packets with the timestamp of the one before */
	uint8_t type;
};

enum rtp_media rtp_meter_add(struct rtp_meter *meter, const struct rtp_packet *packet,
			     uint64_t time_ns);

/*
 * A compound packet of RTCP (RFC 3550 appendix A.2): NO, LIKELY when only its first header can
 * be trusted (encrypted or cut), SURE when every packet's length leads to the next and the
 * report is followed by its sender's name or bears today's date. `source` is the first
 * packet's.
 */
enum inspect_answer rtcp_packet_check(struct bytes data, bool snapped, uint64_t time_ns,
				      uint32_t *source);

#endif
