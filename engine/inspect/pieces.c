/* SPDX-License-Identifier: LGPL-3.0-or-later */
#include "inspect/pieces.h"

/* Marks [from, to) as there, a word of bits at a time. */
static void
mark(struct pieces *p, unsigned from, unsigned to)
{
	while (from < to) {
		unsigned bit = from % 64, n = 64 - bit < to - from ? 64 - bit : to - from;
		uint64_t ones = n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;

		p->have[from / 64] |= ones << bit;
		from += n;
	}
}

static void
advance(struct pieces *p)
{
	while (p->ready < PIECES_MAX) {
		uint64_t holes = ~(p->have[p->ready / 64] >> (p->ready % 64));
		unsigned run = holes ? (unsigned)__builtin_ctzll(holes) : 64;
		unsigned most = 64u - p->ready % 64;

		p->ready = (uint16_t)(p->ready + (run < most ? run : most));
		if (run < most)
			return;
	}
}

void
pieces_put(struct pieces *pieces, uint64_t at, struct bytes piece)
{
	size_t n = bytes_left(&piece);

	if (at >= PIECES_MAX || n == 0)
		return;
	if (n > PIECES_MAX - at)
		n = (size_t)(PIECES_MAX - at);
	memcpy(pieces->data + at, piece.p, n);
	mark(pieces, (unsigned)at, (unsigned)(at + n));
	advance(pieces);
}

struct bytes
pieces_ready(const struct pieces *pieces)
{
	return bytes_of(pieces->data, pieces->ready);
}
