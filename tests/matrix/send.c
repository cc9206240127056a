/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "send.h"

#include "../lib/words.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

enum {
	SNAP = 96,    /* bytes of payload that a snapped packet keeps */
	PADDING = 18, /* bytes behind a padded frame */
	UNIT = 8,
	SHORTEST = 48, /* of a datagram that is cut into fragments */
	MORE = 0x2000,
	TCP_SUM = 16,
	UDP_SUM = 6,
	IP4_SUM = 10,
	GAP_NS = 1000000,
	OPTIONS = 29,
	AROUND_LEN = 512,
	IP6_HEADER = 40,
};

/* A datagram: what stands behind the IP header. */
struct datagram {
	uint8_t dir;
	uint8_t proto;
	uint8_t bytes[FRAME_PAYLOAD_MAX];
	uint32_t len;
};

/* The words around, as they are in this direction. */
static void
around(const struct send *s, unsigned dir, char text[AROUND_LEN])
{
	const char *p = s->around[s->customer];
	unsigned side = 2; /* of a pair; 2: outside */

	for (; *p; p++) {
		if (*p == '{')
			side = 0;
		else if (*p == '|')
			side = 1;
		else if (*p == '}')
			side = 2;
		else if (side == 2 || side == dir)
			*text++ = *p;
	}
	*text = '\0';
}

static void
push(struct frame *f, const char *text, unsigned dir)
{
	if (!words_text(f, text, dir ? WORDS_BACK : WORDS_OUTER, false))
		abort();
}

static void
give(struct send *s, const struct frame *f, size_t captured)
{
	s->frame(s->self, f, captured == 0 || captured > f->len ? f->len : captured, s->now_ns);
	s->now_ns += s->packet == PACKET_BACKWARDS ? (uint64_t)-GAP_NS : GAP_NS;
}

/* The IPv4 or IPv6 packet as two fragments; the last one is left in f, without its link. */
static void
cut_in_two(struct send *s, unsigned dir, const char *link, struct frame *f)
{
	static struct frame part;
	bool v4 = f->ethertype == 0x0800;
	size_t header = v4 ? (f->data[0] & 0x0fu) * 4u : IP6_HEADER;
	size_t half = (f->len - header) / 2 & ~(size_t)(UNIT - 1);
	uint8_t proto = f->data[v4 ? 9 : 6];
	struct frame_addr from = { .family = v4 ? 4 : 6 }, to = from;
	static struct frame whole;

	memcpy(&whole, f, sizeof(whole));
	whole.data = whole.room + (f->data - f->room);
	memcpy(from.bytes, whole.data + (v4 ? 12 : 8), v4 ? 4 : 16);
	memcpy(to.bytes, whole.data + (v4 ? 16 : 24), v4 ? 4 : 16);
	s->outer_id++;
	for (unsigned last = 0; last < 2; last++) {
		size_t at = last ? half : 0, end = last ? whole.len - header : half;
		uint16_t fragment = (uint16_t)((last ? 0 : MORE) | at / UNIT);

		frame_init(&part, whole.data + header + at, end - at);
		part.ip_proto = proto;
		if (!v4)
			frame_fragment(&part, (uint16_t)at, !last, s->outer_id);
		frame_ip(&part, from, to,
			 &(struct frame_ip){ .id = s->outer_id,
					     .fragmentable = true,
					     .fragment = v4 ? fragment : 0 });
		if (!last) {
			push(&part, link, dir);
			give(s, &part, 0);
		}
	}
	frame_init(f, part.data, part.len);
	f->ethertype = part.ethertype;
}

static void
emit(struct send *s, unsigned dir, struct frame *f, size_t captured, bool ours)
{
	char text[AROUND_LEN], *inside;

	around(s, dir, text);
	inside = strchr(text, '/');
	if (inside) {
		*inside++ = '\0';
		push(f, inside, dir);
		cut_in_two(s, dir, text, f);
		captured = 0;
	}
	push(f, text, dir);
	if (ours) {
		s->packets[s->customer][dir]++;
		s->bytes[s->customer][dir] += f->len;
	}
	give(s, f, captured);
}

