/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * Streams against a model: thousands of random ways to cut a text into segments, and to
 * reorder, repeat, overlap, forge, snap and lose them. Fixed seeds: a failure comes again.
 */
#include "flow/stream.h"
#include "unit.h"

#include <stdlib.h>

enum { TEXT_MAX = 6000, SEGMENTS_MAX = 20000 };

static uint64_t state;

static uint32_t
below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

static bool
chance(uint32_t percent)
{
	return below(100) < percent;
}

struct segment {
	uint32_t at, n; /* in the text */
	bool syn, fin;
};

static struct segment segments[SEGMENTS_MAX];
static unsigned n_segments;

/* By position: the byte that must come out, and whether one has been sent. */
static uint8_t text[TEXT_MAX];
static bool sent[TEXT_MAX];
static uint32_t text_len;

static void
put_segment(uint32_t at, uint32_t n, bool syn, bool fin)
{
	if (n_segments < SEGMENTS_MAX)
		segments[n_segments++] = (struct segment){ at, n, syn, fin };
}

/* All of the text in pieces of at most `most`, the last one with a FIN. */
static void
cut(uint32_t most, bool syn)
{
	uint32_t at = 0;

	put_segment(0, 0, syn, false);
	while (at < text_len) {
		uint32_t n = 1 + below(most);

		if (n > text_len - at)
			n = text_len - at;
		put_segment(at, n, false, at + n == text_len);
		at += n;
	}
}

static void
add_noise(unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		uint32_t at = below(text_len), n = 1 + below(text_len - at);

		if (chance(50) && n > 100)
			n = 1 + below(100);
		put_segment(at, n, false, false);
	}
}

/* Each segment moves by less than `reach`; the SYN stays in front if it is to. */
static void
shuffle(uint32_t reach, unsigned from)
{
	for (unsigned i = from; i < n_segments; i++) {
		uint32_t left = n_segments - i;
		unsigned k = i + below(left < reach ? left : reach);
		struct segment s = segments[i];

		segments[i] = segments[k];
		segments[k] = s;
	}
}

static struct stream_store *store;
static struct stream stream;
static uint32_t isn;

/*
 * The segment with bytes that are right, or, once the model has others, wrong: the first that
 * came must stand. Returns what stream_add said; the bytes are gone after it.
 */
static uint32_t
deliver(const struct segment *s, bool conflicts, uint32_t snapped, bool skip_gaps,
	uint32_t forget)
{
	uint32_t n = s->n - (snapped < s->n ? snapped : s->n);
	uint8_t *packet = malloc(n ? n : 1);
	uint32_t grew, seq = isn + (s->syn ? 0 : 1 + s->at);

	for (uint32_t i = 0; i < n; i++) {
		uint8_t byte = text[s->at + i];

		if (conflicts && sent[s->at + i] && chance(50))
			byte = (uint8_t)below(256);
		packet[i] = byte;
		sent[s->at + i] = true;
	}
	grew = stream_add(&stream, store, seq, s->syn, s->fin, bytes_of(packet, n), s->n,
			  skip_gaps);
	stream_forget(&stream, forget);
	stream_keep(&stream, store);
	free(packet);
	return grew;
}

static void
check_data(void)
{
	CHECK(stream.offset + stream.len <= text_len);
	if (stream.len)
		CHECK_MEM(stream.data, text + stream.offset, stream.len);
}

static void
begin(struct stream_store_options options, uint32_t most_text)
{
	memset(&stream, 0, sizeof(stream));
	memset(sent, 0, sizeof(sent));
	n_segments = 0;
	text_len = 1 + below(most_text);
	for (uint32_t i = 0; i < text_len; i++)
		text[i] = (uint8_t)below(256);
	/* Often just before the numbers wrap. */
	isn = chance(50) ? 0u - below(text_len + 2) : below(UINT32_MAX);
	CHECK_EQ(stream_store_new(&options, &store), BARN_OK);
}

static void
finish(void)
{
	stream_clear(&stream, store);
	CHECK_EQ(stream_store_stats(store)->used, 0);
	stream_store_free(store);
}

