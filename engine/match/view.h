/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef MATCH_VIEW_H
#define MATCH_VIEW_H

/*
 * What rules are matched against: the first bytes that each side of a flow sent, in order. A
 * rule keeps no state: it is asked again when there is more to see, and says whether more could
 * change its answer.
 */

#include <stdbool.h>
#include <stdint.h>

enum match_dir { MATCH_CLIENT, MATCH_SERVER };

enum match_answer {
	MATCH_NO,    /* false, whatever comes */
	MATCH_LATER, /* not yet: more bytes may make it true */
	MATCH_YES,   /* true, whatever comes */
};

/*
 * Over TCP `data` is the stream's prefix. A side's first *turn* is what it sent before the
 * other side answered; `length` in a rule is the turn's length, unknown until `turn_over`. Over
 * UDP `data` is the first datagrams one behind the other, `ends[i]` the end of number i.
 */
struct match_side {
	const uint8_t *data;
	uint32_t len;
	uint32_t turn;        /* TCP: bytes of the first turn */
	const uint32_t *ends; /* UDP */
	uint16_t datagrams;   /* UDP: how many are in data */
	bool turn_over;       /* TCP */
	bool closed; /* no more will be shown, so LATER is pointless: FIN, or a bound */
};

struct match_view {
	struct match_side side[2]; /* by enum match_dir */
	bool udp;
	bool first_known; /* somebody has sent something, and `first` was before the other */
	uint8_t first;    /* enum match_dir */
};

#endif
