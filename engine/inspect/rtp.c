/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * RTP (RFC 3550), which has no magic number: only that its packets follow one
 * another. A packet follows when its version is 2, its source (SSRC) is known, its
 * sequence number is a little higher and its timestamp close:
 *
 *	1/4 (version) · 2^-32 (source) · 128/2^16 (sequence) · 2^-8 (timestamp) = 2^-51
 *
 * for random bytes, so four that follow (2^-204) leave no doubt about chance. What is
 * left are protocols of similar form, with a constant and a counter in these very
 * places; hence four, that the timestamp must move, and that strangers in between
 * count against it.
 */
#include "inspect/rtp.h"

enum {
	SOURCES = 4, /* a direction: sound, picture, and their repairs (RFC 8843) */
	FOLLOW_LIKELY = 2,
	FOLLOW_SURE = 4,
	SEQUENCE_STEP = 128,
	TIME_STEP = 1 << 23, /* ticks: 93 s of pictures, 17 minutes of telephony */
	STRANGERS_MAX = 3,
	BESIDE_MAX = 64, /* packets of STUN and the like before the first of RTP */
	METER_MAX = 255, /* packets, after which a media that is not known stays so */
};

enum { FIELD_PAYLOAD_TYPE, FIELD_MEDIA, FIELDS };

static const struct inspect_field fields[FIELDS] = {
	[FIELD_PAYLOAD_TYPE] = { "payload-type", INSPECT_NUMBER },
	[FIELD_MEDIA] = { "media", INSPECT_TEXT },
};

struct source {
	uint32_t id, timestamp;
	uint16_t sequence;
	uint16_t duration;
	bool used;
	bool moved; /* its timestamp has changed, or an event has become longer */
	struct rtp_meter meter;
};

struct side {
	struct source sources[SOURCES];
	uint8_t follows; /* packets that followed one another, up to 255 */
	uint8_t next;    /* source to be forgotten for a new one */
	bool moved;
};

struct rtp {
	struct side side[2];
	uint64_t types[2]; /* payload types that were told, a bit each */
	uint16_t metered;  /* packets whose media was guessed at */
	uint8_t strangers, beside;
	uint8_t media;  /* told, a bit each of enum rtp_media */
	uint8_t answer; /* enum inspect_answer, the strongest so far */
};

static void
count(uint8_t *counter)
{
	if (*counter < UINT8_MAX)
		(*counter)++;
}

static struct source *
find(struct side *side, uint32_t id)
{
	for (unsigned i = 0; i < SOURCES; i++)
		if (side->sources[i].used && side->sources[i].id == id)
			return &side->sources[i];
	return NULL;
}

static void
begin(struct source *s, const struct rtp_packet *p)
{
	*s = (struct source){ .id = p->source,
			      .timestamp = p->timestamp,
			      .sequence = p->sequence,
			      .duration = p->duration,
			      .used = true };
}

/*
 * The source that the packet follows, or NULL. A packet that comes late or twice is passed
 * over; a source that jumps begins anew, as receivers do (RFC 3550 appendix A.1).
 */
static struct source *
follow(struct rtp *rtp, struct side *side, const struct rtp_packet *p)
{
	struct source *s = find(side, p->source);

	if (!s) {
		s = &side->sources[side->next];
		side->next = (uint8_t)((side->next + 1) % SOURCES);
		if (s->used)
			count(&rtp->strangers);
		begin(s, p);
		return NULL;
	}
	int16_t step = (int16_t)(uint16_t)(p->sequence - s->sequence);
	int32_t ticks = (int32_t)(p->timestamp - s->timestamp);
	bool close = ticks > -(TIME_STEP / 4) && ticks < TIME_STEP;

	if (step <= 0 && step > -SEQUENCE_STEP && close)
		return NULL;
	if (step < 1 || step > SEQUENCE_STEP || !close) {
		count(&rtp->strangers);
		begin(s, p);
		return NULL;
	}
	s->moved |= ticks != 0 || (p->duration > s->duration && p->duration != RTP_NO_EVENT);
	side->moved |= s->moved;
	s->sequence = p->sequence;
	s->timestamp = p->timestamp;
	s->duration = p->duration;
	return s;
}

