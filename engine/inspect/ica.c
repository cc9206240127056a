/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/inspector.h"

/*
 * Citrix ICA over TCP (port 1494). Both sides greet with 7f 7f "ICA" 00, one or several times;
 * nothing else that is known begins so. Then they tell what they can do, in packets of their
 * own form, as observed with servers of 2004:
 *
 *	00 le16 ...              the server asks; once
 *	01 le16, le16 again ...  the client's modules; 02: the server's; 03 alike
 *	04 00 00                 the client has told all
 *
 * A side's first two bytes that are none of these begin its frames: 14 bits of length, and
 * in the upper two the priority of what is inside (0 high, 1 medium, 2 low, 3 background), by
 * "Citrix ICA Priority Packet Tagging" (Citrix Consulting Services, 2001), which NBAR reads as
 * ica-tag. The byte order is the observed one, little-endian. Where the frames are none (a
 * version that we don't know, SecureICA) their ends don't meet the ends of what is sent; so
 * tags are only believed after three times that they did, 2^-42 by chance.
 *
 * The published application stands in what the client sends first as "#name" and a zero byte,
 * where the session begins with one and is not encrypted. That holds for the Common Gateway
 * Protocol (port 2598) as well, which begins with 1a "CGP/01" and carries ICA; it has no frames
 * of ICA.
 */

enum { ICA_TAG, ICA_APP };

static const struct inspect_field fields[] = {
	[ICA_TAG] = { "ica-tag", INSPECT_NUMBER },
	[ICA_APP] = { "app", INSPECT_TEXT },
};

enum {
	PROOF = 3,          /* turns of a side that end with a whole frame */
	FRAMES_MOST = 2048, /* of both sides; priorities that come later are not told */
	APP_WITHIN = 4096,  /* bytes of the client in which its application is looked for */
	APP_LEAST = 3,      /* shorter ones come by chance: once in 500 encrypted sessions */
	APP_MOST = 128,
	TAGS_ALL = 0x0f,
};

enum stage { GREETING, ABILITIES, FRAMES, OVER };

struct ica_side {
	uint32_t skip; /* bytes of the packet or frame at hand that are still to come */
	uint8_t stage;
	bool greeted, asked;
	bool framed;  /* frames were read in this turn, and all of them are whole so far */
	uint8_t ends; /* turns that ended with a whole frame */
	uint8_t tags; /* seen, a bit each */
};

struct ica {
	struct ica_side side[2];
	uint16_t frames;
	uint16_t seen; /* of the client, for the application */
	uint8_t told;  /* tags, a bit each */
	bool ours, app, in_app;
	uint8_t app_len;
	uint8_t name[APP_MOST];
};

static const uint8_t greeting[] = { 0x7f, 0x7f, 'I', 'C', 'A', 0 };
static const uint8_t gateway[] = { 0x1a, 'C', 'G', 'P', '/', '0', '1' };

/* How far the window agrees with a text that it may hold only the beginning of. */
static enum inspect_answer
begins(const struct bytes *b, const uint8_t *text, size_t len)
{
	size_t left = bytes_left(b);

	if (memcmp(b->p, text, left < len ? left : len) != 0)
		return INSPECT_NO;
	return left < len ? INSPECT_MORE : INSPECT_SURE;
}

/* Moves over greetings; MORE: one may have begun. */
static enum inspect_answer
read_greetings(struct ica *s, struct ica_side *side, struct bytes *b)
{
	for (;;) {
		enum inspect_answer answer = begins(b, greeting, sizeof(greeting));

		if (answer == INSPECT_MORE)
			return INSPECT_MORE;
		if (answer == INSPECT_NO)
			break;
		bytes_skip(b, sizeof(greeting));
		side->greeted = s->ours = true;
	}
	if (side->greeted) {
		side->stage = ABILITIES;
		return INSPECT_SURE;
	}
	enum inspect_answer answer = begins(b, gateway, sizeof(gateway));

	if (answer == INSPECT_SURE)
		s->ours = true;
	if (answer != INSPECT_MORE)
		side->stage = OVER;
	return answer;
}

/* What a side can do. MORE: too short to tell. */
static enum inspect_answer
read_abilities(struct ica_side *side, struct bytes *b)
{
	struct bytes head = *b;
	uint8_t type = bytes_u8(&head);
	uint16_t len = bytes_le16(&head);
	bool over = false;

	if (bytes_left(b) == 0)
		return INSPECT_MORE;
	if (type > 4 || (type == 0 && side->asked)) {
		side->stage = FRAMES;
		return INSPECT_SURE;
	}
	if (head.bad)
		return INSPECT_MORE;
	if (type == 4)
		over = true;
	else if (type != 0) {
		if (bytes_left(&head) < 2)
			return INSPECT_MORE;
		over = bytes_le16(&head) != len;
	}
	if (over)
		side->stage = FRAMES;
	if (over && (type != 4 || len != 0))
		return INSPECT_SURE;
	bytes_skip(b, 3);
	side->skip = len;
	side->asked = true;
	return INSPECT_SURE;
}

