/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "flow/waiting.h"

static bool
touches(const struct stream_segment *one, uint32_t seq)
{
	return one && one->missing == 0 && one->seq + one->len == seq;
}

/* Bytes that lie between prev and what follows at *at, none of which is there yet. */
static bool
hold(struct stream *stream, struct stream_store *store, struct stream_segment *prev,
     struct stream_segment **at, uint32_t seq, const uint8_t *bytes, uint32_t n,
     uint32_t missing)
{
	struct stream_segment *next = *at, *new;
	uint32_t capacity;

	if (touches(prev, seq) && prev->room - prev->len >= n) {
		memcpy(prev->bytes + prev->len, bytes, n);
		prev->len += n;
		prev->missing = missing;
	} else if (next && next->seq == seq + n && next->room - next->len >= n) {
		memmove(next->bytes + n, next->bytes, next->len);
		memcpy(next->bytes, bytes, n);
		next->seq = seq;
		next->len += n;
	} else {
		new = stream_store_get(store, (uint32_t)sizeof(*new) + n, &capacity);
		if (!new)
			return false;
		*new = (struct stream_segment){ .next = next,
						.seq = seq,
						.len = n,
						.missing = missing,
						.room = capacity - (uint32_t)sizeof(*new) };
		memcpy(new->bytes, bytes, n);
		*at = new;
		stream->n_waiting++;
	}
	store->stats.copied += n;
	return true;
}

bool
waiting_add(struct stream *stream, struct stream_store *store, uint32_t seq,
	    const uint8_t *bytes, uint32_t n, uint32_t missing)
{
	struct stream_segment *prev = NULL, **at = &stream->waiting;

	while (n > 0) {
		struct stream_segment *next;
		uint32_t piece = n;

		while (*at && waiting_ahead((*at)->seq + (*at)->len, seq) <= 0) {
			prev = *at;
			at = &prev->next;
		}
		next = *at;
		if (next && waiting_ahead(next->seq, seq) <= 0) {
			piece = next->seq + next->len - seq;
			if (piece >= n)
				return true;
		} else {
			if (next && next->seq - seq < n)
				piece = next->seq - seq;
			if (!hold(stream, store, prev, at, seq, bytes, piece,
				  piece == n ? missing : 0)) {
				store->stats.refused += n;
				return false;
			}
		}
		seq += piece;
		bytes += piece;
		n -= piece;
	}
	return true;
}

void
waiting_drop(struct stream *stream, struct stream_store *store)
{
	struct stream_segment *first = stream->waiting;

	stream->waiting = first->next;
	stream->n_waiting--;
	stream_store_put(store, first);
}

void
waiting_clear(struct stream *stream, struct stream_store *store)
{
	while (stream->waiting)
		waiting_drop(stream, store);
}
