/* SPDX-License-Identifier: LGPL-3.0-or-later */
/*
 * One direction of a flow, fed with whatever segments the input says. What a byte is follows
 * from its sequence number, so that every byte of the stream's data can be checked, whatever
 * was lost, repeated or forged.
 *
 *	input:	window, bytes of memory, segments allowed to wait; then for each segment
 *		flags (below), sequence number (16 bits, 0x8000 is the next byte; or 32 bits),
 *		length on the wire (16 bits), bytes snapped off or forgotten (8 bits)
 */
#include "flow/stream.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
	SYN = 0x01,
	FIN = 0x02,
	SKIP_GAPS = 0x04,
	SNAPPED = 0x08,
	ANYWHERE = 0x10,
	FORGET = 0x20,
	LOSE = 0x40, /* stream_keep is left out */
	SKIP = 0x80,
};

static void
demand(bool holds)
{
	if (!holds)
		abort();
}

static uint8_t
byte_at(uint32_t seq)
{
	return (uint8_t)((seq ^ seq >> 8 ^ seq >> 16 ^ seq >> 24) * 151);
}

static void
check(const struct stream *stream, const struct stream_store *store,
      const struct stream_store_options *options)
{
	for (uint32_t i = 0; i < stream->len; i++)
		demand(stream->data[i] == byte_at(stream->base + i));
	demand(!stream->waiting == !stream->n_waiting);
	demand(stream->n_waiting <= options->segments);
	demand(!stream->full || stream->n_waiting == 0);
	demand(!stream->ended || stream->fin);
	demand(stream_store_stats(store)->used <= options->bytes);
}

/* One segment; its bytes are gone when the next one comes. */
static void
feed(struct stream *stream, struct stream_store *store,
     const struct stream_store_options *options, struct bytes *input)
{
	uint8_t flags = bytes_u8(input);
	uint32_t next = stream->base + stream->len, seq, len, n, grew;
	uint64_t end = stream->offset + stream->len;
	uint8_t *packet, more;

	if (flags & ANYWHERE)
		seq = bytes_be32(input);
	else
		seq = next + bytes_be16(input) - 0x8000;
	len = bytes_be16(input);
	more = bytes_u8(input);
	n = flags & SNAPPED ? (len > more ? len - more : 0) : len;
	packet = malloc(n + 1);
	for (uint32_t i = 0; i < n; i++)
		packet[i + 1] = byte_at(seq + i + (flags & SYN ? 1 : 0));
	grew = stream_add(stream, store, seq, flags & SYN, flags & FIN, bytes_of(packet + 1, n),
			  len, flags & SKIP_GAPS);
	demand(grew <= stream->len);
	demand(stream->offset + stream->len >= end || stream->fronted || !stream->synced ||
	       flags & SYN);
	check(stream, store, options);
	stream->fronted = 0;
	stream->lost = 0;
	if (flags & FORGET)
		stream_forget(stream, more);
	if (flags & LOSE) {
		free(packet);
		return;
	}
	stream_keep(stream, store);
	free(packet);
	demand(stream->len <= options->window);
	check(stream, store, options);
	if (flags & SKIP) {
		stream_skip(stream, store);
		check(stream, store, options);
		stream_keep(stream, store);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes input = bytes_of(data, size);
	struct stream_store_options options = {
		.window = 1u + bytes_be16(&input),
		.bytes = 256u + bytes_be24(&input) % (1 << 20),
		.segments = 1u + bytes_u8(&input),
	};
	struct stream stream = { .len = 0 };
	struct stream_store *store;

	demand(stream_store_new(&options, &store) == BARN_OK);
	while (bytes_left(&input) > 0 && !input.bad)
		feed(&stream, store, &options, &input);
	stream_clear(&stream, store);
	demand(stream_store_stats(store)->used == 0);
	stream_store_free(store);
	return 0;
}
