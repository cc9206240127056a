/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/inspector.h"

/*
 * Skype before 2014, over UDP. All is encrypted but the first bytes of a datagram: a number
 * (2), what it is (the low half of a byte: 2 a message, 3 one sent again, 7 "I could not read
 * it", 5 and d what goes on), and in a message a random start of the cipher (4) and a sum of
 * what is inside (4). Its keys are made of the public addresses of both ends, so whoever sits
 * behind a NAT is not understood at first; and what is lost is sent again.
 *
 * The evidence is in these two dialogues; one datagram has none:
 *   refused:  N 2 ... | N 7, 11 bytes, from the other side | N 3 ...: 2^-44
 *   repeated: one number, one length and one sum, another start, and no byte behind it the
 *             same as before but by chance: 2^-48 in noise, but others may count as well, so
 *             that it is likely alone and sure with a message of another number and sum.
 *
 * Baset, Schulzrinne: An Analysis of the Skype Peer-to-Peer Internet Telephony Protocol, 2004;
 * Biondi, Desclaux: Silver Needle in the Skype, 2006.
 */

enum { MESSAGE = 0x02, AGAIN = 3, ONWARD = 5, REFUSED = 7, VOICE = 0xd };

enum { KEPT = 4, BEHIND = 16, SHORTEST = 18, REFUSAL_LEN = 11 };

struct sent {
	uint16_t id, len;
	uint32_t start, sum;
	bool refused;
	uint8_t behind[BEHIND];
};

struct skype {
	uint8_t answer; /* enum inspect_answer */
	bool repeated, other;
	struct {
		uint8_t count, next;
		struct sent sent[KEPT]; /* a ring */
	} side[2];
};

static struct sent *
find_id(struct skype *s, unsigned dir, uint16_t id)
{
	for (unsigned i = 0; i < s->side[dir].count; i++)
		if (s->side[dir].sent[i].id == id)
			return &s->side[dir].sent[i];
	return NULL;
}

/* Whether one is the other, encrypted anew. */
static bool
is_repeated(const struct sent *a, const struct sent *b)
{
	unsigned compared = a->len < SHORTEST - 7 + BEHIND ? 7 : BEHIND, equal = 0;
	uint32_t changed = a->start ^ b->start;

	for (unsigned i = 0; i < compared; i++)
		equal += a->behind[i] == b->behind[i];
	/* A start is random: a counter leaves its upper bytes as they are. */
	return a->sum == b->sum && a->len == b->len && changed >> 16 && changed & 0xffff &&
	       changed >> 24 && equal <= 1;
}

static void
take_message(struct skype *s, unsigned dir, uint16_t id, struct bytes b, size_t len)
{
	struct sent sent = { .id = id, .len = (uint16_t)len };
	struct sent *before = find_id(s, dir, id);

	sent.start = bytes_be32(&b);
	sent.sum = bytes_be32(&b);
	for (unsigned i = 0; i < BEHIND && bytes_left(&b) > 0; i++)
		sent.behind[i] = bytes_u8(&b);
	if (before) {
		s->repeated |= is_repeated(before, &sent);
		return;
	}
	if (s->side[dir].count > 0)
		s->other |= s->side[dir].sent[0].sum != sent.sum;
	s->side[dir].sent[s->side[dir].next] = sent;
	s->side[dir].next = (uint8_t)((s->side[dir].next + 1) % KEPT);
	if (s->side[dir].count < KEPT)
		s->side[dir].count++;
}

/* False where it is none of Skype's. */
static bool
take(struct skype *s, unsigned dir, struct bytes b)
{
	size_t len = bytes_left(&b);
	uint16_t id = bytes_be16(&b);
	uint8_t what = bytes_u8(&b);
	struct sent *sent;

	if (b.bad)
		return false;
	switch (what & 0x0f) {
	case MESSAGE:
		if (what != MESSAGE || len < SHORTEST)
			return what != MESSAGE && s->side[dir].count > 0;
		take_message(s, dir, id, b, len);
		return true;
	case REFUSED:
		sent = len == REFUSAL_LEN ? find_id(s, !dir, id) : NULL;
		if (sent)
			sent->refused = true;
		return sent != NULL;
	case AGAIN:
		sent = find_id(s, dir, id);
		if (sent && sent->refused)
			s->answer = INSPECT_NAMED;
		return sent != NULL;
	case ONWARD:
	case VOICE: return s->side[0].count + s->side[1].count > 0;
	default: return false;
	}
}

static enum inspect_answer
feed(void *state, struct inspect_view *view, const struct inspect_sink *sink)
{
	struct skype *s = state;

	(void)sink;
	if (!take(s, view->dir, view->data) && s->answer < INSPECT_SURE)
		return INSPECT_NO;
	if (s->repeated && s->answer < INSPECT_SURE)
		s->answer = s->other ? INSPECT_NAMED : INSPECT_LIKELY;
	if (s->answer == INSPECT_NAMED)
		return INSPECT_DONE;
	return s->answer ? (enum inspect_answer)s->answer : INSPECT_MORE;
}

const struct inspector inspect_skype = {
	.abi = INSPECTOR_ABI,
	.size = sizeof(struct inspector),
	.name = "skype",
	.state_size = sizeof(struct skype),
	.transports = INSPECT_UDP,
	.feed = feed,
};
