/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Mutations that know packets, for the targets that read captures: what a network can do to a
 * conversation, where libFuzzer's own changes bytes and mostly spoils a file. One in four is
 * left to libFuzzer. An input that is no plain pcap of Ethernet is its, too.
 */
#include "packets.h"

#include "../lib/words.h"

#include <stdlib.h>
#include <string.h>

enum {
	FILE_HEADER = 24,
	RECORD_HEADER = 16,
	RECORDS = 256,
	FRAME_MOST = 20000,
	ROOM = 1 << 20,
	ETHERNET = 14,
	IP4_LEAST = 20,
	TCP_LEAST = 20,
	UDP = 8,
	MORE = 0x2000,
	LINK_ETHERNET = 1
};

struct record {
	uint8_t head[RECORD_HEADER];
	uint8_t *frame;
	uint32_t len;
};

/* A capture, taken apart; frames are in `room`. */
struct capture {
	uint8_t head[FILE_HEADER];
	struct record record[RECORDS];
	unsigned count;
	uint8_t *room;
	size_t used;
	uint64_t random;
};

static uint32_t
pick(struct capture *c, uint32_t below)
{
	c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return below ? (uint32_t)(c->random >> 33) % below : 0;
}

static uint32_t
le32(const uint8_t *p)
{
	return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

static void
put_le32(uint8_t *p, uint32_t n)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (uint8_t)(n >> 8 * i);
}

static void
put_be16(uint8_t *p, size_t n)
{
	p[0] = (uint8_t)(n >> 8);
	p[1] = (uint8_t)n;
}

static uint8_t *
room_for(struct capture *c, const uint8_t *bytes, size_t len)
{
	uint8_t *at = c->room + c->used;

	if (len > ROOM - c->used)
		return NULL;
	memcpy(at, bytes, len);
	c->used += len;
	return at;
}

/* A record in front of record i. Its head is that of `like`. */
static bool
insert(struct capture *c, unsigned i, const struct record *like, const uint8_t *bytes,
       uint32_t len)
{
	struct record r = *like;

	if (c->count == RECORDS || len > FRAME_MOST)
		return false;
	r.frame = room_for(c, bytes, len);
	if (!r.frame)
		return false;
	r.len = len;
	memmove(c->record + i + 1, c->record + i, (c->count - i) * sizeof(*c->record));
	c->record[i] = r;
	c->count++;
	return true;
}

static void
take_out(struct capture *c, unsigned i)
{
	memmove(c->record + i, c->record + i + 1, (--c->count - i) * sizeof(*c->record));
}

static bool
take_apart(struct capture *c, const uint8_t *data, size_t size)
{
	size_t at = FILE_HEADER;

	if (size < FILE_HEADER || le32(data + 20) != LINK_ETHERNET ||
	    (le32(data) != 0xa1b2c3d4 && le32(data) != 0xa1b23c4d))
		return false;
	memcpy(c->head, data, FILE_HEADER);
	while (c->count < RECORDS && size - at >= RECORD_HEADER) {
		struct record r = { .len = le32(data + at + 8) };

		memcpy(r.head, data + at, RECORD_HEADER);
		at += RECORD_HEADER;
		if (r.len > size - at || r.len > FRAME_MOST ||
		    !insert(c, c->count, &r, data + at, r.len))
			break;
		at += r.len;
	}
	return c->count > 0;
}

static size_t
put_together(const struct capture *c, uint8_t *data, size_t most)
{
	size_t at = FILE_HEADER;

	memcpy(data, c->head, FILE_HEADER);
	for (unsigned i = 0; i < c->count; i++) {
		const struct record *r = &c->record[i];

		if (RECORD_HEADER + r->len > most - at)
			break;
		memcpy(data + at, r->head, RECORD_HEADER);
		put_le32(data + at + 8, r->len);
		if (le32(r->head + 12) < r->len || le32(r->head + 8) != r->len)
			put_le32(data + at + 12, r->len);
		memcpy(data + at + RECORD_HEADER, r->frame, r->len);
		at += RECORD_HEADER + r->len;
	}
	return at;
}

/* The IPv4 packet of a frame without tags; NULL: there is none. */
static uint8_t *
ip4_of(const struct record *r, size_t *header)
{
	uint8_t *ip = r->frame + ETHERNET;

	if (r->len < ETHERNET + IP4_LEAST || r->frame[12] != 8 || r->frame[13] != 0 ||
	    ip[0] >> 4 != 4)
		return NULL;
	*header = (size_t)(ip[0] & 15) * 4;
	return *header >= IP4_LEAST && r->len >= ETHERNET + *header ? ip : NULL;
}