static enum inspect_answer
read_frame(struct ica *s, struct ica_side *side, struct bytes *b)
{
	struct bytes head = *b;
	uint16_t word = bytes_le16(&head);

	if (head.bad)
		return INSPECT_MORE;
	*b = head;
	side->skip = word & 0x3fff;
	side->tags |= (uint8_t)(1u << (word >> 14));
	if (side->skip == 0 || ++s->frames == FRAMES_MOST)
		side->stage = OVER;
	return INSPECT_SURE;
}

/* Moves over what is whole. */
static void
walk(struct ica *s, struct ica_side *side, struct bytes *b)
{
	enum inspect_answer answer = INSPECT_SURE;

	while (answer != INSPECT_MORE && side->stage != OVER) {
		size_t left = bytes_left(b), n = left < side->skip ? left : side->skip;

		bytes_skip(b, n);
		side->skip -= (uint32_t)n;
		if (side->skip > 0)
			return;
		if (side->stage == ABILITIES)
			answer = read_abilities(side, b);
		else
			answer = read_frame(s, side, b);
	}
	if (side->stage == OVER)
		bytes_skip(b, bytes_left(b));
}

/* The other side speaks: a turn is over. */
static void
end_turn(struct ica_side *side)
{
	if (side->framed && side->ends < PROOF)
		side->ends++;
	side->framed = false;
}

static void
tell_tags(struct ica *s, const struct ica_side *side, const struct inspect_sink *sink)
{
	uint8_t news = side->tags & (uint8_t)~s->told;

	if (side->ends < PROOF)
		return;
	for (uint8_t tag = 0; tag < 4; tag++)
		if (news & 1u << tag)
			sink->number(sink->self, ICA_TAG, tag);
	s->told |= news;
}

/* The client's next byte, on the way to "#name" and a zero byte. */
static void
look_for_app(struct ica *s, uint8_t byte, const struct inspect_sink *sink)
{
	if (s->in_app && byte == 0 && s->app_len >= APP_LEAST) {
		sink->field(sink->self, ICA_APP, bytes_of(s->name, s->app_len));
		s->app = true;
	} else if (s->in_app && byte >= ' ' && byte < 0x7f && s->app_len < APP_MOST) {
		s->name[s->app_len++] = byte;
	} else {
		s->in_app = byte == '#';
		s->app_len = 0;
	}
}

static enum inspect_answer
say(const struct ica *s)
{
	bool app = s->app || s->seen == APP_WITHIN;
	bool tags = s->told == TAGS_ALL || s->frames == FRAMES_MOST ||
		    (s->side[0].stage == OVER && s->side[1].stage == OVER);

	if (!s->ours)
		return INSPECT_MORE;
	return !app ? INSPECT_SURE : tags ? INSPECT_DONE : INSPECT_NAMED;
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct ica *s = state;
	struct ica_side *side = &s->side[view->dir], *other = &s->side[!view->dir];

	if (view->lost) {
		side->stage = side->stage == FRAMES ? FRAMES : OVER;
		side->skip = 0;
		side->framed = false;
		side->ends = 0;
		s->in_app = false;
	}
	if (side->stage == GREETING && read_greetings(s, side, &view->data) == INSPECT_MORE)
		return say(s);
	if (!s->ours)
		return INSPECT_NO;
	struct bytes read = view->data;

	end_turn(other);
	tell_tags(s, other, sink);
	walk(s, side, &view->data);
	side->framed = side->stage == FRAMES && side->skip == 0 && bytes_left(&view->data) == 0;
	tell_tags(s, side, sink);
	read.end = view->data.p;
	while (view->dir == INSPECT_CLIENT && bytes_left(&read) > 0 && !s->app &&
	       s->seen < APP_WITHIN) {
		s->seen++;
		look_for_app(s, bytes_u8(&read), sink);
	}
	return say(s);
}

/* A greeting, also of the gateway. */
static const struct inspect_start starts[] = {
	{ .count = 6,
	  .bytes = { INSPECT_IS(0x7f), INSPECT_IS(0x7f), INSPECT_IS('I'), INSPECT_IS('C'),
		     INSPECT_IS('A'), INSPECT_IS(0) } },
	{ .count = 7,
	  .bytes = { INSPECT_IS(0x1a), INSPECT_IS('C'), INSPECT_IS('G'), INSPECT_IS('P'),
		     INSPECT_IS('/'), INSPECT_IS('0'), INSPECT_IS('1') } },
};

const struct inspector inspect_ica = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "ica",
	.state_size = sizeof(struct ica),
	.transports = INSPECT_TCP,
	.fields = fields,
	.field_count = sizeof(fields) / sizeof(fields[0]),
	.feed = feed,
	.starts = starts,
	.start_count = sizeof(starts) / sizeof(starts[0]),
};
