/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "change.h"

#include <string.h>

enum { CLIENT, SERVER };

static const int64_t HOUR_NS = INT64_C(3600000000000);

/* Cuts the first message of a side in three. */
static unsigned
in_three(struct script *s, unsigned dir)
{
	unsigned i = script_first(s, dir, 0);
	uint32_t third = s->event[i].len / 3;

	script_cut(s, i, third);
	script_cut(s, i + 1, third);
	return i;
}

static void
permute(struct script *s, const uint8_t order[3])
{
	for (unsigned dir = 0; dir < 2; dir++) {
		unsigned i = in_three(s, dir);
		struct script_event event[3];

		memcpy(event, s->event + i, sizeof(event));
		for (unsigned k = 0; k < 3; k++)
			s->event[i + k] = event[order[k]];
	}
}

static void
order_132(struct script *s)
{
	permute(s, (const uint8_t[]){ 0, 2, 1 });
}

static void
order_213(struct script *s)
{
	permute(s, (const uint8_t[]){ 1, 0, 2 });
}

static void
order_231(struct script *s)
{
	permute(s, (const uint8_t[]){ 1, 2, 0 });
}

static void
order_312(struct script *s)
{
	permute(s, (const uint8_t[]){ 2, 0, 1 });
}

static void
order_321(struct script *s)
{
	permute(s, (const uint8_t[]){ 2, 1, 0 });
}

/* Cuts all messages into segments of n bytes. */
static void
segments(struct script *s, uint32_t n)
{
	for (unsigned i = 0; i < s->count; i++)
		if (s->event[i].len > n)
			script_cut(s, i, n);
}

static void
one_byte(struct script *s)
{
	segments(s, 1);
}

static void
hundred_bytes(struct script *s)
{
	segments(s, 100);
}

/* Each message's segments from the last to the first. */
static void
reversed(struct script *s)
{
	segments(s, 200);
	for (unsigned i = 0; i < s->count; i++) {
		unsigned j = i;

		while (j + 1 < s->count && s->event[j + 1].message == s->event[i].message &&
		       s->event[i].message >= 0)
			j++;
		for (unsigned a = i, b = j; a < b; a++, b--)
			script_swap(s, a, b);
		i = j;
	}
}

/* The middle of the client's first message comes behind the server's answer. */
static void
gap_filled(struct script *s)
{
	unsigned i = in_three(s, CLIENT) + 1;
	unsigned answer = script_first(s, SERVER, i);
	struct script_event event = s->event[i];

	if (answer == s->count)
		return;
	script_insert(s, answer + 1, event);
	script_remove(s, i);
}

static void
gap_for_ever(struct script *s)
{
	script_remove(s, in_three(s, CLIENT) + 1);
}

static void
duplicated(struct script *s)
{
	for (unsigned i = 0; i < s->count; i += 2)
		script_insert(s, i, s->event[i]);
}

/* Other bytes for the first half of a message, behind that half and in front of the rest. */
static void
conflicting(struct script *s)
{
	for (unsigned dir = 0; dir < 2; dir++) {
		unsigned i = script_first(s, dir, 0);
		struct script_event whole = s->event[i];
		uint32_t half = whole.len / 2;

		script_cut(s, i, half);
		memset(s->bytes + s->used, 'X', half);
		memcpy(s->bytes + s->used + half, s->bytes + whole.at + half, whole.len - half);
		whole.at = s->used;
		whole.spoiled = true;
		s->used += whole.len;
		s->event[i + 1] = whole;
	}
}

/* Each segment begins with the last ten bytes of the one before. */
static void
overlapping(struct script *s)
{
	segments(s, 64);
	for (unsigned i = s->count; i-- > 1;) {
		struct script_event *e = &s->event[i], *before = &s->event[i - 1];

		if (e->message < 0 || e->message != before->message || before->len < 10)
			continue;
		e->seq -= 10;
		e->at -= 10;
		e->len += 10;
	}
}

/* A message in two, then again in three, of which the last is cut elsewhere. */
static void
resent_otherwise(struct script *s)
{
	for (unsigned dir = 0; dir < 2; dir++) {
		unsigned i = script_first(s, dir, 0);
		struct script_event whole = s->event[i];

		script_cut(s, i, whole.len / 2);
		script_insert(s, i + 1, whole);
		script_cut(s, i + 1, whole.len / 3);
		script_cut(s, i + 2, whole.len / 3);
	}
}

static void
only(struct script *s, unsigned dir)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < s->count; i++)
		if (s->event[i].dir == dir)
			s->event[kept++] = s->event[i];
	s->count = kept;
}

static void
client_only(struct script *s)
{
	only(s, CLIENT);
}

static void
server_only(struct script *s)
{
	only(s, SERVER);
}

/* Behind the server's first answer. */
static void
from_the_middle(struct script *s)
{
	unsigned i = script_first(s, SERVER, script_first(s, CLIENT, 0)) + 1;

	if (i + 3 >= s->count)
		return;
	memmove(s->event, s->event + i, (s->count - i) * sizeof(*s->event));
	s->count -= i;
}

/* RFC 9293 section 3.10.7.4: data in a SYN counts behind it. */
static void
syn_with_data(struct script *s)
{
	unsigned i = script_first(s, CLIENT, 0);
	struct script_event *e = &s->event[i];

	s->event[0].at = e->at;
	s->event[0].len = e->len;
	script_remove(s, i);
}