/* Lengths and checksums as they must be, so that what reads the packet goes on. */
static void
mend(const struct record *r)
{
	static uint8_t pseudo[12 + FRAME_MOST];
	size_t header, len, sum;
	uint8_t *ip = ip4_of(r, &header), *transport;
	bool udp;

	if (!ip)
		return;
	put_be16(ip + 2, r->len - ETHERNET);
	put_be16(ip + 10, 0);
	put_be16(ip + 10, frame_checksum(ip, header));
	transport = ip + header;
	len = r->len - ETHERNET - header;
	udp = ip[9] == 17;
	if ((!udp && ip[9] != 6) || len < (udp ? UDP : TCP_LEAST) || (ip[6] & 0x3f) || ip[7])
		return;
	sum = udp ? 6 : 16;
	if (udp)
		put_be16(transport + 4, len);
	put_be16(transport + sum, 0);
	memcpy(pseudo, ip + 12, 8);
	pseudo[8] = 0;
	pseudo[9] = ip[9];
	put_be16(pseudo + 10, len);
	memcpy(pseudo + 12, transport, len);
	put_be16(transport + sum, frame_checksum(pseudo, 12 + len));
}

static void
swap(struct capture *c, unsigned i)
{
	unsigned k = (i + 1 + pick(c, 4)) % c->count;
	struct record r = c->record[i];

	c->record[i] = c->record[k];
	c->record[k] = r;
}

static void
repeat(struct capture *c, unsigned i)
{
	struct record r = c->record[i];

	insert(c, i + pick(c, c->count - i + 1), &r, r.frame, r.len);
}

/* A TCP segment in two, sometimes with an overlap whose bytes are others. */
static void
split(struct capture *c, unsigned i)
{
	struct record r = c->record[i];
	size_t header, tcp, front, payload, cut;
	uint8_t *ip = ip4_of(&r, &header), *copy;
	uint32_t seq, over;

	if (!ip || ip[9] != 6 || r.len < ETHERNET + header + TCP_LEAST)
		return;
	tcp = (size_t)(ip[header + 12] >> 4) * 4;
	front = ETHERNET + header + tcp;
	if (tcp < TCP_LEAST || r.len < front + 2)
		return;
	payload = r.len - front;
	cut = 1 + pick(c, (uint32_t)payload - 1);
	over = pick(c, 4) ? 0 : pick(c, (uint32_t)cut);
	if (!insert(c, i + 1, &r, r.frame, (uint32_t)(front + cut)))
		return;
	mend(&c->record[i + 1]);
	copy = r.frame;
	memmove(copy + front, copy + front + cut - over, payload - cut + over);
	if (over)
		copy[front] ^= 0x20;
	c->record[i].len = (uint32_t)(front + payload - cut + over);
	seq = (uint32_t)ip[header + 4] << 24 | (uint32_t)ip[header + 5] << 16 |
	      (uint32_t)ip[header + 6] << 8 | ip[header + 7];
	seq += (uint32_t)(cut - over);
	put_be16(ip + header + 4, seq >> 16);
	put_be16(ip + header + 6, seq & 0xffff);
	mend(&c->record[i]);
}

/* An IPv4 packet as two fragments, in any order. */
static void
fragment(struct capture *c, unsigned i)
{
	struct record r = c->record[i];
	size_t header, data, cut;
	uint8_t *ip = ip4_of(&r, &header);
	struct record *last;

	if (!ip || (ip[6] & 0x3f) || ip[7] || r.len < ETHERNET + header + 16)
		return;
	data = r.len - ETHERNET - header;
	cut = 8 * (1 + pick(c, (uint32_t)(data - 8) / 8));
	if (cut >= data || !insert(c, i + 1, &r, r.frame, r.len))
		return;
	last = &c->record[i + 1];
	memmove(last->frame + ETHERNET + header, last->frame + ETHERNET + header + cut,
		data - cut);
	last->len = (uint32_t)(ETHERNET + header + data - cut);
	put_be16(last->frame + ETHERNET + 6, cut / 8);
	c->record[i].len = (uint32_t)(ETHERNET + header + cut);
	put_be16(ip + 6, MORE);
	mend(&c->record[i]);
	mend(last);
	if (pick(c, 2))
		swap(c, i);
}

