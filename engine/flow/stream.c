/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/stream.h"

#include "flow/stream_store.h"
#include "flow/waiting.h"

/* RFC 7323, section 2.2: no window is larger. */
enum { WILD = 1 << 30 };

/* So many segments in a row too far ahead to wait: the bytes before them will not come. */
enum { BEYOND_MAX = 16 };

/* A segment on its way into the stream, cut as it goes; missing: snapped off behind it. */
struct piece {
	uint32_t seq, n, missing;
	const uint8_t *bytes;
};

static uint32_t
next_of(const struct stream *stream)
{
	return stream->base + stream->len;
}

static void
forget_all(struct stream *stream)
{
	stream_forget(stream, stream->len);
	stream->lent = 0;
}

/* No more is taken: what there is must do. */
static void
stop(struct stream *stream, struct stream_store *store, uint32_t refused)
{
	store->stats.refused += refused;
	stream->full = 1;
	waiting_clear(stream, store);
}

/* Sees to it that data is the stream's own, with room for n bytes from its first one on. */
static bool
own(struct stream *stream, struct stream_store *store, uint32_t n)
{
	uint8_t *old = stream->owned;

	if (stream->len > 0 && !stream->lent &&
	    (size_t)(stream->data - old) + n <= stream->capacity)
		return true;
	if (stream->capacity < n) {
		uint32_t capacity;
		uint8_t *new = stream_store_get(store, n, &capacity);

		if (!new)
			return false;
		stream->owned = new;
		stream->capacity = capacity;
	}
	if (stream->len > 0)
		memmove(stream->owned, stream->data, stream->len);
	store->stats.copied += stream->len;
	stream->data = stream->owned;
	stream->lent = 0;
	if (stream->owned != old)
		stream_store_put(store, old);
	return true;
}

/* Data has grown by n bytes; some of what was missing may have come after all. */
static void
grow(struct stream *stream, uint32_t n)
{
	stream->len += n;
	stream->missing -= stream->missing < n ? stream->missing : n;
}

/* Bytes up to this number were snapped off, unless they are here. */
static void
miss(struct stream *stream, uint32_t end)
{
	int32_t n = waiting_ahead(end, next_of(stream));

	if (n > 0 && (uint32_t)n > stream->missing)
		stream->missing = (uint32_t)n;
}

static bool
append_copy(struct stream *stream, struct stream_store *store, const uint8_t *bytes, uint32_t n)
{
	if (!own(stream, store, stream->len + n)) {
		stop(stream, store, n);
		return false;
	}
	memcpy(stream->owned + (stream->data - stream->owned) + stream->len, bytes, n);
	store->stats.copied += n;
	grow(stream, n);
	return true;
}

/* The packet's bytes: the first ones are lent. */
static bool
append(struct stream *stream, struct stream_store *store, const uint8_t *bytes, uint32_t n)
{
	if (n == 0)
		return true;
	if (stream->len > 0)
		return append_copy(stream, store, bytes, n);
	stream->data = bytes;
	stream->lent = 1;
	grow(stream, n);
	return true;
}

/* The first waiting segment, which begins at or before the next byte. */
static bool
append_waiting(struct stream *stream, struct stream_store *store)
{
	struct stream_segment *first = stream->waiting;
	uint32_t old = next_of(stream) - first->seq;
	uint32_t end = first->seq + first->len + first->missing;

	if (first->len > old &&
	    !append_copy(stream, store, first->bytes + old, first->len - old))
		return false;
	if (first->missing)
		miss(stream, end);
	waiting_drop(stream, store);
	return true;
}

static bool
follows(const struct stream *stream)
{
	return stream->waiting && waiting_ahead(stream->waiting->seq, next_of(stream)) <= 0;
}

/*
 * A piece that begins at the next byte, and all that waited for it. What waits was there
 * first: where both have a byte, it is the waiting one that counts.
 */
static void
advance(struct stream *stream, struct stream_store *store, struct piece piece)
{
	for (;;) {
		uint32_t old = next_of(stream) - piece.seq, n;

		if (follows(stream)) {
			if (!append_waiting(stream, store))
				return;
			continue;
		}
		if (waiting_ahead(next_of(stream), piece.seq + piece.n) >= 0)
			break;
		n = piece.n - old;
		if (stream->waiting && stream->waiting->seq - next_of(stream) < n)
			n = stream->waiting->seq - next_of(stream);
		if (!append(stream, store, piece.bytes + old, n))
			return;
	}
	if (piece.missing)
		miss(stream, piece.seq + piece.n + piece.missing);
	stream->beyond = 0;
}

/* Goes on at this number; what is between is lost, and data before it too. */
static void
jump(struct stream *stream, struct stream_store *store, uint32_t seq)
{
	forget_all(stream);
	stream->offset += seq - stream->base;
	stream->base = seq;
	stream->missing = 0;
	stream->beyond = 0;
	stream->full = 0;
	stream->lost = 1;
	store->stats.gaps++;
}

static void
jump_to_waiting(struct stream *stream, struct stream_store *store)
{
	uint32_t seq = stream->waiting->seq;

	jump(stream, store, seq);
	advance(stream, store, (struct piece){ .seq = seq });
}

