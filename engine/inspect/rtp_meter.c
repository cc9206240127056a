/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/rtp.h"

enum {
	PACKETS_MIN = 8,
	SPAN_MIN_MS = 120,   /* a shorter time says little of a clock */
	SPAN_MAX_MS = 20000, /* a longer one has pauses in it: measure anew */
	SHARED_MIN = 3,      /* packets of pictures, before these make a video */
	EVENT_MAX = 8,       /* payload of a telephone event, RFC 4733 section 2.3 */
};

/* Clock rates in use: audio by RFC 3551 and Opus (RFC 7587), video by RFC 3551 section 5. */
static const struct {
	uint32_t hertz;
	uint8_t media;
} clocks[] = {
	{ 8000, RTP_AUDIO },  { 11025, RTP_AUDIO }, { 16000, RTP_AUDIO },
	{ 22050, RTP_AUDIO }, { 24000, RTP_AUDIO }, { 32000, RTP_AUDIO },
	{ 44100, RTP_AUDIO }, { 48000, RTP_AUDIO }, { 90000, RTP_VIDEO },
};

/* The clock that lies within a sixth of what was measured. */
static enum rtp_media
by_clock(uint64_t hertz)
{
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		uint64_t clock = clocks[i].hertz;
		uint64_t off = hertz > clock ? hertz - clock : clock - hertz;

		if (off * 6 < clock)
			return (enum rtp_media)clocks[i].media;
	}
	return RTP_UNKNOWN;
}

static void
restart(struct rtp_meter *meter, const struct rtp_packet *packet, uint64_t time_ns)
{
	*meter = (struct rtp_meter){ .start_ns = time_ns,
				     .start = packet->timestamp,
				     .last = packet->timestamp,
				     .packets = 1,
				     .type = packet->type };
}

enum rtp_media
rtp_meter_add(struct rtp_meter *meter, const struct rtp_packet *packet, uint64_t time_ns)
{
	uint64_t span_ms;
	enum rtp_media media;

	if (packet->payload <= EVENT_MAX) /* an event shares its timestamp as pictures do */
		return RTP_UNKNOWN;
	if (meter->packets == 0 || packet->type != meter->type) {
		restart(meter, packet, time_ns);
		return RTP_UNKNOWN;
	}
	uint32_t ticks = packet->timestamp - meter->start;

	span_ms = time_ns > meter->start_ns ? (time_ns - meter->start_ns) / 1000000 : 0;
	if (span_ms > SPAN_MAX_MS || ticks >= 1u << 31) {
		restart(meter, packet, time_ns);
		return RTP_UNKNOWN;
	}
	if (packet->timestamp == meter->last)
		meter->shared++;
	meter->last = packet->timestamp;
	meter->packets++;
	if (meter->packets < PACKETS_MIN || ticks == 0)
		return RTP_UNKNOWN;
	media = span_ms >= SPAN_MIN_MS ? by_clock((uint64_t)ticks * 1000 / span_ms)
				       : RTP_UNKNOWN;
	/* Sound does not share timestamps; where it seems to, the clock was measured wrong. */
	if (meter->shared >= SHARED_MIN)
		return media == RTP_VIDEO || span_ms < SPAN_MIN_MS ? RTP_VIDEO : RTP_UNKNOWN;
	return media;
}