/* A byte of the headers, or a number in the payload. */
static void
flip(struct capture *c, unsigned i)
{
	static const uint8_t values[] = { 0, 1, 0x7f, 0x80, 0xff, 0x20, '\r', '\n' };
	struct record *r = &c->record[i];
	uint32_t at, front = 64;

	if (r->len == 0)
		return;
	if (front > r->len || pick(c, 2))
		front = r->len;
	at = pick(c, front);
	if (pick(c, 2))
		r->frame[at] ^= (uint8_t)(1u << pick(c, 8));
	else
		r->frame[at] = values[pick(c, sizeof(values))];
	if (pick(c, 4))
		mend(r);
}

/* A payload that grows or shrinks, with lengths that agree. */
static void
stretch(struct capture *c, unsigned i)
{
	struct record *r = &c->record[i];
	uint32_t front = 60, n = 1 + pick(c, 64), at;
	uint8_t *frame;

	if (r->len <= front)
		return;
	at = front + pick(c, r->len - front);
	if (pick(c, 2)) {
		if (n > r->len - at)
			n = r->len - at;
		memmove(r->frame + at, r->frame + at + n, r->len - at - n);
		r->len -= n;
	} else {
		frame = r->len + n <= FRAME_MOST ? room_for(c, r->frame, r->len) : NULL;
		if (!frame || n > ROOM - c->used)
			return;
		c->used += n;
		memmove(frame + at + n, frame + at, r->len - at);
		r->frame = frame;
		r->len += n;
	}
	mend(r);
}

/* The frame of all records from here on, or of this one, in a tunnel. */
static void
wrap(struct capture *c, unsigned i)
{
	static const char *const ways[] = {
		"eth ip4 udp:4789 x:0800000000002a00",
		"eth ip4 udp:6081 x:0140655800002a00 x:01020304",
		"eth ip4 proto:47 x:0000 x:6558",
		"eth ip6 proto:47 x:2000 x:6558 x:00002a01",
		"eth mpls:16",
		"eth ip4 udp:37008 x:01000001 x:01",
		"eth ip6 ext:43 proto:143",
		"eth type:88e7 x:0000002a",
	};
	const char *way = ways[pick(c, sizeof(ways) / sizeof(ways[0]))];
	static struct frame f;
	unsigned last = pick(c, 2) ? c->count : i + 1;

	for (; i < last; i++) {
		struct record *r = &c->record[i];
		uint8_t *frame;

		frame_init(&f, r->frame, r->len);
		f.ethertype = 0x6558;
		if (!words_text(&f, way, WORDS_OUTER, false) || f.len > FRAME_MOST)
			return;
		frame = room_for(c, f.data, f.len);
		if (!frame)
			return;
		r->frame = frame;
		r->len = (uint32_t)f.len;
	}
}

/* Everything that comes later comes much later, or before. */
static void
wait(struct capture *c, unsigned i)
{
	uint32_t seconds = pick(c, 3) ? pick(c, 700) : (uint32_t)-5;

	for (; i < c->count; i++)
		put_le32(c->record[i].head, le32(c->record[i].head) + seconds);
}

/* Cut off by the capture. */
static void
snap(struct capture *c, unsigned i)
{
	struct record *r = &c->record[i];

	put_le32(r->head + 12, r->len);
	put_le32(r->head + 8, r->len = pick(c, r->len + 1));
}

static void (*const mutations[])(struct capture *c, unsigned i) = {
	swap, repeat, take_out, split, fragment, flip, flip, stretch, wrap, wait, snap,
};

size_t
packets_mutate(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	static uint8_t room[ROOM];
	static struct capture c;
	unsigned times;

	c = (struct capture){ .room = room, .random = seed * UINT64_C(0x9e3779b97f4a7c15) };
	if (!take_apart(&c, data, size))
		return 0;
	for (times = 1 + pick(&c, 4); times && c.count; times--)
		mutations[pick(&c, sizeof(mutations) / sizeof(mutations[0]))](
			&c, pick(&c, c.count));
	return put_together(&c, data, most);
}

/* libFuzzer's, where it is linked. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	size_t made = seed % 4 ? packets_mutate(data, size, most, seed) : 0;

	return made || !LLVMFuzzerMutate ? made : LLVMFuzzerMutate(data, size, most);
}