static void
push_transport(struct frame *f, const struct send *s, const struct script_event *e, bool udp)
{
	const struct frame_end *from = &s->end[e->dir], *to = &s->end[!e->dir];
	uint32_t zero = 1000 + s->customer * 0x41000000u;

	if (udp)
		frame_udp(f, from->port, to->port);
	else
		frame_tcp(f, &(struct frame_tcp){ .sport = from->port,
						  .dport = to->port,
						  .seq = e->seq + zero + e->dir * 0x30000000u,
						  .ack = e->flags & SCRIPT_ACK
								 ? e->ack + zero +
									   !e->dir * 0x30000000u
								 : 0,
						  .flags = e->flags });
}

/* RFC 4302 section 2.2: next header, length, SPI, sequence, a check value of 12 bytes. */
static void
push_ah(struct frame *f)
{
	uint8_t ah[24] = { f->ip_proto, 4, 0, 0, 0, 0, 0x10, 1, 0, 0, 0, 1 };

	memset(ah + 12, 0x5a, 12);
	frame_push(f, ah, sizeof(ah));
	f->ip_proto = IPPROTO_AH;
}

static void
push_options(struct frame *f, const struct send *s)
{
	switch (s->packet) {
	case PACKET_OPTIONS:
		frame_extension(f, IPPROTO_DSTOPTS, NULL, 0);
		frame_extension(f, IPPROTO_ROUTING, NULL, 0);
		frame_extension(f, IPPROTO_DSTOPTS, NULL, 0);
		frame_extension(f, IPPROTO_HOPOPTS, NULL, 0);
		break;
	case PACKET_OPTIONS_MANY:
		for (int i = 0; i < OPTIONS; i++)
			frame_extension(f, IPPROTO_DSTOPTS, NULL, 0);
		frame_extension(f, IPPROTO_HOPOPTS, NULL, 0);
		break;
	case PACKET_ATOMIC: frame_fragment(f, 0, false, s->id); break;
	case PACKET_AH: push_ah(f); break;
	default: break;
	}
}

static void
send_whole(struct send *s, const struct script_event *e, const uint8_t *bytes, bool udp)
{
	static struct frame f;
	size_t captured = 0;
	uint8_t *transport;

	frame_init(&f, bytes, e->len);
	push_transport(&f, s, e, udp);
	transport = f.data;
	push_options(&f, s);
	frame_ip(&f, s->end[e->dir].addr, s->end[!e->dir].addr,
		 &(struct frame_ip){ .id = s->id });
	if (s->packet == PACKET_BAD_SUM) {
		transport[udp ? UDP_SUM : TCP_SUM] ^= 0x55;
		if (s->end[0].addr.family == 4)
			f.data[IP4_SUM] ^= 0x55;
	}
	if (s->packet == PACKET_SNAPPED && e->len > SNAP) {
		static struct frame whole;
		char text[AROUND_LEN];

		/* The headers around are counted on a copy. */
		memcpy(&whole, &f, sizeof(f));
		whole.data = whole.room + (f.data - f.room);
		whole.transport = NULL;
		around(s, e->dir, text);
		if (!strchr(text, '/'))
			push(&whole, text, e->dir);
		captured = whole.len - e->len + SNAP;
	}
	if (s->packet == PACKET_PADDED) {
		static uint8_t padded[FRAME_HEADROOM + FRAME_PAYLOAD_MAX];
		size_t len = f.len;
		uint16_t ethertype = f.ethertype;

		if (len + PADDING <= FRAME_PAYLOAD_MAX) {
			memcpy(padded, f.data, len);
			memset(padded + len, 0xaa, PADDING);
			frame_init(&f, padded, len + PADDING);
			f.ethertype = ethertype;
			f.ip_proto = s->end[0].addr.family == 4 ? IPPROTO_IPIP : IPPROTO_IPV6;
		}
	}
	emit(s, e->dir, &f, captured, true);
}