/*
 * Bytes before those that were the first to be seen: data waits behind them. False where they
 * cannot be put in front any more.
 */
static bool
put_back(struct stream *stream, struct stream_store *store, uint32_t seq)
{
	int32_t before = waiting_ahead(stream->base, seq);

	if (stream->synced || stream->offset > 0 || stream->lent || stream->full ||
	    before > (int32_t)store->window || stream->n_waiting + 2u > store->segments)
		return false;
	if (stream->len > 0 && !waiting_add(stream, store, stream->base, stream->data,
					    stream->len, stream->missing))
		return false;
	stream->base = seq;
	stream->len = 0;
	stream->missing = 0;
	stream->ended = 0;
	stream->fronted = 1;
	return true;
}

/* A SYN says where the stream starts. False: it is not this stream's. */
static bool
synchronise(struct stream *stream, struct stream_store *store, uint32_t start)
{
	uint32_t first = stream->base - (uint32_t)stream->offset;
	bool old = stream->len > 0;

	if (!stream->started) {
		stream->base = start;
	} else if (start != first) {
		if (stream->synced || stream->offset > 0)
			return false;
		if (waiting_ahead(first, start) > 0) {
			if (!put_back(stream, store, start))
				return false;
		} else {
			/* Left over from an older connection. */
			stream_clear(stream, store);
			stream->base = start;
			stream->fronted = old;
		}
	}
	stream->started = 1;
	stream->synced = 1;
	return true;
}

static void
note_fin(struct stream *stream, uint32_t at)
{
	int32_t ahead = waiting_ahead(at, next_of(stream));

	if (stream->fin || ahead < 0 || ahead >= WILD)
		return;
	stream->fin = 1;
	stream->fin_at = at;
}

/* Behind a gap: waits, or is too much. Whether the piece has been dealt with. */
static bool
wait_behind_gap(struct stream *stream, struct stream_store *store, const struct piece *piece,
		bool skip_gaps)
{
	bool held = false;

	if (piece->seq - next_of(stream) < store->window) {
		held = waiting_add(stream, store, piece->seq, piece->bytes, piece->n,
				   piece->missing);
		if (held && stream->n_waiting <= store->segments)
			return true;
	} else if (++stream->beyond < BEYOND_MAX) {
		store->stats.refused += piece->n;
		return true;
	}
	if (!skip_gaps) {
		stop(stream, store, held ? 0 : piece->n);
		return true;
	}
	if (!stream->waiting)
		jump(stream, store, piece->seq);
	else
		do
			jump_to_waiting(stream, store);
		while (stream->n_waiting > store->segments);
	return held;
}

/* What is known not to come is not waited for. False: the stream stops there. */
static bool
pass_missing(struct stream *stream, struct stream_store *store, const struct piece *piece,
	     bool skip_gaps)
{
	uint32_t gap = piece->seq - next_of(stream);

	if (stream->missing == 0 || waiting_ahead(piece->seq, next_of(stream)) <= 0)
		return true;
	if (!skip_gaps) {
		stop(stream, store, piece->n);
		return false;
	}
	if (gap > stream->missing)
		gap = stream->missing;
	if (stream->waiting && stream->waiting->seq - next_of(stream) < gap)
		gap = stream->waiting->seq - next_of(stream);
	jump(stream, store, next_of(stream) + gap);
	advance(stream, store, (struct piece){ .seq = stream->base });
	return true;
}

static void
place(struct stream *stream, struct stream_store *store, struct piece piece, bool skip_gaps)
{
	if (stream->full && !skip_gaps) {
		store->stats.refused += piece.n;
		return;
	}
	if (!pass_missing(stream, store, &piece, skip_gaps))
		return;
	if (stream->full && waiting_ahead(piece.seq, next_of(stream)) > 0)
		jump(stream, store, piece.seq);
	stream->full = 0;
	while (waiting_ahead(piece.seq, next_of(stream)) > 0)
		if (wait_behind_gap(stream, store, &piece, skip_gaps))
			return;
	advance(stream, store, piece);
	if (stream->missing && !skip_gaps)
		stop(stream, store, 0);
}

/* Lent bytes that were not kept are gone with their packet. */
static void
drop_lent(struct stream *stream)
{
	if (stream->lent)
		forget_all(stream);
}

static bool
begins_before(const struct stream *stream, uint32_t seq)
{
	return stream->started && waiting_ahead(stream->base, seq) > 0;
}

/*
 * Made-up traffic often forgets that a SYN takes a number (RFC 9293, section 3.4), and its
 * first data has the SYN's. A keep-alive probe begins there too, but has one byte at most.
 */
static bool
begins_at_syn(const struct stream *stream, uint32_t seq, uint32_t n)
{
	return stream->synced && stream->offset == 0 && stream->len == 0 && !stream->waiting &&
	       seq == stream->base - 1 && n > 1;
}

uint32_t
stream_add(struct stream *stream, struct stream_store *store, uint32_t seq, bool syn, bool fin,
	   struct bytes payload, uint32_t payload_len, bool skip_gaps)
{
	struct piece piece = { .bytes = payload.p, .n = payload_len };
	uint64_t offset;
	uint32_t len;
	bool before = false;