/* RFC 7413: the server answers before the handshake's third segment comes. */
static void
fast_open(struct script *s)
{
	struct script_event third;
	unsigned i;

	syn_with_data(s);
	s->event[1].ack += s->event[0].len;
	third = s->event[2];
	script_remove(s, 2);
	i = script_first(s, SERVER, 0);
	if (i < s->count)
		script_insert(s, i + 1, third);
}

static void
again_after_fin(struct script *s)
{
	script_repeat(s, 0);
}

static void
again_after_rst(struct script *s)
{
	s->count -= 3;
	script_add(s, (struct script_event){ .flags = SCRIPT_RST,
					     .message = -1,
					     .seq = s->event[s->count - 1].ack });
	script_repeat(s, 0);
}

static void
again_after_silence(struct script *s)
{
	if (!s->udp)
		s->count -= 3;
	script_repeat(s, HOUR_NS);
}

/* One packet of 65,535 bytes: the server's last message, and more. */
static void
offloaded(struct script *s)
{
	unsigned last = s->count, i = 0;

	while ((i = script_first(s, SERVER, i)) < s->count)
		last = i++;
	if (last == s->count)
		return;
	memcpy(s->bytes + s->used, s->bytes + s->event[last].at, s->event[last].len);
	memset(s->bytes + s->used + s->event[last].len, 0, 65000 - s->event[last].len);
	s->event[last].at = s->used;
	s->event[last].len = 65000;
	s->used += 65000;
}

const struct change changes[] = {
	{ "in order", FOR_ALL, VIEW_WHOLE, PACKET_PLAIN, 0, NULL },
	{ "segments of 100 bytes", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0,
	  hundred_bytes },
	{ "reversed", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0, reversed },
	{ "three segments 1 3 2", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0, order_132 },
	{ "three segments 2 1 3", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0, order_213 },
	{ "three segments 2 3 1", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0, order_231 },
	{ "three segments 3 1 2", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0, order_312 },
	{ "three segments 3 2 1", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0, order_321 },
	{ "one byte a segment", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0, one_byte },
	{ "gap filled later", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0, gap_filled },
	{ "gap never filled", FOR_TCP | FOR_BOTH, VIEW_HOLE, PACKET_PLAIN, 0, gap_for_ever },
	{ "duplicated", FOR_ALL, VIEW_WHOLE, PACKET_PLAIN, 0, duplicated },
	{ "overlap of equal bytes", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0,
	  overlapping },
	{ "overlap of other bytes", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0,
	  conflicting },
	{ "resent with other cuts", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0,
	  resent_otherwise },
	{ "client side only", FOR_ALL, VIEW_CLIENT, PACKET_PLAIN, 0, client_only },
	{ "server side only", FOR_ALL, VIEW_SERVER, PACKET_PLAIN, 0, server_only },
	{ "from the middle", FOR_TCP | FOR_BOTH, VIEW_MIDDLE, PACKET_PLAIN, 0,
	  from_the_middle },
	{ "SYN with data", FOR_TCP | FOR_BOTH | FOR_CLIENT_FIRST, VIEW_WHOLE, PACKET_PLAIN, 0,
	  syn_with_data },
	{ "fast open", FOR_TCP | FOR_BOTH | FOR_CLIENT_FIRST, VIEW_WHOLE, PACKET_PLAIN, 0,
	  fast_open },
	{ "again after FIN", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 2, again_after_fin },
	{ "again after RST", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 2, again_after_rst },
	{ "again after an hour", FOR_ALL, VIEW_WHOLE, PACKET_PLAIN, 2, again_after_silence },
	{ "offloaded to 65,000 bytes", FOR_TCP | FOR_BOTH, VIEW_WHOLE, PACKET_PLAIN, 0,
	  offloaded },
	{ "fragments", FOR_ALL, VIEW_WHOLE, PACKET_FRAGMENTS, 0, NULL },
	{ "fragments reversed", FOR_ALL, VIEW_WHOLE, PACKET_FRAGMENTS_REVERSED, 0, NULL },
	{ "fragments overlapping", FOR_ALL, VIEW_WHOLE, PACKET_FRAGMENTS_OVERLAP, 0, NULL },
	{ "fragments, the first tiny", FOR_ALL, VIEW_WHOLE, PACKET_FRAGMENTS_TINY, 0, NULL },
	{ "fragments among another's", FOR_ALL, VIEW_WHOLE, PACKET_FRAGMENTS_MIXED, 0, NULL },
	{ "fragments, one lost and resent", FOR_TCP | FOR_BOTH, VIEW_WHOLE,
	  PACKET_FRAGMENTS_LOST, 0, NULL },
	{ "options", FOR_TCP | FOR_UDP | FOR_IP6, VIEW_WHOLE, PACKET_OPTIONS, 0, NULL },
	{ "thirty options", FOR_TCP | FOR_UDP | FOR_IP6, VIEW_WHOLE, PACKET_OPTIONS_MANY, 0,
	  NULL },
	{ "authentication header", FOR_ALL, VIEW_WHOLE, PACKET_AH, 0, NULL },
	{ "atomic fragments", FOR_TCP | FOR_UDP | FOR_IP6, VIEW_WHOLE, PACKET_ATOMIC, 0, NULL },
	{ "wrong checksums", FOR_ALL, VIEW_WHOLE, PACKET_BAD_SUM, 0, NULL },
	{ "padding", FOR_ALL, VIEW_WHOLE, PACKET_PADDED, 0, NULL },
	{ "snapped", FOR_ALL, VIEW_SNAPPED, PACKET_SNAPPED, 0, NULL },
	{ "time going backwards", FOR_ALL, VIEW_WHOLE, PACKET_BACKWARDS, 0, NULL },
};

const size_t change_count = sizeof(changes) / sizeof(changes[0]);