static const struct stream_store_options roomy = { .bytes = 1 << 20, .segments = 4096 };

static uint32_t
some_size(void)
{
	static const uint32_t sizes[] = { 1, 2, 7, 40, 300, 1460, 6000 };

	return sizes[below(7)];
}

static void
run_whole(bool conflicts)
{
	bool consume = chance(50);

	begin(roomy, chance(20) ? TEXT_MAX : 400);
	cut(some_size(), true);
	if (chance(50))
		add_noise(below(20));
	if (chance(50))
		cut(some_size(), true);
	shuffle(chance(20) ? n_segments : 1 + below(12), 1);
	for (unsigned i = 0; i < n_segments; i++) {
		uint64_t before = stream.offset + stream.len;
		uint32_t grew = deliver(&segments[i], conflicts, 0, false,
					consume ? below(stream.len + 50) : 0);

		CHECK_EQ(grew, stream.offset + stream.len - before);
		check_data();
	}
	CHECK_EQ(stream.offset + stream.len, text_len);
	CHECK(stream.ended);
	CHECK(!stream.lost && !stream.full);
	CHECK_EQ(stream.n_waiting, 0);
	if (!consume)
		CHECK_EQ(stream.len, text_len);
	finish();
}

TEST(any_order_of_any_segments_gives_the_text)
{
	state = 1;
	for (int i = 0; i < 3000; i++)
		run_whole(false);
}

TEST(of_conflicting_bytes_the_first_stand)
{
	state = 2;
	for (int i = 0; i < 3000; i++)
		run_whole(true);
}

TEST(without_a_syn_any_order_gives_the_text_too)
{
	state = 3;
	for (int i = 0; i < 2000; i++) {
		begin(roomy, chance(20) ? TEXT_MAX : 400);
		cut(some_size(), false);
		add_noise(below(10));
		shuffle(chance(20) ? n_segments : 1 + below(12), 0);
		for (unsigned k = 0; k < n_segments; k++)
			deliver(&segments[k], true, 0, false, 0);
		CHECK_EQ(stream.len, text_len);
		check_data();
		CHECK(stream.ended);
		finish();
	}
}

TEST(a_late_syn_changes_nothing)
{
	state = 4;
	for (int i = 0; i < 2000; i++) {
		begin(roomy, 400);
		cut(some_size(), true);
		shuffle(n_segments, 0);
		for (unsigned k = 0; k < n_segments; k++)
			deliver(&segments[k], false, 0, false, 0);
		CHECK_EQ(stream.len, text_len);
		check_data();
		CHECK(stream.synced && stream.ended);
		finish();
	}
}

/* Losses, snapped bytes, tight bounds: what comes out is at its place, and gaps are told. */
static void
run_lossy(bool skip_gaps)
{
	struct stream_store_options tight = {
		.bytes = chance(30) ? 4096 : 65536,
		.window = 1 + below(2000),
		.segments = 1 + below(10),
	};
	uint32_t loss = below(40), snap = chance(30) ? below(200) : 0;
	uint64_t read = 0;

	begin(tight, TEXT_MAX);
	cut(some_size(), true);
	add_noise(below(20));
	shuffle(1 + below(12), 1);
	for (unsigned i = 0; i < n_segments; i++) {
		if (i > 0 && chance(loss))
			continue;
		deliver(&segments[i], false, snap, skip_gaps, 0);
		check_data();
		CHECK(stream.offset >= read);
		CHECK(stream.len <= tight.window);
		CHECK(stream.n_waiting <= tight.segments);
		if (stream.offset > read)
			CHECK(stream.lost || stream.full);
		stream.lost = 0;
		stream_forget(&stream, below(stream.len + 50));
		read = stream.offset;
	}
	while (stream.waiting) {
		stream_skip(&stream, store);
		check_data();
		stream_keep(&stream, store);
	}
	finish();
}

TEST(losses_and_bounds_never_put_bytes_in_the_wrong_place)
{
	state = 5;
	for (int i = 0; i < 3000; i++)
		run_lossy(true);
	for (int i = 0; i < 3000; i++)
		run_lossy(false);
}
