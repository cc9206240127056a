/* SPDX-License-Identifier: LGPL-3.0-or-later */
#ifndef POLICY_POLICE_H
#define POLICY_POLICE_H

/*
 * A policer: the token buckets of RFC 2697 (one rate, two or three colours; colour-blind) and
 * RFC 2698 (two rates). Shared by all workers without a lock, and exact:
 *
 *	The tokens that have ever come until the time t are A(t) = floor(rate * t), computed
 *	afresh for each packet, so that no rounding adds up. A bucket's only state is V, the
 *	tokens that have ever gone: spent, or spilt because it was full. It holds A(t) - V, and
 *	one compare-and-swap of V takes both the spilling and the spending. This is to the token
 *	the bucket of the RFCs, which gets one token each 1/rate seconds and spills when full.
 *
 * The bucket for excess bursts of RFC 2697 gets what the first one spills: whoever has swapped
 * V brings the difference over, so that each token comes over once. The two of RFC 2698 are
 * asked one after the other, first the peak's. With many workers each bucket stays exact; which
 * of two packets at the same moment comes first is as undefined as it is on the wire.
 *
 * Time is the packets'. One that is earlier than the latest so far counts as being as late; a
 * step back by more than a second is a clock that was set, and time goes on from there.
 * Tokens are bits, or packets.
 */

#include "policy/model.h"
#include <barn/err.h>

struct police;

struct police_rates {
	bool packets, two_rates, three_colours;
	uint64_t cir, pir; /* bit/s or packets/s */
	uint64_t bc, be;   /* bytes or packets */
};

/*
 * What a configured policer comes to. `speed_bps`: of what percentages are taken; 0: unknown,
 * then false where it is needed. Sizes that were not given: a quarter of a second, at least
 * 1,500 bytes (as IOS has it: CIR / 32 bytes) or one packet.
 */
bool police_rates(const struct policy_police *config, uint64_t speed_bps,
		  struct police_rates *rates);

enum barn_err police_new(const struct police_rates *rates, struct police **police);
struct police *police_hold(struct police *police);
void police_drop(struct police *police); /* of NULL: nothing; the last one frees it */
const struct police_rates *police_rates_of(const struct police *police);

/* Any thread. The buckets are full at the first packet. */
enum policy_colour police_packet(struct police *police, uint64_t time_ns, uint32_t bytes);

#endif