static void
tell_media(struct rtp *rtp, enum rtp_media media, const struct inspect_sink *sink)
{
	const char *text = media == RTP_AUDIO ? "audio" : "video";

	if (media == RTP_UNKNOWN || rtp->media & 1u << media)
		return;
	rtp->media |= (uint8_t)(1u << media);
	sink->field(sink->self, FIELD_MEDIA, bytes_of(text, strlen(text)));
}

/* The type of a packet that followed: told at its first time, with the media it stands for. */
static void
tell(struct rtp *rtp, const struct rtp_packet *p, enum rtp_media measured,
     const struct inspect_sink *sink)
{
	uint64_t bit = (uint64_t)1 << (p->type % 64);

	if (rtp->answer < INSPECT_LIKELY)
		return;
	if (!(rtp->types[p->type / 64] & bit)) {
		rtp->types[p->type / 64] |= bit;
		sink->number(sink->self, FIELD_PAYLOAD_TYPE, p->type);
		tell_media(rtp, rtp_packet_media(p->type), sink);
	}
	tell_media(rtp, measured, sink);
}

static void
take(struct rtp *rtp, struct side *side, const struct rtp_packet *p, uint64_t time_ns,
     const struct inspect_sink *sink)
{
	enum rtp_media measured = RTP_UNKNOWN;
	struct source *s = follow(rtp, side, p);

	if (!s)
		return;
	count(&side->follows);
	if (rtp_packet_media(p->type) == RTP_UNKNOWN && rtp->metered < METER_MAX) {
		rtp->metered++;
		measured = rtp_meter_add(&s->meter, p, time_ns);
	}
	if (rtp->answer < INSPECT_LIKELY && side->follows >= FOLLOW_LIKELY)
		rtp->answer = INSPECT_LIKELY;
	if (rtp->answer < INSPECT_SURE && side->follows >= FOLLOW_SURE && side->moved)
		rtp->answer = INSPECT_SURE;
	tell(rtp, p, measured, sink);
	if (rtp->answer == INSPECT_SURE && (rtp->media || rtp->metered == METER_MAX))
		rtp->answer = INSPECT_NAMED;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct rtp *rtp = state;
	struct side *side = &rtp->side[view->dir];
	struct rtp_packet packet;
	unsigned known = rtp->side[0].follows + rtp->side[1].follows;

	switch (rtp_packet_read(view->data, view->snapped, &packet)) {
	case RTP_KIND_MEDIA: take(rtp, side, &packet, view->time_ns, sink); break;
	case RTP_KIND_NONE: count(&rtp->strangers); break;
	case RTP_KIND_BESIDE:
	case RTP_KIND_CONTROL: count(&rtp->beside); break;
	}
	if (rtp->answer >= INSPECT_SURE)
		return (enum inspect_answer)rtp->answer;
	if (rtp->beside > BESIDE_MAX && known == 0)
		return INSPECT_NO;
	/* A first packet that is none ends it; later ones may be noise among others. */
	if (rtp->strangers > (known == 0 ? 0 : STRANGERS_MAX))
		return INSPECT_NO;
	return rtp->answer == INSPECT_NO ? INSPECT_MORE : (enum inspect_answer)rtp->answer;
}

/* Version 2, or what may come beside it. */
static const struct inspect_start starts[] = {
	{ .count = 1, .bytes = { { 0x80, 0xbf } } },
	{ .most = 4 },
	{ .least = 20,
	  .count = 8,
	  .bytes = { { 0, 3 },
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS(0x21),
		     INSPECT_IS(0x12),
		     INSPECT_IS(0xa4),
		     INSPECT_IS(0x42) } },
	{ .count = 8,
	  .bytes = { { 0x10, 0x13 },
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_ANY,
		     INSPECT_IS('Z'),
		     INSPECT_IS('R'),
		     INSPECT_IS('T'),
		     INSPECT_IS('P') } },
	{ .count = 3, .bytes = { { 0x14, 0x1a }, INSPECT_ANY, { 0xfc, 0xfd } } },
	{ .count = 3, .bytes = { { 0x14, 0x1a }, INSPECT_IS(1), INSPECT_IS(0) } },
	{ .count = 2, .bytes = { { 0x14, 0x1a }, INSPECT_IS(0xfe) } },
	{ .count = 1, .bytes = { { 0x40, 0x4f } } },
};

const struct inspector inspect_rtp = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "rtp",
	.state_size = sizeof(struct rtp),
	.transports = INSPECT_UDP,
	.fields = fields,
	.field_count = FIELDS,
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
