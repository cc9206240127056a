/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/rtp.h"
#include "inspect/stun.h"

/*
 * RTP is believed when a packet follows another of its source: version, source and sequence,
 * 2^-43 by chance. RTCP shares the port with RTP (RFC 5761), and so waits for it before it
 * names the flow; so does DTLS that is met after its handshake.
 */
enum {
	SEQUENCE_STEP = 128,
	RECORDS_ALONE = 20,
	REPORTS_ALONE = 2,
	DTLS_HANDSHAKE = 22,
	DTLS_DATA = 23,
};

/* A record's content type (RFC 6347 section 4.1) if it is all there; otherwise 0. */
static uint8_t
dtls_record(struct bytes data)
{
	uint8_t type = bytes_u8(&data);
	uint16_t version = bytes_be16(&data);

	bytes_skip(&data, 8);
	bytes_skip(&data, bytes_be16(&data));
	return (version == 0xfefd || version == 0xfeff) && !data.bad ? type : 0;
}

static const char *
take_dtls(struct stun_media *media, uint8_t type)
{
	if (type == DTLS_HANDSHAKE)
		return "dtls";
	return type == DTLS_DATA && ++media->records == RECORDS_ALONE ? "dtls" : NULL;
}

static const char *
take_rtp(struct stun_media *media, uint8_t dir, const struct rtp_packet *p)
{
	uint16_t step = (uint16_t)(p->sequence - media->sequence[dir]);
	bool follows = media->seen[dir] && media->source[dir] == p->source && step > 0 &&
		       step <= SEQUENCE_STEP;

	media->seen[dir] = true;
	media->source[dir] = p->source;
	media->sequence[dir] = p->sequence;
	media->records = media->reports = 0;
	return follows ? "rtp" : NULL;
}

const char *
stun_media_add(struct stun_media *media, uint8_t dir, struct bytes data, uint64_t time_ns)
{
	struct rtp_packet packet;
	uint32_t source = 0;

	switch (rtp_packet_read(data, false, &packet)) {
	case RTP_KIND_MEDIA: return take_rtp(media, dir, &packet);
	case RTP_KIND_CONTROL:
		if (rtcp_packet_check(data, false, time_ns, &source) == INSPECT_NO)
			return NULL;
		return ++media->reports == REPORTS_ALONE ? "rtcp" : NULL;
	case RTP_KIND_BESIDE: return take_dtls(media, dtls_record(data));
	default: return NULL;
	}
}