	if (bytes_left(&payload) < payload_len)
		piece.n = (uint32_t)bytes_left(&payload);
	piece.missing = payload_len - piece.n;
	if (stream->part)
		stream_clear(stream, store);
	drop_lent(stream);
	if (syn && !synchronise(stream, store, ++seq))
		return 0;
	if (!syn && begins_at_syn(stream, seq, payload_len))
		stream->base = seq;
	if (!stream->started && (payload_len || fin)) {
		stream->base = seq;
		stream->started = 1;
	}
	if (piece.n && begins_before(stream, seq))
		before = put_back(stream, store, seq);
	if (stream->ended || !stream->started)
		return 0;
	if (fin)
		note_fin(stream, seq + payload_len);
	offset = stream->offset;
	len = stream->len;
	piece.seq = seq;
	if (waiting_ahead(seq + payload_len, next_of(stream)) > 0 &&
	    waiting_ahead(seq, next_of(stream)) < WILD)
		place(stream, store, piece, skip_gaps);
	stream->ended = stream->fin && !stream->full &&
			waiting_ahead(next_of(stream), stream->fin_at) >= 0;
	return stream->offset != offset || before ? stream->len : stream->len - len;
}

uint32_t
stream_skip(struct stream *stream, struct stream_store *store)
{
	if (!stream->waiting)
		return 0;
	jump_to_waiting(stream, store);
	stream->ended = stream->fin && !stream->full &&
			waiting_ahead(next_of(stream), stream->fin_at) >= 0;
	return stream->len;
}

void
stream_datagram(struct stream *stream, struct stream_store *store, struct bytes payload)
{
	uint32_t n = (uint32_t)bytes_left(&payload);

	if (stream->part)
		stream_clear(stream, store);
	drop_lent(stream);
	if (stream->datagrams < UINT16_MAX)
		stream->datagrams++;
	if (stream->full || stream->kept == STREAM_DATAGRAMS ||
	    (stream->len > 0 && (uint64_t)stream->len + n > store->window)) {
		stop(stream, store, n);
		return;
	}
	if (append(stream, store, payload.p, n))
		stream->ends[stream->kept++] = stream->len;
}

void
stream_part(struct stream *stream, struct stream_store *store, struct bytes payload)
{
	uint32_t n = (uint32_t)bytes_left(&payload);

	if (stream->datagrams || stream->started || stream->part || n == 0 || n > store->window)
		return;
	stream->part = append(stream, store, payload.p, n);
}

bool
stream_part_stands(struct stream *stream)
{
	if (!stream->part)
		return false;
	stream->part = false;
	stream->started = true;
	stream->datagrams = 1;
	stream->ends[stream->kept++] = stream->len;
	return true;
}

void
stream_forget(struct stream *stream, uint32_t n)
{
	unsigned gone = 0;

	if (n > stream->len)
		n = stream->len;
	if (n == 0)
		return;
	stream->data += n;
	stream->len -= n;
	stream->offset += n;
	stream->base += n;
	for (unsigned i = 0; i < stream->kept; i++) {
		if (stream->ends[i] <= n)
			gone++;
		else
			stream->ends[i - gone] = stream->ends[i] - n;
	}
	stream->kept = (uint16_t)(stream->kept - gone);
}

static void
cut_to_window(struct stream *stream, struct stream_store *store)
{
	if (stream->len <= store->window)
		return;
	store->stats.refused += stream->len - store->window;
	stream->len = store->window;
	for (unsigned i = 0; i < stream->kept; i++)
		if (stream->ends[i] > stream->len)
			stream->ends[i] = stream->len;
	stream->missing = 0;
	stream->ended = 0;
	stop(stream, store, 0);
}

/* A block that has become four times too large is changed for one that fits. */
static void
shrink(struct stream *stream, struct stream_store *store)
{
	uint32_t capacity;
	uint8_t *new;

	if (stream->capacity / 4 < stream->len || stream->capacity <= STREAM_STORE_UNIT)
		return;
	new = stream_store_get(store, stream->len, &capacity);
	if (!new)
		return;
	memcpy(new, stream->data, stream->len);
	store->stats.copied += stream->len;
	stream_store_put(store, stream->owned);
	stream->owned = new;
	stream->data = new;
	stream->capacity = capacity;
}

void
stream_keep(struct stream *stream, struct stream_store *store)
{
	cut_to_window(stream, store);
	if (stream->lent && stream->len > 0 && !own(stream, store, stream->len)) {
		stop(stream, store, stream->len);
		forget_all(stream);
	}
	if (stream->len > 0) {
		shrink(stream, store);
		return;
	}
	stream_store_put(store, stream->owned);
	stream->owned = NULL;
	stream->capacity = 0;
	stream->data = NULL;
	stream->lent = 0;
}

void
stream_clear(struct stream *stream, struct stream_store *store)
{
	waiting_clear(stream, store);
	stream_store_put(store, stream->owned);
	*stream = (struct stream){ .len = 0 };
}