/* One fragment, with other bytes in its first unit if `conflict`. */
static void
send_fragment(struct send *s, const struct datagram *d, uint32_t at, uint32_t len,
	      bool conflict, bool ours)
{
	const struct frame_end *from = ours ? &s->end[d->dir] : &s->other;
	static uint8_t bytes[FRAME_PAYLOAD_MAX];
	static struct frame f;
	bool more = at + len < d->len;

	memcpy(bytes, d->bytes + at, len);
	if (conflict)
		memset(bytes, 'X', UNIT);
	frame_init(&f, bytes, len);
	f.ip_proto = d->proto;
	if (from->addr.family == 6)
		frame_fragment(&f, (uint16_t)at, more, s->id);
	frame_ip(&f, from->addr, s->end[!d->dir].addr,
		 &(struct frame_ip){ .id = s->id,
				     .fragmentable = true,
				     .fragment =
					     from->addr.family == 4
						     ? (uint16_t)((more ? MORE : 0) | at / UNIT)
						     : 0 });
	emit(s, d->dir, &f, 0, ours);
}

/* Another host's datagram of the same id, cut at the same places: of a different content. */
static struct datagram *
others(const struct datagram *d)
{
	static struct datagram other;

	other = *d;
	memset(other.bytes + UNIT, 'o', d->len - UNIT);
	other.proto = IPPROTO_UDP;
	other.bytes[4] = (uint8_t)(d->len >> 8);
	other.bytes[5] = (uint8_t)d->len;
	return &other;
}

static void
send_fragments(struct send *s, const struct datagram *d)
{
	uint32_t step = (d->len / 3 + UNIT) & ~(uint32_t)(UNIT - 1);
	uint32_t at[64], len[64];
	unsigned n = 0;

	for (uint32_t i = 0; i < d->len; n++) {
		uint32_t take = n == 0 && s->packet == PACKET_FRAGMENTS_TINY ? UNIT : step;

		at[n] = i;
		len[n] = take < d->len - i ? take : d->len - i;
		i += len[n];
	}
	for (unsigned k = 0; k < n; k++) {
		unsigned i = s->packet == PACKET_FRAGMENTS_REVERSED ? n - 1 - k : k;
		bool conflict = s->packet == PACKET_FRAGMENTS_OVERLAP && i > 0;

		if (s->packet == PACKET_FRAGMENTS_LOST && i == n - 1)
			continue;
		if (conflict) {
			at[i] -= UNIT;
			len[i] += UNIT;
		}
		send_fragment(s, d, at[i], len[i], conflict, true);
		if (s->packet == PACKET_FRAGMENTS_MIXED)
			send_fragment(s, others(d), at[i], len[i], false, false);
	}
}

/* The bytes behind the IP header, with the checksum that the whole has. */
static void
datagram_of(struct datagram *d, const struct send *s, const struct script_event *e,
	    const uint8_t *bytes, bool udp)
{
	static struct frame f;
	size_t header;

	frame_init(&f, bytes, e->len);
	push_transport(&f, s, e, udp);
	d->len = (uint32_t)f.len;
	frame_ip(&f, s->end[e->dir].addr, s->end[!e->dir].addr, &(struct frame_ip){ 0 });
	header = f.len - d->len;
	memcpy(d->bytes, f.data + header, d->len);
	d->dir = e->dir;
	d->proto = udp ? IPPROTO_UDP : IPPROTO_TCP;
}

static bool
is_fragmented(const struct send *s, const struct datagram *d)
{
	if (s->packet < PACKET_FRAGMENTS || s->packet > PACKET_FRAGMENTS_LOST ||
	    d->len < SHORTEST)
		return false;
	return s->packet != PACKET_FRAGMENTS_LOST || (!s->lost[s->customer] && d->dir == 0);
}

static void
send_event(struct send *s, const struct script_event *e, const uint8_t *bytes, bool udp)
{
	static struct datagram d;

	datagram_of(&d, s, e, bytes, udp);
	if (!is_fragmented(s, &d)) {
		send_whole(s, e, bytes, udp);
		return;
	}
	send_fragments(s, &d);
	if (s->packet == PACKET_FRAGMENTS_LOST) {
		s->lost[s->customer] = true;
		s->id++;
		send_whole(s, e, bytes, udp);
	}
}

void
send_script(struct send *send, const struct script *script)
{
	for (unsigned i = 0; i < script->count; i++) {
		const struct script_event *e = &script->event[i];

		send->now_ns += (uint64_t)e->pause_ns;
		send->id++;
		for (send->customer = 0; send->customer < 2; send->customer++)
			if (send->around[send->customer])
				send_event(send, e, script->bytes + e->at, script->udp);
	}
}
