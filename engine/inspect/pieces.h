/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef INSPECT_PIECES_H
#define INSPECT_PIECES_H

/*
 * A message that comes in pieces, in any order and more than once, as in QUIC's CRYPTO frames
 * and the fragments of DTLS. All zero is empty. What lies behind the end of the room is left
 * out.
 */

#include "base/bytes.h"

enum { PIECES_MAX = 4096 };

struct pieces {
	uint64_t have[PIECES_MAX / 64]; /* a bit for each byte that has come */
	uint16_t ready;                 /* bytes before the first hole */
	uint8_t data[PIECES_MAX];
};

/* A piece, and where it belongs. */
void pieces_put(struct pieces *pieces, uint64_t at, struct bytes piece);

/* All up to the first hole. */
struct bytes pieces_ready(const struct pieces *pieces);

#endif
